/* poolproof: OpenCL C has bool of its own.  SPDX-License-Identifier: MIT */

/* poolproof: OpenCL C has size_t of its own.  SPDX-License-Identifier: MIT */

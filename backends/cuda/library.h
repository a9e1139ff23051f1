/* poolproof: CUDA's library, opened at run time.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CUDA_LIBRARY_H
#define PP_CUDA_LIBRARY_H

#include "cuda/driver.h"

#include <poolproof/types.h>

/* Opens the library and finds every call. PP_NO_DEVICE: it, or one of them, is
 * not there; the note says what, and nothing is open. */
pp_status pp_cuda_driver_open(pp_cuda_driver *driver);

/* Writes "cuInit: CUDA_ERROR_NO_DEVICE (100)" to text, of PP_NOTE bytes. */
void pp_cuda_result_text(const pp_cuda_driver *driver, const char *call,
                         CUresult result, char *text);

/* Does a device that answers it take no more work? */
bool pp_cuda_result_loses(CUresult result);

#endif

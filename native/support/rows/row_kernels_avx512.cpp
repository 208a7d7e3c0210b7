#define LUDORUM_ROW_KERNELS kRowKernelsAvx512
#include "support/rows/row_kernels.inl"

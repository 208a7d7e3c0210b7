#define LUDORUM_ROW_KERNELS kRowKernelsAvx2
#include "support/rows/row_kernels.inl"

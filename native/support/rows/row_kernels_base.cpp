#define LUDORUM_ROW_KERNELS kRowKernelsBase
#include "support/rows/row_kernels.inl"

#define LUDORUM_COLUMNS 1
#define LUDORUM_KERNELS kKernels64Base
#include "circuit/kernels/kernels.inl"

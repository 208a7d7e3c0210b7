#define LUDORUM_COLUMNS 1
#define LUDORUM_KERNELS kKernels64Base
#include "kernels.inl"

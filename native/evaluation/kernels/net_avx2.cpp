#define LUDORUM_NET kNetAvx2
#define LUDORUM_INSTRUCTIONS "avx2"
#include "evaluation/kernels/net.inl"

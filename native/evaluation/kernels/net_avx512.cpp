#define LUDORUM_NET kNetAvx512
#define LUDORUM_INSTRUCTIONS "avx512"
#include "evaluation/kernels/net.inl"

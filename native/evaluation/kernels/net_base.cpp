#define LUDORUM_NET kNetBase
#define LUDORUM_INSTRUCTIONS "base"
#include "evaluation/kernels/net.inl"

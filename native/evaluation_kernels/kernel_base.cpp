#define LUDORUM_EVALUATION kEvaluationBase
#define LUDORUM_INSTRUCTIONS "scalar"
#include "kernel.inl"

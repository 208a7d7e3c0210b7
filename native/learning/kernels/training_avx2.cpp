#define LUDORUM_TRAINING kTrainingAvx2
#define LUDORUM_INSTRUCTIONS "avx2"
#include "learning/kernels/training.inl"

#define LUDORUM_TRAINING kTrainingBase
#define LUDORUM_INSTRUCTIONS "base"
#include "learning/kernels/training.inl"

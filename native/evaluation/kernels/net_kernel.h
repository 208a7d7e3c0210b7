// net_kernel.h: what runs a net, compiled once for every instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ludorum::evaluation {

// A net as the kernels read it. Pointers to int16 are aligned to 64 bytes.
struct PackedNet {
    std::uint32_t words = 0, hidden1 = 0, hidden2 = 0, outputs = 0;
    const std::uint64_t* inputs = nullptr;   // a bit a fluent: whether anything depends on it
    const std::int16_t* columns = nullptr;   // fluents × hidden1
    const std::int16_t* bias1 = nullptr;
    const std::int16_t* weights2 = nullptr;  // hidden1 / 2 × hidden2 × 2: pairs of inputs together
    const std::int32_t* bias2 = nullptr;
    const std::int16_t* weights3 = nullptr;  // outputs × hidden2
    const std::int32_t* bias3 = nullptr;
    const std::int32_t* skip = nullptr;      // fluents × outputs
};

struct NetKernel {
    const char* instructions;
    // As NetEvaluation::outputs.
    void (*run)(const PackedNet& net, const std::uint64_t* states, std::size_t count, const std::uint64_t* parents,
                const std::uint32_t* parent_of, std::int32_t* outputs);
};

constexpr std::uint32_t kMaxHidden1 = 256, kMaxHidden2 = 64, kMaxOutputs = 16;

extern const NetKernel kNetBase, kNetAvx2, kNetAvx512;

}  // namespace ludorum::evaluation

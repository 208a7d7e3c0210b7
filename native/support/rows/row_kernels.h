// row_kernels.h: what is done to rows of bits by the thousand, compiled for several instruction sets.
//
// The core is compiled for every machine; these few loops are worth compiling once more for those that can count bits,
// or move 64 bytes, in one instruction. All of them give the same answers.
//
// Does not: include anything but plain types, so that no copy of a shared function is compiled for some machines only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ludorum {

// Rows that lie one after the other, and of each the bits from `first` to before `end`.
struct RowRange {
    const std::uint64_t* rows;
    std::size_t words;  // of a row
    std::uint32_t first, end;
};

constexpr std::uint32_t kNoBit = ~std::uint32_t{0};

struct RowKernels {
    // See transpose.h.
    void (*transpose)(std::uint64_t rows[64]) noexcept;
    // Row i as bytes 0 and 1 to bytes + i * (end - first).
    void (*unpack)(const RowRange& range, std::size_t count, std::uint8_t* bytes) noexcept;
    // One of the bits that are set in row i, counted from `first`, each as likely as any other (but for 2^-32), to
    // picked[i * stride]; kNoBit if none is, or if asked[i] is 0. Stream i (splitmix64.h) goes on by one where there is
    // a choice.
    void (*pick)(const RowRange& range, std::size_t count, const std::uint8_t* asked, std::uint64_t* streams,
                 std::uint32_t* picked, std::size_t stride) noexcept;
    // Whether bit first + numbers[i * stride] is set, and lies before `end`, in every row i for which asked[i] is not 0.
    bool (*all_set)(const RowRange& range, std::size_t count, const std::uint8_t* asked, const std::uint32_t* numbers,
                    std::size_t stride) noexcept;
    // Sets flags[i] to 1 if no bit of row i is set.
    void (*mark_empty)(const RowRange& range, std::size_t count, std::uint8_t* flags) noexcept;
    // How many bits are set in row i, to counts[i * stride].
    void (*count)(const RowRange& range, std::size_t rows, std::uint32_t* counts, std::size_t stride) noexcept;
};

extern const RowKernels kRowKernelsBase;
#if defined(LUDORUM_X86)
extern const RowKernels kRowKernelsAvx2;
extern const RowKernels kRowKernelsAvx512;
#endif

// Those that this machine can run, the best one last.
struct RowKernelChoices {
    const RowKernels* kernels[3];
    std::size_t count;
};
RowKernelChoices available_row_kernels();

// The best ones.
const RowKernels& row_kernels();

}  // namespace ludorum

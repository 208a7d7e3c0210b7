#include <mutex>
#include <random>
#include <vector>

#include "support/rows/row_kernels.h"
#include "support/thread_team.h"
#include "tests/check.h"
#include "tests/chi_squared.h"

using namespace ludorum;

namespace {

// Rows of `bits` bits in which about one of `sparsity` is set.
std::vector<std::uint64_t> random_rows(std::mt19937_64& random, std::size_t count, std::uint32_t bits, std::uint32_t sparsity) {
    const std::size_t words = (bits + 63) / 64;
    std::vector<std::uint64_t> rows(count * words);
    for (std::size_t i = 0; i < count; ++i)
        for (std::uint32_t bit = 0; bit < bits; ++bit)
            if (random() % sparsity == 0) rows[i * words + bit / 64] |= std::uint64_t{1} << (bit % 64);
    return rows;
}

bool is_set(const std::uint64_t* row, std::uint32_t bit) { return row[bit / 64] >> (bit % 64) & 1; }

template <class Check> void for_all_kernels(Check check) {
    const RowKernelChoices found = available_row_kernels();
    for (std::size_t i = 0; i < found.count; ++i) check(*found.kernels[i]);
}

}  // namespace

TEST("a matrix of bits is transposed alike with every instruction set") {
    std::mt19937_64 random(1);
    for (int round = 0; round < 20; ++round) {
        const std::vector<std::uint64_t> rows = random_rows(random, 64, 64, 2);
        for_all_kernels([&](const RowKernels& kernels) {
            std::vector<std::uint64_t> turned = rows;
            kernels.transpose(turned.data());
            bool is_right = true;
            for (std::uint32_t i = 0; i < 64; ++i)
                for (std::uint32_t j = 0; j < 64; ++j) is_right &= is_set(&rows[i], j) == is_set(&turned[j], i);
            CHECK(is_right);
        });
    }
}

TEST("rows are unpacked, counted, checked and drawn from bit by bit alike with every instruction set") {
    std::mt19937_64 random(2);
    for (std::uint32_t bits : {1u, 20u, 63u, 64u, 65u, 127u, 128u, 310u, 1000u, 9000u})
        for (std::uint32_t sparsity : {1u, 3u, 400u}) {
            const std::size_t words = (bits + 63) / 64, count = 70;
            const std::vector<std::uint64_t> rows = random_rows(random, count, bits, sparsity);
            const auto first = static_cast<std::uint32_t>(random() % bits);
            const auto end = first + static_cast<std::uint32_t>(random() % (bits - first + 1));
            const RowRange range{rows.data(), words, first, end};
            std::vector<std::uint32_t> drawn;
            for_all_kernels([&](const RowKernels& kernels) {
                std::vector<std::uint8_t> bytes(count * (end - first) + 1, 7), empty(count), asked(count, 1);
                std::vector<std::uint32_t> counts(count), picked(count);
                std::vector<std::uint64_t> streams(count);
                asked[3] = 0;
                kernels.unpack(range, count, bytes.data());
                kernels.count(range, count, counts.data(), 1);
                kernels.mark_empty(range, count, empty.data());
                for (std::size_t i = 0; i < count; ++i) streams[i] = i;
                kernels.pick(range, count, asked.data(), streams.data(), picked.data(), 1);
                bool is_right = bytes.back() == 7;
                for (std::size_t i = 0; i < count; ++i) {
                    std::uint32_t set = 0;
                    for (std::uint32_t bit = first; bit < end; ++bit) {
                        set += is_set(&rows[i * words], bit);
                        is_right &= bytes[i * (end - first) + bit - first] == is_set(&rows[i * words], bit);
                    }
                    is_right &= counts[i] == set && empty[i] == (set == 0);
                    is_right &= (streams[i] != i) == (set > 1 && asked[i]);
                    if (set == 0 || !asked[i]) is_right &= picked[i] == kNoBit;
                    else is_right &= picked[i] < end - first && is_set(&rows[i * words], first + picked[i]);
                    const std::uint8_t yes = 1;
                    if (picked[i] != kNoBit) is_right &= kernels.all_set({&rows[i * words], words, first, end}, 1, &yes, &picked[i], 1);
                    const std::uint32_t past = end - first;
                    is_right &= !kernels.all_set({&rows[i * words], words, first, end}, 1, &yes, &past, 1);
                }
                CHECK(is_right);
                if (drawn.empty()) drawn = picked;
                CHECK(drawn == picked);
            });
        }
}

TEST("each bit of a row is drawn as often as any other") {
    std::mt19937_64 random(3);
    const std::vector<std::uint64_t> row = random_rows(random, 1, 300, 6);
    for_all_kernels([&](const RowKernels& kernels) {
        std::vector<std::uint64_t> counts(300);
        std::uint64_t stream = 5;
        const std::uint8_t asked = 1;
        for (int i = 0; i < 60000; ++i) {
            std::uint32_t picked;
            kernels.pick({row.data(), 5, 17, 290}, 1, &asked, &stream, &picked, 1);
            ++counts[17 + picked];
        }
        std::vector<std::uint64_t> of_set;
        for (std::uint32_t bit = 17; bit < 290; ++bit)
            if (is_set(row.data(), bit)) of_set.push_back(counts[bit]);
        const std::vector<double> even(of_set.size(), 60000.0 / static_cast<double>(of_set.size()));
        CHECK(testing::chi_squared(of_set, even).is_plausible());
    });
}

TEST("a thread team does a piece of work in every thread, again and again") {
    for (std::uint32_t size : {1u, 2u, 5u}) {
        ThreadTeam team(size);
        std::mutex guard;
        std::uint32_t calls = 0;
        std::vector<std::uint32_t> by_number(size);
        for (int round = 0; round < 50; ++round) team.invoke([&](std::uint32_t number) {
            const std::lock_guard lock(guard);
            ++calls;
            ++by_number[number];
        });
        CHECK(calls == 50 * size);
        CHECK(by_number == std::vector<std::uint32_t>(size, 50));
        CHECK_THROWS(std::runtime_error, "out of luck", team.invoke([](std::uint32_t) { throw std::runtime_error("out of luck"); }));
        team.invoke([](std::uint32_t) {});
    }
}

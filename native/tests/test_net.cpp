#include <algorithm>
#include <array>
#include <cstdlib>

#include "evaluation/kernels/net_kernel.h"
#include "evaluation/net.h"
#include "support/random.h"
#include "tests/check.h"

using namespace ludorum;
using namespace ludorum::evaluation;

namespace {

template <class T> std::vector<T> numbers(Random& random, std::size_t count, std::uint32_t most) {
    std::vector<T> made(count);
    for (T& number : made) number = static_cast<T>(static_cast<std::int32_t>(random.below(2 * most + 1)) - static_cast<std::int32_t>(most));
    return made;
}

NetWeights random_net(Random& random, std::uint32_t fluents, std::uint32_t outputs, std::uint32_t hidden1, std::uint32_t hidden2,
                      std::uint32_t largest_column) {
    return {fluents, outputs == 1 ? 2 : outputs, outputs, hidden1, hidden2,
            numbers<std::int16_t>(random, std::size_t{fluents} * hidden1, largest_column), numbers<std::int16_t>(random, hidden1, 200),
            numbers<std::int16_t>(random, std::size_t{hidden1} * hidden2, 300), numbers<std::int32_t>(random, hidden2, 60'000),
            numbers<std::int16_t>(random, std::size_t{outputs} * hidden2, 500), numbers<std::int32_t>(random, outputs, 70'000),
            numbers<std::int32_t>(random, std::size_t{fluents} * outputs, 20'000)};
}

std::vector<Bits> random_rows(Random& random, std::uint32_t fluents, std::size_t count) {
    std::vector<Bits> rows(count * words_for(fluents));
    for (Bits& word : rows) word = random() & random();
    if (fluents % 64 != 0)
        for (std::size_t i = 1; i <= count; ++i) rows[i * words_for(fluents) - 1] &= (Bits{1} << (fluents % 64)) - 1;
    return rows;
}

}  // namespace

TEST("every kernel of a net gives the numbers of the definition, from nothing and from a parent") {
    Random random(22);
    for (const auto [fluents, outputs, hidden1, hidden2] : {std::array{90u, 1u, 64u, 32u}, {64u, 3u, 32u, 16u}, {200u, 2u, 96u, 64u}, {5u, 1u, 256u, 32u}})
        // With large columns the sums of the first layer go round, which is part of the definition.
        for (std::uint32_t largest : {60u, 30'000u}) {
            const NetWeights weights = random_net(random, fluents, outputs, hidden1, hidden2, largest);
            const std::size_t count = 200, words = words_for(fluents);
            const std::vector<Bits> parents = random_rows(random, fluents, 30);
            std::vector<Bits> states = random_rows(random, fluents, count);
            std::vector<std::uint32_t> parent_of;
            while (parent_of.size() < count) parent_of.resize(std::min<std::size_t>(count, parent_of.size() + 1 + random.below(12)), random.below(30));
            // Half of the states differ from their parents in a few fluents only.
            for (std::size_t i = 0; i < count; i += 2)
                for (std::size_t word = 0; word < words; ++word)
                    states[i * words + word] = parents[parent_of[i] * words + word] ^ (states[i * words + word] & random() & random());
            std::vector<std::int32_t> expected(count * outputs), found(count * outputs);
            NetEvaluation(weights).plain_outputs(states.data(), count, expected.data());
            for (const NetKernel* kernel : net_kernels()) {
                const NetEvaluation net(weights, *kernel);
                net.outputs(states.data(), count, nullptr, nullptr, found.data());
                CHECK(found == expected);
                std::fill(found.begin(), found.end(), 77);
                net.outputs(states.data(), count, parents.data(), parent_of.data(), found.data());
                CHECK(found == expected);
            }
        }
}

TEST("an output of 0 is worth a half, and more is worth more") {
    CHECK(net_value(0) == 0.5);
    for (std::int32_t output = -900'000; output < 900'000; output += 7'919) {
        CHECK(net_value(output) <= net_value(output + 7'919));
        CHECK(std::abs(net_value(output) + net_value(-output) - 1) < 1e-9);
    }
}

TEST("what is no net is refused with a reason") {
    Random random(1);
    NetWeights weights = random_net(random, 20, 1, 64, 32, 100);
    weights.hidden1 = 60;
    CHECK_THROWS(std::invalid_argument, "a first layer of a wrong size", weights.check());
    weights = random_net(random, 20, 1, 64, 32, 100);
    weights.skip.pop_back();
    CHECK_THROWS(std::invalid_argument, "a skip of a wrong shape", weights.check());
    weights = random_net(random, 20, 1, 64, 32, 100);
    std::fill(weights.skip.begin(), weights.skip.end(), std::int32_t{1} << 28);
    CHECK_THROWS(std::invalid_argument, "too large", weights.check());
}

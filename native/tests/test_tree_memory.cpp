#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "check.h"
#include "search/mcts/node.h"
#include "search/mcts/pool.h"

using namespace ludorum;
using namespace ludorum::mcts;

TEST("visits of a move are counted exactly while several threads begin them and come back") {
    constexpr std::uint32_t kThreads = 4, kVisits = 50'000;
    Record record;
    {
        std::vector<std::jthread> threads;
        for (std::uint32_t thread = 0; thread < kThreads; ++thread)
            threads.emplace_back([&record, thread] {
                for (std::uint32_t i = 0; i < kVisits; ++i) {
                    record.begin(1, true);
                    if (i % 5 == 4) record.cancel(true);
                    else record.come_back(1, Record::parts(static_cast<float>(thread) / 100), true);
                    if (i == kVisits / 2) record.set_child(thread + 1);
                }
            });
    }
    const Record::Count count = record.count();
    CHECK(count.begun == kThreads * kVisits / 5 * 4);
    CHECK(count.pending == 0);
    CHECK(std::abs(count.sum - kVisits / 5 * 4 * (0 + 1 + 2 + 3) / 100.0) < 1e-6);
    CHECK(record.child() >= 1 && record.child() <= kThreads);
}

TEST("a goal is counted exactly, however often it comes") {
    for (std::uint32_t goal = 0; goal <= 100; ++goal) {
        Record record;
        // More often than the visits that came back are counted to.
        constexpr std::uint32_t kVisits = 200'000;
        for (std::uint32_t i = 0; i < kVisits; ++i) {
            record.begin(1, false);
            record.come_back(1, Record::parts(static_cast<float>(goal) / 100), false);
        }
        CHECK(record.count().visits() == kVisits);
        CHECK(std::abs(100 * record.count().sum / kVisits - goal) < 1e-9);
    }
}

TEST("visits in flight are those that were begun and did not come back") {
    Record record;
    record.come_back_before(70'000, Record::parts(0.5f) * 70'000, false);
    for (int i = 0; i < 1000; ++i) record.begin(1, false);
    for (int i = 0; i < 300; ++i) record.come_back(1, Record::parts(1), false);
    const Record::Count count = record.count();
    CHECK(count.begun == 71'000);
    CHECK(count.pending == 700);
    CHECK(count.visits() == 70'300);
    CHECK(std::abs(count.sum - (35'000 + 300)) < 1e-6);
}

TEST("memory for nodes is handed to one thread only, all zero, until there is no more") {
    constexpr std::size_t kThreads = 3, kBytes = std::size_t{1} << 20;
    Pool pool(kBytes, kThreads, 5'000);
    std::vector<Pool::Plot> plots(kThreads);
    std::vector<std::size_t> taken(kThreads);
    std::vector<std::vector<std::pair<std::byte*, std::size_t>>> pieces(kThreads);
    std::vector<int> not_zero(kThreads);
    {
        std::vector<std::jthread> threads;
        for (std::size_t thread = 0; thread < kThreads; ++thread)
            threads.emplace_back([&, thread] {
                for (std::size_t i = 0;; ++i) {
                    const std::size_t bytes = 40 + i * 977 % 4'900;
                    std::byte* piece = pool.take(plots[thread], bytes, kBytes);
                    if (!piece) return;
                    not_zero[thread] += std::any_of(piece, piece + bytes, [](std::byte part) { return part != std::byte{0}; });
                    std::memset(piece, static_cast<int>(thread + 1), bytes);
                    pieces[thread].push_back({piece, bytes});
                    taken[thread] += bytes;
                }
            });
    }
    std::size_t all = 0;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
        CHECK(not_zero[thread] == 0);
        for (const auto& [piece, bytes] : pieces[thread]) {
            CHECK(std::all_of(piece, piece + bytes, [&](std::byte part) { return part == static_cast<std::byte>(thread + 1); }));
            CHECK(pool.at(pool.place(piece)) == piece && pool.place(piece) != 0);
        }
        all += taken[thread];
    }
    CHECK(all > kBytes / 2 && all < 2 * kBytes);
    CHECK(pool.granted() >= all);
}

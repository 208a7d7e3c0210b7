#include <algorithm>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "search/mcts/node.h"
#include "search/mcts/pool.h"
#include "search/mcts/tree.h"
#include "tests/check.h"

using namespace ludorum;
using namespace ludorum::mcts;

TEST("visits of a move are counted exactly while several threads begin them and come back") {
    constexpr std::uint32_t kThreads = 4, kVisits = 50'000;
    EdgeStats stats;
    {
        std::vector<std::jthread> threads;
        for (std::uint32_t thread = 0; thread < kThreads; ++thread)
            threads.emplace_back([&stats, thread] {
                for (std::uint32_t i = 0; i < kVisits; ++i) {
                    stats.start(1, true);
                    if (i % 5 == 4) stats.cancel(true);
                    else stats.complete(1, EdgeStats::parts(static_cast<float>(thread) / 100), true);
                    if (i == kVisits / 2) stats.set_child(thread + 1);
                }
            });
    }
    const EdgeStats::Count count = stats.count();
    CHECK(count.started == kThreads * kVisits / 5 * 4);
    CHECK(count.pending == 0);
    CHECK(std::abs(count.sum - kVisits / 5 * 4 * (0 + 1 + 2 + 3) / 100.0) < 1e-6);
    CHECK(stats.child() >= 1 && stats.child() <= kThreads);
}

TEST("a goal is counted exactly, however often it comes") {
    for (std::uint32_t goal = 0; goal <= 100; ++goal) {
        EdgeStats stats;
        // More often than the visits that came back are counted to.
        constexpr std::uint32_t kVisits = 200'000;
        for (std::uint32_t i = 0; i < kVisits; ++i) {
            stats.start(1, false);
            stats.complete(1, EdgeStats::parts(static_cast<float>(goal) / 100), false);
        }
        CHECK(stats.count().visits() == kVisits);
        CHECK(std::abs(100 * stats.count().sum / kVisits - goal) < 1e-9);
    }
}

TEST("visits in flight are those that were started and did not come back") {
    EdgeStats stats;
    stats.add_prior(70'000, EdgeStats::parts(0.5f) * 70'000, false);
    for (int i = 0; i < 1000; ++i) stats.start(1, false);
    for (int i = 0; i < 300; ++i) stats.complete(1, EdgeStats::parts(1), false);
    const EdgeStats::Count count = stats.count();
    CHECK(count.started == 71'000);
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
                    std::byte* piece = pool.take(plots[thread], bytes, kBytes, [](const Pool::Run&) {});
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

namespace {

constexpr std::uint64_t kMemory = std::uint64_t{1} << 22;

// A tree of made-up states, each of which is a number: from n two moves lead to 2 n and to 2 n + 1. With two roles that
// choose at once there are four joint moves, of which those two are made.
class Numbers {
public:
    Numbers(std::uint32_t roles) : roles_(roles), shape_{64, std::vector<std::uint32_t>(roles, 2), {}, 2 * roles}, tree_(shape_, options()) {
        add(1, true);
        set_root(1);
    }

    Tree& tree() { return tree_; }
    void set_root(std::uint64_t number) {
        root_ = find(number);
        tree_.set_root(root_);
        level_.assign(1, root_);
        at_ = 0;
    }
    void meet(std::uint64_t number) {
        add(number, true);
        set_root(number);
    }
    Node* find(std::uint64_t number) { return tree_.find(&number); }
    Node* next(Node* node, std::uint32_t move) const {
        const std::vector<std::uint32_t> joint(roles_, move);
        return roles_ == 1 ? tree_.child(node->edges(0)[move]) : tree_.linked(*node, joint.data());
    }

    // Tries so often to add a node below the root, level by level, as a search would; says how often it could.
    std::size_t grow(std::size_t tries) {
        std::size_t made = 0;
        while (tries > 0) {
            Node* node = level_[at_ / 2];
            const auto move = static_cast<std::uint32_t>(at_ % 2);
            Node* child = next(node, move);
            if (!child) {
                --tries;
                child = add(2 * *node->state() + move, false);
                if (child) {
                    ++made;
                    const std::vector<std::uint32_t> joint(roles_, move);
                    child = roles_ == 1 ? tree_.set_child(node->edges(0)[move], child) : tree_.link(*node, joint.data(), child);
                }
                tree_.collect();
                if (!child) continue;
            }
            level_.push_back(child);
            ++at_;
        }
        return made;
    }

    // The numbers that can be reached, which must be what their parents say.
    std::set<std::uint64_t> reachable() {
        std::set<std::uint64_t> numbers;
        std::vector<Node*> open{root_};
        while (!open.empty()) {
            Node* node = open.back();
            open.pop_back();
            numbers.insert(*node->state());
            for (std::uint32_t move = 0; move < 2; ++move)
                if (Node* child = next(node, move)) {
                    CHECK(*child->state() == 2 * *node->state() + move);
                    CHECK(find(*child->state()) == child);
                    open.push_back(child);
                }
        }
        return numbers;
    }

private:
    static Options options() {
        Options options;
        options.memory = kMemory;
        return options;
    }
    Node* add(std::uint64_t number, bool is_root) {
        const Bits legal = roles_ == 1 ? 3 : 15;
        const std::int16_t goals[2] = {};
        return tree_.add({&number, tree_.expect(&number), &legal, false, goals}, 0, is_root).node;
    }

    const std::uint32_t roles_;
    const Shape shape_;
    Tree tree_;
    Node* root_ = nullptr;
    std::vector<Node*> level_;  // below the root, level by level, as far as it is complete,
    std::size_t at_ = 0;        // and which of their moves comes next
};

// More than there is room for.
constexpr std::size_t kMany = 40'000;

}  // namespace

TEST("a new root looks at no other node, whatever the size of the tree") {
    for (std::uint32_t roles : {1u, 2u}) {
        Numbers numbers(roles);
        CHECK(numbers.grow(kMany) > 5'000);
        const std::uint64_t nodes = numbers.tree().nodes();
        for (std::uint64_t root : {2u, 5u, 11u}) {
            numbers.set_root(root);
            CHECK(numbers.tree().marked() == 0 && numbers.tree().swept() == 0);
        }
        CHECK(numbers.tree().nodes() == nodes);
    }
}

TEST("what is looked at to free memory is in proportion to what is added") {
    Numbers numbers(1);
    numbers.grow(kMany);
    numbers.set_root(2);
    std::uint64_t most = 0, before = 0;
    for (int i = 0; i < 10'000; ++i) {
        numbers.grow(1);
        const std::uint64_t now = numbers.tree().marked() + numbers.tree().swept();
        most = std::max(most, now - before);
        before = now;
    }
    CHECK(before > 10'000);
    // A region is gone through in one go: there are 64 of them, of so many nodes of three lines each.
    CHECK(most < 100 + kMemory / 64 / 192);
}

TEST("what cannot be reached from the root makes room, and what can stays as it was") {
    for (std::uint32_t roles : {1u, 2u}) {
        Numbers numbers(roles);
        const std::size_t first = numbers.grow(kMany);
        std::uint64_t root = 1;
        for (int i = 0; i < 8; ++i) {
            root = 2 * root + static_cast<std::uint64_t>(i % 2);
            numbers.set_root(root);
            const std::set<std::uint64_t> kept = numbers.reachable();
            // It is full: only what is freed can be given to others.
            const std::size_t grown = numbers.grow(kMany);
            CHECK(grown > first / 4);
            const std::set<std::uint64_t> now = numbers.reachable();
            CHECK(std::includes(now.begin(), now.end(), kept.begin(), kept.end()));
            CHECK(now.size() == kept.size() + grown);
            CHECK(numbers.tree().nodes() == now.size());
            CHECK(numbers.tree().used() <= kMemory + kMemory / 16);
        }
        CHECK(!numbers.find(1) && !numbers.find(3));
    }
}

TEST("a root that nobody has seen before has room even where the tree is full") {
    Numbers numbers(1);
    numbers.grow(kMany);
    const std::uint64_t nodes = numbers.tree().nodes();
    CHECK(numbers.grow(1) == 0);
    numbers.meet(std::uint64_t{1} << 40);
    CHECK(numbers.tree().nodes() == nodes + 1);
    numbers.grow(kMany);
    CHECK(!numbers.find(2));
    CHECK(numbers.reachable().size() == numbers.tree().nodes());
}

TEST("roots may change while it is still being found out what can be reached") {
    Numbers numbers(2);
    numbers.grow(kMany);
    std::uint64_t root = 1;
    for (int i = 0; i < 9; ++i) {
        root = 2 * root + 1;
        numbers.set_root(root);
        numbers.grow(50);
    }
    numbers.grow(kMany);
    CHECK(numbers.reachable().size() == numbers.tree().nodes());
}

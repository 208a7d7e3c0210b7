// node.h: a state that a search has seen, and what it knows of the moves there.
//
// A node is one block of memory that begins a line of the cache: its head, the
// roles with what is proved of their goals, for every role that has a choice
// the statistics of its moves, and its state.
//
// Threads: the statistics that count are changed in one go each and need no
// lock. What follows from them (scores, the logarithm) is written by whoever
// changed them last, and may for a moment be what it was a visit ago. The
// lock is for proofs, and for what is noted of moves that came later. State,
// moves and shape never change.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>

#include "engine/simulator.h"

namespace ludorum::mcts {

constexpr float kSettled = -1e9f;    // the score of a move that need not be tried any more
constexpr float kUnvisited = 1e4f;  // the exploration term of a move without a visit: more than any other

// Adds without a lock where threads share it, and at no cost where there is one thread only. Returns what it was before.
template <class Number> Number add_to(std::atomic<Number>& sum, Number more, bool is_shared) {
    if (is_shared) return sum.fetch_add(more, std::memory_order_acq_rel);
    const Number before = sum.load(std::memory_order_relaxed);
    sum.store(before + more, std::memory_order_relaxed);
    return before;
}

// What is known of a move.
class EdgeStats {
public:
    // A value is counted in these parts of 1: goals are from 0 to 100, and exact; what an evaluation says is nearly so.
    static constexpr double kParts = 51'200;
    // More visits than this cannot be in flight.
    static constexpr std::uint32_t kMostPending = 0xFFFF;

    static std::uint64_t parts(float value) { return static_cast<std::uint64_t>(value * static_cast<float>(kParts) + 0.5f); }

    struct Count {
        std::uint32_t started;  // visits, those in flight included
        std::uint32_t pending;  // those in flight
        double sum;             // of what the others brought

        std::uint32_t visits() const { return started - pending; }
        float mean() const { return visits() ? static_cast<float>(sum / visits()) : 0; }
    };

    Count count() const {
        // In this order: what came back before the first was begun before the second.
        const std::uint64_t completed = completed_.load(std::memory_order_acquire);
        const std::uint32_t started = this->started();
        return {started, (started - static_cast<std::uint32_t>(completed >> kSumBits)) & kMostPending, static_cast<double>(static_cast<std::int64_t>(completed & kSum)) * (1 / kParts)};
    }
    std::uint32_t started() const { return static_cast<std::uint32_t>(started_.load(std::memory_order_relaxed) >> 32); }
    // Where its node is in the pool, if no other role has a choice; 0: it has none.
    std::uint32_t child() const { return static_cast<std::uint32_t>(started_.load(std::memory_order_acquire)); }

    // Visits begin; says where they lead, and how many were begun with them.
    struct Started {
        std::uint32_t child, visits;
    };
    Started start(std::uint32_t visits, bool is_shared) {
        const std::uint64_t before = add_to(started_, visits * kOneStarted, is_shared);
        return {static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(before >> 32) + visits};
    }
    // It never began; says how many there were with it.
    std::uint32_t cancel(bool is_shared) { return static_cast<std::uint32_t>(add_to(started_, ~kOneStarted + 1, is_shared) >> 32); }
    void complete(std::uint64_t visits, std::uint64_t parts, bool is_shared) { add_to(completed_, (visits << kSumBits) + parts, is_shared); }
    // Visits that were never made.
    void add_prior(std::uint32_t visits, std::uint64_t parts, bool is_shared) {
        add_to(started_, visits * kOneStarted, is_shared);
        add_to(completed_, (std::uint64_t{visits} << kSumBits) + parts, is_shared);
    }

    // The first who finds a child sets it.
    void set_child(std::uint32_t child) {
        std::uint64_t before = started_.load(std::memory_order_relaxed);
        while (static_cast<std::uint32_t>(before) == 0 && !started_.compare_exchange_weak(before, before | child, std::memory_order_release)) {}
    }

private:
    static constexpr std::uint64_t kOneStarted = std::uint64_t{1} << 32;
    static constexpr int kSumBits = 48;
    static constexpr std::uint64_t kSum = (std::uint64_t{1} << kSumBits) - 1;

    std::atomic<std::uint64_t> started_{0};    // the visits that were started, and the child
    std::atomic<std::uint64_t> completed_{0};  // how many came back, modulo 2^16, and the parts that they brought
};

// What playouts brought in which a move came at any time from here on.
struct AmafStats {
    std::atomic<float> mean{0};
    std::atomic<std::uint32_t> visits{0};
};

// What selection reads, of four moves: it reads this of all moves and all else of one only.
struct alignas(32) EdgeBlock {
    std::atomic<float> score[4];  // the mean, leaves in flight counted in
    std::atomic<float> exploration_term[4];  // 1 / sqrt(visits), likewise: what exploration is multiplied with
};
static_assert(sizeof(EdgeBlock) == 32, "selection reads them as vectors");

// Where the figures of one move are.
struct EdgeRef {
    EdgeStats& stats;
    std::atomic<float>& score;
    std::atomic<float>& exploration_term;

    // Takes the move out of selection: nothing more is to be learned from it.
    void settle() const {
        score.store(kSettled, std::memory_order_relaxed);
        exploration_term.store(0, std::memory_order_relaxed);
    }
};

// The moves of a role that has a choice in a node, one row of figures after the other.
class Edges {
public:
    Edges(std::uint32_t count, std::byte* rows) : count(count), blocks_(reinterpret_cast<EdgeBlock*>(rows)) {}

    const std::uint32_t count;

    std::span<EdgeBlock> blocks() const { return {blocks_, (count + 3) / 4}; }
    float score(std::uint32_t e) const { return blocks_[e / 4].score[e % 4].load(std::memory_order_relaxed); }
    float exploration_term(std::uint32_t e) const { return blocks_[e / 4].exploration_term[e % 4].load(std::memory_order_relaxed); }
    bool is_unvisited(std::uint32_t e) const { return exploration_term(e) == kUnvisited; }
    EdgeStats& operator[](std::uint32_t e) const { return stats()[e]; }
    EdgeRef ref(std::uint32_t e) const { return {stats()[e], blocks_[e / 4].score[e % 4], blocks_[e / 4].exploration_term[e % 4]}; }
    // The number of the move within the role.
    std::uint32_t& move(std::uint32_t e) const { return moves()[e]; }
    // Requires: the tree was asked to keep them.
    AmafStats& amaf(std::uint32_t e) const { return reinterpret_cast<AmafStats*>(moves() + count)[e]; }

    static std::size_t bytes(std::size_t count, bool has_amaf) {
        return (count + 3) / 4 * sizeof(EdgeBlock) +
               count * (sizeof(EdgeStats) + sizeof(std::uint32_t) + (has_amaf ? sizeof(AmafStats) : 0));
    }

private:
    EdgeStats* stats() const { return reinterpret_cast<EdgeStats*>(blocks_ + (count + 3) / 4); }
    std::uint32_t* moves() const { return reinterpret_cast<std::uint32_t*>(stats() + count); }

    EdgeBlock* blocks_;
};

// A role in a node.
struct RoleEntry {
    std::uint32_t count = 0;     // of its moves
    std::uint32_t place = 0;     // where its rows are, in bytes from the node; of a single move, which has none, the number
    std::atomic<float> low{0};   // what its goal is at least, if everybody plays for their own,
    std::atomic<float> high{1};  // and at most
};

// The head of a node. With the seats of two roles it fills a line of the cache.
struct alignas(32) Node {
    std::atomic<std::uint8_t> lock{0};
    std::atomic<bool> is_solved{false};       // everything about it is proved
    bool is_terminal = false;
    bool is_free = false;                     // no node, but unused memory: `state_place` is how many bytes
    std::uint16_t only_chooser = 0;           // if one role alone has a choice, its number
    std::uint16_t choosers = 0;               // roles with more than one move
    std::atomic<std::uint32_t> visits{0};     // through it, those in flight included; with several threads, about so many
    std::atomic<std::uint32_t> logged{0};     // the visits at which `log` was taken
    std::atomic<float> log{0};                // sqrt(log(visits)), or nearly so
    std::uint32_t state_place = 0;            // in bytes from the node
    std::atomic<std::uint32_t> prior{0};      // visits that every move had before it was tried
    std::atomic<std::uint32_t> epoch{0};      // the last one in which it was known to be reachable

    RoleEntry& entry(std::size_t role) { return reinterpret_cast<RoleEntry*>(this + 1)[role]; }
    const RoleEntry& entry(std::size_t role) const { return reinterpret_cast<const RoleEntry*>(this + 1)[role]; }
    std::uint32_t count(std::size_t role) const { return entry(role).count; }
    float low_of(std::size_t role) const { return entry(role).low.load(std::memory_order_relaxed); }
    float high_of(std::size_t role) const { return entry(role).high.load(std::memory_order_relaxed); }

    // Requires: the role has a choice.
    Edges edges(std::size_t role) const { return {entry(role).count, at(entry(role).place)}; }
    std::uint32_t move(std::size_t role, std::uint32_t e) const {
        return count(role) > 1 ? edges(role).move(e) : entry(role).place;
    }
    Bits* state() const { return reinterpret_cast<Bits*>(at(state_place)); }

    // Where not one role alone has a choice, what leads to its successors begins here: one more than the joint move that
    // was linked last, 0 for none. It lies before the state. Changed and read under the lock.
    std::uint64_t& last_link() const { return *reinterpret_cast<std::uint64_t*>(at(state_place - sizeof(std::uint64_t))); }

    // A visit more or less. Where somebody has a choice this is read for its logarithm only, and it does not matter that of
    // two threads that count at the same moment one may do so in vain.
    std::uint32_t count_visit(std::int32_t more, bool is_shared) {
        return add_to(visits, static_cast<std::uint32_t>(more), is_shared && choosers == 0) + static_cast<std::uint32_t>(more);
    }

    // Likewise where one role has a choice and threads share the tree: visits of an edge more or less, of which there were
    // so many before and are so many now. Of an edge that was tried often eight are counted at a time, so that the head,
    // which every path reads, is seldom written to.
    void count_visits_of(std::uint32_t before, std::uint32_t now) {
        constexpr std::uint32_t kAtOnce = 8;
        const auto counted = [](std::uint32_t visits) { return visits <= kAtOnce ? visits : visits - visits % kAtOnce; };
        if (counted(now) != counted(before)) count_visit(static_cast<std::int32_t>(counted(now) - counted(before)), true);
    }

    std::byte* at(std::size_t place) const { return reinterpret_cast<std::byte*>(const_cast<Node*>(this)) + place; }
};

static_assert(sizeof(Node) == 32, "with the entries of two roles it fills a line");

// Asks for a line that will be written to, so that it is not fetched twice where another core has it.
inline void prefetch_to_write(const void* memory) {
#if defined(__x86_64__)
    // Of its own word for it the compiler makes a prefetch to read, unless it is told of a newer machine.
    asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(memory)));
#else
    __builtin_prefetch(memory, 1);
#endif
}

// Asks for the lines of a node that a path reads first: the head, and the scores of up to so many moves.
constexpr int kLinesAhead = 4;
inline void prefetch(const Node* node) {
    const char* block = reinterpret_cast<const char*>(node);
    for (int line = 0; line < kLinesAhead; ++line) __builtin_prefetch(block + 64 * line);
}

// Held while something is proved of a node; free of charge where there is one thread only.
class Guard {
public:
    Guard(Node& node, bool is_shared) : node_(is_shared ? &node : nullptr) {
        if (node_ && node_->lock.exchange(1, std::memory_order_acquire)) wait();
    }
    ~Guard() {
        if (node_) node_->lock.store(0, std::memory_order_release);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

private:
    // Whoever holds it needs it for a moment only, unless it had to give up its core meanwhile.
    void wait() {
        for (int tries = 0;; ++tries) {
            if (!node_->lock.load(std::memory_order_relaxed) && !node_->lock.exchange(1, std::memory_order_acquire)) return;
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
            if (tries % 256 == 255) std::this_thread::yield();
        }
    }

    Node* node_;
};

}  // namespace ludorum::mcts

// tree.h: the states that a search has seen, and what it knows of the moves
// there.
//
// A node is one block of memory that begins a line of the cache: its head, the
// roles with what is proved of their goals, for every role that has a choice
// the statistics of its moves, and its state. States that were reached in several ways are one node, so the tree is
// really a graph without regard to cycles; whoever walks it bounds the walk.
//
// Threads: a node's statistics are read and written under its lock; its state,
// moves and shape never change. Bounds are atomic, because parents read them.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "options.h"
#include "random.h"
#include "simulator.h"
#include "zobrist.h"

namespace ludorum::mcts {

struct Node;

constexpr float kSettled = -1e9f;  // the score of a move that need not be tried any more

// What is known of a move.
struct Record {
    Node* child = nullptr;      // its node, where no other role has a choice
    double sum = 0;             // of what its visits brought
    std::uint32_t visits = 0;
    std::uint32_t pending = 0;  // leaves in flight

    float mean() const { return visits ? static_cast<float>(sum / visits) : 0; }
};

// What playouts brought in which a move came at any time from here on.
struct LaterRecord {
    float mean = 0;
    std::uint32_t visits = 0;
};

// What selection reads, of four moves: it reads this of all moves and all else of one only.
struct alignas(32) Four {
    float score[4];  // the mean, leaves in flight counted in
    float doubt[4];  // 1 / sqrt(visits), likewise: what exploration is multiplied with
};

// The moves of a role that has a choice in a node, one row of figures after the other.
class Edges {
public:
    Edges(std::uint32_t count, std::byte* rows) : count(count), fours_(reinterpret_cast<Four*>(rows)) {}

    const std::uint32_t count;

    std::span<Four> fours() const { return {fours_, (count + 3) / 4}; }
    float& score(std::uint32_t e) const { return fours_[e / 4].score[e % 4]; }
    float& doubt(std::uint32_t e) const { return fours_[e / 4].doubt[e % 4]; }
    Record& operator[](std::uint32_t e) const { return records()[e]; }
    // The number of the move within the role.
    std::uint32_t& move(std::uint32_t e) const { return moves()[e]; }
    // Requires: the tree was asked to keep them.
    LaterRecord& later(std::uint32_t e) const { return reinterpret_cast<LaterRecord*>(moves() + count)[e]; }

    static std::size_t bytes(std::size_t count, bool has_later) {
        return (count + 3) / 4 * sizeof(Four) +
               count * (sizeof(Record) + sizeof(std::uint32_t) + (has_later ? sizeof(LaterRecord) : 0));
    }

private:
    Record* records() const { return reinterpret_cast<Record*>(fours_ + (count + 3) / 4); }
    std::uint32_t* moves() const { return reinterpret_cast<std::uint32_t*>(records() + count); }

    Four* fours_;
};

// A role in a node.
struct Seat {
    std::uint32_t count = 0;     // of its moves
    std::uint32_t place = 0;     // where its rows are, in bytes from the node; of a single move, which has none, the number
    std::atomic<float> low{0};   // what its goal is at least, if everybody plays for their own,
    std::atomic<float> high{1};  // and at most
};

// The head of a node. With the seats of two roles it fills a line of the cache.
struct alignas(32) Node {
    std::atomic<std::uint8_t> lock{0};
    std::atomic<bool> is_solved{false};  // everything about it is proved
    bool is_terminal = false;
    bool is_moved = false;               // while memory is tidied: it is elsewhere now
    std::uint16_t only_chooser = 0;      // if one role alone has a choice, its number
    std::uint16_t choosers = 0;          // roles with more than one move
    std::uint32_t walks = 0;             // through it, those in flight included
    std::uint32_t untried = 0;           // moves of the only chooser that were never tried
    std::uint32_t logged = 0;            // the walks at which `log` was taken
    float log = 0;                       // sqrt(log(walks)), or nearly so
    std::uint32_t state_place = 0;       // in bytes from the node
    std::uint32_t prior = 0;             // visits that every move had before it was tried

    Seat& seat(std::size_t role) { return reinterpret_cast<Seat*>(this + 1)[role]; }
    const Seat& seat(std::size_t role) const { return reinterpret_cast<const Seat*>(this + 1)[role]; }
    std::uint32_t count(std::size_t role) const { return seat(role).count; }
    float low_of(std::size_t role) const { return seat(role).low.load(std::memory_order_relaxed); }
    float high_of(std::size_t role) const { return seat(role).high.load(std::memory_order_relaxed); }

    // Requires: the role has a choice.
    Edges edges(std::size_t role) const { return {seat(role).count, at(seat(role).place)}; }
    std::uint32_t move(std::size_t role, std::uint32_t e) const {
        return count(role) > 1 ? edges(role).move(e) : seat(role).place;
    }
    Bits* state() const { return reinterpret_cast<Bits*>(at(state_place)); }

private:
    std::byte* at(std::size_t place) const { return reinterpret_cast<std::byte*>(const_cast<Node*>(this)) + place; }
};

// Asks for a node's memory before it is used: the head, and in small nodes all of it.
inline void prefetch(const Node* node) {
    const char* block = reinterpret_cast<const char*>(node);
    for (int line = 0; line < 6; ++line) __builtin_prefetch(block + 64 * line);
}

// Held while a node's statistics are used; free of charge where there is one thread only.
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

// Memory for nodes: handed out in a row, given back all at once. One for all, because the first chunks are small pages,
// which are slow to find.
class Pool {
public:
    void* take(std::size_t bytes);
    std::size_t used() const { return used_; }

private:
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };
    std::vector<std::unique_ptr<std::byte, Free>> chunks_;
    std::size_t chunk_ = std::size_t{1} << 14;  // the size of the next one
    std::size_t left_ = 0;
    std::byte* next_ = nullptr;
    std::size_t used_ = 0;
};

// What is found by its key: a table without removal, at most two thirds full. Entries with one key are all kept; `matches`
// tells them apart.
template <class Entry> class Table {
public:
    template <class Matches> const Entry* find(std::uint64_t key, Matches matches) const {
        if (entries_.empty()) return nullptr;
        for (std::size_t i = key & mask();; i = (i + 1) & mask()) {
            if (!entries_[i].is_used()) return nullptr;
            if (entries_[i].key() == key && matches(entries_[i])) return &entries_[i];
        }
    }

    void add(const Entry& entry) {
        if (3 * (size_ + 1) > 2 * entries_.size()) grow();
        put(entry);
        ++size_;
    }

    template <class Visit> void each(Visit visit) const {
        for (const Entry& entry : entries_)
            if (entry.is_used()) visit(entry);
    }

    std::size_t bytes() const { return entries_.size() * sizeof(Entry); }

private:
    std::size_t mask() const { return entries_.size() - 1; }

    void put(const Entry& entry) {
        std::size_t i = entry.key() & mask();
        while (entries_[i].is_used()) i = (i + 1) & mask();
        entries_[i] = entry;
    }

    void grow() {
        std::vector<Entry> old(entries_.empty() ? 64 : 2 * entries_.size());
        old.swap(entries_);
        for (const Entry& entry : old)
            if (entry.is_used()) put(entry);
    }

    std::vector<Entry> entries_;
    std::size_t size_ = 0;
};

struct StateEntry {
    std::uint64_t state_key = 0;
    Node* node = nullptr;
    bool is_used() const { return node != nullptr; }
    std::uint64_t key() const { return state_key; }
};

struct LinkEntry {
    std::uint64_t joint = 0;  // the number of the joint move among those of the node
    const Node* parent = nullptr;
    Node* child = nullptr;
    bool is_used() const { return parent != nullptr; }
    std::uint64_t key() const {
        std::uint64_t mixed = (reinterpret_cast<std::uintptr_t>(parent) ^ (joint * 0x9E3779B97F4A7C15ull)) * 0xBF58476D1CE4E5B9ull;
        return mixed ^ (mixed >> 29);
    }
};

struct Bounds {
    float low = 0, high = 1;
};

// A leaf's successor, once the simulator has looked at it.
struct Found {
    const Bits* state;
    const Bits* legal;
    bool is_terminal;
    const std::int16_t* goals;  // of a terminal state
};

class Tree {
public:
    Tree(const Shape& shape, const Options& options);

    const Shape& shape() const { return shape_; }
    const Options& options() const { return options_; }

    // The node of a state: the one that is there, or a new one. Null if there is no memory for it.
    struct Added {
        Node* node = nullptr;
        bool is_new = false;
    };
    Added add(const Found& found);
    Node* find(const Bits* state) const;

    // The successor by a joint move (an edge a role) where several roles have a choice; null if it has no node.
    Node* linked(const Node& node, const std::uint32_t* joint) const;
    void link(Node& node, const std::uint32_t* joint, Node* child);
    // For every role and each of its moves what is proved of the role's goal, whatever the others do at the same time;
    // nothing at all where there are too many joint moves to go through.
    std::vector<std::vector<Bounds>> joint_bounds(const Node& node) const;

    // Drops whatever cannot be reached from here any more, and returns where the node is now.
    Node* tidy(Node* root);
    // Drops everything.
    void clear();

    std::size_t used() const { return used_.load(std::memory_order_relaxed); }
    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    bool is_full() const { return used() >= options_.memory; }

    // What decides in selection, recomputed after a change. Requires: the node's lock.
    void refresh(const Edges& edges, std::uint32_t e) const {
        const Record& record = edges[e];
        const std::uint32_t all = record.visits + record.pending;
        float& score = edges.score(e);
        if (all == 0 || score == kSettled) return;
        const float root = all < kRoots ? roots_[all] : 1 / std::sqrt(static_cast<float>(all));
        edges.doubt(e) = root;
        if (virtual_loss_ == 1) {
            score = static_cast<float>(record.sum) * (root * root);
            return;
        }
        const float counted = static_cast<float>(record.visits) + virtual_loss_ * static_cast<float>(record.pending);
        // Without a visit and without virtual loss nothing is known: an even chance.
        score = counted > 0 ? static_cast<float>(record.sum) / counted : 0.5f;
    }
    // Takes a move out of selection: nothing more is to be learned from it. Requires: likewise.
    static void settle(const Edges& edges, std::uint32_t e) {
        edges.score(e) = kSettled;
        edges.doubt(e) = 0;
    }

private:
    // A part of the tree with a lock of its own, so that threads seldom wait for each other.
    struct Shard {
        mutable std::mutex mutex;
        Table<StateEntry> states;
        Table<LinkEntry> links;
        Random random{0};  // for the order in which moves are first tried
    };
    static constexpr std::size_t kShards = 16;

    static std::size_t shard_of(std::uint64_t key) { return key >> 60; }
    Node* make(Shard& shard, const Bits* state, std::span<const std::uint32_t> counts);
    std::size_t bytes(const Node& node) const { return node.state_place + shape_.state_words() * sizeof(Bits); }
    Node* same(const Shard& shard, std::uint64_t key, const Bits* state) const;
    LinkEntry link_entry(const Node& node, const std::uint32_t* joint, Node* child) const;

    const Shape shape_;
    const Options options_;
    static constexpr std::uint32_t kRoots = 1024;
    const float virtual_loss_;
    float roots_[kRoots];  // 1 / sqrt(n)
    const Zobrist zobrist_;
    std::unique_ptr<Shard[]> shards_;
    std::mutex pool_mutex_;
    Pool pool_;
    // These change all the time, and what threads read all the time is on another line.
    alignas(64) std::atomic<std::size_t> used_{0};
    std::atomic<std::uint64_t> nodes_{0};
};

}  // namespace ludorum::mcts

// tree.h: the states that a search has seen.
//
// States that were reached in several ways are one node, so the tree is really
// a graph without regard to cycles; whoever walks it bounds the walk.
//
// Threads: all may add nodes at the same time, each to a plot of its own, and
// look for them; the rest is for one thread while nobody searches.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "key_table.h"
#include "node.h"
#include "options.h"
#include "pool.h"
#include "random.h"
#include "simulator.h"
#include "zobrist.h"

namespace ludorum::mcts {

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
    std::uint64_t key;          // of the state
    const Bits* legal;
    bool is_terminal;
    const std::int16_t* goals;  // of a terminal state
};

class Tree {
public:
    // Throws std::invalid_argument for a game with more roles or moves than a walk can note.
    Tree(const Shape& shape, const Options& options);

    const Shape& shape() const { return shape_; }
    const Options& options() const { return options_; }

    // The key of a state. Its place in the table is on its way then, so that of many states one does not wait for each.
    std::uint64_t expect(const Bits* state) const {
        const std::uint64_t key = zobrist_.key(state);
        const Shard& shard = shards_[shard_of(key)];
        if (!is_shared_) shard.states.prefetch(key);
        return key;
    }
    // The node of a state: the one that is there, or a new one. Null if there is no memory for it.
    struct Added {
        Node* node = nullptr;
        bool is_new = false;
    };
    // `thread` is the number of the thread that asks.
    Added add(const Found& found, std::uint32_t thread);
    Node* find(const Bits* state) const;

    // The successor by a joint move (an edge a role) where several roles have a choice; null if it has no node.
    Node* linked(const Node& node, const std::uint32_t* joint) const;
    void link(Node& node, const std::uint32_t* joint, Node* child);
    // For every role and each of its moves what is proved of the role's goal, whatever the others do at the same time;
    // nothing at all where there are too many joint moves to go through.
    std::vector<std::vector<Bounds>> joint_bounds(const Node& node) const;

    // Drops whatever cannot be reached from here any more, and returns where the node is now; null, and nothing happens,
    // where there is no memory for a copy.
    Node* tidy(Node* root);
    // Drops everything.
    void clear();

    Node* at(std::uint32_t place) const { return reinterpret_cast<Node*>(pool_->at(place)); }
    // The node of a move, where no other role has a choice; null if it has none.
    Node* child(const Record& record) const {
        const std::uint32_t place = record.child();
        return place ? at(place) : nullptr;
    }
    void set_child(Record& record, const Node* child) const { record.set_child(pool_->place(child)); }
    // Of an edge of the only role that has a choice. `record` is where its record is in the node, counted in records.
    // Nothing is read for it.
    Spot spot(const Node& node, std::uint32_t edge, std::uint32_t record) const {
        Four& four = reinterpret_cast<Four*>(node.at(first_rows_))[edge / 4];
        return {*reinterpret_cast<Record*>(node.at(record * sizeof(Record))), four.score[edge % 4], four.doubt[edge % 4]};
    }
    static std::uint32_t place_of(const Record& record, const Node& node) {
        return static_cast<std::uint32_t>(static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&record) - node.at(0)) / sizeof(Record));
    }

    std::size_t used() const;
    std::uint64_t nodes() const;
    bool is_shared() const { return is_shared_; }

    // What decides in selection.
    struct Figures {
        float score, doubt;
    };
    // Requires: a visit was begun.
    Figures figures(const Record::Count& count) const {
        const float root = count.begun < kRoots ? roots_[count.begun] : 1 / std::sqrt(static_cast<float>(count.begun));
        if (virtual_loss_ == 1) return {static_cast<float>(count.sum) * (root * root), root};
        const float counted = static_cast<float>(count.visits()) + virtual_loss_ * static_cast<float>(count.pending);
        // Without a visit and without virtual loss nothing is known: an even chance.
        return {counted > 0 ? static_cast<float>(count.sum) / counted : 0.5f, root};
    }
    // Recomputes it after a change.
    void refresh(const Spot& spot) const {
        if (spot.score.load(std::memory_order_relaxed) == kSettled) return;
        const Record::Count count = spot.record.count();
        if (count.begun == 0) {
            spot.doubt.store(kNeverTried, std::memory_order_relaxed);
            return;
        }
        const Figures now = figures(count);
        spot.doubt.store(now.doubt, std::memory_order_relaxed);
        spot.score.store(now.score, std::memory_order_relaxed);
    }

private:
    // A part of the tables with a lock of its own, so that threads seldom wait for each other.
    struct alignas(Pool::kLine) Shard {
        mutable std::mutex mutex;
        KeyTable<StateEntry> states;
        KeyTable<LinkEntry> links;
        Random random{0};  // for the order in which moves are first tried
    };
    static constexpr std::size_t kShards = 16;

    // What a thread adds to.
    struct Corner {
        Pool::Plot plot;
        std::atomic<std::uint64_t> nodes{0};
    };

    static std::size_t shard_of(std::uint64_t key) { return key >> 60; }
    std::size_t largest_node() const;
    std::unique_ptr<Pool> fresh_pool() const;
    Node* make(Corner& corner, Random& random, const Bits* state, std::span<const std::uint32_t> counts);
    std::size_t bytes(const Node& node) const { return node.state_place + shape_.state_words() * sizeof(Bits); }
    Node* same(const Shard& shard, std::uint64_t key, const Bits* state) const;
    LinkEntry link_entry(const Node& node, const std::uint32_t* joint, Node* child) const;

    static constexpr std::uint32_t kRoots = 1024;

    const Shape shape_;
    const Options options_;
    const bool is_shared_;
    const float virtual_loss_;
    const std::size_t first_rows_;  // where the rows of the first role that has a choice begin, in bytes from the node
    float roots_[kRoots];  // 1 / sqrt(n)
    const Zobrist zobrist_;
    std::unique_ptr<Shard[]> shards_;
    std::unique_ptr<Pool> pool_;
    std::unique_ptr<Corner[]> corners_;  // by thread
    alignas(Pool::kLine) std::atomic<std::size_t> tables_{0};  // what the tables take
};

}  // namespace ludorum::mcts

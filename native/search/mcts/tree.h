// tree.h: the states that a search has seen.
//
// States that were reached in several ways are one node, so the tree is really
// a graph without regard to cycles; whoever goes through it bounds the path.
//
// What cannot be reached from the root any more is found by following all moves
// from there, and then freed, in small parts while the search goes on: no call
// takes long, whatever the size of the tree.
//
// Threads: all may add nodes at the same time, each to a plot of its own, and
// look for them; one of them collects. The rest is for one thread while nobody
// searches.
//
// In the literature: a transposition table with links (Childs, Brodeur and Kocsis 2008); incremental marking by three
// colours (Dijkstra et al. 1978), paced by allocation (Baker 1978).
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

#include "engine/simulator.h"
#include "search/mcts/key_table.h"
#include "search/mcts/node.h"
#include "search/mcts/options.h"
#include "search/mcts/pool.h"
#include "support/random.h"
#include "support/zobrist.h"

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
    std::uint64_t before = 0;  // one more than the joint move that was linked before it, 0 for none
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
    // Throws std::invalid_argument for a game with more roles or moves than a path can note.
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
    // `thread` is the number of the thread that asks. A root may have memory that is kept back for it.
    Added add(const Found& found, std::uint32_t thread, bool is_root = false);
    Node* find(const Bits* state) const;

    // The successor by a joint move (an edge a role) where several roles have a choice; null if it has no node.
    Node* linked(const Node& node, const std::uint32_t* joint) const;
    // Says which it is from now on: whoever was first has set it.
    Node* link(Node& node, const std::uint32_t* joint, Node* child);
    // For every role and each of its moves what is proved of the role's goal, whatever the others do at the same time;
    // nothing at all where there are too many joint moves to go through.
    std::vector<std::vector<Bounds>> joint_bounds(const Node& node) const;

    // From where nodes must be reachable to be kept, from now on. Takes the same time whatever the tree is.
    void set_root(Node* root);
    // Goes on looking for what cannot be reached any more and making its memory free, in proportion to what was added or
    // could not be added since the last call. Nothing happens before half of the memory is used. For one thread, while no
    // path of its own is being expanded; others may search meanwhile.
    void collect();
    // Held from where nodes are looked for or added to where they are the successors of others: meanwhile nothing counts
    // as unreachable that did not before.
    std::shared_lock<std::shared_mutex> attaching() const {
        return is_shared_ ? std::shared_lock(attaching_) : std::shared_lock<std::shared_mutex>();
    }
    // Drops everything.
    void clear();
    // How many nodes were looked at so far to find out what can be reached, and how many to free what cannot.
    std::uint64_t marked() const { return marked_; }
    std::uint64_t swept() const { return swept_; }

    Node* at(std::uint32_t place) const { return reinterpret_cast<Node*>(pool_->at(place)); }
    // The node of a move, where no other role has a choice; null if it has none.
    Node* child(const EdgeStats& stats) const {
        const std::uint32_t place = stats.child();
        return place ? at(place) : nullptr;
    }
    // Likewise.
    Node* set_child(EdgeStats& stats, const Node* child) const {
        stats.set_child(pool_->place(child));
        return this->child(stats);
    }
    // Of an edge of the only role that has a choice. `record` is where its record is in the node, counted in records.
    // Nothing is read for it.
    EdgeRef ref(const Node& node, std::uint32_t edge, std::uint32_t stats) const {
        EdgeBlock& block = reinterpret_cast<EdgeBlock*>(node.at(first_rows_))[edge / 4];
        return {*reinterpret_cast<EdgeStats*>(node.at(stats * sizeof(EdgeStats))), block.score[edge % 4], block.exploration_term[edge % 4]};
    }
    static std::uint32_t place_of(const EdgeStats& stats, const Node& node) {
        return static_cast<std::uint32_t>(static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&stats) - node.at(0)) / sizeof(EdgeStats));
    }

    std::size_t used() const;
    std::uint64_t nodes() const;
    bool is_shared() const { return is_shared_; }

    // What decides in selection.
    struct Figures {
        float score, exploration_term;
    };
    // Requires: a visit was begun.
    Figures figures(const EdgeStats::Count& count) const {
        const float root = count.started < kRoots ? roots_[count.started] : 1 / std::sqrt(static_cast<float>(count.started));
        if (virtual_loss_ == 1) return {static_cast<float>(count.sum) * (root * root), root};
        const float counted = static_cast<float>(count.visits()) + virtual_loss_ * static_cast<float>(count.pending);
        // Without a visit and without virtual loss nothing is known: an even chance.
        return {counted > 0 ? static_cast<float>(count.sum) / counted : 0.5f, root};
    }
    // Recomputes it after a change.
    void refresh(const EdgeRef& ref) const {
        if (ref.score.load(std::memory_order_relaxed) == kSettled) return;
        const EdgeStats::Count count = ref.stats.count();
        if (count.started == 0) {
            ref.exploration_term.store(kUnvisited, std::memory_order_relaxed);
            return;
        }
        const Figures now = figures(count);
        ref.exploration_term.store(now.exploration_term, std::memory_order_relaxed);
        ref.score.store(now.score, std::memory_order_relaxed);
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
        std::atomic<std::uint64_t> asked{0};  // how often something was to be added
    };

    static std::size_t shard_of(std::uint64_t key) { return key >> 60; }
    std::size_t largest_node() const;
    std::unique_ptr<Pool> fresh_pool() const;
    Node* make(Corner& corner, Random& random, const Bits* state, std::span<const std::uint32_t> counts, bool is_root);
    std::size_t bytes(const Node& node) const {
        return node.is_free ? node.state_place : Pool::aligned(node.state_place + shape_.state_words() * sizeof(Bits));
    }
    static void leave(const Pool::Run& run);
    Node* same(const Shard& shard, std::uint64_t key, const Bits* state) const;
    const LinkEntry* same(const Shard& shard, const LinkEntry& wanted) const;
    LinkEntry link_entry(const Node& node, const std::uint32_t* joint, Node* child) const;

    bool is_garbage(const Node& node) const { return node.epoch.load(std::memory_order_relaxed) < valid_since_.load(std::memory_order_relaxed); }
    bool begin_marking();
    void shade(Node& node);
    std::uint64_t mark_one(Node& node);
    bool end_marking();
    std::uint64_t sweep_links();
    std::uint64_t sweep_region();

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

    // What cannot be reached is found and freed in three phases, each a little at a time; see collector.cpp.
    enum class Phase : std::uint8_t { kIdle, kMarking, kSweepingLinks, kSweepingNodes };
    std::atomic<Phase> phase_{Phase::kIdle};
    std::atomic<std::uint32_t> epoch_{1}, valid_since_{1};
    mutable std::shared_mutex attaching_;
    Node* root_ = nullptr;
    bool is_root_new_ = false;          // it changed since the last marking began
    std::mutex gray_mutex_;             // of the list that follows, where threads share the tree
    std::vector<Node*> gray_;           // marked, and their successors still to be
    std::size_t shard_ = 0, slot_ = 0, slots_ = 0;  // where sweeping is, and how large the table was
    std::size_t region_ = 0, regions_ = 0;
    std::vector<Pool::Run> free_;
    std::uint64_t answered_ = 0;        // of what was asked, that collecting has kept up with
    std::int64_t owed_ = 0;             // work to be done
    std::uint64_t marked_ = 0, swept_ = 0, freed_ = 0;
};

}  // namespace ludorum::mcts

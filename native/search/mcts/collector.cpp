// collector.cpp: finding what cannot be reached from the root any more, and making its memory free, a little at a time.
//
// Marking: a node that was found reachable has the epoch of the marking. Those
// whose successors were not looked at yet are gray. A node that a search comes
// upon by its state while marking goes on is shaded, that is made gray, before
// it becomes a successor of any other; new nodes have the epoch from the start.
// So when no node is gray, whatever has an older epoch cannot be reached.
// Sweeping: first the links of such nodes go, then region by region the nodes.
//
// All of it is measured in nodes looked at, and paced by what the search adds:
// the same search does the same on every machine.
#include <algorithm>
#include <mutex>
#include <new>

#include "search/mcts/tree.h"

namespace ludorum::mcts {
namespace {

// Nodes looked at for every one that is to be added: so that with half of the memory free all was looked at twice before
// it is full; and where little is left. More would free memory sooner and slow the search down meanwhile.
constexpr std::int64_t kPace = 2, kFastPace = 8, kLeast = 16;
// With less than this part of the memory free little is left.
constexpr std::size_t kLittle = 8;
// Edges, or slots of a table, that are looked through in the time of a node.
constexpr std::uint64_t kEdgesANode = 16, kSlotsANode = 8;
constexpr std::size_t kSlotsAtOnce = 1024;
constexpr std::size_t kAhead = 4;

}  // namespace

void Tree::set_root(Node* root) {
    is_root_new_ |= root_ && root_ != root;
    root_ = root;
    // A marking goes on from the old root and the new one, so that it comes to an end however often roots change; what is
    // unreachable from the new one alone is found by the next.
    if (phase_ == Phase::kMarking) shade(*root);
}

void Tree::collect() {
    std::uint64_t asked = 0;
    for (std::uint32_t i = 0; i < options_.threads; ++i) asked += corners_[i].asked.load(std::memory_order_relaxed);
    const auto more = static_cast<std::int64_t>(asked - answered_);
    answered_ = asked;
    if (phase_ == Phase::kIdle) {
        if (!is_root_new_ || !root_ || used() <= options_.memory / 2 || !begin_marking()) return;
        owed_ = 0;
    }
    const bool is_short = options_.memory - std::min<std::size_t>(options_.memory, used()) < options_.memory / kLittle;
    owed_ += kLeast + more * (is_short ? kFastPace : kPace);
    while (owed_ > 0 && phase_ != Phase::kIdle) {
        std::uint64_t done = 1;
        switch (phase_.load(std::memory_order_relaxed)) {
            case Phase::kIdle: break;
            case Phase::kMarking: {
                Node* node = nullptr;
                {
                    std::unique_lock lock(gray_mutex_, std::defer_lock);
                    if (is_shared_) lock.lock();
                    if (!gray_.empty()) {
                        node = gray_.back();
                        gray_.pop_back();
                        // Those whose turn comes soon are on their way meanwhile.
                        if (gray_.size() >= kAhead) prefetch(gray_[gray_.size() - kAhead]);
                    }
                }
                if (node) done = mark_one(*node);
                else if (!end_marking()) return;
                break;
            }
            case Phase::kSweepingLinks: done = sweep_links(); break;
            case Phase::kSweepingNodes: done = sweep_region(); break;
        }
        owed_ -= static_cast<std::int64_t>(done);
    }
}

// Says no if a thread is just attaching a node: then it is tried again later.
bool Tree::begin_marking() {
    std::unique_lock lock(attaching_, std::defer_lock);
    if (is_shared_ && !lock.try_lock()) return false;
    const std::lock_guard gray(gray_mutex_);
    is_root_new_ = false;
    gray_.clear();
    epoch_.fetch_add(1, std::memory_order_relaxed);
    root_->epoch.store(epoch_, std::memory_order_relaxed);
    gray_.push_back(root_);
    phase_ = Phase::kMarking;
    return true;
}

void Tree::shade(Node& node) {
    std::unique_lock lock(gray_mutex_, std::defer_lock);
    if (is_shared_) lock.lock();
    if (node.epoch.load(std::memory_order_relaxed) == epoch_) return;
    node.epoch.store(epoch_, std::memory_order_relaxed);
    gray_.push_back(&node);
}

// Makes the successors of a node gray; says how much work that was.
std::uint64_t Tree::mark_one(Node& node) {
    ++marked_;
    const std::uint32_t epoch = epoch_.load(std::memory_order_relaxed);
    const auto reach = [&](Node* child) {
        if (!child || child->epoch.load(std::memory_order_relaxed) == epoch) return;
        shade(*child);
    };
    if (node.choosers == 1) {
        const Edges edges = node.edges(node.only_chooser);
        for (std::uint32_t e = 0; e < edges.count; ++e) reach(child(edges[e]));
        return 1 + edges.count / kEdgesANode;
    }
    const Guard guard(node, is_shared_);
    std::uint64_t links = 0;
    for (std::uint64_t next = node.last_link(); next; ++links) {
        const LinkEntry wanted{next - 1, &node, nullptr, 0};
        const Shard& shard = shards_[shard_of(wanted.key())];
        Node* child = nullptr;
        {
            std::lock_guard lock(shard.mutex);
            const LinkEntry* entry = same(shard, wanted);
            child = entry->child;
            next = entry->before;
        }
        reach(child);
    }
    return 1 + links;
}

bool Tree::end_marking() {
    std::unique_lock lock(attaching_, std::defer_lock);
    if (is_shared_ && !lock.try_lock()) return false;
    const std::lock_guard gray(gray_mutex_);
    if (!gray_.empty()) return true;
    valid_since_ = epoch_.load();
    shard_ = slot_ = slots_ = 0;
    region_ = 0;
    regions_ = pool_->regions();
    phase_ = Phase::kSweepingLinks;
    return true;
}

std::uint64_t Tree::sweep_links() {
    Shard& shard = shards_[shard_];
    std::size_t seen = 0;
    {
        std::lock_guard lock(shard.mutex);
        // A table that has grown meanwhile is in another order.
        if (shard.links.slots() != slots_) {
            slots_ = shard.links.slots();
            slot_ = 0;
        }
        const std::size_t end = std::min(slots_, slot_ + kSlotsAtOnce);
        shard.links.erase_if(slot_, end, [&](const LinkEntry& entry) { return is_garbage(*entry.parent); });
        seen = end - slot_;
        slot_ = end;
    }
    if (slot_ == slots_) {
        slot_ = slots_ = 0;
        if (++shard_ == kShards) phase_ = Phase::kSweepingNodes;
    }
    return 1 + seen / kSlotsANode;
}

// A piece of memory that is no node.
void Tree::leave(const Pool::Run& run) {
    Node* piece = new (run.begin) Node;
    piece->is_free = true;
    piece->state_place = static_cast<std::uint32_t>(run.bytes);
}

std::uint64_t Tree::sweep_region() {
    if (region_ == regions_) {
        phase_ = Phase::kIdle;
        return 1;
    }
    const std::size_t number = region_++;
    const Pool::Run whole = pool_->borrow(number);
    if (!whole.bytes) return 1;
    free_.clear();
    std::vector<StateEntry> garbage;
    std::uint64_t seen = 0;
    for (std::byte *next = whole.begin, *end = whole.begin + whole.bytes; next < end; ++seen) {
        Node* node = reinterpret_cast<Node*>(next);
        const std::size_t size = bytes(*node);
        next += size;
        if (!node->is_free) {
            if (!is_garbage(*node)) continue;
            garbage.push_back({expect(node->state()), node});
        }
        if (!free_.empty() && free_.back().begin + free_.back().bytes == reinterpret_cast<std::byte*>(node)) free_.back().bytes += size;
        else free_.push_back({reinterpret_cast<std::byte*>(node), size});
    }
    for (const StateEntry& each : garbage) {
        Shard& shard = shards_[shard_of(each.key())];
        std::unique_lock lock(shard.mutex, std::defer_lock);
        if (is_shared_) lock.lock();
        shard.states.erase(each.key(), [&](const StateEntry& entry) { return entry.node == each.node; });
    }
    freed_ += garbage.size();
    for (const Pool::Run& run : free_) leave(run);
    pool_->give_back(number, free_);
    swept_ += seen;
    return seen;
}

}  // namespace ludorum::mcts

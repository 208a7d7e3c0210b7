#include "search/mcts/tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

namespace ludorum::mcts {
namespace {

std::size_t aligned(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

Tree::Tree(const Shape& shape, const Options& options)
    : shape_(shape),
      options_(options),
      is_shared_(options.threads > 1),
      virtual_loss_(static_cast<float>(options.virtual_loss)),
      first_rows_(aligned(sizeof(Node) + shape.roles() * sizeof(RoleEntry), alignof(EdgeBlock))),
      zobrist_(shape.fluents),
      shards_(std::make_unique<Shard[]>(kShards)),
      pool_(fresh_pool()),
      corners_(std::make_unique<Corner[]>(options.threads)) {
    if (shape.roles() > 256 || largest_node() / sizeof(EdgeStats) >> 24)
        throw std::invalid_argument("the game has too many roles or moves for a tree search");
    for (std::uint32_t n = 0; n < kRoots; ++n) roots_[n] = 1 / std::sqrt(static_cast<float>(std::max(n, 1u)));
    for (std::size_t i = 0; i < kShards; ++i) shards_[i].random = Random(options.seed * kShards + i);
}

// All roles may have a choice, among all of their moves.
std::size_t Tree::largest_node() const {
    std::size_t bytes = first_rows_ + shape_.state_words() * sizeof(Bits);
    for (std::uint32_t moves : shape_.moves) bytes += alignof(EdgeBlock) + Edges::bytes(moves, true);
    return bytes;
}

std::unique_ptr<Pool> Tree::fresh_pool() const { return std::make_unique<Pool>(options_.memory, options_.threads, largest_node()); }

void Tree::clear() {
    for (std::size_t i = 0; i < kShards; ++i) {
        shards_[i].states = {};
        shards_[i].links = {};
    }
    pool_ = fresh_pool();
    corners_ = std::make_unique<Corner[]>(options_.threads);
    tables_ = 0;
    phase_ = Phase::kIdle;
    gray_.clear();
    root_ = nullptr;
    answered_ = freed_ = 0;
}

std::size_t Tree::used() const {
    std::size_t used = pool_->granted() + tables_.load(std::memory_order_relaxed);
    for (std::uint32_t i = 0; i < options_.threads; ++i) used -= corners_[i].plot.left.load(std::memory_order_relaxed);
    return used;
}

std::uint64_t Tree::nodes() const {
    std::uint64_t nodes = 0;
    for (std::uint32_t i = 0; i < options_.threads; ++i) nodes += corners_[i].nodes.load(std::memory_order_relaxed);
    return nodes - freed_;
}

// Null where memory is full.
Node* Tree::make(Corner& corner, Random& random, const Bits* state, std::span<const std::uint32_t> counts, bool is_root) {
    const std::size_t roles = shape_.roles(), words = shape_.state_words();
    const bool has_amaf = options_.rave != Rave::kNever;
    std::size_t bytes = first_rows_;
    for (std::uint32_t count : counts)
        if (count > 1) bytes = aligned(bytes, alignof(EdgeBlock)) + Edges::bytes(count, has_amaf);
    const auto choosers = std::count_if(counts.begin(), counts.end(), [](std::uint32_t count) { return count > 1; });
    bytes = aligned(bytes, alignof(Bits)) + (choosers == 1 ? 0 : sizeof(std::uint64_t)) + words * sizeof(Bits);
    const std::size_t tables = tables_.load(std::memory_order_relaxed);
    const std::size_t most = is_root ? std::numeric_limits<std::size_t>::max() : options_.memory - std::min<std::size_t>(options_.memory, tables);
    void* memory = pool_->take(corner.plot, bytes, most, leave);
    if (!memory) return nullptr;
    Node* node = new (memory) Node;
    node->epoch.store(epoch_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    std::size_t place = first_rows_;
    for (std::size_t r = 0; r < roles; ++r) {
        RoleEntry& entry = *new (&node->entry(r)) RoleEntry;
        entry.count = counts[r];
        if (counts[r] < 2) continue;
        ++node->choosers;
        node->only_chooser = static_cast<std::uint16_t>(r);
        place = aligned(place, alignof(EdgeBlock));
        entry.place = static_cast<std::uint32_t>(place);
        place += Edges::bytes(counts[r], has_amaf);
        const Edges edges = node->edges(r);
        for (std::uint32_t e = 0; e < counts[r]; ++e) {
            // A random score is a random order among those that were never tried.
            edges.ref(e).score.store(random.unit(), std::memory_order_relaxed);
            edges.ref(e).exploration_term.store(kUnvisited, std::memory_order_relaxed);
        }
        // What fills up the last four is never chosen.
        for (std::uint32_t e = counts[r]; e % 4; ++e) edges.ref(e).score.store(kSettled, std::memory_order_relaxed);
    }
    // What paths do not look at comes last.
    node->state_place = static_cast<std::uint32_t>(aligned(place, alignof(Bits)) + (choosers == 1 ? 0 : sizeof(std::uint64_t)));
    std::copy(state, state + words, node->state());
    add_to(corner.nodes, std::uint64_t{1}, false);
    return node;
}

Node* Tree::same(const Shard& shard, std::uint64_t key, const Bits* state) const {
    const std::size_t words = shape_.state_words();
    const StateEntry* entry =
        shard.states.find(key, [&](const StateEntry& other) {
            return std::equal(state, state + words, other.node->state()) && !is_garbage(*other.node);
        });
    return entry ? entry->node : nullptr;
}

Node* Tree::find(const Bits* state) const {
    const std::uint64_t key = zobrist_.key(state);
    const Shard& shard = shards_[shard_of(key)];
    std::lock_guard lock(shard.mutex);
    return same(shard, key, state);
}

Tree::Added Tree::add(const Found& found, std::uint32_t thread, bool is_root) {
    add_to(corners_[thread].asked, std::uint64_t{1}, false);
    const std::uint64_t key = found.key;
    Shard& shard = shards_[shard_of(key)];
    std::lock_guard lock(shard.mutex);
    if (Node* node = same(shard, key, found.state)) {
        // While nothing is being marked all that is no garbage has this epoch.
        if (node->epoch.load(std::memory_order_relaxed) != epoch_.load(std::memory_order_relaxed)) shade(*node);
        return {node, false};
    }
    const std::size_t roles = shape_.roles();
    std::vector<std::uint32_t> counts(roles);
    std::uint32_t first = 0;
    const auto each_move = [&](std::size_t r, auto visit) {
        for (std::uint32_t word = first / 64; 64 * word < first + shape_.moves[r]; ++word) {
            Bits bits = found.legal[word];
            if (64 * word < first) bits &= ~Bits{0} << (first % 64);
            for (; bits; bits &= bits - 1) {
                const std::uint32_t move = 64 * word + static_cast<std::uint32_t>(std::countr_zero(bits));
                if (move >= first + shape_.moves[r]) break;
                visit(move - first);
            }
        }
    };
    bool is_stuck = false;
    if (!found.is_terminal)
        for (std::size_t r = 0; r < roles; ++r) {
            each_move(r, [&](std::uint32_t) { ++counts[r]; });
            is_stuck |= counts[r] == 0;
            first += shape_.moves[r];
        }
    if (is_stuck) std::fill(counts.begin(), counts.end(), 0);
    const std::size_t before = shard.states.bytes();
    Node* node = make(corners_[thread], shard.random, found.state, counts, is_root);
    if (!node) return {};
    node->is_terminal = found.is_terminal || is_stuck;
    first = 0;
    for (std::size_t r = 0; r < roles; ++r) {
        if (node->is_terminal) {
            const float value = static_cast<float>(std::max<std::int16_t>(0, found.goals[r])) / 100;
            node->entry(r).low = node->entry(r).high = value;
            node->is_solved = true;
            continue;
        }
        RoleEntry& entry = node->entry(r);
        std::uint32_t e = 0;
        each_move(r, [&](std::uint32_t move) { (entry.count > 1 ? node->edges(r).move(e++) : entry.place) = move; });
        first += shape_.moves[r];
    }
    shard.states.add({key, node});
    if (shard.states.bytes() != before) tables_ += shard.states.bytes() - before;
    return {node, true};
}

std::vector<std::vector<Bounds>> Tree::joint_bounds(const Node& node) const {
    constexpr std::uint64_t kMost = 4096;
    const std::size_t roles = shape_.roles();
    std::vector<std::vector<Bounds>> bounds(roles);
    std::uint64_t all = 1;
    for (std::size_t r = 0; r < roles; ++r) {
        all *= node.count(r);
        if (all > kMost) return {};
        bounds[r].assign(node.count(r), Bounds{1, 0});
    }
    std::vector<std::uint32_t> joint(roles, 0);
    for (std::uint64_t i = 0; i < all; ++i) {
        const Node* child = linked(node, joint.data());
        for (std::size_t r = 0; r < roles; ++r) {
            Bounds& move = bounds[r][joint[r]];
            move.low = std::min(move.low, child ? child->low_of(r) : 0);
            move.high = std::max(move.high, child ? child->high_of(r) : 1);
        }
        for (std::size_t r = roles; r-- > 0;) {
            if (++joint[r] < node.count(r)) break;
            joint[r] = 0;
        }
    }
    return bounds;
}

LinkEntry Tree::link_entry(const Node& node, const std::uint32_t* joint, Node* child) const {
    std::uint64_t number = 0;
    for (std::size_t r = 0; r < shape_.roles(); ++r) number = number * node.count(r) + joint[r];
    return {number, &node, child, 0};
}

Node* Tree::linked(const Node& node, const std::uint32_t* joint) const {
    const LinkEntry wanted = link_entry(node, joint, nullptr);
    const Shard& shard = shards_[shard_of(wanted.key())];
    std::lock_guard lock(shard.mutex);
    const LinkEntry* found = same(shard, wanted);
    return found ? found->child : nullptr;
}

const LinkEntry* Tree::same(const Shard& shard, const LinkEntry& wanted) const {
    return shard.links.find(wanted.key(), [&](const LinkEntry& other) { return other.parent == wanted.parent && other.joint == wanted.joint; });
}

Node* Tree::link(Node& node, const std::uint32_t* joint, Node* child) {
    const Guard guard(node, is_shared_);
    if (Node* other = linked(node, joint)) return other;
    LinkEntry entry = link_entry(node, joint, child);
    entry.before = std::exchange(node.last_link(), entry.joint + 1);
    Shard& shard = shards_[shard_of(entry.key())];
    std::lock_guard lock(shard.mutex);
    const std::size_t before = shard.links.bytes();
    shard.links.add(entry);
    if (shard.links.bytes() != before) tables_ += shard.links.bytes() - before;
    return child;
}

}  // namespace ludorum::mcts

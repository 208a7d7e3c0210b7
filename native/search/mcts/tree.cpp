#include "tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <unordered_map>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace ludorum::mcts {
namespace {

constexpr float kNeverTried = 1e4f;  // the doubt of a move without a visit: more than any other

std::size_t aligned(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

void* Pool::take(std::size_t bytes) {
    // Chunks grow, so that a small tree takes little; the largest are large pages where the system has them.
    constexpr std::size_t kLargePage = std::size_t{1} << 21;
    bytes = aligned(bytes);
    if (bytes > left_) {
        const std::size_t alignment = std::min(chunk_, kLargePage);
        left_ = (std::max(chunk_, bytes) + alignment - 1) / alignment * alignment;
        chunks_.emplace_back(static_cast<std::byte*>(std::aligned_alloc(alignment, left_)));
        if (!chunks_.back()) throw std::bad_alloc();
        next_ = chunks_.back().get();
#if defined(__linux__)
        if (chunk_ >= kLargePage) madvise(next_, left_, MADV_HUGEPAGE);
#endif
        chunk_ = std::min(2 * chunk_, kLargePage);
    }
    void* memory = next_;
    next_ += bytes;
    left_ -= bytes;
    used_ += bytes;
    return memory;
}

Tree::Tree(const Shape& shape, const Options& options)
    : shape_(shape), options_(options), virtual_loss_(static_cast<float>(options.virtual_loss)), zobrist_(shape.fluents), shards_(std::make_unique<Shard[]>(kShards)) {
    for (std::uint32_t n = 0; n < kRoots; ++n) roots_[n] = 1 / std::sqrt(static_cast<float>(std::max(n, 1u)));
    for (std::size_t i = 0; i < kShards; ++i) shards_[i].random = Random(options.seed * kShards + i);
}

void Tree::clear() {
    for (std::size_t i = 0; i < kShards; ++i) {
        shards_[i].states = {};
        shards_[i].links = {};
        shards_[i].pool = {};
    }
    used_ = 0;
    nodes_ = 0;
}

Node* Tree::make(Shard& shard, const Bits* state, std::span<const std::uint32_t> counts) {
    const std::size_t roles = shape_.roles(), words = shape_.state_words();
    const bool has_later = options_.rave != Rave::kNever;
    std::size_t bytes = aligned(sizeof(Node)) + aligned(roles * sizeof(Edges)) + aligned(2 * roles * sizeof(float)) + words * sizeof(Bits);
    std::size_t choosers = 0, last = 0;
    for (std::size_t r = 0; r < roles; ++r) {
        bytes += aligned(counts[r] * sizeof(std::uint32_t));
        if (counts[r] < 2) continue;
        bytes += Edges::bytes(counts[r], has_later);
        ++choosers;
        last = r;
    }
    auto* at = static_cast<std::byte*>(shard.pool.take(bytes));
    std::memset(at, 0, bytes);
    const auto part = [&](std::size_t size) {
        std::byte* here = at;
        at += aligned(size);
        return here;
    };
    Node* node = new (part(sizeof(Node))) Node;
    node->bytes = static_cast<std::uint32_t>(bytes);
    node->choosers = static_cast<std::uint16_t>(choosers);
    node->only_chooser = static_cast<std::uint16_t>(last);
    node->untried = choosers == 1 ? counts[last] : 0;
    node->edges = reinterpret_cast<Edges*>(part(roles * sizeof(Edges)));
    node->low = reinterpret_cast<std::atomic<float>*>(part(2 * roles * sizeof(float)));
    for (std::size_t r = 0; r < roles; ++r) {
        new (node->low + r) std::atomic<float>(0.0f);
        new (node->low + roles + r) std::atomic<float>(1.0f);
        Edges& edges = *new (node->edges + r) Edges;
        const std::size_t n = edges.count = counts[r];
        if (n < 2) continue;
        edges.score = reinterpret_cast<float*>(part(Edges::bytes(n, has_later)));
        for (std::size_t e = 0; e < n; ++e) {
            // A random score is a random order among those that were never tried.
            edges.score[e] = shard.random.unit();
            edges.doubt()[e] = kNeverTried;
        }
    }
    // What walks do not look at comes last.
    for (std::size_t r = 0; r < roles; ++r) node->edges[r].move = reinterpret_cast<std::uint32_t*>(part(counts[r] * sizeof(std::uint32_t)));
    node->state = reinterpret_cast<Bits*>(part(words * sizeof(Bits)));
    std::copy(state, state + words, node->state);
    return node;
}

Node* Tree::same(const Shard& shard, std::uint64_t key, const Bits* state) const {
    const std::size_t words = shape_.state_words();
    const StateEntry* entry =
        shard.states.find(key, [&](const StateEntry& other) { return std::equal(state, state + words, other.node->state); });
    return entry ? entry->node : nullptr;
}

Node* Tree::find(const Bits* state) const {
    const std::uint64_t key = zobrist_.key(state);
    const Shard& shard = shards_[shard_of(key)];
    std::lock_guard lock(shard.mutex);
    return same(shard, key, state);
}

Node* Tree::add(const Found& found) {
    const std::uint64_t key = zobrist_.key(found.state);
    Shard& shard = shards_[shard_of(key)];
    std::lock_guard lock(shard.mutex);
    if (Node* node = same(shard, key, found.state)) return node;
    if (is_full()) return nullptr;
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
    const std::size_t before = shard.pool.used() + shard.states.bytes();
    Node* node = make(shard, found.state, counts);
    node->is_terminal = found.is_terminal || is_stuck;
    first = 0;
    for (std::size_t r = 0; r < roles; ++r) {
        if (node->is_terminal) {
            const float value = static_cast<float>(std::max<std::int16_t>(0, found.goals[r])) / 100;
            node->low[r] = node->low[roles + r] = value;
            node->is_solved = true;
            continue;
        }
        std::uint32_t e = 0;
        each_move(r, [&](std::uint32_t move) { node->edges[r].move[e++] = move; });
        first += shape_.moves[r];
    }
    shard.states.add({key, node});
    used_ += shard.pool.used() + shard.states.bytes() - before;
    ++nodes_;
    return node;
}

std::vector<std::vector<Bounds>> Tree::joint_bounds(const Node& node) const {
    constexpr std::uint64_t kMost = 4096;
    const std::size_t roles = shape_.roles();
    std::vector<std::vector<Bounds>> bounds(roles);
    std::uint64_t all = 1;
    for (std::size_t r = 0; r < roles; ++r) {
        all *= node.edges[r].count;
        if (all > kMost) return {};
        bounds[r].assign(node.edges[r].count, Bounds{1, 0});
    }
    std::vector<std::uint32_t> joint(roles, 0);
    for (std::uint64_t i = 0; i < all; ++i) {
        const Node* child = linked(node, joint.data());
        for (std::size_t r = 0; r < roles; ++r) {
            Bounds& move = bounds[r][joint[r]];
            move.low = std::min(move.low, child ? child->low_of(r) : 0);
            move.high = std::max(move.high, child ? child->high_of(r, roles) : 1);
        }
        for (std::size_t r = roles; r-- > 0;) {
            if (++joint[r] < node.edges[r].count) break;
            joint[r] = 0;
        }
    }
    return bounds;
}

LinkEntry Tree::link_entry(const Node& node, const std::uint32_t* joint, Node* child) const {
    std::uint64_t number = 0;
    for (std::size_t r = 0; r < shape_.roles(); ++r) number = number * node.edges[r].count + joint[r];
    return {number, &node, child};
}

Node* Tree::linked(const Node& node, const std::uint32_t* joint) const {
    const LinkEntry wanted = link_entry(node, joint, nullptr);
    const Shard& shard = shards_[shard_of(wanted.key())];
    std::lock_guard lock(shard.mutex);
    const LinkEntry* found = shard.links.find(wanted.key(), [&](const LinkEntry& other) {
        return other.parent == wanted.parent && other.joint == wanted.joint;
    });
    return found ? found->child : nullptr;
}

void Tree::link(Node& node, const std::uint32_t* joint, Node* child) {
    if (linked(node, joint)) return;
    const LinkEntry entry = link_entry(node, joint, child);
    Shard& shard = shards_[shard_of(entry.key())];
    std::lock_guard lock(shard.mutex);
    const std::size_t before = shard.links.bytes();
    shard.links.add(entry);
    used_ += shard.links.bytes() - before;
}

Node* Tree::tidy(Node* root) {
    std::unordered_map<const Node*, std::vector<LinkEntry>> links;
    for (std::size_t i = 0; i < kShards; ++i)
        shards_[i].links.each([&](const LinkEntry& entry) { links[entry.parent].push_back(entry); });
    auto fresh = std::make_unique<Shard[]>(kShards);
    for (std::size_t i = 0; i < kShards; ++i) fresh[i].random = shards_[i].random;
    std::uint64_t kept = 0;
    std::vector<Node*> open;
    const auto move = [&](Node* node) {
        if (!node || node->moved) return;
        Shard& shard = fresh[shard_of(zobrist_.key(node->state))];
        auto* to = static_cast<std::byte*>(shard.pool.take(node->bytes));
        std::memcpy(to, static_cast<void*>(node), node->bytes);
        node->moved = reinterpret_cast<Node*>(to);
        open.push_back(node);
        ++kept;
    };
    move(root);
    while (!open.empty()) {
        Node* node = open.back();
        open.pop_back();
        Node* copy = node->moved;
        // Everything inside the block keeps its distance from the head.
        const auto shift = [&]<class T>(T*& pointer) {
            if (pointer)
                pointer = reinterpret_cast<T*>(reinterpret_cast<std::byte*>(copy) +
                                               (reinterpret_cast<std::byte*>(pointer) - reinterpret_cast<std::byte*>(node)));
        };
        shift(copy->low);
        shift(copy->state);
        shift(copy->edges);
        for (std::size_t r = 0; r < shape_.roles(); ++r) {
            Edges& edges = copy->edges[r];
            shift(edges.move);
            shift(edges.score);
            for (std::uint32_t e = 0; copy->choosers == 1 && edges.count > 1 && e < edges.count; ++e)
                if (Node*& child = edges[e].child) {
                    move(child);
                    child = child->moved;
                }
        }
        const std::uint64_t key = zobrist_.key(copy->state);
        fresh[shard_of(key)].states.add({key, copy});
        if (const auto found = links.find(node); found != links.end())
            for (const LinkEntry& entry : found->second) {
                move(entry.child);
                const LinkEntry moved{entry.joint, copy, entry.child->moved};
                fresh[shard_of(moved.key())].links.add(moved);
            }
    }
    Node* moved = root->moved;
    shards_ = std::move(fresh);
    used_ = 0;
    for (std::size_t i = 0; i < kShards; ++i) used_ += shards_[i].pool.used() + shards_[i].states.bytes() + shards_[i].links.bytes();
    nodes_ = kept;
    return moved;
}

}  // namespace ludorum::mcts

#include "engine/perft.h"

#include <stdexcept>
#include <string>
#include <unordered_map>

#include "engine/joint_moves.h"

namespace ludorum {
namespace {

std::uint64_t checked_add(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum;
    if (__builtin_add_overflow(a, b, &sum)) throw std::overflow_error("more than 2^64 sequences");
    return sum;
}

std::uint64_t checked_multiply(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product;
    if (__builtin_mul_overflow(a, b, &product)) throw std::overflow_error("more than 2^64 sequences");
    return product;
}

class Counter {
public:
    Counter(const Simulator& simulator, std::uint32_t depth, const std::atomic<std::int32_t>& stop)
        : simulator_(simulator), shape_(simulator.shape()), nodes_(depth, 0), stop_(stop) {}

    // Counts below these states, each of which stands for `weights[i]` sequences so far. Equal states are
    // counted once, and a frontier is never larger than a chunk's successors, so that depth costs no memory.
    void count(const std::vector<Bits>& states, const std::vector<std::uint64_t>& weights, std::uint32_t level) {
        const std::size_t words = shape_.state_words(), legal_words = shape_.legal_words();
        std::vector<std::uint8_t> terminal(weights.size());
        std::vector<Bits> legal(weights.size() * legal_words);
        simulator_.terminal_and_legal(states.data(), weights.size(), terminal.data(), legal.data());
        std::vector<Bits> parents;
        std::vector<std::uint32_t> joints;
        std::vector<std::uint64_t> parent_weights;
        for (std::size_t i = 0; i < weights.size() && !stop_; ++i) {
            if (terminal[i]) continue;
            const auto moves = moves_by_role(shape_, legal.data() + i * legal_words);
            std::uint64_t ways = 1;
            for (const auto& of_role : moves) ways = checked_multiply(ways, of_role.size());
            nodes_[level] = checked_add(nodes_[level], checked_multiply(ways, weights[i]));
            if (level + 1 == nodes_.size()) continue;
            for_joint_moves(moves, [&](const std::vector<std::uint32_t>& joint) {
                parents.insert(parents.end(), states.begin() + i * words, states.begin() + (i + 1) * words);
                joints.insert(joints.end(), joint.begin(), joint.end());
                parent_weights.push_back(weights[i]);
                if (parent_weights.size() >= kChunk) descend(parents, joints, parent_weights, level);
                return !stop_;
            });
        }
        if (!parent_weights.empty() && !stop_) descend(parents, joints, parent_weights, level);
    }

    const std::vector<std::uint64_t>& nodes() const { return nodes_; }

private:
    static constexpr std::size_t kChunk = 1 << 14;

    void descend(std::vector<Bits>& parents, std::vector<std::uint32_t>& joints, std::vector<std::uint64_t>& weights,
                 std::uint32_t level) {
        const std::size_t words = shape_.state_words();
        std::vector<Bits> children(parents.size());
        simulator_.step(parents.data(), weights.size(), joints.data(), children.data());
        std::unordered_map<std::string, std::size_t> seen;
        std::vector<Bits> distinct;
        std::vector<std::uint64_t> totals;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const std::string key(reinterpret_cast<const char*>(children.data() + i * words), words * sizeof(Bits));
            auto [place, is_new] = seen.try_emplace(key, totals.size());
            if (is_new) {
                distinct.insert(distinct.end(), children.begin() + i * words, children.begin() + (i + 1) * words);
                totals.push_back(weights[i]);
            } else {
                totals[place->second] = checked_add(totals[place->second], weights[i]);
            }
        }
        parents.clear();
        joints.clear();
        weights.clear();
        count(distinct, totals, level + 1);
    }

    const Simulator& simulator_;
    const Shape& shape_;
    std::vector<std::uint64_t> nodes_;
    const std::atomic<std::int32_t>& stop_;
};

}  // namespace

std::vector<std::uint64_t> perft(const Simulator& simulator, const Bits* state, std::uint32_t depth,
                                 const std::atomic<std::int32_t>& stop) {
    if (depth == 0) return {};
    Counter counter(simulator, depth, stop);
    counter.count(std::vector<Bits>(state, state + simulator.shape().state_words()), {1}, 0);
    return counter.nodes();
}

std::vector<std::uint32_t> joint_moves(const Simulator& simulator, const Bits* state, std::uint64_t limit) {
    const Shape& shape = simulator.shape();
    std::uint8_t terminal = 0;
    std::vector<Bits> legal(shape.legal_words());
    simulator.terminal_and_legal(state, 1, &terminal, legal.data());
    std::vector<std::uint32_t> joints;
    if (terminal || limit == 0) return joints;
    for_joint_moves(moves_by_role(shape, legal.data()), [&](const std::vector<std::uint32_t>& joint) {
        joints.insert(joints.end(), joint.begin(), joint.end());
        return joints.size() / shape.roles() < limit;
    });
    return joints;
}

}  // namespace ludorum

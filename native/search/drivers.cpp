#include "search/drivers.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "engine/joint_moves.h"
#include "support/bits.h"
#include "support/splitmix64.h"

namespace ludorum::search {
namespace {

// Ends by the clock on the wall; what was used is told in seconds of the processor, which a busy machine does not change.
class Clock {
public:
    Clock(double seconds, const Stop& stop)
        : start_(std::chrono::steady_clock::now()), used_before_(std::clock()), limit_(seconds), stop_(stop) {}
    double used() const { return static_cast<double>(std::clock() - used_before_) / CLOCKS_PER_SEC; }
    double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    bool is_up() const { return stop_ || elapsed() >= limit_; }
    double left() const { return limit_ - elapsed(); }

private:
    std::chrono::steady_clock::time_point start_;
    std::clock_t used_before_;
    double limit_;
    const Stop& stop_;
};

struct TimeIsUp {};

// `deeper(depth)` searches once and says whether every match ended.
template <class Deeper> DriverRun deepening(double seconds, const Stop& stop, std::uint64_t& nodes, Deeper deeper) {
    const Clock clock(seconds, stop);
    DriverRun run;
    try {
        for (std::uint32_t depth = 0; !run.is_whole; ++depth) {
            const std::uint64_t before = nodes;
            run.is_whole = deeper(depth, clock);
            run.completed.push_back(nodes - before);
        }
    } catch (const TimeIsUp&) {
    }
    run.seconds = clock.used();
    run.nodes = nodes;
    return run;
}

// Depth first over batches of states, so that memory stays bounded and an engine that answers for many at once can.
class BatchDeepening {
public:
    BatchDeepening(const Simulator& simulator, std::size_t at_once) : simulator_(simulator), shape_(simulator.shape()), at_once_(at_once) {}

    bool search(const std::vector<Bits>& states, std::size_t count, std::uint32_t depth, const Clock& clock) {
        if (clock.is_up()) throw TimeIsUp{};
        const std::size_t words = shape_.state_words(), legal_words = shape_.legal_words(), roles = shape_.roles();
        std::vector<std::uint8_t> terminal(count);
        std::vector<Bits> legal(count * legal_words), over;
        simulator_.terminal_and_legal(states.data(), count, terminal.data(), legal.data());
        bool is_whole = true;
        std::vector<Bits> parents;
        std::vector<std::uint32_t> joints;
        const auto descend = [&] {
            const std::size_t batch = joints.size() / roles;
            std::vector<Bits> children(batch * words);
            simulator_.step(parents.data(), batch, joints.data(), children.data());
            nodes += batch;
            parents.clear();
            joints.clear();
            is_whole &= search(children, batch, depth - 1, clock);
        };
        for (std::size_t i = 0; i < count; ++i) {
            const Bits* state = states.data() + i * words;
            if (terminal[i]) {
                over.insert(over.end(), state, state + words);
                continue;
            }
            if (depth == 0) {
                is_whole = false;
                continue;
            }
            const MovesByRole moves = moves_by_role(shape_, legal.data() + i * legal_words);
            for_joint_moves(moves, [&](const std::vector<std::uint32_t>& joint) {
                parents.insert(parents.end(), state, state + words);
                joints.insert(joints.end(), joint.begin(), joint.end());
                if (joints.size() / roles == at_once_) descend();
                return true;
            });
        }
        if (!joints.empty()) descend();
        if (const std::size_t ended = over.size() / words; ended > 0) {
            std::vector<std::int16_t> values(ended * roles);
            simulator_.goals(over.data(), ended, values.data());
        }
        return is_whole;
    }

    std::uint64_t nodes = 0;

private:
    const Simulator& simulator_;
    const Shape& shape_;
    std::size_t at_once_;
};

class IncrementalDeepening {
public:
    IncrementalDeepening(circuit::IncrementalEvaluator& evaluator, const Shape& shape) : evaluator_(evaluator), goals_(shape.roles()) {}

    bool search(std::uint32_t depth, const Clock& clock) {
        if (clock.is_up()) throw TimeIsUp{};
        if (evaluator_.is_terminal()) {
            evaluator_.goals(goals_.data());
            return true;
        }
        if (depth == 0) return false;
        MovesByRole moves(goals_.size());
        for (std::uint32_t role = 0; role < moves.size(); ++role) moves[role] = evaluator_.legal(role);
        bool is_whole = true;
        for_joint_moves(moves, [&](const std::vector<std::uint32_t>& joint) {
            evaluator_.make(joint.data());
            ++nodes;
            is_whole &= search(depth - 1, clock);
            evaluator_.retract();
            return true;
        });
        return is_whole;
    }

    std::uint64_t nodes = 0;

private:
    circuit::IncrementalEvaluator& evaluator_;
    std::vector<std::int16_t> goals_;
};

}  // namespace

DriverRun deepen(const Simulator& simulator, const Bits* state, double seconds, std::size_t at_once, const Stop& stop) {
    BatchDeepening driver(simulator, at_once);
    const std::vector<Bits> root(state, state + simulator.shape().state_words());
    return deepening(seconds, stop, driver.nodes, [&](std::uint32_t depth, const Clock& clock) { return driver.search(root, 1, depth, clock); });
}

DriverRun play_on(const Simulator& simulator, const Bits* state, double seconds, std::uint64_t seed, const Stop& stop) {
    const Clock clock(seconds, stop);
    DriverRun run;
    std::vector<std::int16_t> goals;
    std::vector<std::int32_t> lengths;
    std::vector<std::uint8_t> outcomes;
    // In calls of growing size, so that an engine that plays many at once can, and the last ends about in time.
    std::uint64_t count = 1;
    while (!clock.is_up()) {
        goals.resize(count * simulator.shape().roles());
        lengths.resize(count);
        outcomes.resize(count);
        const double before = clock.elapsed();
        PlayoutSpec spec;
        spec.playouts = count;
        spec.seed = splitmix64(seed);
        simulator.playouts(state, spec, {goals.data(), lengths.data(), outcomes.data()}, stop);
        for (std::int32_t length : lengths) run.nodes += static_cast<std::uint64_t>(length);
        run.playouts += count;
        const double took = std::max(1e-6, clock.elapsed() - before);
        const double wanted = std::max(1.0, 0.5 * clock.left() / took);
        count = std::max<std::uint64_t>(1, std::min<std::uint64_t>(count * 4, static_cast<std::uint64_t>(static_cast<double>(count) * wanted)));
        count = std::min<std::uint64_t>(count, 1 << 20);
    }
    run.seconds = clock.used();
    return run;
}

DriverRun deepen(circuit::IncrementalEvaluator& evaluator, const Shape& shape, const Bits* state, double seconds, const Stop& stop) {
    IncrementalDeepening driver(evaluator, shape);
    return deepening(seconds, stop, driver.nodes, [&](std::uint32_t depth, const Clock& clock) {
        evaluator.load(state);
        return driver.search(depth, clock);
    });
}

DriverRun play_on(circuit::IncrementalEvaluator& evaluator, const Shape& shape, const Bits* state, double seconds, std::uint64_t seed, const Stop& stop) {
    const Clock clock(seconds, stop);
    DriverRun run;
    std::vector<std::uint32_t> joint(shape.roles());
    std::vector<std::int16_t> goals(shape.roles());
    while (!clock.is_up()) {
        evaluator.load(state);
        while (!evaluator.is_terminal() && !clock.is_up()) {
            bool is_stuck = false;
            for (std::uint32_t role = 0; role < joint.size(); ++role) {
                const auto& moves = evaluator.legal(role);
                is_stuck |= moves.empty();
                if (!moves.empty()) joint[role] = moves[splitmix64(seed) % moves.size()];
            }
            if (is_stuck) break;
            evaluator.make(joint.data());
            ++run.nodes;
        }
        evaluator.goals(goals.data());
        ++run.playouts;
    }
    run.seconds = clock.used();
    return run;
}

}  // namespace ludorum::search

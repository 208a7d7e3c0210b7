#include "belief/advance.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

#include "support/bits.h"
#include "support/clock.h"
#include "support/random.h"

namespace ludorum::belief {
namespace {


// So many states are asked for their moves at once, and so many joint moves tried at once.
constexpr std::size_t kLooked = 2048, kTried = 4096;

class Advance {
public:
    Advance(const Simulator& simulator, const Turn& turn, const MoveClasses& classes, const Limits& limits,
            const std::atomic<std::int32_t>& stop)
        : simulator_(simulator), shape_(simulator.shape()), turn_(turn), classes_(classes), limits_(limits), stop_(stop),
          end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(limits.seconds, 1e8)))),
          words_(shape_.state_words()), mask_(shape_.percept_words(), 0), found_{WeightedStates(words_)} {
        for (std::size_t percept = 0; percept < shape_.percepts.size(); ++percept)
            if (shape_.percepts[percept] == turn.seat) mask_[percept / 64] |= Bits{1} << (percept % 64);
        seen_.assign(shape_.all_moves, 0);
    }

    // `each`: joint moves to draw where a state has more than that; without it all are tried.
    Advanced run(const Bits* rows, const double* weights, std::size_t count, std::optional<std::uint64_t> each, std::uint64_t seed) {
        random_ = Random(seed);
        std::vector<std::uint8_t> terminal(kLooked);
        std::vector<Bits> legal(kLooked * shape_.legal_words());
        for (std::size_t first = 0; first < count && found_.ending == Ending::kDone; first += kLooked) {
            const std::size_t some = std::min(kLooked, count - first);
            simulator_.terminal_and_legal(rows + first * words_, some, terminal.data(), legal.data());
            for (std::size_t i = 0; i < some && found_.ending == Ending::kDone; ++i)
                if (!terminal[i])
                    expand(rows + (first + i) * words_, weights[first + i], legal.data() + i * shape_.legal_words(), each);
        }
        if (found_.ending == Ending::kDone) flush();
        return std::move(found_);
    }

private:
    struct Choice {
        std::uint32_t move;
        double probability;
    };

    void expand(const Bits* row, double weight, const Bits* legal, std::optional<std::uint64_t> each) {
        choices_.resize(shape_.roles());
        double ways = 1;
        std::uint32_t first = 0;
        for (std::uint32_t role = 0; role < shape_.roles(); first += shape_.moves[role++]) {
            choose(role, first, legal, choices_[role]);
            if (choices_[role].empty()) return;
            ways *= static_cast<double>(choices_[role].size());
        }
        if (each && ways > static_cast<double>(*each)) {
            for (std::uint64_t draw = 0; draw < *each; ++draw) {
                double factor = ways / static_cast<double>(*each);
                joint_.resize(shape_.roles());
                for (std::size_t role = 0; role < choices_.size(); ++role) {
                    const Choice& choice = choices_[role][random_.below(static_cast<std::uint32_t>(choices_[role].size()))];
                    joint_[role] = choice.move;
                    factor *= choice.probability;
                }
                push(row, weight * factor);
            }
            return;
        }
        std::vector<std::size_t>& at = at_;
        at.assign(choices_.size(), 0);
        joint_.resize(choices_.size());
        while (found_.ending == Ending::kDone) {
            double factor = 1;
            for (std::size_t role = 0; role < choices_.size(); ++role) {
                joint_[role] = choices_[role][at[role]].move;
                factor *= choices_[role][at[role]].probability;
            }
            push(row, weight * factor);
            std::size_t role = choices_.size();
            while (role > 0 && ++at[role - 1] == choices_[role - 1].size()) at[--role] = 0;
            if (role == 0) return;
        }
    }

    // What a role may have done, with probabilities; the own move is certain, since it is known to have been chosen.
    void choose(std::uint32_t role, std::uint32_t first, const Bits* legal, std::vector<Choice>& choices) {
        choices.clear();
        const std::uint32_t end = first + shape_.moves[role];
        if (const std::int64_t known = turn_.moves[role]; known != kUnknownMove) {
            const std::uint32_t number = first + static_cast<std::uint32_t>(known);
            if (!(legal[number / 64] >> (number % 64) & 1)) return;
            const double chance = role == turn_.seat ? 1.0 : 1.0 / count_bits(legal, first, end);
            choices.push_back({static_cast<std::uint32_t>(known), chance});
            return;
        }
        const double chance = 1.0 / count_bits(legal, first, end);
        if (classes_.empty()) {
            for_bits(legal, first, end, [&](std::uint32_t move) { choices.push_back({move, chance}); });
            return;
        }
        for_bits(legal, first, end, [&](std::uint32_t move) {
            std::uint32_t& place = seen_[classes_[first + move]];
            if (place != 0) choices[place - 1].probability += chance;
            else {
                choices.push_back({move, chance});
                place = static_cast<std::uint32_t>(choices.size());
            }
        });
        for (const Choice& choice : choices) seen_[classes_[first + choice.move]] = 0;
    }

    void push(const Bits* row, double weight) {
        states_.insert(states_.end(), row, row + words_);
        joints_.insert(joints_.end(), joint_.begin(), joint_.end());
        weights_.push_back(weight);
        if (weights_.size() == kTried) flush();
    }

    void flush() {
        std::size_t count = weights_.size();
        found_.tries += count;
        if (turn_.told != nullptr && count > 0) count = explaining(count);
        successors_.resize(count * words_);
        if (count > 0) simulator_.step(states_.data(), count, joints_.data(), successors_.data());
        for (std::size_t i = 0; i < count; ++i) found_.states.add(successors_.data() + i * words_, weights_[i]);
        states_.clear();
        joints_.clear();
        weights_.clear();
        if (found_.states.size() > limits_.states) found_.ending = Ending::kTooManyStates;
        else if (found_.tries > limits_.tries) found_.ending = Ending::kTooManyTries;
        else if (stop_ != 0 || Clock::now() >= end_) found_.ending = Ending::kOutOfTime;
    }

    // Keeps the tries after which the role would be told what it was told, and says how many there are.
    std::size_t explaining(std::size_t count) {
        const std::size_t width = shape_.percept_words(), roles = shape_.roles();
        told_.resize(count * width);
        simulator_.percepts(states_.data(), count, joints_.data(), told_.data());
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            Bits different = 0;
            for (std::size_t word = 0; word < width; ++word) different |= (told_[i * width + word] ^ turn_.told[word]) & mask_[word];
            if (different) continue;
            if (kept != i) {
                std::memmove(states_.data() + kept * words_, states_.data() + i * words_, words_ * sizeof(Bits));
                std::memmove(joints_.data() + kept * roles, joints_.data() + i * roles, roles * sizeof(std::uint32_t));
                weights_[kept] = weights_[i];
            }
            ++kept;
        }
        return kept;
    }

    const Simulator& simulator_;
    const Shape& shape_;
    const Turn& turn_;
    const MoveClasses& classes_;
    const Limits& limits_;
    const std::atomic<std::int32_t>& stop_;
    const Clock::time_point end_;
    const std::size_t words_;
    std::vector<Bits> mask_;
    Advanced found_;
    Random random_{0};
    // Of the state that is expanded.
    std::vector<std::vector<Choice>> choices_;
    std::vector<std::size_t> at_;
    std::vector<std::uint32_t> joint_, seen_;
    // Of the tries that wait.
    std::vector<Bits> states_, told_, successors_;
    std::vector<std::uint32_t> joints_;
    std::vector<double> weights_;
};

}  // namespace

Advanced advance(const Simulator& simulator, const Bits* rows, const double* weights, std::size_t count, const Turn& turn,
                 const MoveClasses& classes, const Limits& limits, const std::atomic<std::int32_t>& stop) {
    return Advance(simulator, turn, classes, limits, stop).run(rows, weights, count, std::nullopt, 0);
}

Advanced advance_some(const Simulator& simulator, const Bits* rows, const double* weights, std::size_t count, const Turn& turn,
                      const MoveClasses& classes, const Limits& limits, std::uint64_t seed, const std::atomic<std::int32_t>& stop) {
    // As many states as tries can lead to are kept here, and thinned afterwards: the first to come are not the likeliest.
    const Limits all{static_cast<std::size_t>(2 * limits.tries + count), 2 * limits.tries + count, limits.seconds};
    const std::uint64_t each = std::max<std::uint64_t>(1, limits.tries / std::max<std::size_t>(1, count));
    Advanced found = Advance(simulator, turn, classes, all, stop).run(rows, weights, count, each, seed);
    if (found.states.size() > limits.states) found.states = thinned(found.states, limits.states, seed + 1);
    return found;
}

}  // namespace ludorum::belief

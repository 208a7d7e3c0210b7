#include "learning/self_play.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "engine/joint_moves.h"
#include "support/parallel.h"
#include "support/random.h"

namespace ludorum::learning {
namespace {

using evaluation::NetEvaluation;
using evaluation::NetWeights;

// Of more joint moves than this a part is looked at.
constexpr std::uint32_t kMostJoint = 1024;
// A win that is certain counts for more than any that is not.
constexpr float kCertain = 9, kUncertain = 8;

// e^x for x up to 0; good to a few digits, and the same ones everywhere.
float exponential(float x) {
    if (x < -40) return 0;
    const float y = x * 1.442695f, shifted = y + 12582912.0f, whole = shifted - 12582912.0f, p = (y - whole) * 0.6931472f;
    const float sum = 1 + p * (1 + p * (0.5f + p * (0.16666667f + p * (0.041666667f + p * 0.0083333333f))));
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(sum) + (std::bit_cast<std::uint32_t>(shifted) << 23));
}

float logit_of(float value) {
    const float least = exponential(-kCertain);
    if (value <= least) return -kCertain;
    if (value >= 1 - least) return kCertain;
    return std::log(value / (1 - value));
}

// Games that run side by side to their ends.
class Block {
public:
    Block(const Simulator& simulator, std::array<const NetEvaluation*, 2> nets, const PlayOptions& options)
        : simulator_(simulator), shape_(simulator.shape()), nets_(nets), options_(options), roles_(shape_.roles()),
          words_(shape_.state_words()), legal_words_(shape_.legal_words()), outputs_(nets[0]->weights().outputs),
          is_match_(nets[0] != nets[1]) {
        for (std::uint32_t role = 0; role < roles_; ++role)
            if (static_cast<std::int32_t>(role) != options.chance_role) contenders_.push_back(role);
    }

    void play(const Bits* start, std::uint32_t first, std::uint32_t end, const std::atomic<std::int32_t>& stop, Experience& found);

private:
    struct Chooser { std::uint32_t role, count, stride, first; };

    struct Game {
        std::uint32_t number, opening, steps = 0;
        Random random;
        std::vector<std::uint32_t> records;
        std::uint32_t seat = 0;            // in a match: of whom
        // In this turn.
        std::uint32_t first = 0, count = 0, first_chooser = 0, choosers = 0;
        bool has_chance = false;
    };

    void list(Game& game, std::uint32_t place);
    std::uint32_t choose(Game& game);
    std::uint32_t choice_of(Game& game, const Chooser& chooser);
    float value(std::size_t net, std::size_t successor, std::uint32_t output) const;
    float role_logit(std::size_t net, std::size_t successor, std::uint32_t role) const;
    std::size_t net_of(const Game& game, std::uint32_t role) const {
        if (!is_match_) return 0;
        return (role == contenders_[game.number / 2 % contenders_.size()]) == (game.number % 2 == 0) ? 0 : 1;
    }
    void record(Game& game, std::uint32_t place, std::uint32_t chosen, std::uint32_t best, bool is_random);
    void end(Game& game, const std::int16_t* payoffs, Experience& found);

    const Simulator& simulator_;
    const Shape& shape_;
    const std::array<const NetEvaluation*, 2> nets_;
    const PlayOptions& options_;
    const std::size_t roles_, words_, legal_words_;
    const std::uint32_t outputs_;
    const bool is_match_;
    std::vector<std::uint32_t> contenders_;

    std::vector<Game> games_;
    std::vector<Bits> states_, legal_, next_states_;
    std::vector<std::uint32_t> moves_, parents_, joint_;
    std::vector<Chooser> choosers_;
    std::vector<Bits> successors_;
    std::vector<std::uint8_t> over_, terminal_;
    std::vector<std::int16_t> payoffs_;
    std::array<std::vector<std::int32_t>, 2> judged_;
    std::vector<float> logits_;

    // What was seen, turn after turn.
    std::vector<Bits> recorded_;
    std::vector<float> best_;
    std::vector<std::uint8_t> is_random_;
    // Game after game.
    std::vector<Experience> ended_;
    std::uint32_t first_game_ = 0;
};

float Block::value(std::size_t net, std::size_t successor, std::uint32_t output) const {
    if (over_[successor]) return static_cast<float>(payoffs_[successor * roles_ + output]) / 100;
    return static_cast<float>(evaluation::net_value(judged_[net][successor * outputs_ + output]));
}

float Block::role_logit(std::size_t net, std::size_t successor, std::uint32_t role) const {
    const std::uint32_t output = outputs_ == roles_ ? role : 0;
    const float sign = output == role ? 1.0f : -1.0f;
    if (over_[successor]) return sign * logit_of(static_cast<float>(payoffs_[successor * roles_ + output]) / 100);
    return sign * std::clamp(static_cast<float>(judged_[net][successor * outputs_ + output]) / NetWeights::kOne, -kUncertain, kUncertain);
}

// All joint moves of a game, in the order of its choosers; of too many a part, drawn at random.
void Block::list(Game& game, std::uint32_t place) {
    game.first = static_cast<std::uint32_t>(parents_.size());
    game.first_chooser = static_cast<std::uint32_t>(choosers_.size());
    game.has_chance = false;
    std::array<std::uint32_t, 64> forced;
    const Bits* legal = legal_.data() + place * legal_words_;
    std::uint32_t all = 1;
    for (std::uint32_t role = 0, first = 0; role < roles_; first += shape_.moves[role++]) {
        const auto before = static_cast<std::uint32_t>(moves_.size());
        for_bits(legal, first, first + shape_.moves[role], [&](std::uint32_t move) { moves_.push_back(move); });
        auto count = static_cast<std::uint32_t>(moves_.size()) - before;
        if (static_cast<std::int32_t>(role) == options_.chance_role && count > 1) {
            // Chance draws at once.
            std::swap(moves_[before], moves_[before + game.random.below(count)]);
            game.has_chance = true;
            count = 1;
        }
        forced[role] = moves_[before];
        if (count == 1) {
            moves_.resize(before);
            continue;
        }
        const std::uint32_t room = std::max<std::uint32_t>(1, kMostJoint / all);
        if (count > room) {
            for (std::uint32_t i = 0; i < room; ++i) std::swap(moves_[before + i], moves_[before + i + game.random.below(count - i)]);
            count = room;
            moves_.resize(before + count);
        }
        choosers_.push_back({role, count, 1, before});
        all *= count;
    }
    game.choosers = static_cast<std::uint32_t>(choosers_.size()) - game.first_chooser;
    game.count = all;
    Chooser* const chooser = choosers_.data() + game.first_chooser;
    for (std::uint32_t k = game.choosers; k-- > 1;) chooser[k - 1].stride = chooser[k].stride * chooser[k].count;
    parents_.resize(game.first + all, place);
    joint_.resize((game.first + std::size_t{all}) * roles_);
    std::uint32_t* row = joint_.data() + game.first * roles_;
    for (std::uint32_t i = 0; i < all; ++i, row += roles_) {
        std::copy_n(forced.begin(), roles_, row);
        for (std::uint32_t k = 0; k < game.choosers; ++k)
            row[chooser[k].role] = moves_[chooser[k].first + (game.choosers == 1 ? i : i / chooser[k].stride % chooser[k].count)];
    }
}

// Which of a role's moves it makes, by what the joint moves with it are worth on average.
std::uint32_t Block::choice_of(Game& game, const Chooser& chooser) {
    const std::size_t net = net_of(game, chooser.role);
    logits_.resize(chooser.count);
    if (game.choosers == 1) {
        for (std::uint32_t m = 0; m < chooser.count; ++m) logits_[m] = role_logit(net, game.first + m, chooser.role);
    } else {
        std::fill(logits_.begin(), logits_.end(), 0.0f);
        const std::uint32_t output = outputs_ == roles_ ? chooser.role : 0;
        for (std::uint32_t i = 0; i < game.count; ++i) {
            const float found = value(net, game.first + i, output);
            logits_[i / chooser.stride % chooser.count] += output == chooser.role ? found : 1 - found;
        }
        const float share = static_cast<float>(chooser.count) / static_cast<float>(game.count);
        for (float& sum : logits_) sum = logit_of(sum * share);
    }
    const float most = *std::max_element(logits_.begin(), logits_.end());
    float total = 0;
    for (float& logit : logits_) total += logit = exponential((logit - most) / options_.temperature);
    float left = game.random.unit() * total;
    std::uint32_t chosen = 0;
    for (; chosen + 1 < chooser.count && left >= logits_[chosen]; ++chosen) left -= logits_[chosen];
    return chosen;
}

// The joint move that is made, by its place among those of the game.
std::uint32_t Block::choose(Game& game) {
    std::uint32_t chosen = 0;
    for (std::uint32_t k = 0; k < game.choosers; ++k) {
        const Chooser& chooser = choosers_[game.first_chooser + k];
        chosen += chooser.stride * choice_of(game, chooser);
    }
    return chosen;
}

void Block::record(Game& game, std::uint32_t place, std::uint32_t chosen, std::uint32_t best, bool is_random) {
    game.records.push_back(static_cast<std::uint32_t>(is_random_.size()));
    recorded_.insert(recorded_.end(), states_.begin() + std::ptrdiff_t(place * words_), states_.begin() + std::ptrdiff_t((place + 1) * words_));
    const bool is_one_choice = game.choosers == 1 && !game.has_chance;
    for (std::uint32_t k = 0; k < outputs_; ++k) best_.push_back(value(0, game.first + (is_one_choice ? best : chosen), k));
    is_random_.push_back(is_random && is_one_choice);
}

void Block::end(Game& game, const std::int16_t* payoffs, Experience&) {
    Experience& found = ended_[game.number - first_game_];
    found.lengths.push_back(game.steps);
    for (std::size_t role = 0; role < roles_; ++role) found.payoffs.push_back(static_cast<float>(payoffs[role]) / 100);
    if (is_match_) return;
    const std::size_t count = game.records.size();
    found.states.resize(count * words_);
    found.targets.resize(count * outputs_);
    std::vector<float> target(found.payoffs.begin(), found.payoffs.begin() + outputs_);
    for (std::size_t t = count; t-- > 0;) {
        const std::uint32_t at = game.records[t];
        std::copy_n(recorded_.begin() + std::ptrdiff_t(at * words_), words_, found.states.begin() + std::ptrdiff_t(t * words_));
        for (std::uint32_t k = 0; k < outputs_; ++k) {
            const float best = best_[std::size_t{at} * outputs_ + k];
            target[k] = is_random_[at] ? best : (1 - options_.lambda) * best + options_.lambda * target[k];
            found.targets[t * outputs_ + k] = target[k];
        }
    }
}

void Block::play(const Bits* start, std::uint32_t first, std::uint32_t last, const std::atomic<std::int32_t>& stop, Experience& found) {
    first_game_ = first;
    games_.clear();
    recorded_.clear();
    best_.clear();
    is_random_.clear();
    ended_.assign(last - first, {});
    states_.clear();
    for (std::uint32_t number = first; number < last; ++number) {
        // The two games of a pair have the same opening.
        const std::uint64_t stream = is_match_ ? number / 2 : number;
        std::uint64_t seed = options_.seed * 0x9E3779B97F4A7C15ull + options_.first_game + stream;
        Random random(mix64(seed));
        const std::uint32_t opening = random.below(options_.random_steps + 1);
        games_.push_back({number, opening, 0, random, {}});
        states_.insert(states_.end(), start, start + words_);
    }
    while (!games_.empty() && stop == 0) {
        const std::size_t live = games_.size();
        terminal_.resize(live);
        legal_.resize(live * legal_words_);
        simulator_.terminal_and_legal(states_.data(), live, terminal_.data(), legal_.data());
        moves_.clear();
        parents_.clear();
        joint_.clear();
        choosers_.clear();
        for (std::uint32_t i = 0; i < live; ++i) list(games_[i], i);
        const std::size_t count = parents_.size();
        successors_.resize(count * words_);
        over_.resize(count);
        payoffs_.resize(count * roles_);
        simulator_.expand(states_.data(), parents_.data(), count, joint_.data(), false,
                          {successors_.data(), over_.data(), nullptr, payoffs_.data()});
        for (std::size_t net = 0; net < (is_match_ ? 2u : 1u); ++net) {
            judged_[net].resize(count * outputs_);
            nets_[net]->outputs(successors_.data(), count, states_.data(), parents_.data(), judged_[net].data());
        }
        found.evaluations += count;
        next_states_.clear();
        std::size_t kept = 0;
        for (std::uint32_t i = 0; i < live; ++i) {
            Game& game = games_[i];
            const bool is_opening = game.steps < game.opening;
            bool is_random = is_opening || (options_.epsilon > 0 && game.random.unit() < options_.epsilon);
            const std::uint32_t chosen = is_random ? game.random.below(game.count) : choose(game);
            if (!is_match_) {
                std::uint32_t best = 0;
                if (game.choosers == 1 && !game.has_chance) {
                    const std::uint32_t role = choosers_[game.first_chooser].role;
                    float most = role_logit(0, game.first, role);
                    for (std::uint32_t m = 1; m < game.count; ++m)
                        if (const float here = role_logit(0, game.first + m, role); here > most) most = here, best = m;
                    is_random &= chosen != best;
                }
                record(game, i, chosen, best, is_random);
            }
            ++game.steps;
            const std::size_t successor = game.first + chosen;
            const Bits* state = successors_.data() + successor * words_;
            if (over_[successor]) {
                end(game, payoffs_.data() + successor * roles_, found);
                continue;
            }
            if (game.steps >= options_.max_steps) {
                std::vector<std::int16_t> goals(roles_);
                simulator_.goals(state, 1, goals.data());
                for (std::int16_t& goal : goals) goal = goal == kNoGoal ? std::int16_t{50} : goal;
                end(game, goals.data(), found);
                continue;
            }
            next_states_.insert(next_states_.end(), state, state + words_);
            if (kept != i) games_[kept] = std::move(game);
            ++kept;
        }
        games_.erase(games_.begin() + std::ptrdiff_t(kept), games_.end());
        states_.swap(next_states_);
    }
    for (const Experience& game : ended_) {
        found.states.insert(found.states.end(), game.states.begin(), game.states.end());
        found.targets.insert(found.targets.end(), game.targets.begin(), game.targets.end());
        found.lengths.insert(found.lengths.end(), game.lengths.begin(), game.lengths.end());
        found.payoffs.insert(found.payoffs.end(), game.payoffs.begin(), game.payoffs.end());
    }
}

Experience play_all(const Simulator& simulator, std::array<const NetEvaluation*, 2> nets, const Bits* start,
                    const PlayOptions& options, const std::atomic<std::int32_t>& stop) {
    const std::uint32_t lanes = std::max<std::uint32_t>(2, options.lanes), blocks = (options.games + lanes - 1) / lanes;
    std::vector<Experience> found(blocks);
    std::atomic<std::uint32_t> next{0};
    parallel_invoke(std::min(options.threads, std::max(1u, blocks)), [&](std::uint32_t) {
        Block block(simulator, nets, options);
        for (std::uint32_t i; stop == 0 && (i = next.fetch_add(1)) < blocks;)
            block.play(start, i * lanes, std::min(options.games, (i + 1) * lanes), stop, found[i]);
    }, [&] { next = blocks; });
    Experience all;
    for (Experience& part : found) {
        all.states.insert(all.states.end(), part.states.begin(), part.states.end());
        all.targets.insert(all.targets.end(), part.targets.begin(), part.targets.end());
        all.lengths.insert(all.lengths.end(), part.lengths.begin(), part.lengths.end());
        all.payoffs.insert(all.payoffs.end(), part.payoffs.begin(), part.payoffs.end());
        all.evaluations += part.evaluations;
    }
    return all;
}

}  // namespace

Experience self_play(const Simulator& simulator, const NetEvaluation& net, const Bits* start, const PlayOptions& options,
                     const std::atomic<std::int32_t>& stop) {
    return play_all(simulator, {&net, &net}, start, options, stop);
}

Experience net_matches(const Simulator& simulator, const NetEvaluation& one, const NetEvaluation& other, const Bits* start,
                       const PlayOptions& options, const std::atomic<std::int32_t>& stop) {
    return play_all(simulator, {&one, &other}, start, options, stop);
}

}  // namespace ludorum::learning

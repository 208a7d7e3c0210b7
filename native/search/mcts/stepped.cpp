#include "search/mcts/stepped.h"

#include <algorithm>
#include <bit>

namespace ludorum::mcts {
namespace {

// As many games as fill the widest word, so that an engine of lanes is used well.
constexpr std::uint32_t kGames = 512;

}  // namespace

SteppedPlayouts::SteppedPlayouts(const Simulator& simulator, const Statistics& statistics, const LeafSpec& spec, bool notes_history)
    : simulator_(simulator),
      statistics_(statistics),
      shape_(simulator.shape()),
      spec_(spec),
      notes_history_(notes_history),
      lanes_(spec.lanes ? spec.lanes : kGames),
      random_(spec.seed) {}

void SteppedPlayouts::begin(const Bits* state, std::uint32_t ticket, std::uint32_t, std::span<const std::uint32_t> before) {
    Game& game = games_.emplace_back();
    game.ticket = ticket;
    // The last two joint moves are all that a choice depends on.
    const std::size_t kept = std::min<std::size_t>(before.size(), 2 * shape_.roles());
    game.history.assign(before.end() - static_cast<std::ptrdiff_t>(kept), before.end());
    game.before = kept;
    states_.insert(states_.end(), state, state + shape_.state_words());
}

// Chooses a move for every role; says no if one has none.
bool SteppedPlayouts::choose(const Bits* legal, Game& game, std::uint32_t* joint) {
    const std::size_t roles = shape_.roles(), made = game.history.size();
    const Context context{made >= roles ? game.history.data() + made - roles : nullptr,
                          made >= 2 * roles ? game.history.data() + made - 2 * roles : nullptr};
    std::uint32_t first = 0;
    for (std::size_t r = 0; r < roles; ++r) {
        const std::uint32_t end = first + shape_.moves[r];
        moves_.clear();
        for (std::uint32_t word = first / 64; 64 * word < end; ++word) {
            Bits bits = legal[word];
            if (64 * word < first) bits &= ~Bits{0} << (first % 64);
            if (end - 64 * word < 64) bits &= (Bits{1} << (end % 64)) - 1;
            for (; bits; bits &= bits - 1) moves_.push_back(64 * word + static_cast<std::uint32_t>(std::countr_zero(bits)) - first);
        }
        if (moves_.empty()) return false;
        joint[r] = moves_[moves_.size() == 1 ? 0 : statistics_.choose(r, moves_, context, random_)];
        first = end;
    }
    return true;
}

// Adds a game to the results and fills its place with the last one.
void SteppedPlayouts::end(std::size_t i, bool is_cut, LeafResults& results) {
    const std::size_t words = shape_.state_words(), roles = shape_.roles(), legal_words = shape_.legal_words();
    Game& game = games_[i];
    ends_.insert(ends_.end(), states_.data() + i * words, states_.data() + (i + 1) * words);
    results.tickets.push_back(game.ticket);
    results.lengths.push_back(game.length);
    results.is_cut.push_back(is_cut);
    if (spec_.notes_ends) results.ends.insert(results.ends.end(), states_.data() + i * words, states_.data() + (i + 1) * words);
    if (spec_.notes_moves) {
        const std::size_t row = results.played.size();
        results.played.resize(row + legal_words);
        for (std::size_t k = game.before; k < game.history.size(); ++k) {
            std::uint32_t move = game.history[k];
            for (std::size_t r = 0; r < k % roles; ++r) move += shape_.moves[r];
            results.played[row + move / 64] |= Bits{1} << (move % 64);
        }
    }
    if (notes_history_) {
        results.history.insert(results.history.end(), game.history.begin() + static_cast<std::ptrdiff_t>(game.before), game.history.end());
        results.history_ends.push_back(results.history.size());
    }
    std::copy(states_.end() - static_cast<std::ptrdiff_t>(words), states_.end(), states_.begin() + static_cast<std::ptrdiff_t>(i * words));
    states_.resize(states_.size() - words);
    std::swap(games_[i], games_.back());
    games_.pop_back();
}

// Asks for all at once, because that takes as long as for one.
void SteppedPlayouts::add_goals(LeafResults& results) {
    const std::size_t count = results.tickets.size() - results.goals.size() / shape_.roles();
    goals_.resize(count * shape_.roles());
    if (count) simulator_.payoffs(ends_.data(), count, goals_.data());
    results.goals.insert(results.goals.end(), goals_.begin(), goals_.end());
    ends_.clear();
}

void SteppedPlayouts::play(std::uint32_t enough, std::uint64_t most_steps, LeafResults& results) {
    const std::size_t words = shape_.state_words(), roles = shape_.roles(), legal_words = shape_.legal_words();
    const std::size_t wanted = results.tickets.size() + enough;
    for (std::uint64_t step = 0; step < most_steps && !games_.empty() && results.tickets.size() < wanted; ++step) {
        const std::size_t count = games_.size();
        terminal_.resize(count);
        legal_.resize(count * legal_words);
        joints_.resize(count * roles);
        simulator_.terminal_and_legal(states_.data(), count, terminal_.data(), legal_.data());
        std::size_t left = 0;
        // From the end, because a game that has ended changes places with the last one.
        for (std::size_t i = count; i-- > 0;) {
            const bool is_cut = !terminal_[i] && games_[i].length >= static_cast<std::int32_t>(spec_.max_steps);
            const bool is_over = terminal_[i] || is_cut || !choose(legal_.data() + i * legal_words, games_[i], joints_.data() + i * roles);
            if (!is_over) {
                ++left;
                continue;
            }
            end(i, is_cut, results);
            std::copy_n(joints_.data() + games_.size() * roles, roles, joints_.data() + i * roles);
        }
        successors_.resize(left * words);
        simulator_.step(states_.data(), left, joints_.data(), successors_.data());
        states_.swap(successors_);
        for (std::size_t i = 0; i < left; ++i) {
            Game& game = games_[i];
            ++game.length;
            // A choice needs two; whoever keeps statistics of sequences needs all.
            if (!notes_history_ && !spec_.notes_moves && game.history.size() >= 2 * roles)
                game.history.erase(game.history.begin(), game.history.begin() + static_cast<std::ptrdiff_t>(roles));
            game.history.insert(game.history.end(), joints_.data() + i * roles, joints_.data() + (i + 1) * roles);
        }
        ++steps_;
    }
    add_goals(results);
}

}  // namespace ludorum::mcts

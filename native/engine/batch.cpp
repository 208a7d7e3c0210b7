#include "engine/batch.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

namespace ludorum {

namespace {

// Games that one thread takes at a time: several words of lanes, few enough to stay in its cache.
constexpr std::size_t kBlock = 1024;

}  // namespace

template <class Work> void Batch::for_blocks(Work work) {
    const std::size_t blocks = (size() + kBlock - 1) / kBlock;
    const auto work_on = [&](std::size_t block) { work(block * kBlock, std::min(size(), (block + 1) * kBlock)); };
    if (team_.size() <= 1 || blocks <= 1) {
        for (std::size_t block = 0; block < blocks; ++block) work_on(block);
        return;
    }
    // Every thread begins with the stretch that it always has, which its core's cache may still hold, and then helps
    // with what others have left.
    const std::size_t threads = team_.size();
    struct alignas(64) Stretch {
        std::atomic<std::size_t> next;
        std::size_t end;
    };
    std::vector<Stretch> stretches(threads);
    for (std::size_t i = 0; i < threads; ++i) {
        stretches[i].next = blocks * i / threads;
        stretches[i].end = blocks * (i + 1) / threads;
    }
    team_.invoke([&](std::uint32_t number) {
        for (std::size_t i = 0; i < threads; ++i) {
            Stretch& stretch = stretches[(number + i) % threads];
            for (std::size_t block; (block = stretch.next.fetch_add(1)) < stretch.end;) work_on(block);
        }
    });
}

Batch::Batch(const Simulator& simulator, const Bits* start, std::size_t n, std::uint32_t max_steps, std::uint32_t threads)
    : simulator_(simulator), shape_(simulator.shape()), max_steps_(max_steps), team_(threads), states_(n * shape().state_words()),
      legal_(n * shape().legal_words()), standings_(n), ended_(n), lengths_(n), streams_(n),
      final_goals_(n * shape().roles(), kNoGoal), start_(look_at(start)), there_(start_) {
    for (std::uint32_t first = 0; std::uint32_t moves : shape().moves) first_moves_.push_back(std::exchange(first, first + moves));
    std::iota(streams_.begin(), streams_.end(), std::uint64_t{0});
    set(nullptr, start);
}

void Batch::seed(const std::uint64_t* seeds, const std::uint8_t* chosen) {
    for (std::size_t game = 0; game < size(); ++game)
        if (chosen == nullptr || chosen[game] != 0) streams_[game] = seeds[game];
}

void Batch::sample(const std::uint8_t* chosen, std::uint32_t* joint) {
    const std::size_t roles = shape().roles();
    for_blocks([&](std::size_t from, std::size_t to) {
        std::uint8_t asked[kBlock];
        for (std::size_t game = from; game < to; ++game) asked[game - from] = takes_part(game, chosen);
        // Role after role, so that a game draws in the order of its roles.
        for (std::size_t role = 0; role < roles; ++role)
            row_kernels().pick(legal_of(role, from), to - from, asked, &streams_[from], joint + from * roles + role, roles);
    });
}

std::pair<std::size_t, std::uint32_t> Batch::first_illegal(const std::uint32_t* joint, const std::uint8_t* chosen) {
    const std::size_t roles = shape().roles();
    std::atomic<bool> is_fine{true};
    for_blocks([&](std::size_t from, std::size_t to) {
        std::uint8_t asked[kBlock];
        for (std::size_t game = from; game < to; ++game) asked[game - from] = takes_part(game, chosen);
        for (std::size_t role = 0; role < roles; ++role)
            if (!row_kernels().all_set(legal_of(role, from), to - from, asked, joint + from * roles + role, roles)) is_fine = false;
    });
    if (is_fine) return {size(), 0};
    // Which one it was is asked but once.
    for (std::size_t game = 0; game < size(); ++game)
        for (std::size_t role = 0; role < roles; ++role) {
            const std::uint8_t asked = takes_part(game, chosen);
            if (!row_kernels().all_set(legal_of(role, game), 1, &asked, joint + game * roles + role, roles))
                return {game, static_cast<std::uint32_t>(role)};
        }
    return {size(), 0};
}

void Batch::step(const std::uint32_t* joint, const std::uint8_t* chosen, const AfterStep& then) {
    const std::size_t told_words = shape().percept_words();
    for_blocks([&](std::size_t from, std::size_t to) {
        std::size_t going = 0;
        for (std::size_t game = from; game < to; ++game) going += takes_part(game, chosen);
        if (then.told != nullptr) std::fill(then.told + from * told_words, then.told + to * told_words, Bits{0});
        std::copy(&standings_[from], &standings_[from] + (to - from), &ended_[from]);
        if (going == to - from) step_all(from, to, joint, then.told);
        else if (going > 0) step_some(from, to, joint, chosen, then.told);
        end_block(from, to, then);
    });
}

// A block of which every game takes part is advanced where it is.
void Batch::step_all(std::size_t from, std::size_t to, const std::uint32_t* joint, Bits* told) {
    const std::size_t count = to - from;
    Bits* states = &states_[from * shape().state_words()];
    const std::uint32_t* moves = joint + from * shape().roles();
    if (told != nullptr && shape().percept_words() > 0)
        simulator_.percepts(states, count, moves, told + from * shape().percept_words());
    std::uint8_t terminal[kBlock];
    simulator_.advance(states, count, moves, states, terminal, &legal_[from * shape().legal_words()]);
    for (std::size_t game = from; game < to; ++game) ++lengths_[game];
    judge(from, to, terminal);
}

// Of another block those that take part are gathered first.
void Batch::step_some(std::size_t from, std::size_t to, const std::uint32_t* joint, const std::uint8_t* chosen, Bits* told) {
    const std::size_t roles = shape().roles(), words = shape().state_words(), legal_words = shape().legal_words();
    const std::size_t told_words = shape().percept_words();
    std::vector<std::size_t> games;
    for (std::size_t game = from; game < to; ++game)
        if (takes_part(game, chosen)) games.push_back(game);
    const std::size_t count = games.size();
    std::vector<Bits> rows(count * words), legal(count * legal_words);
    std::vector<std::uint32_t> moves(count * roles);
    std::uint8_t terminal[kBlock];
    for (std::size_t i = 0; i < count; ++i) {
        std::copy_n(&states_[games[i] * words], words, &rows[i * words]);
        std::copy_n(joint + games[i] * roles, roles, &moves[i * roles]);
    }
    if (told != nullptr && told_words > 0) {
        std::vector<Bits> heard(count * told_words);
        simulator_.percepts(rows.data(), count, moves.data(), heard.data());
        for (std::size_t i = 0; i < count; ++i) std::copy_n(&heard[i * told_words], told_words, told + games[i] * told_words);
    }
    simulator_.advance(rows.data(), count, moves.data(), rows.data(), terminal, legal.data());
    for (std::size_t i = 0; i < count; ++i) {
        std::copy_n(&rows[i * words], words, &states_[games[i] * words]);
        std::copy_n(&legal[i * legal_words], legal_words, &legal_[games[i] * legal_words]);
        ++lengths_[games[i]];
        judge(games[i], games[i] + 1, &terminal[i]);
    }
}

// What is left to do when the games of a block have been advanced, while it is in the cache.
void Batch::end_block(std::size_t from, std::size_t to, const AfterStep& then) {
    const std::size_t roles = shape().roles(), words = shape().state_words(), legal_words = shape().legal_words();
    std::uint32_t ends[kBlock], count = 0;
    for (std::size_t game = from; game < to; ++game) {
        // Before the step it was what `ended_` says; what was over then did not end now.
        ended_[game] = ended_[game] == 0 ? standings_[game] : 0;
        ends[count] = static_cast<std::uint32_t>(game - from);
        count += then.begin_anew && standings_[game] != 0;
    }
    if (then.begin_anew) {
        std::fill(&final_goals_[from * roles], &final_goals_[from * roles] + (to - from) * roles, kNoGoal);
        std::vector<Bits> rows(count * words);
        std::vector<std::int16_t> goals(count * roles);
        for (std::uint32_t i = 0; i < count; ++i) std::copy_n(&states_[(from + ends[i]) * words], words, &rows[i * words]);
        if (count > 0) simulator_.goals(rows.data(), count, goals.data());
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::size_t game = from + ends[i];
            std::copy_n(&goals[i * roles], roles, &final_goals_[game * roles]);
            put(game, start_);
        }
    }
    if (then.fluents != nullptr)
        row_kernels().unpack({&states_[from * words], words, 0, shape().fluents}, to - from, then.fluents + from * shape().fluents);
    if (then.legal != nullptr)
        row_kernels().unpack({&legal_[from * legal_words], legal_words, 0, shape().all_moves}, to - from,
                             then.legal + from * shape().all_moves);
}

void Batch::judge(std::size_t from, std::size_t to, const std::uint8_t* terminal) {
    std::uint8_t stuck[kBlock];
    std::fill_n(stuck, to - from, std::uint8_t{0});
    for (std::size_t role = 0; role < shape().roles(); ++role) row_kernels().mark_empty(legal_of(role, from), to - from, stuck);
    constexpr auto kTerminal = static_cast<std::uint8_t>(Standing::kTerminal), kStuck = static_cast<std::uint8_t>(Standing::kStuck),
                   kCut = static_cast<std::uint8_t>(Standing::kCut);
    for (std::size_t game = from; game < to; ++game) {
        // Without branches, since all of these are 0 or 1.
        const std::uint8_t is_terminal = terminal[game - from], is_stuck = stuck[game - from] & ~is_terminal;
        const std::uint8_t is_cut = static_cast<std::uint8_t>(lengths_[game] >= max_steps_) & ~(is_terminal | is_stuck);
        standings_[game] = static_cast<std::uint8_t>(is_terminal * kTerminal + is_stuck * kStuck + is_cut * kCut);
    }
}

Batch::Place Batch::look_at(const Bits* state) const {
    Place place;
    place.state.assign(state, state + shape().state_words());
    place.legal.resize(std::max<std::size_t>(shape().legal_words(), 1));
    std::uint8_t terminal = 0, stuck = 0;
    simulator_.terminal_and_legal(state, 1, &terminal, place.legal.data());
    std::uint32_t first = 0;
    for (std::uint32_t moves : shape().moves) {
        row_kernels().mark_empty({place.legal.data(), shape().legal_words(), first, first + moves}, 1, &stuck);
        first += moves;
    }
    const Standing alive = max_steps_ == 0 ? Standing::kCut : Standing::kGoing;
    place.standing = terminal ? Standing::kTerminal : stuck ? Standing::kStuck : alive;
    return place;
}

void Batch::put(std::size_t game, const Place& place) {
    const std::size_t words = shape().state_words(), legal_words = shape().legal_words();
    std::copy_n(place.state.data(), words, &states_[game * words]);
    std::copy_n(place.legal.data(), legal_words, &legal_[game * legal_words]);
    lengths_[game] = 0;
    standings_[game] = static_cast<std::uint8_t>(place.standing);
}

void Batch::set(const std::uint8_t* chosen, const Bits* state) {
    // Most games are put back to where all began, which need not be asked again.
    if (!std::equal(state, state + shape().state_words(), there_.state.begin())) there_ = look_at(state);
    for (std::size_t game = 0; game < size(); ++game)
        if (chosen == nullptr || chosen[game] != 0) put(game, there_);
}

void Batch::choosers(std::uint8_t* flags) {
    const std::size_t roles = shape().roles();
    for_blocks([&](std::size_t from, std::size_t to) {
        std::uint32_t counts[kBlock];
        for (std::size_t role = 0; role < roles; ++role) {
            row_kernels().count(legal_of(role, from), to - from, counts, 1);
            for (std::size_t game = from; game < to; ++game)
                flags[game * roles + role] = standings_[game] == 0 && counts[game - from] > 1;
        }
    });
}

void Batch::goals(std::int16_t* values) {
    const std::size_t words = shape().state_words(), roles = shape().roles();
    for_blocks([&](std::size_t from, std::size_t to) {
        simulator_.goals(&states_[from * words], to - from, values + from * roles);
    });
}

void Batch::write_fluents(std::uint8_t* bytes) {
    const std::size_t words = shape().state_words(), width = shape().fluents;
    for_blocks([&](std::size_t from, std::size_t to) {
        row_kernels().unpack({&states_[from * words], words, 0, shape().fluents}, to - from, bytes + from * width);
    });
}

void Batch::write_legal(std::uint32_t first, std::uint32_t end, std::uint8_t* bytes) {
    const std::size_t words = shape().legal_words(), width = end - first;
    for_blocks([&](std::size_t from, std::size_t to) {
        row_kernels().unpack({&legal_[from * words], words, first, end}, to - from, bytes + from * width);
    });
}

}  // namespace ludorum

#include "circuit/circuit_leaf_playouts.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace ludorum::circuit {

CircuitLeafPlayouts::CircuitLeafPlayouts(const CircuitCode& code, const Program& program, const Shape& shape, const LeafSpec& spec)
    : code_(code),
      program_(program),
      shape_(shape),
      work_(code, program),
      random_(std::size_t{4} * code.columns()),
      played_(spec.notes_moves ? std::size_t{shape.all_moves} * code.columns() : 0),
      ends_(spec.notes_ends ? std::size_t{shape.fluents} * code.columns() : 0),
      paid_(code.goal_slots_.size() * code.columns()),
      live_(code.columns()),
      ended_(code.columns()),
      began_(code.lanes()),
      owed_(code.columns()),
      unpaid_(code.columns()),
      ended_then_(code.columns()),
      results_(code.lanes()),
      lengths_(code.lanes()),
      outcomes_(code.lanes()),
      tickets_(code.lanes()),
      last_(spec.replies ? std::size_t{shape.all_moves} * code.columns() : 0),
      picked_(spec.replies ? std::size_t{shape.all_moves} * code.columns() : 0),
      picks_(spec.replies ? shape.all_moves : 0),
      noted_(spec.replies ? std::size_t{64} * kMostNoted * shape.roles() : 0),
      queues_(program.turns),
      by_phases_(program.turn_cycle.phases() > 0) {
    code.kernels().seed(random_.data(), spec.seed);
    job_.slots = work_.slots.data();
    job_.goal_slots = work_.goal_slots.data();
    job_.random = random_.data();
    job_.policy.played = spec.notes_moves ? played_.data() : nullptr;
    job_.policy.moves = shape.all_moves;
    if (spec.replies) {
        job_.policy.last = last_.data();
        job_.policy.picked = picked_.data();
        job_.policy.picks = picks_.data();
        job_.policy.noted = noted_.data();
    }
    job_.live = live_.data();
    job_.ended = ended_.data();
    job_.began = began_.data();
    job_.lengths = lengths_.data();
    job_.outcomes = outcomes_.data();
    job_.max_steps = spec.max_steps;
    job_.ends = spec.notes_ends ? ends_.data() : nullptr;
    job_.fluents = shape.fluents;
    job_.first_fluent = Program::kFluentSlots * code.columns();
    job_.unpaid = unpaid_.data();
    job_.ended_then = ended_then_.data();
    job_.paid = paid_.data();
    for (std::uint32_t g = 0; g < code.goal_slots_.size(); ++g) paid_places_.push_back(g * code.columns());
}

void CircuitLeafPlayouts::begin(const Bits* state, std::uint32_t ticket, std::uint32_t phase, std::span<const std::uint32_t> before) {
    if (by_phases_) {
        phase = program_.turn_cycle.phase_of(state);
        // Where one is in no phase, they are all played by what is right for any state.
        if (phase == TurnCycle::kNone) by_phases_ = false, phase = 0;
    }
    Queue& queue = queues_[phase % queues_.size()];
    queue.states.insert(queue.states.end(), state, state + shape_.state_words());
    queue.tickets.push_back(ticket);
    if (!job_.policy.last) return;
    const std::size_t roles = shape_.roles();
    if (before.size() >= roles) queue.before.insert(queue.before.end(), before.end() - static_cast<std::ptrdiff_t>(roles), before.end());
    else queue.before.resize(queue.before.size() + roles, kNoMove);
}

void CircuitLeafPlayouts::prefer(const Preference& preference) {
    order_ = preference.order;
    job_.policy.orders = preference.orders;
    job_.policy.order = order_.data();
    reply_ = preference.reply;
    job_.policy.replies = preference.replies;
    job_.policy.reply = reply_.data();
    job_.policy.greedy = static_cast<std::uint32_t>(preference.greedy * 65536 + 0.5);
}

void CircuitLeafPlayouts::load(Queue& queue) {
    for (std::uint32_t c = 0; c < code_.columns() && !queue.tickets.empty(); ++c)
        if (const std::uint64_t free = ~(live_[c] | ended_[c])) load_column(queue, c, free);
}

// Takes states from the end of the queue, one for each of the free lanes.
void CircuitLeafPlayouts::load_column(Queue& queue, std::uint32_t c, std::uint64_t free) {
    const std::size_t words = shape_.state_words();
    const std::uint32_t n = code_.columns();
    std::uint64_t given = 0;
    std::array<std::uint8_t, 64> lane_of;
    std::size_t count = 0;
    for (; free && count < queue.tickets.size(); free &= free - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(free));
        given |= std::uint64_t{1} << lane;
        lane_of[count] = static_cast<std::uint8_t>(lane);
        tickets_[64 * c + lane] = queue.tickets[queue.tickets.size() - 1 - count++];
        began_[64 * c + lane] = job_.now;
    }
    const Bits* last = queue.states.data() + (queue.tickets.size() - 1) * words;
    for (std::size_t word = 0; word < words; ++word) {
        std::uint64_t block[64] = {};
        for (std::size_t i = 0; i < count; ++i) block[lane_of[i]] = last[word - i * words];
        transpose(block);
        std::uint64_t* plane = job_.slots + (Program::kFluentSlots + 64 * word) * n + c;
        const std::size_t bits = std::min<std::size_t>(64, shape_.fluents - 64 * word);
        for (std::size_t bit = 0; bit < bits; ++bit, plane += n) *plane = (*plane & ~given) | block[bit];
    }
    if (job_.policy.played)
        for (std::uint32_t move = 0; move < shape_.all_moves; ++move) job_.policy.played[std::size_t{move} * n + c] &= ~given;
    if (job_.policy.last) {
        const std::size_t roles = shape_.roles();
        for (std::uint32_t move = 0; move < shape_.all_moves; ++move) job_.policy.last[std::size_t{move} * n + c] &= ~given;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t* before = queue.before.data() + (queue.tickets.size() - 1 - i) * roles;
            for (std::uint32_t r = 0, first = 0; r < roles; first += shape_.moves[r++])
                if (before[r] != kNoMove) job_.policy.last[std::size_t{first + before[r]} * n + c] |= std::uint64_t{1} << lane_of[i];
        }
        queue.before.resize((queue.tickets.size() - count) * roles);
    }
    live_[c] |= given;
    queue.tickets.resize(queue.tickets.size() - count);
    queue.states.resize(queue.tickets.size() * words);
}

bool CircuitLeafPlayouts::is_waiting() const {
    return std::any_of(queues_.begin(), queues_.end(), [](const Queue& queue) { return !queue.tickets.empty(); });
}

void CircuitLeafPlayouts::forget() {
    std::fill(live_.begin(), live_.end(), 0);
    std::fill(ended_.begin(), ended_.end(), 0);
    for (Queue& queue : queues_) queue = {};
}

void CircuitLeafPlayouts::play(std::uint32_t enough, std::uint64_t most_steps, LeafResults& results) {
    const auto size = [](const std::vector<std::uint64_t>& columns) {
        std::uint32_t lanes = 0;
        for (std::uint64_t column : columns) lanes += static_cast<std::uint32_t>(std::popcount(column));
        return lanes;
    };
    const std::size_t wanted = results.tickets.size() + enough;
    if (!size(live_))
        // Nobody plays, so nothing is lost by calling the phase whichever it must be.
        while (is_waiting() && queues_[job_.now % queues_.size()].tickets.empty()) ++job_.now;
    const std::uint64_t until = job_.now + most_steps;
    for (;;) {
        load(queues_[job_.now % queues_.size()]);
        if (size(live_)) {
            const bool has_room = size(live_) < lanes();
            job_.enough = static_cast<std::uint32_t>(wanted - results.tickets.size());
            job_.until = is_waiting() && has_room ? job_.now + 1 : until;
            unpaid_ = owed_;
            code_.kernels().play_leaves(work_.round(by_phases_), job_);
            if (job_.is_paid) read_goals(job_.paid, paid_places_.data(), owed_, results);
            collect(results);
            if (job_.is_paid) read_goals(job_.paid, paid_places_.data(), ended_then_, results);
        } else if (is_waiting()) {
            ++job_.now;
        }
        if (results.tickets.size() >= wanted || job_.now >= until || (!size(live_) && !is_waiting())) break;
    }
    if (!size(owed_)) return;
    code_.kernels().evaluate(code_.goal_.code(), job_.goal_slots);
    read_goals(job_.goal_slots, code_.goal_slots_.data(), owed_, results);
}

// Reads goals that are owed to the games in these lanes from their planes, which are at these places.
void CircuitLeafPlayouts::read_goals(const std::uint64_t* goals, const std::uint32_t* places, const std::vector<std::uint64_t>& lanes,
                                     LeafResults& results) {
    constexpr std::int16_t kNone = std::numeric_limits<std::int16_t>::max();
    const std::uint32_t roles = shape_.roles();
    const auto each = [&](std::uint32_t c, std::uint64_t left, auto visit) {
        for (; left; left &= left - 1)
            visit(results.goals.data() + results_[64 * c + static_cast<std::uint32_t>(std::countr_zero(left))] * roles);
    };
    for (std::uint32_t c = 0; c < code_.columns(); ++c) {
        const std::uint64_t here = lanes[c];
        each(c, here, [&](std::int16_t* values) { std::fill_n(values, roles, kNone); });
        for (std::size_t g = 0; g < code_.goal_roles_.size(); ++g)
            each(c, here & goals[places[g] + c], [&](std::int16_t* values) {
                values[code_.goal_roles_[g]] = std::min(values[code_.goal_roles_[g]], code_.goal_values_[g]);
            });
        each(c, here, [&](std::int16_t* values) { std::replace(values, values + roles, kNone, std::int16_t{0}); });
        owed_[c] &= ~here;
    }
}

// The moves of a game in the first column.
void CircuitLeafPlayouts::add_noted(std::uint32_t lane, LeafResults& results) const {
    const std::size_t steps = std::min<std::size_t>(static_cast<std::size_t>(lengths_[lane]), kMostNoted);
    const std::uint32_t* noted = noted_.data() + std::size_t{lane} * kMostNoted * shape_.roles();
    results.history.insert(results.history.end(), noted, noted + steps * shape_.roles());
}

// Notes the games that have ended, but for their goals, and frees their lanes.
void CircuitLeafPlayouts::collect(LeafResults& results) {
    const std::uint32_t n = code_.columns(), roles = shape_.roles();
    const std::size_t legal_words = shape_.legal_words();
    for (std::uint32_t c = 0; c < n; ++c) {
        const std::uint64_t ended = ended_[c];
        if (!ended) continue;
        const std::size_t first = results.tickets.size();
        std::array<std::uint8_t, 64> index;  // of an ended lane among them
        std::uint8_t count = 0;
        for (std::uint64_t left = ended; left; left &= left - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
            results_[64 * c + lane] = results.tickets.size();
            index[lane] = count++;
            results.tickets.push_back(tickets_[64 * c + lane]);
            results.lengths.push_back(lengths_[64 * c + lane]);
            results.is_cut.push_back(outcomes_[64 * c + lane] == kCut);
            if (!job_.policy.last) continue;
            if (c == 0) add_noted(lane, results);
            results.history_ends.push_back(results.history.size());
        }
        results.goals.resize((first + count) * roles);
        if (job_.policy.played) {
            std::array<Bits, 64> block;
            results.played.resize((first + count) * legal_words);
            for (std::size_t word = 0; word < legal_words; ++word) {
                for (std::size_t i = 0; i < 64; ++i)
                    block[i] = 64 * word + i < shape_.all_moves ? job_.policy.played[(64 * word + i) * n + c] : 0;
                transpose(block.data());
                for (std::uint64_t left = ended; left; left &= left - 1) {
                    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
                    results.played[(first + index[lane]) * legal_words + word] = block[lane];
                }
            }
        }
        if (job_.ends) {
            const std::size_t words = shape_.state_words();
            std::array<Bits, 64> block;
            results.ends.resize((first + count) * words);
            for (std::size_t word = 0; word < words; ++word) {
                for (std::size_t i = 0; i < 64; ++i) block[i] = 64 * word + i < shape_.fluents ? job_.ends[(64 * word + i) * n + c] : 0;
                transpose(block.data());
                for (std::uint64_t left = ended; left; left &= left - 1) {
                    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
                    results.ends[(first + index[lane]) * words + word] = block[lane];
                }
            }
        }
        owed_[c] |= ended;
        ended_[c] = 0;
    }
}

}  // namespace ludorum::circuit

#include "relations/relations_simulator.h"

#include <algorithm>
#include <bit>

#include "relations/workspace.h"

namespace ludorum::relations {

RelationsSimulator::RelationsSimulator(Program program, Room room, Budget budget)
    : program_(std::move(program)), budget_(budget), inline_fluents_(64 * words_for(std::max<std::size_t>(room.fluents, 1))) {
    program_.check();
    const std::size_t roles = program_.roles.size();
    if (room.moves.size() != roles || room.percepts.size() != roles) throw std::invalid_argument("not room for each role");
    // The last word tells whether a row is a reference.
    shape_.fluents = static_cast<std::uint32_t>(inline_fluents_ + 64);
    shape_.moves = room.moves;
    for (std::uint32_t count : room.moves) shape_.all_moves += count;
    for (std::uint32_t role = 0; role < roles; ++role) shape_.percepts.insert(shape_.percepts.end(), room.percepts[role], role);
    for (std::size_t role = 0; role < roles; ++role) {
        moves_.emplace_back();
        percepts_.emplace_back();
    }
}

RelationsSimulator::~RelationsSimulator() = default;

RelationsSimulator::Lease RelationsSimulator::borrow(const std::atomic<std::int32_t>* stop) const {
    std::unique_ptr<Workspace> workspace;
    {
        const std::lock_guard guard(mutex_);
        if (!idle_.empty()) {
            workspace = std::move(idle_.back());
            idle_.pop_back();
        }
    }
    if (!workspace || workspace->machine().is_broken()) workspace = std::make_unique<Workspace>(*this);
    return {*this, std::move(workspace), stop};
}

// ---- rows ----

void RelationsSimulator::write_row(Workspace& workspace, const std::vector<std::uint32_t>& facts, Bits* row) const {
    const std::size_t words = shape_.state_words();
    std::fill(row, row + words, Bits{0});
    bool fits = true;
    for (std::uint32_t fact : facts) {
        const std::uint32_t number = workspace.fluent_number(fact);
        fits &= number < inline_fluents_;
        if (fits) row[number / 64] |= Bits{1} << (number % 64);
    }
    if (fits) return;
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t fact : facts) numbers.push_back(workspace.fluent_number(fact));
    std::sort(numbers.begin(), numbers.end());
    std::fill(row, row + words, Bits{0});
    const std::lock_guard guard(mutex_);
    const auto [place, is_new] = kept_.try_emplace(std::move(numbers), kept_states_.size() + 1);
    if (is_new) kept_states_.push_back(&place->first);
    row[words - 1] = place->second;
}

std::vector<std::uint32_t> RelationsSimulator::fluents(const Bits* state) const {
    const std::size_t words = shape_.state_words();
    if (state[words - 1] != 0) {
        const std::lock_guard guard(mutex_);
        return *kept_states_.at(state[words - 1] - 1);
    }
    std::vector<std::uint32_t> numbers;
    for (std::size_t word = 0; word + 1 < words; ++word)
        for (Bits left = state[word]; left; left &= left - 1)
            numbers.push_back(static_cast<std::uint32_t>(64 * word + static_cast<std::size_t>(std::countr_zero(left))));
    const std::uint32_t known = fluents_.size();
    if (!numbers.empty() && numbers.back() >= known) throw std::invalid_argument("a row with bits that mean nothing");
    return numbers;
}

std::vector<Bits> RelationsSimulator::initial(const std::atomic<std::int32_t>& stop) const {
    Lease lease = borrow(&stop);
    if (lease->machine().is_worn()) lease->refresh();
    lease->machine().watch(&stop);
    lease->machine().load({});
    lease->start();
    std::vector<Bits> row(shape_.state_words());
    write_row(*lease.workspace, lease->state(), row.data());
    return row;
}

std::vector<Bits> RelationsSimulator::row(const std::vector<Text>& texts) const {
    Lease lease = borrow();
    std::vector<std::uint32_t> facts;
    for (const Text& text : texts) {
        std::span<const std::int32_t> rest(text);
        facts.push_back(lease->machine().fluent(lease->machine().terms().read(rest)));
        if (!rest.empty()) throw std::invalid_argument("more than a term");
    }
    std::sort(facts.begin(), facts.end());
    facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
    std::vector<Bits> row(shape_.state_words());
    write_row(*lease.workspace, facts, row.data());
    return row;
}

// ---- many states ----

void RelationsSimulator::terminal_and_legal(const Bits* states, std::size_t count, std::uint8_t* terminal, Bits* legal) const {
    Lease lease = borrow();
    const std::size_t words = shape_.state_words(), legal_words = shape_.legal_words();
    std::fill(legal, legal + count * legal_words, Bits{0});
    for (std::size_t i = 0; i < count; ++i) {
        lease.load(states + i * words);
        terminal[i] = lease->machine().is_terminal();
        const auto& moves = lease->legal();
        std::uint32_t first = 0;
        for (std::size_t role = 0; role < moves.size(); ++role) {
            for (TermId term : moves[role]) {
                const std::uint32_t number = lease->move_number(role, term);
                if (number >= shape_.moves[role]) throw OutOfMemory("a role has more different moves than there is room for");
                legal[i * legal_words + (first + number) / 64] |= Bits{1} << ((first + number) % 64);
            }
            first += shape_.moves[role];
        }
    }
}

void RelationsSimulator::step(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* successors) const {
    Lease lease = borrow();
    const std::size_t words = shape_.state_words(), roles = shape_.roles();
    for (std::size_t i = 0; i < count; ++i) {
        // Successors of one state often come together.
        if (i == 0 || !std::equal(states + i * words, states + (i + 1) * words, states + (i - 1) * words)) lease.load(states + i * words);
        lease->act(joint + i * roles);
        const FactSet& following = lease->machine().ask(program_.next_set);
        std::vector<std::uint32_t> facts;
        for (std::uint32_t fact : following.current) facts.push_back(lease->machine().fluent(*following.facts.tuple(fact)));
        write_row(*lease.workspace, facts, successors + i * words);
    }
}

void RelationsSimulator::goals(const Bits* states, std::size_t count, std::int16_t* values) const {
    Lease lease = borrow();
    for (std::size_t i = 0; i < count; ++i) {
        lease.load(states + i * shape_.state_words());
        lease->goals(values + i * shape_.roles());
    }
}

void RelationsSimulator::payoffs(const Bits* states, std::size_t count, std::int16_t* values) const {
    Lease lease = borrow();
    for (std::size_t i = 0; i < count; ++i) {
        lease.load(states + i * shape_.state_words());
        lease->payoffs(values + i * shape_.roles());
    }
}

void RelationsSimulator::percepts(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* told) const {
    Lease lease = borrow();
    const std::size_t words = shape_.percept_words(), roles = shape_.roles();
    std::vector<std::uint32_t> room(roles, 0), first(roles, 0);
    for (std::uint32_t role : shape_.percepts) ++room[role];
    for (std::size_t role = 1; role < roles; ++role) first[role] = first[role - 1] + room[role - 1];
    std::fill(told, told + count * words, Bits{0});
    for (std::size_t i = 0; i < count; ++i) {
        lease.load(states + i * shape_.state_words());
        lease->act(joint + i * roles);
        const auto& rows = lease->sees();
        for (std::size_t role = 0; role < roles; ++role) {
            for (TermId term : rows[role]) {
                const std::uint32_t number = lease->percept_number(role, term);
                if (number >= room[role]) throw OutOfMemory("a role has more different percepts than there is room for");
                told[i * words + (first[role] + number) / 64] |= Bits{1} << ((first[role] + number) % 64);
            }
        }
    }
}

// ---- one state ----

bool RelationsSimulator::is_terminal(const Bits* state, const std::atomic<std::int32_t>& stop) const {
    Lease lease = borrow(&stop);
    lease.load(state);
    return lease->machine().is_terminal();
}

std::vector<std::vector<std::uint32_t>> RelationsSimulator::moves(const Bits* state, const std::atomic<std::int32_t>& stop) const {
    Lease lease = borrow(&stop);
    lease.load(state);
    std::vector<std::vector<std::uint32_t>> numbers;
    const auto& moves = lease->legal();
    for (std::size_t role = 0; role < moves.size(); ++role) {
        numbers.emplace_back();
        for (TermId term : moves[role]) numbers.back().push_back(lease->move_number(role, term));
        std::sort(numbers.back().begin(), numbers.back().end());
    }
    return numbers;
}

std::vector<Bits> RelationsSimulator::after(const Bits* state, const std::uint32_t* joint, const std::atomic<std::int32_t>& stop) const {
    Lease lease = borrow(&stop);
    lease.load(state);
    lease->act(joint);
    lease->advance();
    std::vector<Bits> row(shape_.state_words());
    write_row(*lease.workspace, lease->state(), row.data());
    return row;
}

std::vector<std::int16_t> RelationsSimulator::goals_of(const Bits* state, const std::atomic<std::int32_t>& stop) const {
    Lease lease = borrow(&stop);
    lease.load(state);
    std::vector<std::int16_t> values(shape_.roles());
    lease->goals(values.data());
    return values;
}

std::vector<std::vector<std::uint32_t>> RelationsSimulator::told(const Bits* state, const std::uint32_t* joint,
                                                                 const std::atomic<std::int32_t>& stop) const {
    Lease lease = borrow(&stop);
    lease.load(state);
    lease->act(joint);
    std::vector<std::vector<std::uint32_t>> numbers;
    const auto& rows = lease->sees();
    for (std::size_t role = 0; role < rows.size(); ++role) {
        numbers.emplace_back();
        for (TermId term : rows[role]) numbers.back().push_back(lease->percept_number(role, term));
    }
    return numbers;
}

std::vector<std::vector<RelationsSimulator::Text>> RelationsSimulator::extent(std::uint32_t number, std::size_t limit,
                                                                                const std::atomic<std::int32_t>& stop) const {
    Lease lease = borrow(&stop);
    const FactSet& set = lease->machine().ask(number);
    std::vector<std::vector<Text>> rows;
    for (std::uint32_t fact : set.current) {
        if (rows.size() == limit) break;
        auto& row = rows.emplace_back();
        for (std::uint32_t i = 0; i < set.facts.width(); ++i) lease->machine().terms().write(set.facts.tuple(fact)[i], row.emplace_back());
    }
    return rows;
}

}  // namespace ludorum::relations

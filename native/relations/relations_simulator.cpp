#include "relations/relations_simulator.h"

#include <algorithm>
#include <bit>
#include <thread>

#include "kernels.h"
#include "relations/play_memory.h"

namespace ludorum::relations {
namespace {

std::uint64_t splitmix(std::uint64_t& x) {  // Steele, Lea and Flood
    std::uint64_t z = (x += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

}  // namespace

// A machine, and what its numbers mean to the others.
class RelationsSimulator::Workspace {
public:
    Workspace(const RelationsSimulator& simulator) : simulator_(simulator), program_(simulator.program_) {
        for (std::size_t role = 0; role < program_.roles.size(); ++role) {
            const TermId term = program_.roles[role];
            if (term >= role_of_term_.size()) role_of_term_.resize(term + 1, program_.roles.size());
            role_of_term_[term] = role;
        }
        renew();
    }

    Machine& machine() { return *machine_; }

    // Loads a state, into a new machine if the old one is worn.
    void load(const Bits* row) {
        if (machine_->is_broken() || (++turns_ % 64 == 0 && machine_->is_worn())) renew();
        state_.clear();
        for (std::uint32_t number : simulator_.fluents(row)) state_.push_back(fact_of(number));
        machine_->load(state_);
        here_ = kNone;
        is_loaded_ = true;
    }

    // Loads the state that many matches start from, remembering what they meet with if that is worth it.
    void begin(const Bits* row) {
        const std::size_t words = simulator_.shape_.state_words();
        memory_.turn_on();
        if (memory_.is_on() && root_ != kNone && std::equal(root_row_.begin(), root_row_.end(), row, row + words)) {
            here_ = root_;
            is_loaded_ = false;
            return;
        }
        load(row);
        if (!memory_.is_on()) return;
        root_row_.assign(row, row + words);
        root_ = here_ = memory_.number(state_);
    }
    void end() { memory_.turn_off(); }

    // Loads the initial state, or the one that follows from the moves that were made.
    void start() {
        state_.clear();
        const FactSet& first = machine_->ask(program_.init_set);
        for (std::uint32_t fact : first.current) state_.push_back(machine_->fluent(*first.facts.tuple(fact)));
        reload();
    }
    void advance() {
        state_.clear();
        for (std::uint32_t fact : machine_->ask(program_.next_set).current) state_.push_back(machine_->following(fact));
        reload();
    }

    const std::vector<std::uint32_t>& state() const { return state_; }

    // A worn machine is replaced, and the state carried over.
    void refresh() {
        std::vector<Text> texts;
        for (std::uint32_t fact : state_) machine_->terms().write(machine_->term_of(fact), texts.emplace_back());
        renew();
        state_.clear();
        for (const Text& text : texts) {
            std::span<const std::int32_t> rest(text);
            state_.push_back(machine_->fluent(machine_->terms().read(rest)));
        }
        machine_->load(state_);
    }

    // By role, the terms that are legal, in no particular order.
    const std::vector<std::vector<TermId>>& legal() { return by_role(program_.legal_set); }
    const std::vector<std::vector<TermId>>& sees() { return by_role(program_.sees_set); }

    void goals(std::int16_t* values) {
        if (!memory_.is_on() || here_ == kNone) return compute_goals(values);
        if (memory_.at(here_).goals.empty()) {
            recall();
            std::vector<std::int16_t> found(program_.roles.size());
            compute_goals(found.data());
            memory_.at(here_).goals = std::move(found);
        }
        std::copy(memory_.at(here_).goals.begin(), memory_.at(here_).goals.end(), values);
    }

    void payoffs(std::int16_t* values) {
        const auto& rows = by_role(program_.goal_set);
        for (std::size_t role = 0; role < rows.size(); ++role) {
            std::int16_t lowest = kNoGoal;
            for (TermId term : rows[role]) {
                if (term >= program_.goal_values.size() || program_.goal_values[term] < 0) continue;
                lowest = lowest == kNoGoal ? program_.goal_values[term] : std::min(lowest, program_.goal_values[term]);
            }
            values[role] = std::max<std::int16_t>(lowest, 0);
        }
    }

    void compute_goals(std::int16_t* values) {
        const auto& rows = by_role(program_.goal_set);
        for (std::size_t role = 0; role < rows.size(); ++role) {
            int found = 0;
            values[role] = kNoGoal;
            for (TermId term : rows[role]) {
                if (term >= program_.goal_values.size() || program_.goal_values[term] < 0) continue;
                values[role] = ++found == 1 ? program_.goal_values[term] : kNoGoal;
            }
        }
    }

    std::uint32_t fluent_number(std::uint32_t fact) {
        if (fact >= number_of_fact_.size()) number_of_fact_.resize(fact + 1, kNone);
        if (number_of_fact_[fact] == kNone) number_of_fact_[fact] = number(simulator_.fluents_, machine_->term_of(fact));
        return number_of_fact_[fact];
    }

    std::uint32_t move_number(std::size_t role, TermId term) {
        auto& numbers = number_of_move_[role];
        if (term >= numbers.size()) numbers.resize(term + 1, kNone);
        if (numbers[term] == kNone) numbers[term] = number(simulator_.moves_[role], term);
        return numbers[term];
    }

    std::uint32_t percept_number(std::size_t role, TermId term) { return number(simulator_.percepts_[role], term); }

    TermId move_term(std::size_t role, std::uint32_t number) {
        auto& terms = move_of_number_[role];
        if (number >= terms.size()) terms.resize(number + 1, kNone);
        if (terms[number] == kNone) {
            const Text text = simulator_.moves_[role].text(number);
            std::span<const std::int32_t> rest(text);
            terms[number] = machine_->terms().read(rest);
        }
        return terms[number];
    }

    void act(const std::uint32_t* joint) {
        joint_.resize(program_.roles.size());
        for (std::size_t role = 0; role < joint_.size(); ++role) joint_[role] = move_term(role, joint[role]);
        machine_->act(joint_);
    }

    // Whether percepts are numbered on the way, so that there is room for them.
    bool notes_percepts = false;

    enum class Turn { kMoved, kTerminal, kStuck };

    // Whether the game goes on, and if it may, by moves that are chosen uniformly. The choice depends on the moves and
    // the random number, not on the order in which this machine met with them.
    Turn turn(std::uint64_t& random, bool may_move) {
        if (memory_.is_on() && (here_ != kNone || (here_ = memory_.number(state_)) != kNone)) return remembered_turn(random, may_move);
        if (machine_->is_terminal()) return Turn::kTerminal;
        const auto& moves = legal();
        joint_.resize(moves.size());
        bool is_stuck = false;
        for (std::size_t role = 0; role < moves.size(); ++role) {
            const std::size_t rank = choose(random, moves[role].size());
            is_stuck |= moves[role].empty();
            if (!moves[role].empty()) joint_[role] = ranked(moves[role], rank);
        }
        if (is_stuck) return Turn::kStuck;
        if (!may_move) return Turn::kMoved;
        move_on();
        return Turn::kMoved;
    }

    // The same by what is remembered of this state, which is added to.
    Turn remembered_turn(std::uint64_t& random, bool may_move) {
        if (!memory_.at(here_).is_known) study();
        const PlayMemory::Node& node = memory_.at(here_);
        if (node.is_terminal) return Turn::kTerminal;
        joint_.resize(node.legal.size());
        bool is_stuck = false;
        std::size_t edge = 0;
        for (std::size_t role = 0; role < node.legal.size(); ++role) {
            const std::size_t count = node.legal[role].size(), rank = choose(random, count);
            is_stuck |= count == 0;
            if (count > 0) joint_[role] = node.legal[role][rank];
            edge = edge * count + rank;
        }
        if (is_stuck) return Turn::kStuck;
        if (!may_move) return Turn::kMoved;
        const std::uint32_t successor = node.successors.empty() ? kNone : node.successors[edge];
        if (successor != kNone) {
            memory_.count(true);
            here_ = successor;
            is_loaded_ = false;
            return Turn::kMoved;
        }
        recall();
        if (!memory_.count(false)) {
            forget();
            memory_.turn_off();
            move_on();
            return Turn::kMoved;
        }
        const std::uint32_t from = here_;
        const std::uint64_t made = machines_made_;
        move_on();
        if (made != machines_made_) return Turn::kMoved;
        here_ = memory_.number(state_);
        if (here_ != kNone && !memory_.at(from).successors.empty()) memory_.at(from).successors[edge] = here_;
        return Turn::kMoved;
    }

    void move_on() {
        machine_->act(joint_);
        if (notes_percepts) {
            const auto& percepts = sees();
            for (std::size_t role = 0; role < percepts.size(); ++role)
                for (TermId term : percepts[role]) percept_number(role, term);
        }
        advance();
        if (++turns_ % 64 == 0 && machine_->is_worn()) refresh();
    }

private:
    void reload() {
        machine_->load(state_);
        here_ = kNone;
        is_loaded_ = true;
    }

    // From 0 to below `count`; takes a random number in any case.
    static std::size_t choose(std::uint64_t& random, std::size_t count) {
        return static_cast<std::size_t>((static_cast<unsigned __int128>(splitmix(random)) * count) >> 64);
    }

    bool comes_before(TermId a, TermId b) const { return machine_->terms().hash(a) < machine_->terms().hash(b); }

    // The move of a rank in the order of hashes, which is the same in every machine.
    TermId ranked(const std::vector<TermId>& moves, std::size_t rank) {
        if (moves.size() == 1) return moves.front();
        order_.assign(moves.begin(), moves.end());
        std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(rank), order_.end(),
                         [&](TermId a, TermId b) { return comes_before(a, b); });
        return order_[rank];
    }

    // Finds out what there is to know of this state.
    void study() {
        recall();
        PlayMemory::Node& node = memory_.at(here_);
        node.is_terminal = machine_->is_terminal();
        if (!node.is_terminal) {
            node.legal = legal();
            std::size_t joints = 1;
            for (auto& moves : node.legal) {
                std::sort(moves.begin(), moves.end(), [&](TermId a, TermId b) { return comes_before(a, b); });
                joints = std::min(PlayMemory::kMostSuccessors + 1, joints * std::min(PlayMemory::kMostSuccessors + 1, moves.size()));
            }
            if (joints <= PlayMemory::kMostSuccessors) node.successors.assign(joints, kNone);
        }
        node.is_known = true;
    }

    // Puts the state that play has come to into the machine.
    void recall() {
        if (is_loaded_) return;
        state_ = memory_.at(here_).facts;
        machine_->load(state_);
        is_loaded_ = true;
    }

    void forget() { here_ = root_ = kNone; }

    void renew() {
        machine_ = std::make_unique<Machine>(program_, simulator_.budget_);
        ++machines_made_;
        memory_.clear();
        forget();
        fact_of_number_.clear();
        number_of_fact_.clear();
        number_of_move_.assign(program_.roles.size(), {});
        move_of_number_.assign(program_.roles.size(), {});
    }

    std::uint32_t number(Dictionary& dictionary, TermId term) {
        text_.clear();
        machine_->terms().write(term, text_);
        return dictionary.number(text_);
    }

    std::uint32_t fact_of(std::uint32_t number) {
        if (number >= fact_of_number_.size()) fact_of_number_.resize(number + 1, kNone);
        if (fact_of_number_[number] == kNone) {
            const Text text = simulator_.fluents_.text(number);
            std::span<const std::int32_t> rest(text);
            fact_of_number_[number] = machine_->fluent(machine_->terms().read(rest));
        }
        return fact_of_number_[number];
    }

    const std::vector<std::vector<TermId>>& by_role(std::uint32_t set) {
        const FactSet& found = machine_->ask(set);
        by_role_.resize(program_.roles.size());
        for (auto& terms : by_role_) terms.clear();
        for (std::uint32_t fact : found.current) {
            const TermId* row = found.facts.tuple(fact);
            const std::size_t role = row[0] < role_of_term_.size() ? role_of_term_[row[0]] : by_role_.size();
            if (role < by_role_.size()) by_role_[role].push_back(row[1]);
        }
        return by_role_;
    }

    const RelationsSimulator& simulator_;
    const Program& program_;
    std::unique_ptr<Machine> machine_;
    std::vector<std::uint32_t> state_;
    PlayMemory memory_;
    std::uint32_t here_ = kNone, root_ = kNone;   // in the memory: this state, and the one that matches begin with
    std::vector<Bits> root_row_;
    bool is_loaded_ = true;                       // whether this state is what the machine was given
    std::uint64_t machines_made_ = 0;
    std::vector<TermId> joint_, order_;
    std::vector<std::vector<TermId>> by_role_;
    std::vector<std::size_t> role_of_term_;   // the number of roles for what is none
    std::vector<std::uint32_t> fact_of_number_, number_of_fact_;
    std::vector<std::vector<std::uint32_t>> number_of_move_, move_of_number_;
    Text text_;
    std::uint64_t turns_ = 0;
};

// A workspace for the time of a question.
struct RelationsSimulator::Lease {
    Lease(const RelationsSimulator& simulator, std::unique_ptr<Workspace> workspace, const std::atomic<std::int32_t>* stop)
        : simulator(simulator), workspace(std::move(workspace)), stop(stop) {
        this->workspace->machine().watch(stop);
    }
    Lease(const Lease&) = delete;
    ~Lease() {
        workspace->machine().watch(nullptr);
        const std::lock_guard guard(simulator.mutex_);
        simulator.idle_.push_back(std::move(workspace));
    }
    void load(const Bits* row) {
        workspace->load(row);
        workspace->machine().watch(stop);
    }
    Workspace* operator->() { return workspace.get(); }

    const RelationsSimulator& simulator;
    std::unique_ptr<Workspace> workspace;
    const std::atomic<std::int32_t>* stop;
};

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

void RelationsSimulator::look(const Bits* states, std::size_t count, std::uint8_t* terminal, Bits* legal) const {
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

// ---- random play ----

PlayoutWork RelationsSimulator::playouts(const Bits* state, const PlayoutSpec& spec, PlayoutResults results,
                                         const std::atomic<std::int32_t>& stop) const {
    std::atomic<std::uint64_t> next{0}, steps{0}, asked{0};
    std::exception_ptr failure;
    std::mutex failing;
    std::atomic<std::int32_t> halt{0};
    const auto play = [&] {
        try {
            Lease lease = borrow(&stop);
            std::uint64_t own_steps = 0, own_asked = 0;
            for (std::uint64_t i; !stop && !halt && (i = next++) < spec.playouts;) {
                std::uint64_t random = spec.seed, mixed = splitmix(random) ^ i;
                random = splitmix(mixed);
                lease->begin(state);
                lease->machine().watch(&stop);
                std::uint32_t length = 0;
                Outcome outcome = kFinished;
                while (true) {
                    const auto turn = lease->turn(random, length < spec.max_steps);
                    lease->machine().watch(&stop);
                    if (turn == Workspace::Turn::kTerminal) break;
                    if (turn == Workspace::Turn::kStuck) {
                        outcome = kStuck;
                        break;
                    }
                    if (length == spec.max_steps) {
                        outcome = kCut;
                        break;
                    }
                    ++length;
                    if (stop) break;
                }
                lease->goals(results.goals + i * shape_.roles());
                lease->end();
                results.lengths[i] = static_cast<std::int32_t>(length);
                results.outcomes[i] = outcome;
                own_steps += length;
                ++own_asked;
            }
            steps += own_steps;
            asked += own_asked;
        } catch (const Stopped&) {
        } catch (...) {
            const std::lock_guard guard(failing);
            if (!failure) failure = std::current_exception();
            halt = 1;
        }
    };
    std::vector<std::thread> threads;
    for (std::uint32_t i = 1; i < spec.threads && i < spec.playouts; ++i) threads.emplace_back(play);
    play();
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
    return {1, steps, asked};
}

Sample RelationsSimulator::sample(std::uint64_t states, std::uint64_t steps, std::uint64_t seed, std::size_t kept,
                                  const std::atomic<std::int32_t>& stop) const {
    Lease lease = borrow(&stop);
    const std::vector<Bits> start = initial(stop);
    Sample sample;
    lease->notes_percepts = true;
    sample.set_sizes.assign(program_.sets.size(), 0);
    const auto is_over = [&] { return sample.states >= states || lease->machine().work() / Machine::kStep >= steps || stop; };
    std::uint64_t random = seed;
    const auto measure = [&] {
        for (std::size_t set = 0; set < program_.sets.size(); ++set) sample.set_sizes[set] += lease->machine().set(static_cast<std::uint32_t>(set)).current.size();
    };
    std::uint64_t every = std::max<std::uint64_t>(1, states / std::max<std::size_t>(kept, 1));
    try {
        while (!is_over()) {
            lease.load(start.data());
            while (!is_over()) {
                if (sample.states % every == 0 && sample.true_rows.size() < kept) {
                    auto& texts = sample.true_rows.emplace_back();
                    for (std::uint32_t fact : lease->state()) lease->machine().terms().write(lease->machine().term_of(fact), texts.emplace_back());
                }
                // Moves are numbered as they are met with, so that there is room for them.
                if (!lease->machine().is_terminal()) {
                    const auto& moves = lease->legal();
                    for (std::size_t role = 0; role < moves.size(); ++role)
                        for (TermId term : moves[role]) lease->move_number(role, term);
                }
                for (std::uint32_t fact : lease->state()) lease->fluent_number(fact);
                measure();
                ++sample.states;
                const auto turn = lease->turn(random, true);
                lease->machine().watch(&stop);
                if (turn != Workspace::Turn::kMoved) {
                    std::vector<std::int16_t> values(shape_.roles());
                    lease->goals(values.data());
                    break;
                }
            }
        }
    } catch (const OutOfTime&) {
        sample.is_cut_short = true;
    } catch (const OutOfMemory&) {
        sample.is_cut_short = true;
    } catch (const Unstratified&) {
        sample.is_cut_short = true;
    }
    lease->notes_percepts = false;
    sample.work = lease->machine().work() / Machine::kStep;
    sample.tallies = lease->machine().tallies();
    for (Tally& tally : sample.tallies) {
        tally.work /= Machine::kStep;
        tally.own /= Machine::kStep;
    }
    return sample;
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

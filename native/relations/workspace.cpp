#include "relations/workspace.h"

#include <algorithm>

namespace ludorum::relations {

RelationsSimulator::Workspace::Workspace(const RelationsSimulator& simulator) : simulator_(simulator), program_(simulator.program_) {
    for (std::size_t role = 0; role < program_.roles.size(); ++role) {
        const TermId term = program_.roles[role];
        if (term >= role_of_term_.size()) role_of_term_.resize(term + 1, program_.roles.size());
        role_of_term_[term] = role;
    }
    renew();
}

void RelationsSimulator::Workspace::load(const Bits* row) {
    if (machine_->is_broken() || (++turns_ % 64 == 0 && machine_->is_worn())) renew();
    state_.clear();
    for (std::uint32_t number : simulator_.fluents(row)) state_.push_back(fact_of(number));
    machine_->load(state_);
    here_ = kNone;
    is_loaded_ = true;
}

void RelationsSimulator::Workspace::begin(const Bits* row) {
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

void RelationsSimulator::Workspace::start() {
    state_.clear();
    const FactSet& first = machine_->ask(program_.init_set);
    for (std::uint32_t fact : first.current) state_.push_back(machine_->fluent(*first.facts.tuple(fact)));
    reload();
}

void RelationsSimulator::Workspace::advance() {
    state_.clear();
    for (std::uint32_t fact : machine_->ask(program_.next_set).current) state_.push_back(machine_->following(fact));
    reload();
}

void RelationsSimulator::Workspace::refresh() {
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

void RelationsSimulator::Workspace::goals(std::int16_t* values) {
    if (!memory_.is_on() || here_ == kNone) return compute_goals(values);
    if (memory_.at(here_).goals.empty()) {
        recall();
        std::vector<std::int16_t> found(program_.roles.size());
        compute_goals(found.data());
        memory_.at(here_).goals = std::move(found);
    }
    std::copy(memory_.at(here_).goals.begin(), memory_.at(here_).goals.end(), values);
}

void RelationsSimulator::Workspace::payoffs(std::int16_t* values) {
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

void RelationsSimulator::Workspace::compute_goals(std::int16_t* values) {
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

std::uint32_t RelationsSimulator::Workspace::fluent_number(std::uint32_t fact) {
    if (fact >= number_of_fact_.size()) number_of_fact_.resize(fact + 1, kNone);
    if (number_of_fact_[fact] == kNone) number_of_fact_[fact] = number(simulator_.fluents_, machine_->term_of(fact));
    return number_of_fact_[fact];
}

std::uint32_t RelationsSimulator::Workspace::move_number(std::size_t role, TermId term) {
    auto& numbers = number_of_move_[role];
    if (term >= numbers.size()) numbers.resize(term + 1, kNone);
    if (numbers[term] == kNone) numbers[term] = number(simulator_.moves_[role], term);
    return numbers[term];
}

TermId RelationsSimulator::Workspace::move_term(std::size_t role, std::uint32_t number) {
    auto& terms = move_of_number_[role];
    if (number >= terms.size()) terms.resize(number + 1, kNone);
    if (terms[number] == kNone) {
        const Text text = simulator_.moves_[role].text(number);
        std::span<const std::int32_t> rest(text);
        terms[number] = machine_->terms().read(rest);
    }
    return terms[number];
}

void RelationsSimulator::Workspace::act(const std::uint32_t* joint) {
    joint_.resize(program_.roles.size());
    for (std::size_t role = 0; role < joint_.size(); ++role) joint_[role] = move_term(role, joint[role]);
    machine_->act(joint_);
}

void RelationsSimulator::Workspace::reload() {
    machine_->load(state_);
    here_ = kNone;
    is_loaded_ = true;
}

void RelationsSimulator::Workspace::renew() {
    machine_ = std::make_unique<Machine>(program_, simulator_.budget_);
    ++machines_made_;
    memory_.clear();
    forget();
    fact_of_number_.clear();
    number_of_fact_.clear();
    number_of_move_.assign(program_.roles.size(), {});
    move_of_number_.assign(program_.roles.size(), {});
}

std::uint32_t RelationsSimulator::Workspace::number(Dictionary& dictionary, TermId term) {
    text_.clear();
    machine_->terms().write(term, text_);
    return dictionary.number(text_);
}

std::uint32_t RelationsSimulator::Workspace::fact_of(std::uint32_t number) {
    if (number >= fact_of_number_.size()) fact_of_number_.resize(number + 1, kNone);
    if (fact_of_number_[number] == kNone) {
        const Text text = simulator_.fluents_.text(number);
        std::span<const std::int32_t> rest(text);
        fact_of_number_[number] = machine_->fluent(machine_->terms().read(rest));
    }
    return fact_of_number_[number];
}

const std::vector<std::vector<TermId>>& RelationsSimulator::Workspace::by_role(std::uint32_t set) {
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

}  // namespace ludorum::relations

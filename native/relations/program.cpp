#include "relations/program.h"

#include <stdexcept>

namespace ludorum::relations {
namespace {

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(std::string("not a program: ") + what);
}

class Checker {
public:
    explicit Checker(const Program& program) : program_(program), constants_(program.constants + program.ground_terms.size()) {}

    void rule(const Procedure& procedure, const Rule& rule) const {
        require(rule.registers >= procedure.bound, "registers for the bound arguments");
        const auto count = static_cast<std::int32_t>(rule.operations.size());
        require(count > 0 && rule.operations.back().kind == Kind::kEmit, "a rule ends with an answer");
        for (std::int32_t at = 0; at < count; ++at) {
            const Operation& operation = rule.operations[static_cast<std::size_t>(at)];
            require(operation.back >= -1 && operation.back < at && operation.fail >= -1 && operation.fail < at, "a way back");
            for (std::int32_t way : {operation.back, operation.fail})
                require(way < 0 || is_scan(rule.operations[static_cast<std::size_t>(way)].kind), "a way back to no scan");
            require(!is_scan(operation.kind) || operation.iterator + 1 < rule.iterators, "an iterator");
            for (std::int32_t operand : operation.arguments)
                require(operand >= 0 ? static_cast<std::uint32_t>(operand) < rule.registers : static_cast<std::size_t>(~operand) < constants_, "an operand");
            for (std::int32_t out : operation.outputs) require(out >= -1 && out < static_cast<std::int32_t>(rule.registers), "an output");
            require(operation.out >= -1 && operation.out < static_cast<std::int32_t>(rule.registers), "an output");
            require(fits(operation, procedure), "the number of arguments");
        }
    }

private:
    static bool is_scan(Kind kind) { return kind == Kind::kScan || kind == Kind::kCallScan || kind == Kind::kSuspend; }

    bool fits(const Operation& operation, const Procedure& procedure) const {
        const std::size_t in = operation.arguments.size(), out = operation.outputs.size(), target = operation.target;
        switch (operation.kind) {
            case Kind::kSame:
            case Kind::kDiffer: return in == 2;
            case Kind::kTake: return in == 1 && target < program_.arities.size() && out == program_.arities[target];
            case Kind::kBuild: return target < program_.arities.size() && in == program_.arities[target] && operation.out >= 0;
            case Kind::kTest:
            case Kind::kTestNot: return target < program_.views.size() && in == program_.views[target].leaves;
            case Kind::kScan:
                return target < program_.indexes.size() && in == program_.indexes[target].bound.size() &&
                       out == program_.indexes[target].free.size();
            case Kind::kCallTest:
            case Kind::kCallNot: return calls(target, in, 0);
            case Kind::kCallScan:
            case Kind::kSuspend: return calls(target, in, out);
            case Kind::kEmit: return in == procedure.free;
            default: return false;
        }
        return false;
    }

    bool calls(std::size_t target, std::size_t in, std::size_t out) const {
        return target < program_.procedures.size() && program_.procedures[target].bound == in && program_.procedures[target].free == out;
    }

    const Program& program_;
    std::size_t constants_;
};

}  // namespace

void Program::check() const {
    for (const SetSpec& set : sets)
        require(set.procedure < 0 || (static_cast<std::size_t>(set.procedure) < procedures.size() &&
                                      procedures[static_cast<std::size_t>(set.procedure)].bound == 0 &&
                                      procedures[static_cast<std::size_t>(set.procedure)].free == set.arity &&
                                      !procedures[static_cast<std::size_t>(set.procedure)].is_recursive), "what fills a set");
    for (const ViewSpec& view : views) {
        require(view.set < sets.size(), "the set of a view");
        std::uint32_t leaves = 0;
        for (std::int32_t part : view.pattern) {
            require(part >= -1 && part < static_cast<std::int32_t>(arities.size()), "a pattern");
            leaves += part < 0;
        }
        require(leaves == view.leaves, "the leaves of a view");
    }
    for (const IndexSpec& index : indexes) {
        require(index.view < views.size(), "the view of an index");
        require(index.bound.size() + index.free.size() == views[index.view].leaves, "the columns of an index");
        for (const auto* columns : {&index.bound, &index.free})
            for (std::uint32_t column : *columns) require(column < views[index.view].leaves, "a column of an index");
    }
    const Checker checker(*this);
    for (const Procedure& procedure : procedures)
        for (const Rule& rule : procedure.rules) checker.rule(procedure, rule);
    const auto is_set = [&](std::uint32_t set, std::uint32_t arity) { return set < sets.size() && sets[set].arity == arity; };
    require(is_set(true_set, 1) && is_set(does_set, 2) && is_set(init_set, 1) && is_set(next_set, 1) && is_set(legal_set, 2) &&
            is_set(goal_set, 2) && is_set(sees_set, 2), "the questions");
    require(terminal < procedures.size() && procedures[terminal].bound == 0 && procedures[terminal].free == 0, "the end");
    require(goal_values.size() == constants, "the values of goals");
    for (std::uint32_t role : roles) require(role < constants + ground_terms.size(), "a role");
    require(!roles.empty(), "roles");
}

}  // namespace ludorum::relations

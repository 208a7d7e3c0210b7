#include "search/minimax/successor_batch.h"

#include <algorithm>

#include "support/bits.h"

namespace ludorum::minimax {

void SuccessorBatch::hold(const Shape& shape, const Bits* state, const Bits* legal_row) {
    clear();
    state_words = shape.state_words();
    legal_words = shape.legal_words();
    roles = shape.roles();
    states.assign(state, state + state_words);
    legal.assign(legal_row, legal_row + legal_words);
    over.assign(1, 0);
    payoffs.assign(roles, 0);
    values.assign(roles, 0);
    keys.assign(1, 0);
    range.assign(1, kNotExpanded);
}

void SuccessorBatch::clear() {
    ranges.clear();
    choosers.clear();
    moves.clear();
    parents.clear();
    joint.clear();
    over.clear();
    is_evaluated = false;
}

void SuccessorBatch::add(const Shape& shape, std::span<const std::uint32_t> order, const Bits* legal_row, std::uint32_t parent) {
    roles = shape.roles();
    SuccessorRange found{parent, static_cast<std::uint32_t>(parents.size()), 1, static_cast<std::uint32_t>(choosers.size()), 0};
    forced_.resize(roles);
    first_of_role_.resize(roles);
    for (std::uint32_t role = 0, first = 0; role < roles; first += shape.moves[role++]) first_of_role_[role] = first;
    for (std::uint32_t role : order) {
        const std::uint32_t before = static_cast<std::uint32_t>(moves.size());
        const std::uint32_t first = first_of_role_[role];
        for_bits(legal_row, first, first + shape.moves[role], [&](std::uint32_t move) { moves.push_back(move); });
        const std::uint32_t count = static_cast<std::uint32_t>(moves.size()) - before;
        forced_[role] = moves[before];
        if (count == 1) {
            moves.resize(before);
        } else {
            choosers.push_back({role, before, count, 1});
            found.count *= count;
            ++found.choosers;
        }
    }
    Chooser* chooser = choosers.data() + found.first_chooser;
    for (std::uint32_t k = found.choosers; k-- > 1;) chooser[k - 1].stride = chooser[k].stride * chooser[k].count;
    parents.resize(found.first + found.count, parent);
    joint.resize((found.first + found.count) * roles);
    std::uint32_t* row = joint.data() + found.first * roles;
    for (std::uint32_t i = 0; i < found.count; ++i, row += roles) {
        std::copy(forced_.begin(), forced_.end(), row);
        // Mostly one role alone has a choice, and divisions take their time.
        if (found.choosers == 1) row[chooser->role] = moves[chooser->first_move + i];
        else
            for (std::uint32_t k = 0; k < found.choosers; ++k)
                row[chooser[k].role] = moves[chooser[k].first_move + i / chooser[k].stride % chooser[k].count];
    }
    ranges.push_back(found);
}

void SuccessorBatch::expand(const Simulator& simulator, const SuccessorBatch& above, std::size_t begin, std::size_t end, bool all_payoffs) {
    const Shape& shape = simulator.shape();
    state_words = shape.state_words();
    legal_words = shape.legal_words();
    const std::size_t size = parents.size();
    if (begin == 0) {
        // What was there before is overwritten, so that nothing is cleared in vain.
        over.resize(size);
        if (states.size() < size * state_words) states.resize(size * state_words);
        if (legal.size() < size * legal_words) legal.resize(size * legal_words);
        if (payoffs.size() < size * roles) payoffs.resize(size * roles);
        keys.assign(size, 0);
        range.assign(size, kNotExpanded);
    }
    simulator.expand(above.states.data(), parents.data() + begin, end - begin, joint.data() + begin * roles, all_payoffs,
                     {states.data() + begin * state_words, over.data() + begin, legal.data() + begin * legal_words,
                      payoffs.data() + begin * roles});
}

void SuccessorBatch::evaluate(const Shape& shape, const evaluation::Evaluation& evaluation, const SuccessorBatch& above, std::size_t begin,
                              std::size_t end) {
    if (values.size() < size() * roles) values.resize(size() * roles);
    evaluation.evaluate({shape, end - begin, states.data() + begin * state_words, legal.data() + begin * legal_words,
                         payoffs.data() + begin * roles, above.states.data(), parents.data() + begin}, values.data() + begin * roles);
    is_evaluated = true;
}

std::uint64_t count_joint_moves(const Shape& shape, const Bits* legal, std::uint64_t most) {
    std::uint64_t ways = 1;
    std::uint32_t first = 0;
    for (std::uint32_t moves : shape.moves) {
        ways *= count_bits(legal, first, first + moves);
        if (ways > most) return most + 1;
        first += moves;
    }
    return ways;
}

}  // namespace ludorum::minimax

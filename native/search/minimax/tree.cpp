#include "search/minimax/tree.h"

#include <algorithm>

namespace ludorum::minimax {

namespace {

// The watch is asked at least so often while a sweep is large.
constexpr std::size_t kChunk = 512;

}  // namespace

Tree::Tree(const Simulator& simulator, const Evaluation* evaluation, Settings settings, Table& table)
    : simulator_(simulator),
      shape_(simulator.shape()),
      evaluation_(evaluation),
      settings_(std::move(settings)),
      table_(table),
      zobrist_(shape_.fluents),
      history_(shape_) {}

bool Tree::plant(const Bits* state, const Bits* legal, const Watch& watch) {
    watch_ = watch;
    counts_ = {};
    has_stopped_ = false;
    history_.fade();
    table_.start_search();
    for (Brood& brood : levels_) brood.clear();
    level(0).hold(shape_, state, legal);
    if (!expand(0, 0, true, {}, 0, [](std::uint32_t) { return false; })) return false;
    const Brood& below = level(1);
    root_role_ = below.choosers.empty() ? -1 : static_cast<std::int32_t>(below.choosers.front().role);
    return true;
}

std::uint64_t Tree::key(std::size_t number, std::uint32_t node) {
    Brood& here = level(number);
    std::uint64_t& key = here.keys[node];
    if (key != 0) return key;
    if (number == 0) return key = zobrist_.key(here.state(node));
    const std::uint32_t parent = here.parents[node];
    const Bits* before = level(number - 1).state(parent);
    return key = this->key(number - 1, parent) ^ zobrist_.change(before, here.state(node));
}

// The successors of other states give way to those that come.
void Tree::release(std::size_t number) {
    Brood& here = level(number);
    Brood& below = level(number + 1);
    for (const Family& family : below.families)
        if (family.parent < here.size()) here.family[family.parent] = Brood::kNotExpanded;
    below.clear();
}

bool Tree::sweep(std::size_t number, bool evaluate) {
    Brood& brood = level(number);
    const bool evaluates = evaluate && evaluation_ != nullptr;
    const std::size_t size = brood.parents.size();
    for (std::size_t begin = 0; begin < size; begin += kChunk) {
        if (watch_.has_ended(counts_)) {
            has_stopped_ = true;
            return false;
        }
        const std::size_t end = std::min(size, begin + kChunk);
        brood.expand(simulator_, level(number - 1), begin, end, evaluates && evaluation_->uses_payoffs());
        if (evaluates) brood.evaluate(shape_, *evaluation_, begin, end);
        ++counts_.sweeps;
    }
    counts_.generated += size;
    return true;
}

}  // namespace ludorum::minimax

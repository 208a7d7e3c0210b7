#include "search/minimax/tree.h"

#include <algorithm>
#include <bit>

namespace ludorum::minimax {

namespace {

// The watch is asked at least so often while a sweep is large.
constexpr std::size_t kChunk = 512;

// One in so many searches for images is timed, and after so many it is asked whether they pay.
constexpr std::uint64_t kTimed = 64, kWeighed = 1 << 12;
// What symmetries may cost beyond what they bring.
constexpr double kMostSeconds = 0.02;

}  // namespace

Tree::Tree(const Simulator& simulator, const evaluation::Evaluation* evaluation, Settings settings, TranspositionTable& table)
    : simulator_(simulator),
      shape_(simulator.shape()),
      evaluation_(evaluation),
      settings_(std::move(settings)),
      table_(table),
      zobrist_(shape_.fluents),
      history_(shape_),
      uses_symmetries_(settings_.symmetries != nullptr && settings_.symmetries->size() > 1) {
    for (std::uint32_t role = 0, first = 0; role < shape_.roles(); first += shape_.moves[role++]) first_of_role_.push_back(first);
}

void Tree::add_levels(std::size_t number) {
    while (levels_.size() <= number) levels_.push_back(std::make_unique<SuccessorBatch>());
}

bool Tree::plant(const Bits* state, const Bits* legal, const Watch& watch) {
    watch_ = watch;
    counts_ = {};
    has_stopped_ = false;
    began_ = Clock::now();
    turning_seconds_ = 0;
    history_.fade();
    table_.start_search();
    for (const auto& batch : levels_) batch->clear();
    level(0).hold(shape_, state, legal);
    if (!expand(0, 0, true, {}, 0, [](std::uint32_t) { return false; })) return false;
    const SuccessorBatch& below = level(1);
    root_role_ = below.choosers.empty() ? -1 : static_cast<std::int32_t>(below.choosers.front().role);
    return true;
}

std::uint64_t Tree::key(std::size_t number, std::uint32_t node) {
    SuccessorBatch& here = level(number);
    std::uint64_t& key = here.keys[node];
    if (key != 0) return key;
    if (uses_symmetries_) {
        turn(here, node);
        if (uses_symmetries_) return here.keys[node];
    }
    if (number == 0) return key = zobrist_.key(here.state(node));
    const std::uint32_t parent = here.parents[node];
    const Bits* before = level(number - 1).state(parent);
    return key = this->key(number - 1, parent) ^ zobrist_.change(before, here.state(node));
}

const Entry* Tree::known(std::size_t number, std::uint32_t node) {
    const std::uint64_t key = this->key(number, node);
    return table_.find(key, row(level(number), node));
}

void Tree::note_use(const Entry& entry, std::size_t number, std::uint32_t node) {
    // A state is always turned in the same way, so another way means another state.
    if (uses_symmetries_ && entry.element != static_cast<std::uint8_t>(level(number).elements[node]))
        counts_.spared += std::uint64_t{1} << entry.effort;
}

std::uint32_t Tree::best_of(const Entry& entry, std::size_t number, std::uint32_t node) {
    if (!uses_symmetries_) return entry.best;
    SuccessorBatch& here = level(number);
    const SuccessorBatch& below = level(number + 1);
    const SuccessorRange& range = below.ranges[static_cast<std::size_t>(here.range[node])];
    return Orientation{*settings_.symmetries, first_of_role_}.turned_back(below, range, here.elements[node], entry.best);
}

void Tree::keep(Entry entry, std::size_t number, std::uint32_t node, std::uint64_t visited, const double* extra) {
    const std::uint64_t key = this->key(number, node);  // first, because this turns the state
    SuccessorBatch& here = level(number);
    entry.effort = static_cast<std::uint8_t>(std::bit_width(visited | 1) - 1);
    if (uses_symmetries_) {
        const SuccessorBatch& below = level(number + 1);
        const SuccessorRange& range = below.ranges[static_cast<std::size_t>(here.range[node])];
        entry.element = static_cast<std::uint8_t>(here.elements[node]);
        entry.best = Orientation{*settings_.symmetries, first_of_role_}.turned(below, range, here.elements[node], entry.best);
    }
    table_.put(key, entry, row(here, node), extra);
}

// Finds the image of a state that stands for all of them.
void Tree::turn(SuccessorBatch& batch, std::uint32_t node) {
    const std::size_t words = shape_.state_words();
    if (batch.elements.size() < batch.size()) {
        batch.elements.resize(batch.size());
        batch.rows.resize(batch.size() * words);
    }
    const bool is_timed = counts_.turned++ % kTimed == 0;
    const auto begin = is_timed ? Clock::now() : Clock::time_point{};
    const Symmetries::Image image = settings_.symmetries->canonical(batch.state(node), batch.rows.data() + node * words);
    batch.elements[node] = image.element;
    batch.keys[node] = image.key;
    if (is_timed) turning_seconds_ += kTimed * std::chrono::duration<double>(Clock::now() - begin).count();
    // Where there is no clock the same must be found again, on however busy a machine.
    if (counts_.turned % kWeighed == 0 && watch_.deadline != Clock::time_point::max()) weigh_symmetries();
}

void Tree::weigh_symmetries() {
    const double all = std::chrono::duration<double>(Clock::now() - began_).count();
    const double visit = std::max(0.0, all - turning_seconds_) / static_cast<double>(counts_.states + 1);
    if (static_cast<double>(counts_.spared) * visit - turning_seconds_ > -kMostSeconds) return;
    uses_symmetries_ = false;
    for (const auto& batch : levels_) std::fill(batch->keys.begin(), batch->keys.end(), 0);
}

// The successors of other states give way to those that come.
void Tree::release(std::size_t number) {
    SuccessorBatch& here = level(number);
    SuccessorBatch& below = level(number + 1);
    for (const SuccessorRange& range : below.ranges)
        if (range.parent < here.size()) here.range[range.parent] = SuccessorBatch::kNotExpanded;
    below.clear();
}

bool Tree::sweep(std::size_t number, bool evaluate) {
    SuccessorBatch& batch = level(number);
    const bool evaluates = evaluate && evaluation_ != nullptr;
    const std::size_t size = batch.parents.size();
    for (std::size_t begin = 0; begin < size; begin += kChunk) {
        if (watch_.has_ended(counts_)) {
            has_stopped_ = true;
            return false;
        }
        const std::size_t end = std::min(size, begin + kChunk);
        batch.expand(simulator_, level(number - 1), begin, end, evaluates && evaluation_->uses_payoffs());
        if (evaluates) batch.evaluate(shape_, *evaluation_, level(number - 1), begin, end);
        ++counts_.sweeps;
    }
    counts_.generated += size;
    return true;
}

}  // namespace ludorum::minimax

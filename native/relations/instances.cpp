// Finding the instances of segments (see code.h), which is done once for the values that they depend on.
#include <algorithm>

#include "relations/machine.h"

namespace ludorum::relations {
namespace {

// Instances of a segment for the same values, words of all instances of a rule and of a machine: there are more in games
// that are too large to be unfolded.
constexpr std::uint32_t kMostInstances = 1 << 14;
constexpr std::size_t kMostWords = std::size_t{1} << 20, kMostWordsInAll = std::size_t{1} << 22;

bool is_scan(Kind kind) { return kind == Kind::kScan || kind == Kind::kCallScan || kind == Kind::kSuspend; }

}  // namespace

void Machine::unfold_rule(Code& code) {
    const auto is_static = [](Level level) { return level == Level::kStatic; };
    std::uint32_t frame = code.registers + 1;
    for (const Op& op : code.plain)
        if (is_scan(op.kind)) frame = std::max(frame, op.iterator + 2);
    unfold(code, frame,
           {[&](std::uint32_t view) { return is_static(program_.sets[program_.views[view].set].level); },
            [&](std::uint32_t index) { return is_static(program_.sets[program_.views[program_.indexes[index].view].set].level); },
            [&](std::uint32_t procedure) { return is_static(program_.procedures[procedure].level); },
            [&](std::uint32_t view) { return &views_[view].set(); }, &pool_, filled_set_[code.procedure] != kNone});
    noted_words_ = 0;
    for (const auto& codes : codes_)
        for (const Code& other : codes)
            for (const Segment& segment : other.segments) noted_words_ += segment.instances.size();
}

Segment::Range Machine::note_instances(Code& code, Segment& segment, std::uint32_t key, TermId* registers) {
    // What is done once for many states is not counted as work.
    const std::uint64_t work = work_, called = called_;
    const std::int32_t fuel = fuel_;
    ++segment.missed;
    if (key >= segment.ranges.size()) segment.ranges.resize(std::max<std::size_t>(key + 1, 2 * segment.ranges.size()));
    const std::uint32_t first = segment.count;
    const std::size_t words = segment.instances.size();
    if (segment.taken_late >= 0) {
        const Op& scan = code.ops[static_cast<std::size_t>(segment.taken_late)];
        const View& view = indexes_[scan.target].view();
        const TermId* row = view.leaves(registers[scan.iterator]);
        const std::int32_t* outs = pool_.data() + scan.out_pool;
        for (std::uint32_t i = 0; i < scan.late_outs; ++i) registers[outs[2 * i + 1]] = row[outs[2 * i]];
        if (scan.late_out >= 0) registers[scan.late_out] = *view.set().facts.tuple(view.fact(registers[scan.iterator]));
    }
    noted_ = &segment;
    first_noted_ = first;
    note_.resize(segment.stride);
    run(code, segment.ops, 0, registers, 0, -1);
    noted_ = nullptr;
    noted_words_ += segment.instances.size() - words;
    segment.ranges[key] = {first, segment.count};
    if (segment.instances.size() > kMostWords || noted_words_ > kMostWordsInAll) throw Unwieldy{segment.start};
    work_ = work;
    called_ = called;
    fuel_ = fuel;
    return segment.ranges[key];
}

void Machine::note_instance(const Code& code, const TermId* registers) {
    Segment& segment = *noted_;
    if (segment.count - first_noted_ >= kMostInstances) throw Unwieldy{segment.start};
    std::uint32_t* to = note_.data() + segment.first_output;
    if (segment.emits && filled_set_[code.procedure] != kNone) {
        TermId row[kWidest];
        for (std::size_t i = 0; i < segment.outputs.size(); ++i) row[i] = value(segment.outputs[i], registers);
        *to = sets_[filled_set_[code.procedure]].number(row);
    } else {
        for (std::int32_t output : segment.outputs) *to++ = value(output, registers);
    }
    segment.instances.insert(segment.instances.end(), note_.begin(), note_.end());
    ++segment.count;
}

}  // namespace ludorum::relations

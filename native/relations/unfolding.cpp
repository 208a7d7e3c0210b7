#include <algorithm>

#include "relations/code.h"

namespace ludorum::relations {
namespace {

// What operations cost when they are run: that is what an instance saves. Steps, about.
constexpr double kScanSaves = 2, kCallSaves = 3, kTestSaves = 1, kBuildSaves = 1.5, kTakeSaves = 0.5, kCompareSaves = 0.3;
// Finding instances by the number of a row is an access of an array, by values a look-up, often outside of the cache.
constexpr double kPlaceCosts = 1, kValuesCost = 6;
constexpr std::size_t kMostInputs = 8, kMostPlaces = 2;

bool is_scan(Kind kind) { return kind == Kind::kScan || kind == Kind::kCallScan || kind == Kind::kSuspend; }

bool contains(const std::vector<std::int32_t>& registers, std::int32_t number) {
    return std::find(registers.begin(), registers.end(), number) != registers.end();
}

void include(std::vector<std::int32_t>& registers, std::int32_t number) {
    if (number >= 0 && !contains(registers, number)) registers.push_back(number);
}

class Unfolder {
public:
    Unfolder(Code& code, std::uint32_t frame, const Unchanging& unchanging) : code_(code), unchanging_(unchanging), pool_(*unchanging.pool) {
        code_.frame = frame;
        code_.ops.clear();
        code_.segments.clear();
        place_of_.resize(code.plain.size());
        note_binders();
        if (code.bound == 0 || !code.has_lasting_numbers) return;
        Place& call = places_.emplace_back();
        call.number = static_cast<std::int32_t>(code.registers);
        for (std::uint32_t number = 0; number < code.bound; ++number) call.determines.push_back(static_cast<std::int32_t>(number));
    }

    void run() {
        const auto count = static_cast<std::uint32_t>(code_.plain.size());
        for (std::uint32_t at = 0; at < count;) {
            const std::uint32_t end = end_of_segment(at);
            if (end == at || !add_segment(at, end)) {
                // Also of a segment that does not pay: the rest of it may.
                add_plain(at++);
            } else {
                at = end;
            }
        }
    }

private:
    // Of a register, the scan that its value depends on; -1 if it is none.
    void note_binders() {
        binders_.assign(code_.registers, -1);
        for (std::uint32_t i = 0; i < code_.plain.size(); ++i) {
            const Op& op = code_.plain[i];
            std::int32_t binder = -1;
            if (is_scan(op.kind)) binder = static_cast<std::int32_t>(i);
            else each_read(op, [&](std::int32_t number) { binder = std::max(binder, binders_[static_cast<std::size_t>(number)]); });
            each_written(op, [&](std::int32_t number) { binders_[static_cast<std::size_t>(number)] = binder; });
        }
    }

    // Whether an operation depends on nothing that changes.
    bool is_unchanging(const Op& op) const {
        switch (op.kind) {
            case Kind::kSame:
            case Kind::kDiffer:
            case Kind::kTake:
            case Kind::kBuild: return true;
            case Kind::kTest:
            case Kind::kTestNot: return unchanging_.view(op.target);
            case Kind::kScan: return unchanging_.index(op.target);
            case Kind::kCallTest:
            case Kind::kCallNot:
            case Kind::kCallScan: return unchanging_.procedure(op.target);
            default: return false;
        }
    }

    static bool is_test(const Op& op) {
        return op.kind == Kind::kTest || op.kind == Kind::kTestNot || op.kind == Kind::kCallTest || op.kind == Kind::kCallNot;
    }

    std::uint32_t end_of_segment(std::uint32_t at) const {
        bool tests = false;
        for (; at < code_.plain.size(); ++at) {
            const Op& op = code_.plain[at];
            if (op.kind == Kind::kEmit) return at + 1;
            if (is_unchanging(op)) {
                if (tests && is_scan(op.kind)) return at;
            } else if (is_test(op)) {
                tests = true;
            } else {
                return at;
            }
        }
        return at;
    }

    double saves(const Op& op) const {
        switch (op.kind) {
            case Kind::kScan: return kScanSaves;
            case Kind::kCallScan: return kCallSaves;
            case Kind::kCallTest:
            case Kind::kCallNot: return is_unchanging(op) ? kTestSaves : 0;
            case Kind::kTest:
            case Kind::kTestNot: return kTestSaves;
            case Kind::kBuild: return kBuildSaves;
            case Kind::kEmit: return unchanging_.fills_a_set ? kTestSaves : 0;
            case Kind::kTake: return kTakeSaves;
            default: return kCompareSaves;
        }
    }

    template <class Do>
    void each_written(const Op& op, Do&& act) const {
        for (std::uint32_t i = 0; i < op.outs; ++i) act(pool_[op.out_pool + 2 * i + 1]);
        if (op.out >= 0) act(op.out);
    }

    template <class Do>
    void each_read(const Op& op, Do&& act) const {
        for (std::uint32_t i = 0; i < op.ins; ++i)
            if (pool_[op.in_pool + i] >= 0) act(pool_[op.in_pool + i]);
    }

    void add_plain(std::uint32_t at) {
        Op op = code_.plain[at];
        op.back = place(op.back);
        op.fail = place(op.fail);
        place_of_[at] = static_cast<std::int32_t>(code_.ops.size());
        code_.ops.push_back(op);
        // Answers have no numbers that last.
        if (op.kind != Kind::kScan) return;
        Place& found = places_.emplace_back();
        found.number = static_cast<std::int32_t>(op.iterator);
        each_written(op, [&](std::int32_t number) { include(found.determines, number); });
        each_read(op, [&](std::int32_t number) { include(found.determines, number); });
    }

    std::int32_t place(std::int32_t way) const { return way < 0 ? -1 : place_of_[static_cast<std::size_t>(way)]; }

    bool add_segment(std::uint32_t at, std::uint32_t end) {
        if (std::find(code_.folded.begin(), code_.folded.end(), at) != code_.folded.end()) return false;
        Segment made;
        made.start = at;
        std::vector<std::int32_t> inputs, written;
        double saved = 0;
        // If no instance passes, whatever gave the tests one of their values could make a difference: also to a test that
        // first goes back to a scan of the segment's own.
        std::int32_t fail = -1;
        for (std::uint32_t i = at; i < end; ++i) {
            each_read(code_.plain[i], [&](std::int32_t number) {
                if (contains(written, number)) return;
                include(inputs, number);
                if (code_.plain[i].kind != Kind::kEmit) fail = std::max(fail, binders_[static_cast<std::size_t>(number)]);
            });
            each_written(code_.plain[i], [&](std::int32_t number) { include(written, number); });
            saved += saves(code_.plain[i]);
        }
        // By as few of the last rows and instances as determine all that it depends on, or by that itself.
        std::vector<std::int32_t> determined;
        std::size_t first_place = places_.size();
        const auto is_determined = [&] {
            return std::all_of(inputs.begin(), inputs.end(), [&](std::int32_t number) { return contains(determined, number); });
        };
        while (first_place > 0 && places_.size() - first_place < kMostPlaces && !is_determined()) {
            --first_place;
            made.key_registers.push_back(places_[first_place].number);
            for (std::int32_t number : places_[first_place].determines) include(determined, number);
        }
        if (!is_determined() || made.key_registers.size() > inputs.size()) {
            made.key_registers = inputs;
            determined = inputs;
            first_place = places_.size();
        }
        made.key = inputs.empty() ? Segment::Key::kNothing
                   : first_place + 1 == places_.size() ? Segment::Key::kPlace : Segment::Key::kValues;
        if (saved < (made.key == Segment::Key::kValues ? kValuesCost : kPlaceCosts)) return false;
        if (made.key_registers.size() > kMostInputs) return false;
        if (made.key == Segment::Key::kValues) made.keys = TupleTable(static_cast<std::uint32_t>(made.key_registers.size()));

        const auto here = static_cast<std::int32_t>(code_.ops.size());
        Op op{Kind::kUnfold};
        op.target = static_cast<std::uint32_t>(code_.segments.size());
        op.iterator = code_.frame;
        code_.frame += 2;
        op.back = place(code_.plain[at].back);
        op.fail = place(fail);
        std::int32_t last_scan = -1;
        const auto local = [&](std::int32_t way) { return way < static_cast<std::int32_t>(at) ? -1 : way - static_cast<std::int32_t>(at); };
        for (std::uint32_t i = at; i < end; ++i) {
            Op inner = code_.plain[i];
            place_of_[i] = here;
            if (is_scan(inner.kind) && inner.outs > 0) last_scan = static_cast<std::int32_t>(i - at);
            if (inner.kind == Kind::kEmit) {
                made.emits = true;
                made.after_answer = inner.back < static_cast<std::int32_t>(at) ? place(inner.back) : here;
                for (std::uint32_t o = 0; o < inner.ins; ++o) made.outputs.push_back(pool_[inner.in_pool + o]);
                break;
            }
            inner.back = local(inner.back);
            inner.fail = local(inner.fail);
            if (!is_unchanging(inner)) {
                const bool is_call = inner.kind == Kind::kCallTest || inner.kind == Kind::kCallNot;
                made.checks.push_back({inner.kind, inner.target, made.first_output, is_call ? nullptr : unchanging_.set_of_view(inner.target)});
                inner.iterator = made.first_output;
                made.first_output += is_call ? inner.ins : 1;
                inner.kind = is_call ? Kind::kNoteCall : Kind::kNoteTest;
            }
            made.ops.push_back(inner);
        }
        if (!made.emits) {
            for (std::uint32_t i = end; i < code_.plain.size(); ++i)
                each_read(code_.plain[i], [&](std::int32_t number) {
                    if (contains(written, number)) include(made.outputs, number);
                });
        }
        Op note{Kind::kNoteInstance};
        note.back = note.fail = last_scan;
        made.ops.push_back(note);
        made.stride = made.first_output + (made.emits && unchanging_.fills_a_set ? 1 : static_cast<std::uint32_t>(made.outputs.size()));

        if (made.key == Segment::Key::kPlace) take_late(made, at, end);
        for (const auto* registers : {&inputs, &made.outputs})
            for (std::int32_t number : *registers) include(determined, number);
        places_.push_back({static_cast<std::int32_t>(op.iterator), std::move(determined)});
        code_.ops.push_back(op);
        code_.segments.push_back(std::move(made));
        return true;
    }

    // If nobody else wants what the scan before a segment finds, that is taken only to note instances.
    void take_late(Segment& segment, std::uint32_t at, std::uint32_t end) {
        if (code_.ops.empty() || code_.ops.back().kind != Kind::kScan) return;
        Op& scan = code_.ops.back();
        bool is_wanted = false;
        for (std::uint32_t i = end; i < code_.plain.size(); ++i)
            each_read(code_.plain[i], [&](std::int32_t number) {
                each_written(scan, [&](std::int32_t other) { is_wanted |= number == other; });
            });
        if (is_wanted || place_of_[at - 1] + 1 != static_cast<std::int32_t>(code_.ops.size())) return;
        segment.taken_late = static_cast<std::int32_t>(code_.ops.size()) - 1;
        scan.late_outs = scan.outs;
        scan.late_out = scan.out;
        scan.outs = 0;
        scan.out = -1;
        // Then nothing is left to be done between the two; unless an answer ends more than this loop.
        if (segment.emits && segment.after_answer >= segment.taken_late) scan.kind = Kind::kScanUnfold;
    }

    // Something that was found, by its number: a row of a scan, or an instance.
    struct Place { std::int32_t number = 0; std::vector<std::int32_t> determines; };

    Code& code_;
    const Unchanging& unchanging_;
    const std::vector<std::int32_t>& pool_;
    std::vector<std::int32_t> binders_;        // by register: an operation of the rule
    std::vector<std::int32_t> place_of_;       // by operation of the rule: its place, or that of its segment
    std::vector<Place> places_;                // what was found before, with the registers that it determines
};

}  // namespace

void unfold(Code& code, std::uint32_t plain_frame, const Unchanging& unchanging) { Unfolder(code, plain_frame, unchanging).run(); }

}  // namespace ludorum::relations

// evaluate.inl: gates, run by run.

// In a run the shape is the same for every gate, so its loops are predicted; small shapes are unrolled.

template <u32 kInputs> LUDORUM_INLINE void run_and(u64* slots, const u32* operand, u32 count, u32 inputs) {
    const u32 n = kInputs ? kInputs : inputs;
    for (u32 i = 0; i < count; ++i, operand += n + 1) {
        Word value = at(slots, operand[1]);
        for (u32 k = 2; k <= n; ++k) value &= at(slots, operand[k]);
        at(slots, operand[0]) = value;
    }
}

template <u32 kInputs> LUDORUM_INLINE void run_but(u64* slots, const u32* operand, u32 count, u32 inputs) {
    const u32 n = kInputs ? kInputs : inputs;
    for (u32 i = 0; i < count; ++i, operand += n + 1) {
        Word value = at(slots, operand[1]);
        for (u32 k = 2; k < n; ++k) value &= at(slots, operand[k]);
        at(slots, operand[0]) = value & ~at(slots, operand[n]);
    }
}

LUDORUM_INLINE void run_sum(u64* slots, const u32* operand, u32 count, u32 both, u32 but, u32 singles) {
    for (u32 i = 0; i < count; ++i) {
        const u32 out = *operand++;
        Word value = kZero;
        for (u32 k = 0; k < both; ++k, operand += 2) value |= at(slots, operand[0]) & at(slots, operand[1]);
        for (u32 k = 0; k < but; ++k, operand += 2) value |= at(slots, operand[0]) & ~at(slots, operand[1]);
        for (u32 k = 0; k < singles; ++k, ++operand) value |= at(slots, operand[0]);
        at(slots, out) = value;
    }
}

// Two accumulators, because a sum of a hundred inputs is otherwise bound by latency.
LUDORUM_INLINE void run_wide_or(u64* slots, const u32* operand, u32 count, u32 inputs) {
    for (u32 i = 0; i < count; ++i, operand += inputs + 1) {
        Word value = at(slots, operand[1]), other = at(slots, operand[2]);
        u32 k = 3;
        for (; k < inputs; k += 2) {
            value |= at(slots, operand[k]);
            other |= at(slots, operand[k + 1]);
        }
        if (k == inputs) value |= at(slots, operand[k]);
        at(slots, operand[0]) = value | other;
    }
}

void run_sums(u64* slots, const u32* operand, u32 count, const GateShape& shape) {
    const u32 both = shape.both, but = shape.but, singles = shape.singles();
    switch (16 * both + 4 * but + singles + (both > 3 || but > 3 || singles > 3 ? 1024 : 0)) {
#define LUDORUM_SUM(b, n, s) \
    case 16 * b + 4 * n + s: return run_sum(slots, operand, count, b, n, s);
        LUDORUM_SUM(0, 0, 2)
        LUDORUM_SUM(0, 0, 3)
        LUDORUM_SUM(1, 0, 1)
        LUDORUM_SUM(0, 1, 1)
        LUDORUM_SUM(1, 0, 2)
        LUDORUM_SUM(0, 1, 2)
        LUDORUM_SUM(1, 1, 0)
        LUDORUM_SUM(2, 0, 0)
        LUDORUM_SUM(0, 2, 0)
        LUDORUM_SUM(1, 1, 1)
        LUDORUM_SUM(2, 0, 1)
        LUDORUM_SUM(2, 1, 0)
        LUDORUM_SUM(3, 0, 0)
#undef LUDORUM_SUM
        default: break;
    }
    if (both == 0 && but == 0) return run_wide_or(slots, operand, count, singles);
    run_sum(slots, operand, count, both, but, singles);
}

void evaluate(const KernelCode& code, u64* slots) {
    for (u32 pc = 0; pc < code.count; ++pc) {
        const KernelRun& run = code.runs[pc];
        const u32* operand = code.operands + run.operands;
        switch (run.op) {
            case Op::kAnd:
                switch (run.shape.inputs) {
                    case 2: run_and<2>(slots, operand, run.count, 2); break;
                    case 3: run_and<3>(slots, operand, run.count, 3); break;
                    case 4: run_and<4>(slots, operand, run.count, 4); break;
                    default: run_and<0>(slots, operand, run.count, run.shape.inputs); break;
                }
                break;
            case Op::kBut:
                switch (run.shape.inputs) {
                    case 2: run_but<2>(slots, operand, run.count, 2); break;
                    case 3: run_but<3>(slots, operand, run.count, 3); break;
                    case 4: run_but<4>(slots, operand, run.count, 4); break;
                    default: run_but<0>(slots, operand, run.count, run.shape.inputs); break;
                }
                break;
            case Op::kSum: run_sums(slots, operand, run.count, run.shape); break;
            case Op::kNot:
                for (u32 i = 0; i < run.count; ++i) at(slots, operand[2 * i]) = ~at(slots, operand[2 * i + 1]);
                break;
            case Op::kCopy:
                for (u32 i = 0; i < run.count; ++i) at(slots, operand[2 * i]) = at(slots, operand[2 * i + 1]);
                break;
            case Op::kLoopBegin:
                for (u32 i = 0; i < run.count; ++i) at(slots, operand[i]) = kZero;
                break;
            case Op::kLoopEnd: {
                Word changed = kZero;
                for (u32 i = 0; i < run.count; ++i) {
                    Word& wire = at(slots, operand[2 * i]);
                    const Word value = at(slots, operand[2 * i + 1]);
                    changed |= value & ~wire;
                    wire |= value;
                }
                if (any(changed)) pc = run.target - 1;
                break;
            }
        }
    }
}

void transfer(const KernelGame& game, u64* slots) {
    for (u32 i = 0; i < game.transfers; ++i) at(slots, game.transfer_to[i]) = at(slots, game.transfer_from[i]);
}

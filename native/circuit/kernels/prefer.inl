// prefer.inl: the first legal move of an order, in every lane that is to have it.

// A plane whose lanes are set with this chance, of 65,536.
LUDORUM_INLINE Word chance(Random& random, u32 of_65536) {
    if (of_65536 >= 65536) return ~kZero;
    Word below = kZero;
    for (u32 bit = 0; bit < 16; ++bit) {
        // A random number is below the chance if at the highest bit where they differ the chance has the one.
        const Word plane = draw(random);
        below = (of_65536 >> bit) & 1 ? below | ~plane : below & ~plane;
    }
    return below;
}

// Gives these lanes the first of their legal moves in the order.
void take_first(const KernelRole& role, const u32* order, const Word& lanes, u64* slots) {
    Word open = lanes;
    bool is_open = true;
    for (u32 i = 0; i < role.all_moves; ++i) {
        const u32 move = role.place[order[i]];
        // No lane has a legal move there, and the uniform choice has cleared them.
        if (move == kNoPlace || role.empty[move / kGroupSize]) continue;
        Word& chosen = at(slots, role.chosen[move]);
        if (!is_open) {
            chosen &= ~lanes;
            continue;
        }
        const Word here = open & at(slots, role.legal[move]);
        chosen = (chosen & ~lanes) | here;
        open &= ~here;
        if (i % 8 == 7) is_open = any(open);
    }
}

// Gives these lanes the best of the legal replies to the move that the role before made in the step before; says which
// lanes there is none for. What the replies are to begins with this plane of `last` and with this row of `reply`.
Word take_reply(const KernelRole& role, const KernelPolicy& policy, u32 first, u32 moves, const Word& lanes, u64* slots) {
    Word open = lanes;
    u32 count = 0;
    for (u32 before = first; before < first + moves; ++before) {
        const u32* reply = policy.reply + u64{before} * policy.replies;
        if (policy.replies == 0 || *reply == kNoPlace) continue;
        Word here = open & at(policy.last, before * kColumns);
        if (!any(here)) continue;
        for (u32 i = 0; i < policy.replies && reply[i] != kNoPlace; ++i) {
            const u32 move = role.place[reply[i]];
            if (move == kNoPlace || role.empty[move / kGroupSize]) continue;
            const Word taken = here & at(slots, role.legal[move]);
            if (!any(taken)) continue;
            // Seldom more than one move is answered by the same; planes for those that are.
            u32 k = 0;
            while (k < count && policy.picks[k] != move) ++k;
            Word& picked = at(policy.picked, k * kColumns);
            if (k == count) {
                policy.picks[count++] = move;
                picked = kZero;
            }
            picked |= taken;
            open &= ~taken;
            here &= ~taken;
        }
    }
    if (!count) return open;
    const Word others = ~lanes | open;
    for (u32 g = 0; g < role.groups; ++g) {
        if (role.empty[g]) continue;
        const KernelChoiceNode& group = role.tree[g];
        for (u32 i = 0; i < group.right; ++i) at(slots, role.chosen[group.left + i]) &= others;
    }
    for (u32 k = 0; k < count; ++k) at(slots, role.chosen[policy.picks[k]]) |= at(policy.picked, k * kColumns);
    return open;
}

// Requires: `choose` has just chosen for every lane, so that lanes that are left alone have their move.
void prefer(const KernelGame& game, const KernelPolicy& policy, u64* slots, Random& random) {
    const Word greedy = chance(random, policy.greedy);
    // Every lane draws its order.
    Word planes[kMostOrderBits];
    u32 bits = 0;
    for (; (1u << bits) < policy.orders; ++bits) planes[bits] = draw(random);
    u32 first = 0, before = policy.moves - game.role[game.roles - 1].all_moves;
    for (u32 r = 0; r < game.roles; ++r) {
        const KernelRole& role = game.role[r];
        if (!role.is_bound) {
            Word open = greedy;
            if (policy.last) open = take_reply(role, policy, before, (r ? first : policy.moves) - before, greedy, slots);
            for (u32 which = 0; which < policy.orders; ++which) {
                Word lanes = open;
                for (u32 b = 0; b < bits; ++b) lanes &= (which >> b) & 1 ? planes[b] : ~planes[b];
                if (any(lanes)) take_first(role, policy.order + u64{which} * policy.moves + first, lanes, slots);
            }
        }
        before = first;
        first += role.all_moves;
    }
}

// Notes what was chosen: for the replies of the next step, and of the games in the first column for who learns of them.
void note_choices(const KernelGame& game, const KernelLeaves& job, u64 live) {
    const KernelPolicy& policy = job.policy;
    u32 first = 0;
    for (u32 r = 0; r < game.roles; ++r) {
        const KernelRole& role = game.role[r];
        const auto note = [&](u64 lanes, u32 move) {
            for (; lanes; lanes &= lanes - 1) {
                const u32 lane = static_cast<u32>(__builtin_ctzll(lanes));
                const u64 step = job.now - job.began[lane];
                if (step < kMostNoted) policy.noted[(u64{lane} * kMostNoted + step) * game.roles + r] = move;
            }
        };
        if (role.is_bound) note(live, kNoPlace);
        for (u32 move = 0; move < role.all_moves; ++move) {
            const u32 place = role.place[move];
            Word& last = at(policy.last, (first + move) * kColumns);
            if (role.is_bound || place == kNoPlace || role.empty[place / kGroupSize]) {
                last = kZero;
                continue;
            }
            last = at(job.slots, role.chosen[place]);
            note(column(last, 0) & live, move);
        }
        first += role.all_moves;
    }
}

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

// Requires: `choose` has just chosen for every lane, so that lanes that are left alone have their move.
void prefer(const KernelGame& game, const KernelPolicy& policy, u64* slots, Random& random) {
    const Word greedy = chance(random, policy.greedy);
    // Every lane draws its order.
    Word planes[kMostOrderBits];
    u32 bits = 0;
    for (; (1u << bits) < policy.orders; ++bits) planes[bits] = draw(random);
    for (u32 which = 0; which < policy.orders; ++which) {
        Word lanes = greedy;
        for (u32 b = 0; b < bits; ++b) lanes &= (which >> b) & 1 ? planes[b] : ~planes[b];
        if (!any(lanes)) continue;
        const u32* order = policy.order + u64{which} * policy.moves;
        for (u32 r = 0; r < game.roles; ++r) {
            if (!game.role[r].is_bound) take_first(game.role[r], order, lanes, slots);
            order += game.role[r].all_moves;
        }
    }
}

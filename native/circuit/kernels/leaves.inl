// leaves.inl: random games side by side, each from a state of its own.

void seed(u64* random, u64 seed) {
    Random& streams = *reinterpret_cast<Random*>(random);
    for (u32 c = 0; c < kColumns; ++c) seed_column(streams, c, seed, c);
}

Word lanes_of(const u64* columns) {
    Word word;
    for (u32 c = 0; c < kColumns; ++c) set_column(word, c, columns[c]);
    return word;
}

// Asks for the goals of games that have ended before their last states are written over.
void pay(const KernelGame& game, KernelLeaves& job) {
    evaluate(game.goal, job.goal_slots);
    for (u32 g = 0; g < game.goals; ++g) at(job.paid, g * kColumns) = at(job.goal_slots, game.goal_slot[g]);
    for (u32 c = 0; c < kColumns; ++c) {
        job.ended_then[c] = job.ended[c];
        job.unpaid[c] = 0;
    }
    job.is_paid = true;
}

// Notes how the games in these lanes ended and keeps their last states for the goals.
void end_games(const KernelGame& game, KernelLeaves& job, const Word& lanes, Outcome outcome) {
    if (any(lanes & lanes_of(job.unpaid))) pay(game, job);
    for (u32 i = 0; i < game.goal_fluents; ++i) {
        Word& kept = at(job.goal_slots, game.goal_fluent_to[i]);
        kept ^= (kept ^ at(job.slots, game.goal_fluent_from[i])) & lanes;
    }
    if (job.ends && outcome == kCut)
        for (u32 f = 0; f < job.fluents; ++f) {
            Word& kept = at(job.ends, f * kColumns);
            kept ^= (kept ^ at(job.slots, job.first_fluent + f * kColumns)) & lanes;
        }
    for (u32 c = 0; c < kColumns; ++c) {
        const u64 here = column(lanes, c);
        job.live[c] &= ~here;
        job.ended[c] |= here;
        for (u64 left = here; left; left &= left - 1) {
            const u32 lane = 64 * c + static_cast<u32>(__builtin_ctzll(left));
            job.lengths[lane] = static_cast<std::int32_t>(job.now - job.began[lane]);
            job.outcomes[lane] = outcome;
        }
    }
}

u32 count_lanes(const u64* columns) {
    u32 count = 0;
    for (u32 c = 0; c < kColumns; ++c) count += static_cast<u32>(__builtin_popcountll(columns[c]));
    return count;
}

// Lanes that have made the last step they may make; notes when the next one can be.
Word past_limit(const KernelLeaves& job, u64& next) {
    Word limit = kZero;
    next = ~u64{0};
    for (u32 c = 0; c < kColumns; ++c) {
        u64 lanes = 0;
        for (u64 left = job.live[c]; left; left &= left - 1) {
            const u32 bit = static_cast<u32>(__builtin_ctzll(left));
            const u64 end = job.began[64 * c + bit] + job.max_steps;
            if (job.now >= end) lanes |= u64{1} << bit;
            else if (end < next) next = end;
        }
        set_column(limit, c, lanes);
    }
    return limit;
}

// Notes which moves were made in these lanes.
void note_moves(const KernelRole& role, const u64* slots, const Word& lanes, u64* played) {
    if (role.is_bound) at(played, role.number[0]) |= lanes;
    else
        for (u32 m = 0; m < role.moves; ++m)
            at(played, role.number[m]) |= *reinterpret_cast<const Word*>(slots + role.chosen[m]) & lanes;
}

void play_leaves(const KernelRound& round, KernelLeaves& job) {
    Random& random = *reinterpret_cast<Random*>(job.random);
    u32 phase = static_cast<u32>(job.now % round.phases);
    u64 next_limit = job.now;  // at once, for games that have begun since
    job.is_paid = false;
    for (;;) {
        const KernelGame& game = round.phase[phase];
        // First of all, for the lanes that were given a new state: what the later cones need of it comes from here.
        evaluate(game.terminal, job.slots);
        const Word terminal = at(job.slots, game.terminal_slot) & lanes_of(job.live);
        if (any(terminal)) end_games(game, job, terminal, kFinished);
        if (job.now >= next_limit) {
            const Word limit = past_limit(job, next_limit);
            if (any(limit)) end_games(game, job, limit, kCut);
        }
        if (job.now >= job.until || count_lanes(job.ended) >= job.enough) break;
        const Word live = lanes_of(job.live);
        if (!any(live)) break;
        evaluate(game.legal, job.slots);
        const Word stuck = choose(game, job.slots, random) & live;
        if (any(stuck)) end_games(game, job, stuck, kStuck);
        if (job.policy.orders) prefer(game, job.policy, job.slots, random);
        if (job.policy.last) note_choices(game, job, column(live & ~stuck, 0));
        if (job.policy.played)
            for (u32 r = 0; r < game.roles; ++r) note_moves(game.role[r], job.slots, live & ~stuck, job.policy.played);
        evaluate(game.next, job.slots);
        transfer(game, job.slots);
        ++job.now;
        ++job.steps;
        if (++phase == round.phases) phase = 0;
    }
}

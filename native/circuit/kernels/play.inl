// play.inl: random games side by side, lanes refilled as games end.

// The games of one column: since when each lane plays.
struct Column {
    bool is_open;       // there may be another block for it
    u64 live;           // lanes that play for a result
    u64 left;           // playouts of the block still to be started
    u64 result;         // where the next one to end is noted
    u64 oldest;         // no lane began before this step
    u64 began[64];      // the step at which it was in the first state
};

// Final states waiting for their goals: at most one a lane, in the lane where it was played.
struct Waiting {
    Word lanes;
    u64 result[64 * LUDORUM_COLUMNS];
};

// values[lane] = value in these lanes.
LUDORUM_INLINE void spread(u64 lanes, std::int16_t value, std::int16_t* values) {
    typedef std::int16_t Shorts __attribute__((vector_size(32), may_alias, aligned(2)));
    const Shorts bits = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768};
    for (u32 k = 0; k < 4; ++k) {
        const std::int16_t sixteen = static_cast<std::int16_t>(lanes >> (16 * k));
        const Shorts here = (Shorts{} + sixteen) & bits;
        Shorts& some = *reinterpret_cast<Shorts*>(values + 16 * k);
        const Shorts mask = here == bits;
        some = (some & ~mask) | (value & mask);
    }
}

void flush_goals(const KernelGame& game, KernelPlayouts& job, Waiting& waiting) {
    if (!any(waiting.lanes)) return;
    ++job.goal_evaluations;
    evaluate(game.goal, job.goal_slots);
    for (u32 i = 0; i < game.goals;) {
        const u32 role = game.goal_role[i];
        u32 end = i;
        Word one = kZero, several = kZero;
        for (; end < game.goals && game.goal_role[end] == role; ++end) {
            const Word holds = at(job.goal_slots, game.goal_slot[end]);
            several |= one & holds;
            one |= holds;
        }
        const Word exact = one & ~several;
        for (u32 c = 0; c < kColumns; ++c) {
            std::int16_t values[64] = {};
            const u64 known = column(exact, c);
            for (u32 g = i; g < end; ++g) spread(column(at(job.goal_slots, game.goal_slot[g]), c), game.goal_value[g], values);
            for (u64 lanes = column(waiting.lanes, c) & known; lanes; lanes &= lanes - 1) {
                const u32 lane = static_cast<u32>(__builtin_ctzll(lanes));
                job.goals[waiting.result[64 * c + lane] * game.roles + role] = values[lane];
            }
        }
        i = end;
    }
    waiting.lanes = kZero;
}

// Notes how the games in these lanes ended and keeps their last states for the goals. Results are in the order in
// which the playouts of a block end; they were all marked as finished and without a goal when the block was taken.
void finish(const KernelGame& game, KernelPlayouts& job, Column* columns, Waiting& waiting, const Word& lanes, u64 now,
            Outcome outcome) {
    if (any(waiting.lanes & lanes)) flush_goals(game, job, waiting);
    for (u32 i = 0; i < game.goal_fluents; ++i) {
        Word& kept = at(job.goal_slots, game.goal_fluent_to[i]);
        kept ^= (kept ^ at(job.slots, game.goal_fluent_from[i])) & lanes;
    }
    waiting.lanes |= lanes;
    for (u32 c = 0; c < kColumns; ++c) {
        Column& games = columns[c];
        u64 result = games.result;
        for (u64 ended = column(lanes, c); ended; ended &= ended - 1, ++result) {
            const u32 lane = static_cast<u32>(__builtin_ctzll(ended));
            job.lengths[result] = static_cast<std::int32_t>(now - games.began[lane]);
            if (outcome != kFinished) job.outcomes[result] = outcome;
            waiting.result[64 * c + lane] = result;
        }
        games.result = result;
        games.live &= ~column(lanes, c);
    }
}

// Starts the next playouts of the block in these lanes, as many as are left; says in which.
u64 restart(Column& games, u64 lanes, u64 now) {
    u64 started = 0;
    for (; lanes && games.left; lanes &= lanes - 1, --games.left) {
        const u32 lane = static_cast<u32>(__builtin_ctzll(lanes));
        games.began[lane] = now;
        started |= u64{1} << lane;
    }
    games.live |= started;
    return started;
}

bool take_block(KernelPlayouts& job, u32 roles, Column& games, Random& random, u32 c, u64 now) {
    const u64 blocks = (job.playouts + job.block_size - 1) / job.block_size;
    const u64 block = __atomic_fetch_add(job.next_block, 1, __ATOMIC_RELAXED);
    if (block >= blocks) return false;
    seed_column(random, c, job.seed, block);
    games.result = block * job.block_size;
    games.left = games.result + job.block_size < job.playouts ? job.block_size : job.playouts - games.result;
    games.oldest = now;
    // Block by block, while they are near: to fill them all at first would take long where there are very many, and
    // would not be told to stop.
    for (u64 i = games.result * roles; i < (games.result + games.left) * roles; ++i) job.goals[i] = job.no_goal;
    __builtin_memset(job.outcomes + games.result, kFinished, games.left);
    return true;
}

// Lanes that have made the last step they may make.
u64 at_limit(Column& games, u64 now, u64 max_steps) {
    if (now - games.oldest < max_steps) return 0;
    u64 limit = 0;
    games.oldest = now;
    for (u64 lanes = games.live; lanes; lanes &= lanes - 1) {
        const u32 lane = static_cast<u32>(__builtin_ctzll(lanes));
        if (now - games.began[lane] >= max_steps) limit |= u64{1} << lane;
        else if (games.began[lane] < games.oldest) games.oldest = games.began[lane];
    }
    return limit;
}

// Gives the first state to lanes that are to begin now.
//
// Games begin only at every `turns`-th step. Where players take turns all lanes then have the same player to move,
// and the moves of the others need not be looked at.
void begin_games(KernelPlayouts& job, u32 roles, Column* columns, Random& random, u64 now, u64& playing) {
    Word given = kZero;
    for (u32 c = 0; c < kColumns; ++c) {
        Column& games = columns[c];
        if (games.live == ~u64{0} || (games.live && !games.left)) continue;
        bool is_new = false;
        if (!games.live && !games.left && games.is_open) {
            is_new = games.is_open = take_block(job, roles, games, random, c, now);
            if (!is_new) --playing;
        }
        const u64 started = restart(games, ~games.live, now);
        // A block that does not fill its lanes clears the others too: what they ask of the stream must not depend on
        // what was played there before.
        set_column(given, c, is_new ? ~u64{0} : started);
    }
    if (!any(given)) return;
    const Word others = ~given;
    for (u32 i = 0; i < job.sets; ++i) at(job.slots, job.set[i]) |= given;
    for (u32 i = 0; i < job.clears; ++i) at(job.slots, job.clear[i]) &= others;
}

LUDORUM_INLINE Word live_lanes(const Column* columns) {
    Word live;
    for (u32 c = 0; c < kColumns; ++c) set_column(live, c, columns[c].live);
    return live;
}

void play(const KernelRound& round, KernelPlayouts& job) {
    Random random;
    for (Word& part : random.state) part = kZero;
    Column columns[kColumns];
    for (Column& games : columns) {
        games.live = games.left = games.result = games.oldest = 0;
        games.is_open = true;
    }
    Waiting waiting;
    waiting.lanes = kZero;
    for (u32 p = 0; p < round.phases; ++p)
        for (u32 r = 0; r < round.phase[p].roles; ++r)
            for (u32 n = 0; n < round.phase[p].role[r].nodes; ++n) round.phase[p].role[r].empty[n] = 0;
    u64 playing = kColumns;
    u32 phase = job.phase;
    for (u64 now = 0; !*job.stop; ++now) {
        const KernelGame& game = round.phase[phase];
        evaluate(game.terminal, job.slots);
        const Word terminal = at(job.slots, game.terminal_slot) & live_lanes(columns);
        if (any(terminal)) finish(game, job, columns, waiting, terminal, now, kFinished);
        Word limit;
        for (u32 c = 0; c < kColumns; ++c) set_column(limit, c, at_limit(columns[c], now, job.max_steps));
        if (any(limit)) finish(game, job, columns, waiting, limit, now, kCut);
        if (now % job.turns == 0) begin_games(job, game.roles, columns, random, now, playing);
        if (!playing) break;
        evaluate(game.legal, job.slots);
        const Word stuck = choose(game, job.slots, random) & live_lanes(columns);
        if (any(stuck)) finish(game, job, columns, waiting, stuck, now, kStuck);
        evaluate(game.next, job.slots);
        transfer(game, job.slots);
        ++job.steps;
        if (++phase == round.phases) phase = 0;
    }
    flush_goals(round.phase[0], job, waiting);
}

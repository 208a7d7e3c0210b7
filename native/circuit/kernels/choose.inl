// choose.inl: a uniform choice among the legal moves, in every lane at once.

template <class T> LUDORUM_INLINE void full_add(const T a, const T b, const T c, T& sum, T& carry) {
    const T half = a ^ b;
    sum = half ^ c;
    carry = (a & b) | (half & c);
}

LUDORUM_INLINE Part part_at(const u64* slots, u32 operand, u32 part) {
    return reinterpret_cast<const Word*>(slots + operand)->part[part];
}

LUDORUM_INLINE void count_seven(const u64* slots, const u32* legal, u32 size, u32 part, Part* out) {
    Part x[7];
    for (u32 i = 0; i < 7; ++i) x[i] = i < size ? part_at(slots, legal[i], part) : kZero.part[0];
    Part s1, s2, c1, c2, c3;
    full_add(x[0], x[1], x[2], s1, c1);
    full_add(x[3], x[4], x[5], s2, c2);
    full_add(s1, s2, x[6], out[0], c3);
    full_add(c1, c2, c3, out[1], out[2]);
}

// One part of the word after the other: the adders of a whole word would not fit into the registers.
LUDORUM_INLINE void count_group(const KernelRole& role, const KernelChoiceNode& node, const u64* slots, Word* counts) {
    const u32* legal = role.legal + node.left;
    const u32 size = node.right;
    Word* out = counts + node.planes;
    for (u32 part = 0; part < kParts; ++part) {
        Part planes[4];
        if (size <= 7) {
            count_seven(slots, legal, size, part, planes);
        } else {
            // Seven, and up to seven more, and one: fifteen.
            Part low[3], high[3], carry;
            const u32 rest = size - 7;
            if (rest >= 7) {
                count_seven(slots, legal, 7, part, low);
                count_seven(slots, legal + 7, 7, part, high);
            } else {
                count_seven(slots, legal, 7, part, low);
                count_seven(slots, legal + 7, rest, part, high);
            }
            const Part last = rest > 7 ? part_at(slots, legal[14], part) : kZero.part[0];
            full_add(low[0], high[0], last, planes[0], carry);
            full_add(low[1], high[1], carry, planes[1], carry);
            full_add(low[2], high[2], carry, planes[2], planes[3]);
        }
        for (u32 j = 0; j < node.bits; ++j) out[j].part[part] = planes[j];
    }
}

LUDORUM_INLINE void add_counts(const KernelChoiceNode* tree, const KernelChoiceNode& node, Word* counts) {
    const KernelChoiceNode& left = tree[node.left];
    const KernelChoiceNode& right = tree[node.right];
    const Word *a = counts + left.planes, *b = counts + right.planes;
    Word* out = counts + node.planes;
    const u32 low = left.bits < right.bits ? left.bits : right.bits;
    const u32 high = left.bits < right.bits ? right.bits : left.bits;
    const Word* longer = left.bits < right.bits ? b : a;
    Word carry = kZero;
    u32 j = 0;
    for (; j < low; ++j) full_add(a[j], b[j], carry, out[j], carry);
    for (; j < high; ++j) {
        const Word x = longer[j];
        out[j] = x ^ carry;
        carry &= x;
    }
    if (j < node.bits) out[j] = carry;
}

// Sends a rank to the child it falls into; the other one gets a rank that is not below its count.
LUDORUM_INLINE void descend(const KernelChoiceNode* tree, const KernelChoiceNode& node, const Word* counts, Word* ranks) {
    const KernelChoiceNode& left = tree[node.left];
    const KernelChoiceNode& right = tree[node.right];
    const Word *rank = ranks + node.planes, *count = counts + left.planes;
    Word *to_left = ranks + left.planes, *to_right = ranks + right.planes;
    Word borrow = kZero, overflow = kZero;
    u32 j = 0;
    for (; j < left.bits; ++j) {
        const Word r = rank[j], l = count[j];
        const Word half = r ^ l, difference = half ^ borrow;
        borrow = (~r & l) | (~half & borrow);
        if (j < right.bits) to_right[j] = difference; else overflow |= difference;
    }
    for (; j < node.bits; ++j) {
        const Word r = rank[j];
        const Word difference = r ^ borrow;
        borrow &= ~r;
        if (j < right.bits) to_right[j] = difference; else overflow |= difference;
    }
    overflow |= borrow;
    const Word stays_right = ~borrow;
    for (u32 k = 0; k < right.bits; ++k) to_right[k] |= overflow;
    for (u32 k = 0; k < left.bits; ++k) to_left[k] = rank[k] | stays_right;
}

// Inside a group the rank counts down; the move at which it would fall below zero is the chosen one.
template <int kBits>
LUDORUM_INLINE void count_down(u64* slots, const u32* legal, const u32* chosen, u32 size, const Word* rank) {
    Word r[kBits];
    for (int j = 0; j < kBits; ++j) r[j] = rank[j];
    for (u32 i = 0; i < size; ++i) {
        Word borrow = at(slots, legal[i]);
        for (int j = 0; j < kBits; ++j) {
            const Word next = borrow & ~r[j];
            r[j] ^= borrow;
            borrow = next;
        }
        at(slots, chosen[i]) = borrow;
    }
}

LUDORUM_INLINE void choose_in_group(const KernelRole& role, const KernelChoiceNode& node, u64* slots, const Word* ranks) {
    const Word* rank = ranks + node.planes;
    const u32* legal = role.legal + node.left;
    const u32* chosen = role.chosen + node.left;
    switch (node.bits) {
        case 1: return count_down<1>(slots, legal, chosen, node.right, rank);
        case 2: return count_down<2>(slots, legal, chosen, node.right, rank);
        case 3: return count_down<3>(slots, legal, chosen, node.right, rank);
        default: return count_down<4>(slots, legal, chosen, node.right, rank);
    }
}

LUDORUM_INLINE bool has_legal_move(const KernelRole& role, const KernelChoiceNode& group, const u64* slots) {
    Word all = *reinterpret_cast<const Word*>(slots + role.legal[group.left]);
    for (u32 i = 1; i < group.right; ++i) all |= *reinterpret_cast<const Word*>(slots + role.legal[group.left + i]);
    return any(all);
}

// Counts the legal moves up the tree. Where no lane has one, as in all of a player's moves while it is another's turn,
// the counts and the moves made are cleared once and then left alone.
LUDORUM_INLINE void count_moves(const KernelRole& role, u64* slots, Word* counts) {
    if (role.shares_moves)
        for (u32 n = 0; n < role.nodes; ++n) role.empty[n] = 0;
    for (u32 n = 0; n < role.nodes; ++n) {
        const KernelChoiceNode& node = role.tree[n];
        const bool is_group = n < role.groups;
        const bool is_empty = is_group ? !has_legal_move(role, node, slots) : role.empty[node.left] && role.empty[node.right];
        if (!is_empty) {
            if (is_group) count_group(role, node, slots, counts);
            else add_counts(role.tree, node, counts);
        } else if (!role.empty[n]) {
            for (u32 j = 0; j < node.bits; ++j) counts[node.planes + j] = kZero;
            for (u32 i = 0; is_group && i < node.right; ++i) at(slots, role.chosen[node.left + i]) = kZero;
        }
        role.empty[n] = is_empty;
    }
}

// Chooses uniformly among the legal moves of every role in every lane, to within 2^-16 of each probability.
// Returns the lanes where some role has none.
//
// A draw serves, in each lane, the next role that has a choice there; so where players take turns one draw a step
// is enough. Only the first draw is made for all columns: a further one moves the streams of just those columns
// that need it.
Word choose(const KernelGame& game, u64* slots, Random& random) {
    Word stuck = kZero;
    Word* wanted = reinterpret_cast<Word*>(game.draw) + 2 * game.rank_bits;
    Word* served = wanted + game.roles;
    for (u32 r = 0; r < game.roles; ++r) {
        const KernelRole& role = game.role[r];
        wanted[r] = kZero;
        if (role.moves == 0) return ~kZero;
        if (role.is_bound) {
            stuck |= ~at(slots, role.legal[0]);
            continue;
        }
        Word* counts = reinterpret_cast<Word*>(role.counts);
        count_moves(role, slots, counts);
        const KernelChoiceNode& root = role.tree[role.nodes - 1];
        const Word* count = counts + root.planes;
        Word* rank = reinterpret_cast<Word*>(role.ranks) + root.planes;
        Word several = kZero;
        for (u32 j = 1; j < root.bits; ++j) several |= count[j];
        for (u32 j = 0; j < root.bits; ++j) rank[j] = kZero;
        stuck |= ~(count[0] | several);
        wanted[r] = several;
    }
    if (game.rank_bits > 1) {
        Word* limit = reinterpret_cast<Word*>(game.draw);
        Word* rank = limit + game.rank_bits;
        Random saved;
        for (bool is_first = true;; is_first = false) {
            Word taken = kZero;
            for (u32 j = 0; j < game.rank_bits; ++j) limit[j] = rank[j] = kZero;
            for (u32 r = 0; r < game.roles; ++r) {
                const KernelRole& role = game.role[r];
                if (role.is_bound) continue;
                const KernelChoiceNode& root = role.tree[role.nodes - 1];
                const Word* count = reinterpret_cast<Word*>(role.counts) + root.planes;
                served[r] = wanted[r] & ~taken;
                taken |= served[r];
                wanted[r] &= ~served[r];
                for (u32 j = 0; j < root.bits; ++j) limit[j] |= count[j] & served[r];
            }
            if (!is_first) saved = random;
            u32 bits = game.rank_bits;
            while (bits > 1 && !any(limit[bits - 1])) --bits;
            // rank = floor(limit * random / 2^k), the random number taken from its lowest bit up.
            for (u32 k = 0; k < game.random_bits; ++k) {
                const Word plane = draw(random);
                Word sum, carry;
                const Word first = limit[0] & plane;
                carry = rank[0] & first;
                for (u32 j = 1; j < bits; ++j) {
                    full_add(rank[j], limit[j] & plane, carry, sum, carry);
                    rank[j - 1] = sum;
                }
                rank[bits - 1] = carry;
            }
            if (!is_first)
                for (u32 c = 0; c < kColumns; ++c)
                    if (column(taken, c) == 0)
                        for (int i = 0; i < 4; ++i) set_column(random.state[i], c, column(saved.state[i], c));
            Word more = kZero;
            for (u32 r = 0; r < game.roles; ++r) {
                const KernelRole& role = game.role[r];
                if (role.is_bound) continue;
                const KernelChoiceNode& root = role.tree[role.nodes - 1];
                Word* role_rank = reinterpret_cast<Word*>(role.ranks) + root.planes;
                const u32 planes = bits < root.bits ? bits : root.bits;
                for (u32 j = 0; j < planes; ++j) role_rank[j] |= rank[j] & served[r];
                more |= wanted[r];
            }
            if (!any(more)) break;
        }
    }
    for (u32 r = 0; r < game.roles; ++r) {
        const KernelRole& role = game.role[r];
        if (role.is_bound) continue;
        const Word* counts = reinterpret_cast<const Word*>(role.counts);
        Word* ranks = reinterpret_cast<Word*>(role.ranks);
        for (u32 n = role.nodes; n-- > role.groups;)
            if (!role.empty[n]) descend(role.tree, role.tree[n], counts, ranks);
        for (u32 g = 0; g < role.groups; ++g)
            if (!role.empty[g]) choose_in_group(role, role.tree[g], slots, ranks);
    }
    return stuck;
}

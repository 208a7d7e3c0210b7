// random.inl: random planes, a stream a column.

// xoshiro256++ (Blackman and Vigna), one generator a column.
struct Random {
    Word state[4];
};

LUDORUM_INLINE Word draw(Random& random) {
    Word* s = random.state;
    const Word result = rotate<23>(s[0] + s[3]) + s[0];
    const Word t = shift_left<17>(s[1]);
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate<45>(s[3]);
    return result;
}

// The stream of a block depends on the seed and the block, and on nothing else.
LUDORUM_INLINE void seed_column(Random& random, u32 c, u64 seed, u64 block) {
    u64 x = seed;
    x = splitmix64(x) ^ block;
    for (int i = 0; i < 4; ++i) set_column(random.state[i], c, splitmix64(x));
}

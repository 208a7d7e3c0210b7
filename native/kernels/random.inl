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

LUDORUM_INLINE u64 splitmix(u64& x) {
    u64 z = (x += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

// The stream of a block depends on the seed and the block, and on nothing else.
LUDORUM_INLINE void seed_column(Random& random, u32 c, u64 seed, u64 block) {
    u64 x = seed;
    x = splitmix(x) ^ block;
    for (int i = 0; i < 4; ++i) set_column(random.state[i], c, splitmix(x));
}

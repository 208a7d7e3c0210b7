#include "search/mcts/policy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace ludorum::mcts {

Statistics::Statistics(const Shape& shape, const Options& options)
    : shape_(shape),
      options_(options),
      moves_(options.policy == Policy::kUniform ? 0 : shape.all_moves),
      rows_(has_sequences() ? kRows : 0) {
    std::uint32_t first = 0;
    for (std::uint32_t moves : shape.moves) {
        first_move_.push_back(first);
        first += moves;
    }
}

// Never 0: that is a row nobody has.
std::uint64_t Statistics::key(std::size_t role, const Context& context, int length) const {
    const std::size_t roles = shape_.roles();
    std::uint64_t key = (role + 1) << 50 | std::uint64_t{context.last[(role + roles - 1) % roles] + 1} << 25;
    if (length == 3) key |= context.last_but_one[(role + 2 * roles - 2) % roles] + 1;
    return key;
}

// Whether the moves of the context were noted.
bool Statistics::is_known(std::size_t role, const Context& context, int length) const {
    const std::size_t roles = shape_.roles();
    return context.last[(role + roles - 1) % roles] != kNoMove &&
           (length < 3 || context.last_but_one[(role + 2 * roles - 2) % roles] != kNoMove);
}

Mean* Statistics::find(std::uint64_t key) const {
    std::uint64_t place = key * 0x9E3779B97F4A7C15ull >> 46;
    for (int tries = 0; tries < 8; ++tries, place = (place + 1) % kRows) {
        const std::uint64_t here = rows_[place].key.load(std::memory_order_relaxed);
        if (here == key) return rows_[place].means.load(std::memory_order_acquire);
        if (here == 0) return nullptr;
    }
    return nullptr;
}

// Null where there is no room: such sequences go without.
Mean* Statistics::find_or_make(std::uint64_t key, std::size_t role) {
    if (Mean* found = find(key)) return found;
    const std::lock_guard lock(making_);
    std::uint64_t place = key * 0x9E3779B97F4A7C15ull >> 46;
    for (int tries = 0; tries < 8; ++tries, place = (place + 1) % kRows) {
        Row& row = rows_[place];
        const std::uint64_t here = row.key.load(std::memory_order_relaxed);
        if (here == key) return row.means.load(std::memory_order_relaxed);
        if (here != 0) continue;
        const std::size_t size = shape_.moves[role];
        if (row_bytes_ + size * sizeof(Mean) > kRowBytes) return nullptr;
        row_bytes_ += size * sizeof(Mean);
        made_.emplace_back(std::make_unique<Mean[]>(size), size);
        row.means.store(made_.back().first.get(), std::memory_order_release);
        row.key.store(key, std::memory_order_release);
        return made_.back().first.get();
    }
    return nullptr;
}

Statistics::Rows Statistics::rows(std::size_t role, const Context& context) const {
    if (!has_sequences() || !context.last) return {};
    const bool has_triples = options_.policy == Policy::kNst && context.last_but_one;
    return {find(key(role, context, 2)), has_triples ? find(key(role, context, 3)) : nullptr};
}

// A move that was never made is worth as much as can be, so that it is tried.
float Statistics::worth(std::size_t role, std::uint32_t move, const Rows& rows) const {
    const Mean& alone = moves_[first_move_[role] + move];
    if (alone.count() == 0) return 1;
    const auto enough = static_cast<float>(options_.ngram_visits);
    float sum = alone.value(), terms = 1;
    for (const Mean* row : {rows.pair, rows.triple})
        if (row && row[move].count() >= enough) {
            sum += row[move].value();
            ++terms;
        }
    return sum / terms;
}

std::size_t Statistics::choose(std::size_t role, std::span<const std::uint32_t> moves, const Context& context, Random& random) const {
    const auto count = static_cast<std::uint32_t>(moves.size());
    if (count == 1 || options_.policy == Policy::kUniform) return random.below(count);
    const bool is_gibbs = options_.choice == Choice::kGibbs;
    if (!is_gibbs && random.unit() < options_.epsilon) return random.below(count);
    const Rows known = rows(role, context);
    std::size_t best = 0;
    float most = -1e30f;
    std::uint32_t equals = 0;
    for (std::size_t i = 0; i < count; ++i) {
        float value = worth(role, moves[i], known);
        // The largest of the values with this noise added comes as often as the Gibbs measure says.
        if (is_gibbs) value = value / static_cast<float>(options_.temperature) - std::log(-std::log(random.unit() + 1e-12f));
        if (value < most) continue;
        equals = value > most ? 1 : equals + 1;
        if (value > most || random.below(equals) == 0) best = i;
        most = value;
    }
    return best;
}

void Statistics::add(const Bits* played, const float* values) {
    std::size_t role = 0;
    for (std::uint32_t word = 0; word < shape_.legal_words(); ++word)
        for (Bits left = played[word]; left; left &= left - 1) {
            const std::uint32_t move = 64 * word + static_cast<std::uint32_t>(std::countr_zero(left));
            while (move >= first_move_[role] + shape_.moves[role]) ++role;
            moves_[move].add(values[role]);
        }
}

void Statistics::add(std::span<const std::uint32_t> moves, const float* values) {
    const std::size_t roles = shape_.roles();
    const int longest = options_.policy == Policy::kNst ? 3 : 2;
    for (std::size_t step = 0; step < moves.size() / roles; ++step) {
        const std::uint32_t* joint = moves.data() + step * roles;
        const Context context{step >= 1 ? joint - roles : nullptr, step >= 2 ? joint - 2 * roles : nullptr};
        for (std::size_t role = 0; role < roles; ++role) {
            if (joint[role] == kNoMove) continue;
            moves_[first_move_[role] + joint[role]].add(values[role]);
            for (int length = 2; length <= longest && (length == 2 ? context.last : context.last_but_one); ++length)
                if (is_known(role, context, length))
                    if (Mean* row = find_or_make(key(role, context, length), role)) row[joint[role]].add(values[role]);
        }
    }
}

void Statistics::decay() {
    if (options_.decay == 1) return;
    const auto factor = static_cast<float>(options_.decay);
    for (Mean& mean : moves_) mean.decay(factor);
    for (const auto& [means, size] : made_)
        for (std::size_t move = 0; move < size; ++move) means[move].decay(factor);
}

void Statistics::draw_order(std::uint32_t* order, Random& random) const {
    std::vector<float> value;
    for (std::size_t role = 0; role < shape_.roles(); ++role) {
        const std::uint32_t count = shape_.moves[role];
        value.resize(count);
        for (std::uint32_t move = 0; move < count; ++move) {
            value[move] = worth(role, move, {});
            if (options_.choice == Choice::kGibbs)
                value[move] = value[move] / static_cast<float>(options_.temperature) - std::log(-std::log(random.unit() + 1e-12f));
            else
                value[move] += 1e-6f * random.unit();  // equals in any order
        }
        std::iota(order, order + count, 0);
        std::sort(order, order + count, [&](std::uint32_t a, std::uint32_t b) {
            return value[a] != value[b] ? value[a] > value[b] : a < b;
        });
        order += count;
    }
}

// The best of the next role's moves after this one of a role, as far as they are better than what is usual.
void Statistics::find_replies(std::size_t role, std::uint32_t move, std::uint32_t* replies) const {
    std::fill_n(replies, kReplies, kNoMove);
    const std::size_t next = (role + 1) % shape_.roles();
    std::vector<std::uint32_t> joint(shape_.roles(), 0);
    joint[role] = move;
    const Mean* row = find(key(next, {joint.data(), nullptr}, 2));
    if (!row) return;
    const Mean* alone = moves_.data() + first_move_[next];
    const auto enough = static_cast<float>(options_.ngram_visits);
    float sum = 0, count = 0;
    for (std::uint32_t m = 0; m < shape_.moves[next]; ++m) sum += alone[m].value() * alone[m].count(), count += alone[m].count();
    const float usual = count > 0 ? sum / count : 0;
    std::array<float, kReplies> worth{};
    for (std::uint32_t m = 0; m < shape_.moves[next]; ++m) {
        if (row[m].count() < enough) continue;
        float value = (alone[m].value() + row[m].value()) / 2;
        if (value <= usual) continue;
        std::uint32_t reply = m;
        for (std::uint32_t i = 0; i < kReplies; ++i)
            if (replies[i] == kNoMove || value > worth[i]) {
                std::swap(replies[i], reply);
                std::swap(worth[i], value);
                if (reply == kNoMove) break;
            }
    }
}

void Statistics::update(Preference& preference, Random& random) const {
    if (options_.policy == Policy::kReplies) {
        preference.replies = kReplies;
        preference.reply.resize(std::size_t{kReplies} * shape_.all_moves, kNoMove);
        for (std::uint32_t i = 0; i < kRepliesUpdated; ++i) {
            const std::uint32_t move = next_reply_.fetch_add(1, std::memory_order_relaxed) % shape_.all_moves;
            std::size_t role = shape_.roles() - 1;
            while (first_move_[role] > move) --role;
            find_replies(role, move - first_move_[role], preference.reply.data() + std::size_t{move} * kReplies);
        }
    }
    const std::uint32_t orders = options_.choice == Choice::kGibbs ? kOrders : 1;
    preference.greedy = options_.choice == Choice::kGibbs ? 1 : 1 - options_.epsilon;
    if (preference.orders != orders) {
        preference.orders = orders;
        preference.order.resize(std::size_t{orders} * shape_.all_moves);
        for (std::uint32_t i = 0; i < orders; ++i) draw_order(preference.order.data() + std::size_t{i} * shape_.all_moves, random);
        return;
    }
    draw_order(preference.order.data() + std::size_t{next_order_.fetch_add(1, std::memory_order_relaxed) % orders} * shape_.all_moves, random);
}

}  // namespace ludorum::mcts

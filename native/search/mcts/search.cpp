#include "search/mcts/search.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <system_error>

#include "search/mcts/worker.h"

namespace ludorum::mcts {

TreeSearch::TreeSearch(const Simulator& simulator, const Options& options, std::shared_ptr<const evaluation::Evaluation> evaluation)
    : simulator_(simulator),
      options_(options),
      evaluation_(std::move(evaluation)),
      tree_(simulator.shape(), options),
      statistics_(simulator.shape(), options),
      sufficiency_(simulator.shape().roles(), options) {
    for (std::uint32_t role = 0, first = 0; role < simulator.shape().roles(); first += simulator.shape().moves[role++])
        first_of_role_.push_back(first);
    if (!evaluation_ && (options.prior_visits || options.cutoff != Options::kNoCutoff))
        throw std::invalid_argument("prior visits and a cut-off need an evaluation");
    for (std::uint32_t i = 0; i < std::max(1u, options.threads); ++i) workers_.push_back(std::make_unique<Worker>(*this, i));
}

TreeSearch::~TreeSearch() { halt(); }

void TreeSearch::set_root(const Bits* state, bool moves_made) {
    halt();
    if (moves_made) statistics_.decay();
    std::vector<Bits> row;
    root_element_ = 0;
    if (options_.symmetries) {
        row.resize(simulator_.shape().state_words());
        root_element_ = best_known_image(state);
        options_.symmetries->image(root_element_, state, row.data());
        state = row.data();
    }
    Node* known = tree_.find(state);
    if (known && known->is_terminal) throw std::invalid_argument("there is nothing to choose in this state");
    if (!known) {
        const Shape& shape = simulator_.shape();
        std::vector<Bits> legal(shape.legal_words());
        std::vector<std::int16_t> goals(shape.roles());
        std::uint8_t is_terminal = 0;
        simulator_.terminal_and_legal(state, 1, &is_terminal, legal.data());
        Tree::Added added;
        const auto add = [&] { added = tree_.add({state, tree_.expect(state), legal.data(), false, goals.data()}, 0, true); };
        if (!is_terminal) add();
        // Even what is kept back for roots is gone after many of them without a search.
        if (!is_terminal && !added.node) {
            tree_.clear();
            add();
        }
        known = added.node;
        if (is_terminal || !known || known->is_terminal) {
            root_ = nullptr;
            throw std::invalid_argument("there is nothing to choose in this state");
        }
        if (added.is_new && options_.prior_visits) LeafEvaluator(simulator_, evaluation_).give_priors({&known, 1}, tree_);
    }
    root_ = known;
    tree_.set_root(known);
}

// The symmetry that makes of a state the image that was visited most, or the one that stands for all if none was.
// Since states may no longer be turned after a while, any of the images can be the one that has a node.
std::uint32_t TreeSearch::best_known_image(const Bits* state) const {
    const Symmetries& symmetries = *options_.symmetries;
    std::vector<Bits> row(simulator_.shape().state_words());
    std::uint32_t found = symmetries.canonical(state, row.data()).element;
    std::uint32_t most = 0;
    for (std::uint32_t element = 0; element < symmetries.size(); ++element) {
        symmetries.image(element, state, row.data());
        const Node* node = tree_.find(row.data());
        const std::uint32_t visits = node ? node->visits.load(std::memory_order_relaxed) : 0;
        if (visits <= most) continue;
        most = visits;
        found = element;
    }
    return found;
}

bool TreeSearch::is_decided() const {
    const std::size_t roles = simulator_.shape().roles();
    for (std::size_t r = 0; r < roles; ++r)
        if (root_->count(r) > 1 && root_->low_of(r) != root_->high_of(r)) return false;
    // Where nobody has a choice there may still be something to find out about what comes after.
    return root_->choosers > 0 || root_->is_solved.load(std::memory_order_relaxed);
}

void TreeSearch::think(std::uint64_t playouts, double seconds, const std::atomic<std::int32_t>& stop) {
    if (!root_) throw std::invalid_argument("the search has no state to start from");
    const auto now = Clock::now();
    const bool has_end = seconds < 1e9;
    Budget budget{static_cast<std::int64_t>(std::min<std::uint64_t>(playouts, std::numeric_limits<std::int64_t>::max() / 2)),
                  has_end ? now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)) : Clock::time_point::max(),
                  stop, {}, {}, {}};
    {
        std::lock_guard lock(report_mutex_);
        is_thinking_ = true;
    }
    {
        std::vector<std::jthread> others;
        try {
            for (std::size_t i = 1; i < workers_.size(); ++i) others.emplace_back([&, i] { workers_[i]->work(budget, false); });
        } catch (const std::system_error&) {
            // The machine has no more threads for us; those that there are can do it.
        }
        workers_[0]->work(budget, true);
    }
    {
        std::lock_guard lock(report_mutex_);
        is_thinking_ = false;
        if (asked_ != answered_) {
            report_ = make_report();
            answered_ = asked_;
            is_asked_ = false;
        }
    }
    reported_.notify_all();
    if (budget.failure) std::rethrow_exception(budget.failure);
}

void TreeSearch::begin() {
    halt();
    if (!root_) throw std::invalid_argument("the search has no state to start from");
    halt_ = 0;
    // Held until it counts as thinking: a reader must not take the search for idle before its thread has begun.
    std::lock_guard lock(report_mutex_);
    background_ = std::thread([this] {
        try {
            think(std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<double>::infinity(), halt_);
        } catch (...) {
            // Nobody waits for this thread. Whoever thinks next meets the same.
        }
    });
    is_thinking_ = true;
}

void TreeSearch::halt() {
    if (!background_.joinable()) return;
    halt_ = 1;
    background_.join();
}

bool TreeSearch::is_thinking() const {
    std::lock_guard lock(report_mutex_);
    return is_thinking_;
}

void TreeSearch::answer_readers() const {
    if (!is_asked_.load(std::memory_order_relaxed)) return;
    {
        std::lock_guard lock(report_mutex_);
        report_ = make_report();
        answered_ = asked_;
        is_asked_ = false;
    }
    reported_.notify_all();
}

Report TreeSearch::report() const {
    std::unique_lock lock(report_mutex_);
    if (!is_thinking_) return make_report();
    const std::uint64_t mine = ++asked_;
    is_asked_ = true;
    reported_.wait(lock, [&] { return answered_ >= mine; });
    return report_;
}

// The visits that the moves of a role had before they were tried.
std::uint32_t TreeSearch::prior(const Node& node, std::size_t role) const {
    return static_cast<std::int32_t>(role) == options_.chance_role ? 0 : node.prior.load(std::memory_order_relaxed);
}

Report TreeSearch::make_report() const {
    Report report;
    if (!root_) return report;
    const std::size_t roles = simulator_.shape().roles();
    report.visits = root_->visits;  // where nobody has a choice; else those that have come back
    const auto joint = root_->choosers > 1 ? tree_.joint_bounds(*root_) : std::vector<std::vector<Bounds>>{};
    for (std::size_t r = 0; r < roles; ++r) {
        report.low.push_back(root_->low_of(r));
        report.high.push_back(root_->high_of(r));
        double sum = 0;
        std::uint64_t visits = 0;
        for (std::uint32_t e = 0; root_->count(r) > 1 && e < root_->count(r); ++e) {
            const Edges edges = root_->edges(r);
            const EdgeStats::Count count = edges[e].count();
            const std::uint32_t tried = count.visits() - prior(*root_, r);
            const Node* child = root_->choosers == 1 ? tree_.child(edges[e]) : nullptr;
            Bounds bounds;
            if (child) bounds = {child->low_of(r), child->high_of(r)};
            else if (!joint.empty()) bounds = joint[r][e];
            report.moves.push_back({static_cast<std::uint32_t>(r), own_move(r, edges.move(e)), tried, count.mean(), bounds.low, bounds.high});
            sum += count.sum;
            visits += count.visits();
        }
        if (root_->count(r) > 1) report.visits = visits - std::uint64_t{prior(*root_, r)} * root_->count(r);
        report.values.push_back(visits ? static_cast<float>(sum / static_cast<double>(visits)) : 0);
    }
    report.variation = variation();
    report.playouts = playouts_;
    report.steps = steps_;
    report.lane_steps = lane_steps_;
    report.nodes = tree_.nodes();
    report.memory = tree_.used();
    report.deepest = deepest_;
    report.is_solved = is_decided();
    return report;
}

std::uint32_t TreeSearch::own_move(std::size_t role, std::uint32_t move) const {
    if (root_element_ == 0) return move;
    return options_.symmetries->move_back(root_element_, first_of_role_[role] + move) - first_of_role_[role];
}

// The joint moves of the most visited (or proved best) edges.
std::vector<std::uint32_t> TreeSearch::variation() const {
    const std::size_t roles = simulator_.shape().roles();
    std::vector<std::uint32_t> moves;
    std::vector<const Node*> seen;
    // A node may be an image of the state that comes next, so its moves are told in those of the state itself, by all
    // the symmetries on the way.
    std::vector<std::uint32_t> own;
    std::vector<Bits> next(simulator_.shape().state_words()), row(next.size());
    if (options_.symmetries)
        for (std::uint32_t move = 0; move < simulator_.shape().all_moves; ++move) own.push_back(options_.symmetries->move_back(root_element_, move));
    for (Node* node = root_; node && !node->is_terminal && std::find(seen.begin(), seen.end(), node) == seen.end();) {
        seen.push_back(node);
        std::vector<std::uint32_t> joint(roles, 0);
        for (std::size_t r = 0; r < roles; ++r) {
            if (node->count(r) < 2) continue;
            const Edges edges = node->edges(r);
            double most = -1;
            for (std::uint32_t e = 0; e < edges.count; ++e) {
                const Node* child = node->choosers == 1 ? tree_.child(edges[e]) : nullptr;
                double worth = static_cast<double>(edges[e].count().visits()) - prior(*node, r);
                // A proved value counts for more than any number of visits where it decides the node.
                if (child && node->low_of(r) == node->high_of(r))
                    worth += child->low_of(r) == node->low_of(r) && child->is_solved.load(std::memory_order_relaxed) ? 1e12 : 0;
                if (worth > most) {
                    most = worth;
                    joint[r] = e;
                }
            }
            if (most <= 0) return moves;
        }
        std::vector<std::uint32_t> numbers;
        for (std::size_t r = 0; r < roles; ++r) numbers.push_back(node->move(r, joint[r]));
        for (std::size_t r = 0; r < roles; ++r)
            moves.push_back(own.empty() ? numbers[r] : own[first_of_role_[r] + numbers[r]] - first_of_role_[r]);
        if (!own.empty()) simulator_.step(node->state(), 1, numbers.data(), next.data());
        node = node->choosers == 1 ? tree_.child(node->edges(node->only_chooser)[joint[node->only_chooser]]) : tree_.linked(*node, joint.data());
        if (own.empty() || !node || std::equal(next.begin(), next.end(), node->state())) continue;
        const std::uint32_t element = options_.symmetries->canonical(next.data(), row.data()).element;
        std::vector<std::uint32_t> after(own.size());
        for (std::uint32_t move = 0; move < own.size(); ++move) after[move] = own[options_.symmetries->move_back(element, move)];
        own = std::move(after);
    }
    return moves;
}

}  // namespace ludorum::mcts

#include "circuit/fluent_graph.h"

#include <algorithm>

#include "circuit/possibility.h"

namespace ludorum::circuit {
namespace {

// The search for the sources of one fluent, a question at a time, in one lane.
class Question {
public:
    Question(std::uint32_t fluent, std::vector<std::uint32_t> similarity, std::size_t lane, Possibility& possibility)
        : fluent_(fluent), lane_(lane), similarity_(std::move(similarity)), possibility_(possibility) {
        levels_ = similarity_;
        std::sort(levels_.begin(), levels_.end());
        levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
        possibility_.set_all(lane_, true);
    }

    std::uint32_t fluent() const { return fluent_; }
    bool is_done() const { return stage_ == Stage::kDone; }
    std::vector<std::uint32_t> sources() const { return {sources_.rbegin(), sources_.rend()}; }

    // Takes the answer to the question that is set in the lane, and sets the next one.
    void answer() {
        const bool is_needed = !possibility_.may_follow(fluent_, lane_);
        switch (stage_) {
            case Stage::kNothing:  // Can it hold at all?
                if (is_needed) return finish();
                possibility_.set_all(lane_, false);
                stage_ = Stage::kEverything;
                return;
            case Stage::kEverything:  // Can it hold where no fluent does?
                if (!is_needed) {
                    sources_ = {static_cast<std::uint32_t>(similarity_.size())};
                    return finish();
                }
                possibility_.set_all(lane_, true);
                stage_ = Stage::kLevels;
                take_level();
                return;
            case Stage::kLevels:  // Are those that are so similar enough?
                if (!is_needed) return take_level();
                std::stable_sort(kept_.begin(), kept_.end(),
                                 [&](std::uint32_t a, std::uint32_t b) { return similarity_[a] < similarity_[b]; });
                stage_ = Stage::kGiveUp;
                chunk_ = kept_.size();
                return try_without();
            case Stage::kGiveUp:  // Do the others still suffice without these?
                if (is_needed) {
                    position_ += tried_;
                    chunk_ *= 2;
                } else {
                    for (std::size_t i = 0; i < tried_; ++i) possibility_.set(kept_[position_ + i], lane_, false);
                    if (tried_ == 1) sources_.push_back(kept_[position_++]);
                    chunk_ = std::max<std::size_t>(1, tried_ / 2);
                }
                return try_without();
            case Stage::kDone: return;
        }
    }

private:
    enum class Stage { kNothing, kEverything, kLevels, kGiveUp, kDone };

    void finish() { stage_ = Stage::kDone; }

    void take_level() {
        const std::uint32_t level = levels_.back();
        levels_.pop_back();
        for (std::uint32_t other = static_cast<std::uint32_t>(similarity_.size()); other-- > 0;)
            if (similarity_[other] == level) {
                kept_.push_back(other);
                possibility_.set(other, lane_, false);
            }
    }

    void try_without() {
        if (position_ == kept_.size()) {
            std::sort(sources_.begin(), sources_.end(), std::greater<>());
            return finish();
        }
        tried_ = std::min(chunk_, kept_.size() - position_);
        for (std::size_t i = 0; i < tried_; ++i) possibility_.set(kept_[position_ + i], lane_, true);
    }

    std::uint32_t fluent_;
    std::size_t lane_;
    std::vector<std::uint32_t> similarity_, levels_, kept_, sources_;
    std::size_t position_ = 0, tried_ = 0, chunk_ = 0;
    Stage stage_ = Stage::kNothing;
    Possibility& possibility_;
};

class Similarity {
public:
    explicit Similarity(const Marks& marks) : marks_(marks), fluents_(marks.weights.size()) {
        for (std::uint32_t fluent = 0; fluent + 1 < marks.offsets.size(); ++fluent)
            for (std::uint32_t i = marks.offsets[fluent]; i < marks.offsets[fluent + 1]; ++i)
                fluents_[marks.marks[i]].push_back(fluent);
    }

    // Of every fluent to this one, which is the most similar of all.
    std::vector<std::uint32_t> to(std::uint32_t fluent) const {
        std::vector<std::uint32_t> similarity(marks_.offsets.size() - 1, 0);
        for (std::uint32_t i = marks_.offsets[fluent]; i < marks_.offsets[fluent + 1]; ++i)
            for (std::uint32_t other : fluents_[marks_.marks[i]]) similarity[other] += marks_.weights[marks_.marks[i]];
        ++similarity[fluent];
        return similarity;
    }

private:
    const Marks& marks_;
    std::vector<std::vector<std::uint32_t>> fluents_;
};

}  // namespace

std::optional<FluentGraph> fluent_graph(const Circuit& circuit, const Marks& marks, const std::atomic<std::int32_t>& stop) {
    const Similarity similarity(marks);
    Possibility possibility(circuit);
    std::vector<std::vector<std::uint32_t>> sources(circuit.fluents);
    std::vector<std::optional<Question>> lanes(std::min<std::size_t>(kLanes, circuit.fluents));
    std::uint32_t next = 0;
    for (std::size_t busy = 0;;) {
        for (std::size_t lane = 0; lane < lanes.size() && next < circuit.fluents; ++lane)
            if (!lanes[lane]) {
                lanes[lane].emplace(next, similarity.to(next), lane, possibility);
                ++next;
                ++busy;
            }
        if (busy == 0) break;
        if (stop.load(std::memory_order_relaxed) != 0) return std::nullopt;
        possibility.evaluate();
        for (auto& question : lanes) {
            if (!question) continue;
            question->answer();
            if (question->is_done()) {
                sources[question->fluent()] = question->sources();
                question.reset();
                --busy;
            }
        }
    }
    FluentGraph graph;
    graph.fluents = circuit.fluents;
    graph.offsets.push_back(0);
    for (const auto& of_fluent : sources) {
        graph.sources.insert(graph.sources.end(), of_fluent.begin(), of_fluent.end());
        graph.offsets.push_back(static_cast<std::uint32_t>(graph.sources.size()));
    }
    return graph;
}

std::vector<std::int32_t> distances(const FluentGraph& graph, std::span<const std::uint32_t> targets) {
    const std::size_t width = graph.fluents + 1;
    std::vector<std::int32_t> found(targets.size() * width, kUnreachable);
    std::vector<std::uint32_t> queue;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        std::int32_t* row = found.data() + i * width;
        queue.assign(1, targets[i]);
        row[targets[i]] = 0;
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const std::uint32_t fluent = queue[head];
            if (fluent == graph.fluents) continue;
            for (std::uint32_t edge = graph.offsets[fluent]; edge < graph.offsets[fluent + 1]; ++edge)
                if (row[graph.sources[edge]] == kUnreachable) {
                    row[graph.sources[edge]] = row[fluent] + 1;
                    queue.push_back(graph.sources[edge]);
                }
        }
    }
    return found;
}

}  // namespace ludorum::circuit

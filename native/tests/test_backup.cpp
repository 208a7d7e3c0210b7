#include "search/mcts/backup.h"

#include "search/mcts/selection.h"
#include "tests/check.h"

using namespace ludorum;
using namespace ludorum::mcts;

TEST("what is solved stays as it is when another move turns out to be as good for who chooses") {
    Options options;
    options.memory = std::size_t{1} << 20;
    const Shape shape{2, {2, 1}, {}, 3};
    Tree tree(shape, options);
    const auto add = [&](Bits state, bool is_terminal, std::vector<std::int16_t> goals) {
        const Bits legal = 0b111;
        return tree.add({&state, tree.expect(&state), &legal, is_terminal, goals.data()}, 0).node;
    };
    Node* root = add(0, false, {0, 0});
    // Either move wins for the first role; the second one gets nothing by the one, and all by the other.
    Node* ends[] = {add(1, true, {100, 0}), add(2, true, {100, 100})};

    // Both are under way before either comes back.
    const Statistics statistics(shape, options);
    const SufficiencyModel sufficiency(2, options);
    Selection selection(tree, statistics, sufficiency, 0);
    SelectedPath paths[2];
    Random random(1);
    SelectedPath* both[] = {&paths[0], &paths[1]};
    selection.select(root, 1, random, both);
    CHECK(paths[0].steps[0].edge != paths[1].steps[0].edge);
    Backup backup(tree);
    for (SelectedPath& path : paths) {
        Node* end = ends[path.steps[0].edge];
        path.end = tree.set_child(root->edges(0)[path.steps[0].edge], end);
        const SelectedPath* one[] = {&path};
        const float values[] = {end->low_of(0), end->low_of(1)};
        backup.add(one, values, nullptr);
        CHECK(root->is_solved.load());
        for (std::size_t role : {0, 1}) CHECK(root->low_of(role) == root->high_of(role));
    }
}

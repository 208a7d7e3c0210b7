#include "circuit/choice.h"

#include <algorithm>
#include <bit>

namespace ludorum::circuit {

ChoiceTree choice_tree(std::uint32_t moves) {
    ChoiceTree tree;
    std::vector<std::uint32_t> level, leaves;
    auto add = [&](std::uint32_t left, std::uint32_t right, std::uint32_t below) {
        const auto bits = static_cast<std::uint32_t>(std::bit_width(below));
        level.push_back(static_cast<std::uint32_t>(tree.nodes.size()));
        tree.nodes.push_back({left, right, bits, tree.planes});
        leaves.push_back(below);
        tree.planes += bits;
    };
    for (std::uint32_t first = 0; first < moves; first += kGroupSize) {
        const std::uint32_t size = std::min(kGroupSize, moves - first);
        add(first, size, size);
    }
    tree.groups = static_cast<std::uint32_t>(tree.nodes.size());
    while (level.size() > 1) {
        std::vector<std::uint32_t> below;
        below.swap(level);
        for (std::size_t i = 0; i + 1 < below.size(); i += 2)
            add(below[i], below[i + 1], leaves[below[i]] + leaves[below[i + 1]]);
        if (below.size() % 2) level.push_back(below.back());
    }
    return tree;
}

}  // namespace ludorum::circuit

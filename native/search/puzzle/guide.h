// guide.h: what tells a search how far a state seems to be from the goal.
#pragma once

#include <cstdint>

#include "engine/simulator.h"

namespace ludorum::puzzle {

class Guide {
public:
    static constexpr std::uint32_t kFar = 4095;

    virtual ~Guide() = default;

    // From 0 to kFar. Not to be called from several threads at once.
    virtual std::uint32_t operator()(const Bits* state) = 0;
};

}  // namespace ludorum::puzzle

// outcome.h: how a random match came to its end.
#pragma once

#include <cstdint>

namespace ludorum {

enum Outcome : std::uint8_t {
    kFinished = 0,
    kStuck = 1,  // some role has no legal move, though the state is not terminal
    kCut = 2,    // it went on for longer than was allowed
};

}  // namespace ludorum

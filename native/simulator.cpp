#include "simulator.h"

#include "leaf_playouts.h"

namespace ludorum {

std::unique_ptr<LeafPlayouts> Simulator::leaf_playouts(const LeafSpec&) const { return nullptr; }

}  // namespace ludorum

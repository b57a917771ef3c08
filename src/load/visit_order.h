// In which order systems are visited, block by block, so that drift of the machine and what one
// system leaves behind for the next fall on all alike.
#pragma once

#include <cstdint>
#include <vector>

namespace evenbench::load {

// `blocks` rows, each a permutation of 0..systems-1. Rows are those of a Williams design (a Latin
// square in which every system follows every other equally often; E. J. Williams, 1949), each
// followed by its mirror image: two systems give AB BA AB ...; which system is called what is drawn
// from the seed.
std::vector<std::vector<int>> visit_orders(int systems, int blocks, std::uint64_t seed);

}  // namespace evenbench::load

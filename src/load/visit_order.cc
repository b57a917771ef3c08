#include "load/visit_order.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "base/rng.h"

namespace evenbench::load {
namespace {

// 0, 1, n-1, 2, n-2, ... shifted by `shift`: neighbours differ by every distance once.
std::vector<int> zigzag(int n, int shift) {
  std::vector<int> row;
  for (int i = 0; i < n; ++i) {
    const int value = i % 2 == 1 ? (i + 1) / 2 : (n - i / 2) % n;
    row.push_back((value + shift) % n);
  }
  return row;
}

std::vector<std::vector<int>> design(int n) {
  std::vector<std::vector<int>> rows;
  // With an even number the mirror of a row is a row of the square itself.
  const int shifts = n % 2 == 0 ? n / 2 : n;
  for (int shift = 0; shift < shifts; ++shift) {
    rows.push_back(zigzag(n, shift));
    rows.emplace_back(rows.back().rbegin(), rows.back().rend());
  }
  return rows;
}

}  // namespace

std::vector<std::vector<int>> visit_orders(int systems, int blocks, std::uint64_t seed) {
  EVENBENCH_CHECK(systems >= 1 && blocks >= 1, "{} systems, {} blocks", systems, blocks);
  std::vector<int> label(static_cast<std::size_t>(systems));
  std::iota(label.begin(), label.end(), 0);
  Rng rng(seed, "visit order");
  for (std::size_t i = label.size() - 1; i > 0; --i) std::swap(label[i], label[rng.below(i + 1)]);

  const auto rows = design(systems);
  std::vector<std::vector<int>> out;
  for (std::size_t block = 0; block < static_cast<std::size_t>(blocks); ++block) {
    auto row = rows[block % rows.size()];
    for (int& system : row) system = label[static_cast<std::size_t>(system)];
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace evenbench::load

// The trend of an evenly spaced series, robust against bursts.
#pragma once

#include <optional>
#include <span>

namespace evenbench::stats {

// Theil and Sen: the median of the slopes between all pairs, per position. Up to 29 % of wild
// values leave it in place. Work and memory grow with the square of the length, so keep it to some
// hundred points. nullopt for fewer than two. Source: Sen, "Estimates of the Regression Coefficient
// Based on Kendall's Tau", JASA 63, 1968.
std::optional<double> theil_sen_slope(std::span<const double> y);

}  // namespace evenbench::stats

// What a build does before it is trusted: each of its kernels against the scalar definition, on a few numbers.
// Engines are known that accept an instruction and compute it wrongly.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/table.h"

namespace headlight::kernels {

// Names, as in Table, of the kernels whose results are not those of scalar() within the bounds of docs/kernels.md;
// empty when all are right. About 3 ms, for the engine has not optimised the code by then.
std::vector<std::string_view> failing_kernels(const Table& table);

}  // namespace headlight::kernels

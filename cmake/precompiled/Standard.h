// The headers of the C++ library that most files without MLIR read, compiled once for all of them.
#ifndef STRATA_PRECOMPILED_STANDARD_H
#define STRATA_PRECOMPILED_STANDARD_H

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#endif // STRATA_PRECOMPILED_STANDARD_H

// Brings rows of a tensor from the processes that have them, again and again by one plan.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_FETCHROWS_H
#define STRATA_RUNTIME_DIST_FETCHROWS_H

#include "strata/runtime/dist/Exchange.h"

#include <optional>

namespace strata::runtime::dist {

/// Which process has the rows from `lo` to before `hi`.
struct Home {
  int64_t lo, hi;
  int32_t rank;
};

/// A row is the bytes at one coordinate of a dimension. All processes make a plan together, and run
/// it together.
class FetchRows {
public:
  /// `needed` are coordinates, ascending, each once. The homes are ascending, too, the same ones in
  /// each process; what has no home, or this process as its home, does not come.
  static Result<FetchRows> make(World &world, std::span<const int64_t> needed,
                                std::span<const Home> homes, int64_t rowBytes,
                                std::string_view operation);

  /// For each process, the coordinates that it asks of this one.
  const std::vector<std::vector<int64_t>> &asked() const { return sentRows; }
  /// Room for the rows that are sent, process by process: whoever runs the plan fills it.
  Bytes &sent() { return out; }
  const Bytes &sent() const { return out; }
  /// The coordinates of the rows that come, in their order.
  const std::vector<int64_t> &expected() const { return receivedRows; }
  Bytes &received() { return in; }
  /// Sends and receives.
  Status run();

private:
  FetchRows() = default;

  std::vector<std::vector<int64_t>> sentRows;
  std::vector<int64_t> receivedRows;
  Bytes out, in;
  std::optional<Channel> channel;
};

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_FETCHROWS_H

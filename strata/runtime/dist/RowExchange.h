// Sends rows of a tensor between processes, again and again by one plan.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_ROWEXCHANGE_H
#define STRATA_RUNTIME_DIST_ROWEXCHANGE_H

#include "strata/runtime/dist/Exchange.h"
#include "strata/runtime/storage/NumberLists.h"

#include <optional>

namespace strata::runtime::dist {

/// Which process has the rows from `lo` to before `hi`.
struct Home {
  int64_t lo, hi;
  int32_t rank;
};

/// Sends each process its numbers, and gives those of each for this one. All processes take part.
Result<NumberLists> exchangeNumbers(World &world, const NumberLists &out,
                                    std::string_view operation);

/// A row is the bytes at one coordinate of a dimension. All processes make a plan together, and run
/// it together.
class RowExchange {
public:
  /// Plans to get the rows at `needed` coordinates, ascending, each once, from their homes. These
  /// are ascending, too, the same ones in each process; what has no home, or this process as its
  /// home, does not come.
  static Result<RowExchange> fetch(World &world, std::span<const int64_t> needed,
                                   std::span<const Home> homes, int64_t rowBytes,
                                   std::string_view operation);
  /// Plans to give each process the rows at these coordinates, in this order.
  static Result<RowExchange> give(World &world, NumberLists rows, int64_t rowBytes,
                                  std::string_view operation);

  /// For each process, the coordinates of the rows that this one sends it.
  const NumberLists &sentRows() const { return outRows; }
  /// Returns the room for these rows, process by process: whoever runs the plan fills it.
  std::span<char> sent() { return bytesOf(out); }
  int64_t sentBytes() const { return out.count(); }
  /// Of each process, the coordinates of the rows that come from it.
  const NumberLists &receivedRows() const { return inRows; }
  std::span<char> received() { return bytesOf(in); }
  /// Sends and receives.
  Status run();

private:
  static Result<RowExchange> make(World &world, NumberLists sent, NumberLists received,
                                  int64_t rowBytes, std::string_view operation);

  static std::span<char> bytesOf(Buffer &buffer) {
    return {static_cast<char *>(buffer.data()), size_t(buffer.count())};
  }

  NumberLists outRows, inRows;
  Buffer out, in;
  std::optional<Channel> channel;
};

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_ROWEXCHANGE_H

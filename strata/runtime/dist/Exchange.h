// Sends bytes of any number from each process of a world to each other, once.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_EXCHANGE_H
#define STRATA_RUNTIME_DIST_EXCHANGE_H

#include "strata/runtime/dist/World.h"
#include "strata/runtime/storage/Unfilled.h"

namespace strata::runtime::dist {

using Bytes = Unfilled<char>;

/// Bytes that are on their way between processes.
class Transfer {
public:
  /// Sends `out[r]` to rank r; who receives knows how many bytes come from each. Both have an entry
  /// for each rank. What goes to the process itself is not sent.
  static Result<Transfer> begin(World &world, std::vector<Bytes> out,
                                std::span<const int64_t> sizes, std::string_view operation);
  /// The same where nobody knows how much comes: the sizes go before.
  static Result<Transfer> begin(World &world, std::vector<Bytes> out, std::string_view operation);
  /// Waits, and gives what comes from each rank.
  Result<std::vector<Bytes>> finish();
  Channel &channel() { return messages; }

private:
  Transfer(Channel messages, std::vector<Bytes> out, std::vector<Bytes> in)
      : out(std::move(out)), in(std::move(in)), messages(std::move(messages)) {}

  std::vector<Bytes> out, in;
  Channel messages; // which ends before the bytes
};

/// Sends `out[r]` to rank r and returns what comes from each rank; `out` has an entry for each.
Result<std::vector<Bytes>> exchange(World &world, std::vector<Bytes> out,
                                    std::string_view operation);

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_EXCHANGE_H

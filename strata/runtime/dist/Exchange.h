// Sends bytes of any number from each process of a world to each other, once.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_DIST_EXCHANGE_H
#define STRATA_RUNTIME_DIST_EXCHANGE_H

#include "strata/runtime/dist/World.h"
#include "strata/runtime/storage/Buffer.h"

namespace strata::runtime::dist {

/// Makes room for messages, which are buffers of STRATA_I8; an error says what they are for.
Result<Buffer> roomForMessages(int64_t bytes);

/// Bytes that are on their way between processes.
class Transfer {
public:
  /// Prepares to send `out[r]` to rank r, of which `sizes[r]` bytes come. Both have an entry for
  /// each rank. What goes to the process itself is not sent. Nobody waits yet: an error is one of
  /// this process alone.
  static Result<Transfer> prepare(World &world, std::vector<Buffer> out,
                                  std::span<const int64_t> sizes, std::string_view operation);
  /// Sends what has been prepared, as all processes do.
  Status start() { return messages.start(); }
  /// Prepares and sends where nobody knows how much comes: the sizes go before. The world is lost
  /// where a process has no room for it.
  static Result<Transfer> begin(World &world, std::vector<Buffer> out, std::string_view operation);
  /// Sends the same to all other processes, in the same way.
  static Result<Transfer> beginToAll(World &world, Buffer out, std::string_view operation);
  /// Waits, and gives what comes from each rank.
  Result<std::vector<Buffer>> finish();
  Channel &channel() { return messages; }

private:
  Transfer(Channel messages, std::vector<Buffer> out, std::vector<Buffer> in)
      : out(std::move(out)), in(std::move(in)), messages(std::move(messages)) {}
  static Result<Transfer> prepare(World &world, std::vector<Buffer> out,
                                  std::span<const Message> sent, std::span<const int64_t> sizes,
                                  std::string_view operation);
  static Result<Transfer> beginPrepared(World &world, Result<Transfer> prepared,
                                        std::string_view operation);

  std::vector<Buffer> out, in;
  Channel messages; // which ends before the bytes
};

/// Sends `out[r]` to rank r and returns what comes from each rank; `out` has an entry for each.
Result<std::vector<Buffer>> exchange(World &world, std::vector<Buffer> out,
                                     std::string_view operation);

/// The bytes of an array that a process has: so many, from one on.
struct ByteRange {
  int64_t begin, count;
};

/// Brings each process the bytes of an array that others have, of which `parts` has those of each
/// rank; the array has those of this process already. The memory that this takes besides does not
/// grow with the array.
Status gatherParts(World &world, char *array, std::span<const ByteRange> parts,
                   std::string_view operation);

} // namespace strata::runtime::dist
#endif // STRATA_RUNTIME_DIST_EXCHANGE_H

// Calls statements on buffers of upstream's layout: arguments are looked at where they lie, results
// are handed over.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Statement.h"

#include "strata/host/CompiledKernels.h"
#include "strata/host/Entry.h"
#include "strata/host/Interpreter.h"
#include "strata/host/Pack.h"
#include "strata/runtime/Allocator.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <tbb/task_arena.h>

using namespace strata::host;
using strata::runtime::AllocatorScope;
using strata::runtime::Buffer;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace {

/// One buffer as words: `words` are its address, how many elements it has, and their type.
struct BufferWords {
  int64_t *words;

  void *data() const { return reinterpret_cast<void *>(words[0]); }
  int64_t count() const { return words[1]; }
  strata_type type() const { return static_cast<strata_type>(words[2]); }
  void set(void *data, int64_t count) const {
    words[0] = reinterpret_cast<int64_t>(data);
    words[1] = count;
  }
};

uint64_t loadWord(const char *from, int64_t bytes) {
  uint64_t word = 0;
  std::memcpy(&word, from, size_t(bytes));
  return word;
}

/// Copies positions or coordinates, which are none below 0, from one width to another; the number
/// of the first that does not fit, or -1.
int64_t copyWords(const void *from, int64_t fromBytes, void *to, int64_t toBytes, int64_t count) {
  for (int64_t at = 0; at < count; ++at) {
    const uint64_t word = loadWord(static_cast<const char *>(from) + at * fromBytes, fromBytes);
    if (toBytes < 8 && word >> (8 * toBytes) != 0)
      return at;
    std::memcpy(static_cast<char *>(to) + at * toBytes, &word, size_t(toBytes));
  }
  return -1;
}

/// Fails if the buffers of coordinates are too narrow for a tensor of these sizes: kernels check
/// positions alone.
Status checkCoordinates(const StoredFormat &format, const std::vector<int64_t> &sizes) {
  const std::vector<Extent> extents = format.extents(sizes);
  size_t end = 0; // behind the buffers of the levels so far
  int64_t bytes = 8;
  for (size_t at = 0; at < format.levels.size(); ++at) {
    const StoredLevel &level = format.levels[at];
    end += size_t(level.buffers);
    const bool stores = level.children == Children::Lists || level.children == Children::OneEach;
    if (!stores)
      continue;
    if (level.buffers > 0) // else they lie among those of the level above
      bytes = strata_type_bytes(format.buffers[end - 1]);
    const int64_t last = extents[at].first + extents[at].extent - 1;
    if (bytes < 8 && last >> (8 * bytes) != 0 && last > 0)
      return Error{Error::IndexWidth,
                   "coordinates up to " + std::to_string(last) + " do not fit the " +
                       std::to_string(8 * bytes) + " bits that the result has for them",
                   "a wider crdWidth"};
  }
  return Status();
}

/// One call of a statement.
class StatementCall {
public:
  StatementCall(const Program &program, const strata_kernel *kernels, int64_t *words)
      : program(program), kernels(kernels), next(words) {}

  Status run() {
    for (const Argument &argument : program.arguments)
      if (Status status = take(argument.type); !status.ok())
        return status;
    const bool threads = *next++ != 0;
    const int64_t *goals = next;
    next += program.results.size();
    // What is held here stays as it is; what a result is written into may be changed.
    std::vector<Tensor> held = tensors;
    for (size_t at = 0; at < program.results.size(); ++at)
      if (goals[at] >= 0)
        held[size_t(goals[at])] = Tensor();
    CompiledKernels provider(program, kernels);
    Console console(program);
    Interpreter interpreter(program, provider, console);
    auto call = [&] { return interpreter.call(std::move(tensors)); };
    bool ok = false;
    if (threads)
      ok = call();
    else
      tbb::task_arena(1).execute([&] { ok = call(); });
    if (!ok)
      return Error::alreadyShown("it failed");
    for (size_t at = 0; at < program.results.size(); ++at)
      if (Status status = give(interpreter.value(program.results[at]), goals[at]); !status.ok())
        return status;
    return Status();
  }

private:
  /// An argument: its words.
  Status take(TypeId id) {
    const TensorType &type = program.types[size_t(id)];
    const std::vector<strata_type> &types = type.parts.front().buffers;
    std::vector<int64_t> sizes(next, next + type.sizes.size());
    next += type.sizes.size();
    auto storage = std::make_shared<Storage>(std::move(sizes), types);
    for (size_t at = 0; at < types.size(); ++at, next += 3) {
      const BufferWords given{next};
      if (at + 1 == types.size())
        values.push_back(given);
      const int64_t wanted = strata_type_bytes(types[at]), had = strata_type_bytes(given.type());
      if (wanted == had) {
        storage->adopt(int64_t(at), given.data(), given.count(), types[at]);
        continue;
      }
      if (Status status = storage->allocate(int64_t(at), given.count()); !status.ok())
        return status;
      void *own = storage->buffer(int64_t(at)).data;
      if (copyWords(given.data(), had, own, wanted, given.count()) >= 0)
        return Error{Error::NoRoom, "a coordinate does not fit the format of its level"};
    }
    tensors.push_back({.type = id, .storage = std::move(storage)});
    return Status();
  }

  /// A result: its sizes and buffers. With a goal, which is dense, its values are written there.
  Status give(const Tensor &tensor, int64_t goal) {
    Storage &storage = *tensor.storage;
    if (Status fits = checkCoordinates(program.format(tensor.type), storage.sizes()); !fits.ok())
      return fits;
    for (int64_t size : storage.sizes())
      *next++ = size;
    for (int64_t at = 0; at < storage.bufferCount(); ++at, next += 3) {
      const BufferWords wanted{next};
      if (goal >= 0 && at + 1 == storage.bufferCount()) {
        write(storage.values(), values[size_t(goal)].data());
        wanted.set(values[size_t(goal)].data(), storage.values().count);
        continue;
      }
      if (Status status = handOver(tensor.storage, at, wanted); !status.ok())
        return status;
    }
    return Status();
  }

  static void write(const strata_buffer &from, void *to) {
    if (from.data != to && from.count > 0)
      std::memcpy(to, from.data, size_t(from.count * strata_type_bytes(from.type)));
  }

  /// Gives a buffer up to the caller; a copy, where somebody else has it, too.
  static Status handOver(const std::shared_ptr<Storage> &storage, int64_t at,
                         const BufferWords &wanted) {
    strata_buffer &buffer = storage->buffer(at);
    const int64_t had = strata_type_bytes(buffer.type), bytes = strata_type_bytes(wanted.type());
    const bool isOurs =
        buffer.owned && buffer.count > 0 && storage.use_count() == 1 &&
        storage->allocator().reallocate == strata::runtime::heapAllocator().reallocate;
    if (isOurs && had == bytes) {
      const int64_t count = buffer.count;
      Result<Buffer> taken = storage->take(at);
      if (!taken)
        return taken.takeStatus();
      wanted.set(taken->giveUp().data, count);
      return Status();
    }
    void *copy = std::malloc(size_t(std::max<int64_t>(buffer.count, 1) * bytes));
    if (!copy)
      return Error{Error::Memory, "there is no memory for a result"};
    if (had == bytes)
      write(buffer, copy);
    else if (copyWords(buffer.data, had, copy, bytes, buffer.count) >= 0)
      return Error{Error::IndexWidth,
                   "a position or coordinate of the result does not fit the width of its buffer; a "
                   "level n:m of upstream's has no mark for places without an entry"};
    wanted.set(copy, buffer.count);
    return Status();
  }

  const Program &program;
  const strata_kernel *kernels;
  int64_t *next;
  std::vector<Tensor> tensors;
  std::vector<BufferWords> values; ///< of the arguments
};

/// The program of these bytes, which it decodes once.
const Program *programOf(const char *bytes, int64_t size, void **kept) {
  std::atomic_ref<void *> place(*kept);
  if (void *known = place.load(std::memory_order_acquire))
    return static_cast<const Program *>(known);
  std::optional<Program> decoded = decodeOrTell(bytes, size);
  if (!decoded)
    return nullptr;
  auto *mine = new Program(std::move(*decoded));
  void *other = nullptr;
  if (place.compare_exchange_strong(other, mine, std::memory_order_acq_rel))
    return mine;
  delete mine;
  return static_cast<const Program *>(other);
}

} // namespace

int32_t strata_statement_call(const char *bytes, int64_t size, const strata_kernel *kernels,
                              void **kept, int64_t *words) {
  const Program *program = programOf(bytes, size, kept);
  if (!program)
    return 1;
  const AllocatorScope heap(strata::runtime::heapAllocator());
  Status status = StatementCall(*program, kernels, words).run();
  if (!status.ok() && !status.error().shown) {
    const std::string &place = program->places.empty() ? program->name : program->places.back();
    std::fprintf(stderr, "error: %s: %s\n", place.c_str(), status.error().sentence().c_str());
  }
  return status.ok() ? 0 : 1;
}

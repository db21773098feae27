// Checks the arguments of a kernel that was called from outside, and limits its threads.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/storage/Signature.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/Variables.h"
#include "strata/runtime/calls.h"
#include "strata/runtime/storage/Buffer.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace strata::runtime {
namespace {

/// The names, in their order.
class Names {
public:
  explicit Names(const char *next) : place(next) {}
  const char *next() {
    const char *name = place;
    place += std::strlen(name) + 1;
    return name;
  }
  const char *at(int64_t number) const {
    Names from(place);
    for (int64_t skipped = 0; skipped < number; ++skipped)
      from.next();
    return from.place;
  }

private:
  const char *place;
};

/// An integer in a buffer; those of fewer than 64 bits have no sign.
int64_t elementOf(const strata_buffer &buffer, int64_t at) {
  switch (strata_type_bytes(buffer.type)) {
  case 1:
    return static_cast<const uint8_t *>(buffer.data)[at];
  case 2:
    return static_cast<const uint16_t *>(buffer.data)[at];
  case 4:
    return static_cast<const uint32_t *>(buffer.data)[at];
  default:
    return static_cast<const int64_t *>(buffer.data)[at];
  }
}

class Arguments {
public:
  Arguments(strata_storage *const *storages, const int64_t *extents, const int64_t *words,
            const char *names)
      : storages(storages), extents(extents), word(words), names(names) {}

  /// Empty if they fit the signature, else what does not.
  std::string fault() {
    const int64_t storageCount = *word++, extentCount = *word++;
    if (!storages)
      return "the list of storages is null";
    if (!extents && extentCount > 0)
      return "the list of extents is null";
    const Names all = names;
    for (int64_t number = 0; number < storageCount; ++number)
      if (std::string fault = checkStorage(number); !fault.empty())
        return fault;
    for (int64_t number = 0; number < extentCount; ++number)
      if (extents[number] < 0)
        return "the extent of '" + std::string(names.at(number)) + "' is " +
               std::to_string(extents[number]);
    return checkSubscripts(all);
  }

private:
  std::string checkStorage(int64_t number) {
    storage = storages[number];
    name = "'" + std::string(names.next()) + "' (storage " + std::to_string(number) + ")";
    const int64_t order = *word++, count = *word++;
    const bool isResult = *word++ != 0;
    if (!storage)
      return name + " is null";
    if (storage->order != order)
      return name + " has order " + std::to_string(storage->order) + "; expected " +
             std::to_string(order);
    if (storage->buffer_count != count)
      return name + " has " + counted(storage->buffer_count, "buffer") + "; expected " +
             std::to_string(count);
    if (order > 0 && !storage->sizes)
      return name + ": its sizes are null";
    if (!storage->buffers)
      return name + ": its buffers are null";
    for (int64_t dim = 0; dim < order; ++dim)
      if (storage->sizes[dim] < 0)
        return name + ": its size along dimension " + std::to_string(dim + 1) + " is " +
               std::to_string(storage->sizes[dim]);
    const Names own = names;
    bool isEmpty = true;
    for (int64_t at = 0; at < count; ++at) {
      const strata_buffer &buffer = storage->buffers[at];
      const auto type = static_cast<int32_t>(*word++);
      names.next();
      if (buffer.type != type)
        return bufferText(own, at) + " has " + typeText(buffer.type) + "; expected " +
               typeText(type);
      if (buffer.count < 0)
        return bufferText(own, at) + " has " + std::to_string(buffer.count) + " elements";
      if (buffer.count > 0 && !buffer.data)
        return bufferText(own, at) + " is null, and has " + counted(buffer.count, "element");
      isEmpty &= buffer.count == 0;
    }
    // A result that is to be made has no content yet.
    return checkCounts(own, !(isResult && isEmpty));
  }

  static std::string typeText(int32_t type) {
    return strata_type_bytes(type) == 0
               ? "type " + std::to_string(type) + ", which is none"
               : "elements of type " + std::string(typeName(strata_type(type)));
  }
  std::string bufferText(const Names &own, int64_t at) const {
    return name + ": buffer " + std::to_string(at) + " (" + own.at(at) + ")";
  }

  /// So many elements or more, if that is known, and one if the first is read.
  std::string need(const Names &own, int64_t at, std::optional<int64_t> least) const {
    const strata_buffer &buffer = storage->buffers[at];
    if (!least || buffer.count >= *least)
      return "";
    return bufferText(own, at) + " has " + counted(buffer.count, "element") +
           "; expected at least " + std::to_string(*least);
  }

  /// What more than 63 bits count is the greatest number, so many as no buffer has.
  static constexpr int64_t tooMany = INT64_MAX;
  static std::optional<int64_t> times(std::optional<int64_t> x, int64_t y) {
    int64_t product = 0;
    return x && __builtin_mul_overflow(*x, y, &product) ? tooMany
           : x                                          ? std::optional<int64_t>(product)
                                                        : std::nullopt;
  }
  static std::optional<int64_t> more(std::optional<int64_t> x) {
    return x && *x < tooMany ? std::optional<int64_t>(*x + 1) : x;
  }

  /// Takes the steps; where the content does not matter, those alone that sizes tell.
  std::string checkCounts(const Names &own, bool matters) {
    std::optional<int64_t> parents = 1, positions = 1;
    bool tells = true; // sizes, of all levels so far
    for (;;) {
      const auto step = static_cast<Step>(*word);
      const int64_t *operand = word + 1;
      word += 1 + operandsOf(step);
      if (step == Step::End)
        break;
      tells &= step == Step::Level || step == Step::Times || step == Step::TimesBlocks;
      if (!matters && !tells)
        continue;
      if (std::string fault = take(own, step, operand, parents, positions); !fault.empty())
        return fault;
      if (tells && positions == tooMany)
        return name + " has more places than 63 bits count";
    }
    return matters ? need(own, storage->buffer_count - 1, positions) : "";
  }

  std::string take(const Names &own, Step step, const int64_t *operand,
                   std::optional<int64_t> &parents, std::optional<int64_t> &positions) const {
    const int64_t at = *operand;
    std::string fault;
    switch (step) {
    case Step::End:
      break;
    case Step::Level:
      parents = positions;
      break;
    case Step::Times:
      positions = times(positions, at);
      break;
    case Step::TimesBlocks: {
      const int64_t size = storage->sizes[at], block = operand[1];
      positions = times(positions, size / block + (size % block != 0));
      break;
    }
    case Step::Unknown:
      positions.reset();
      break;
    case Step::TimesWord:
    case Step::Word:
      fault = need(own, at, 1);
      if (!fault.empty())
        break;
      positions = times(step == Step::Word ? std::optional<int64_t>(1) : positions,
                        elementOf(storage->buffers[at], 0));
      if (positions && *positions < 0)
        fault = bufferText(own, at) + " begins with a negative number";
      break;
    case Step::Edges: {
      fault = need(own, at, positions ? more(positions) : 1);
      if (!fault.empty())
        break;
      const strata_buffer &buffer = storage->buffers[at];
      positions = elementOf(buffer, positions ? *positions : buffer.count - 1);
      if (*positions < 0)
        fault = bufferText(own, at) + " ends with a negative number";
      break;
    }
    case Step::Each:
      fault = need(own, at, times(positions, operand[1]));
      break;
    case Step::Parents:
      fault = need(own, at, parents);
      break;
    case Step::ParentEdges:
      fault = need(own, at, more(parents));
      break;
    case Step::ParentPairs:
      fault = need(own, at, times(parents, 2));
      positions.reset();
      break;
    case Step::Dimension:
      fault = need(own, at, storage->sizes[operand[1]]);
      break;
    case Step::Told:
      fault = need(own, operand[1], operand[2] + 1);
      if (fault.empty())
        fault = need(own, at, elementOf(storage->buffers[operand[1]], operand[2]));
      break;
    }
    return fault;
  }

  /// Every subscript stays inside its dimension. The names begin with those of the first storage.
  std::string checkSubscripts(const Names &all) {
    for (int64_t subscripts = *word++; subscripts > 0; --subscripts) {
      const int64_t number = *word++, dim = *word++;
      const bool covers = *word++ != 0;
      int64_t least = *word++, most = least;
      const int64_t terms = *word++;
      const int64_t *term = word;
      word += 2 * terms;
      bool isEmpty = false, fits = true;
      std::string labels;
      for (int64_t at = 0; at < terms; ++at, term += 2) {
        const int64_t extent = extents[term[0]], factor = term[1];
        int64_t span = 0;
        isEmpty |= extent == 0;
        fits &= !__builtin_mul_overflow(extent - 1, factor, &span);
        int64_t &end = factor < 0 ? least : most;
        fits &= !__builtin_add_overflow(end, span, &end);
        labels +=
            (at ? ", '" : "'") + std::string(names.at(term[0])) + "' is " + std::to_string(extent);
      }
      const int64_t size = storages[number]->sizes[dim];
      if (covers ? size == extents[word[-2]] : isEmpty || (fits && least >= 0 && most < size))
        continue;
      return "'" + std::string(nameOf(all, number)) + "' (storage " + std::to_string(number) +
             "): its size along dimension " + std::to_string(dim + 1) + " is " +
             std::to_string(size) + ", but the extent of " + labels;
    }
    return "";
  }

  const char *nameOf(Names all, int64_t number) const {
    for (int64_t before = 0; before < number; ++before) {
      all.next();
      for (int64_t at = 0; at < storages[before]->buffer_count; ++at)
        all.next();
    }
    return all.next();
  }

  strata_storage *const *storages;
  const int64_t *extents;
  const int64_t *word;
  Names names;
  const strata_storage *storage = nullptr;
  std::string name;
};

//===------------------------------------------------------------------------------------------===//
// Threads
//===------------------------------------------------------------------------------------------===//

class Threads {
public:
  static Threads &get() {
    static Threads &threads = *new Threads; // kernels may run until the process ends
    return threads;
  }
  std::shared_ptr<tbb::task_arena> current() {
    const std::lock_guard lock(mutex);
    return arena;
  }
  void limit(int32_t count) {
    std::shared_ptr<tbb::task_arena> made = arenaOf(count > 0 ? count : environment());
    const std::lock_guard lock(mutex);
    arena.swap(made);
  }

private:
  Threads() : arena(arenaOf(environment())) {}

  static int32_t environment() {
    const char *given = variable("STRATA_NUM_THREADS");
    char *end = nullptr;
    const long count = given ? std::strtol(given, &end, 10) : 0;
    return given && *end == 0 && count > 0 && count <= INT32_MAX ? static_cast<int32_t>(count) : 0;
  }
  /// Null for as many threads as the process has.
  static std::shared_ptr<tbb::task_arena> arenaOf(int32_t count) {
    if (count <= 0)
      return nullptr;
    const auto most = static_cast<int32_t>(
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
    return std::make_shared<tbb::task_arena>(count < most ? count : most);
  }

  std::mutex mutex;
  std::shared_ptr<tbb::task_arena> arena;
};

} // namespace
} // namespace strata::runtime

using namespace strata::runtime;

void strata_limit_threads(int32_t count) { Threads::get().limit(count); }

int32_t strata_invoke_checked(strata_context *context, strata_storage *const *storages,
                              const int64_t *extents,
                              void (*body)(strata_context *, strata_storage *const *,
                                           const int64_t *),
                              const int64_t *signature, const char *names) {
  if (!context)
    return STRATA_BAD_ARGUMENT;
  if (const std::string fault = Arguments(storages, extents, signature, names).fault();
      !fault.empty()) {
    context->status = STRATA_BAD_ARGUMENT;
    std::strncpy(context->message, fault.c_str(), sizeof context->message - 1);
    context->message[sizeof context->message - 1] = 0;
    return STRATA_BAD_ARGUMENT;
  }
  if (const std::shared_ptr<tbb::task_arena> arena = Threads::get().current())
    return arena->execute([&] { return strata_invoke(context, storages, extents, body); });
  return strata_invoke(context, storages, extents, body);
}

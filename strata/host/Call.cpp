// Calls functions of compiled programs, on storages.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/call.h"

#include "strata/host/Entry.h"
#include "strata/host/Interpreter.h"
#include "strata/host/Pack.h"

#include <algorithm>

using namespace strata::host;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Storage;

/// What the program held of it.
struct strata_returned {
  std::shared_ptr<Storage> storage;
};

namespace {

/// Refers to the arrays of a storage that the caller keeps, in the format that the program has for
/// it.
Result<std::shared_ptr<Storage>> adopt(const strata_storage &given, const TensorType &type) {
  const std::vector<strata_type> &types = type.parts.front().buffers;
  const auto order = static_cast<int64_t>(type.sizes.size());
  const auto count = static_cast<int64_t>(types.size());
  if (given.order != order || given.buffer_count != count)
    return Error{"has " + std::to_string(given.order) + " dimensions and " +
                     std::to_string(given.buffer_count) + " arrays",
                 std::to_string(order) + " and " + std::to_string(count)};
  for (int64_t dim = 0; dim < order; ++dim)
    if (const int64_t size = type.sizes[static_cast<size_t>(dim)];
        given.sizes[dim] < 0 || (size >= 0 && given.sizes[dim] != size))
      return Error{"has the size " + std::to_string(given.sizes[dim]) + " in dimension " +
                       std::to_string(dim + 1),
                   size < 0 ? "none below 0" : std::to_string(size)};
  auto storage =
      std::make_shared<Storage>(std::vector<int64_t>(given.sizes, given.sizes + order), types);
  for (int64_t at = 0; at < count; ++at) {
    const strata_buffer &buffer = given.buffers[at];
    const strata_type wanted = types[static_cast<size_t>(at)];
    if (buffer.type != wanted)
      return Error{"has another element type in array " + std::to_string(at),
                   strata::runtime::typeName(wanted)};
    storage->adopt(at, buffer.data, buffer.count, wanted);
  }
  return storage;
}

bool refuse(const Program &program, size_t argument, const Error &error) {
  std::fprintf(stderr, "error: argument %zu of '%s' %s\n", argument + 1, program.name.c_str(),
               error.sentence().c_str());
  return false;
}

bool call(const Program &program, const strata_kernel *kernels,
          const strata_storage *const *arguments, strata_returned **returned) {
  std::vector<Tensor> tensors;
  for (size_t at = 0; at < program.arguments.size(); ++at) {
    const TypeId type = program.arguments[at].type;
    Result<std::shared_ptr<Storage>> storage =
        adopt(*arguments[at], program.types[static_cast<size_t>(type)]);
    if (!storage)
      return refuse(program, at, storage.error());
    tensors.push_back({type, std::move(*storage)});
  }
  Interpreter interpreter(program, kernels, {});
  // That they are held here keeps the program from changing what the caller owns.
  if (!interpreter.call(tensors))
    return false;
  if (program.results.empty() || !returned)
    return true;
  std::shared_ptr<Storage> result = interpreter.value(program.results.front()).storage;
  // An argument that is returned as it came is the caller's still.
  if (std::ranges::any_of(tensors, [&](const Tensor &one) { return one.storage == result; })) {
    Result<Storage> own = cloned(*result);
    if (!own) {
      std::fprintf(stderr, "error: %s\n", own.error().sentence().c_str());
      return false;
    }
    result = std::make_shared<Storage>(std::move(*own));
  }
  *returned = new strata_returned{std::move(result)};
  return true;
}

} // namespace

int32_t strata_program_call(const char *bytes, int64_t size, const strata_kernel *kernels,
                            const strata_storage *const *arguments, strata_returned **returned) {
  const std::optional<Program> program = decodeOrTell(bytes, size);
  return program && call(*program, kernels, arguments, returned) ? 0 : 1;
}

const strata_storage *strata_returned_storage(const strata_returned *returned) {
  return returned->storage->abi();
}

void strata_returned_release(strata_returned *returned) { delete returned; }

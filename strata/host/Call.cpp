// Calls functions of compiled programs, on storages.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/call.h"

#include "strata/host/CompiledKernels.h"
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
  std::vector<std::shared_ptr<Storage>> parts;
};

namespace {

/// Refers to the arrays of a storage that the caller keeps, in the format that the program has for
/// it: that of one part of a type.
Result<std::shared_ptr<Storage>> adopt(const strata_storage &given, const TensorType &type,
                                       size_t part) {
  const std::vector<strata_type> &types = type.parts[part].buffers;
  const auto order = static_cast<int64_t>(type.sizes.size());
  const auto count = static_cast<int64_t>(types.size());
  if (given.order != order || given.buffer_count != count)
    return Error{Error::InvalidStorage,
                 "has " + std::to_string(given.order) + " dimensions and " +
                     std::to_string(given.buffer_count) + " arrays",
                 std::to_string(order) + " and " + std::to_string(count)};
  for (int64_t dim = 0; dim < order; ++dim)
    if (const int64_t size = type.sizes[static_cast<size_t>(dim)];
        given.sizes[dim] < 0 || (size >= 0 && given.sizes[dim] != size))
      return Error{Error::Extent,
                   "has the size " + std::to_string(given.sizes[dim]) + " in dimension " +
                       std::to_string(dim + 1),
                   size < 0 ? "none below 0" : std::to_string(size)};
  auto storage =
      std::make_shared<Storage>(std::vector<int64_t>(given.sizes, given.sizes + order), types);
  for (int64_t at = 0; at < count; ++at) {
    const strata_buffer &buffer = given.buffers[at];
    const strata_type wanted = types[static_cast<size_t>(at)];
    if (buffer.type != wanted)
      return Error{Error::ElementType, "has another element type in array " + std::to_string(at),
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

/// A tensor of the caller's: the next storages, as many as its type has parts.
Result<Tensor> tensorOf(const Program &program, TypeId id, const strata_storage *const *&next) {
  const TensorType &type = program.types[static_cast<size_t>(id)];
  Tensor tensor{.type = id};
  for (size_t part = 0; part < type.parts.size(); ++part) {
    Result<std::shared_ptr<Storage>> storage = adopt(**next++, type, part);
    if (!storage)
      return storage.takeStatus();
    if (type.isSum())
      tensor.parts.push_back({.storage = std::move(*storage)});
    else
      tensor.storage = std::move(*storage);
  }
  const auto &parts = tensor.parts;
  if (std::ranges::any_of(parts, [&](auto &part) { return part.sizes() != parts[0].sizes(); }))
    return Error{Error::Extent, "has parts of several sizes"};
  return tensor;
}

std::vector<std::shared_ptr<Storage>> storagesOf(const Tensor &tensor) {
  if (tensor.parts.empty())
    return {tensor.storage};
  std::vector<std::shared_ptr<Storage>> storages;
  for (const Tensor &part : tensor.parts)
    storages.push_back(part.storage);
  return storages;
}

bool call(const Program &program, const strata_kernel *kernels,
          const strata_storage *const *arguments, strata_returned **returned) {
  std::vector<Tensor> tensors;
  for (size_t at = 0; at < program.arguments.size(); ++at) {
    Result<Tensor> tensor = tensorOf(program, program.arguments[at].type, arguments);
    if (!tensor)
      return refuse(program, at, tensor.error());
    tensors.push_back(std::move(*tensor));
  }
  CompiledKernels provider(program, kernels);
  Console console(program);
  Interpreter interpreter(program, provider, console);
  // That they are held here keeps the program from changing what the caller owns.
  if (!interpreter.call(tensors))
    return false;
  if (program.results.empty() || !returned)
    return true;
  std::vector<std::shared_ptr<Storage>> result =
      storagesOf(interpreter.value(program.results.front()));
  for (std::shared_ptr<Storage> &part : result) {
    // An argument that is returned as it came is the caller's still.
    const bool isGiven = std::ranges::any_of(
        tensors, [&](const Tensor &one) { return std::ranges::count(storagesOf(one), part) > 0; });
    if (!isGiven)
      continue;
    Result<Storage> own = cloned(*part);
    if (!own) {
      std::fprintf(stderr, "error: %s\n", own.error().sentence().c_str());
      return false;
    }
    part = std::make_shared<Storage>(std::move(*own));
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
  return strata_returned_part(returned, 0);
}

int64_t strata_returned_parts(const strata_returned *returned) {
  return static_cast<int64_t>(returned->parts.size());
}

const strata_storage *strata_returned_part(const strata_returned *returned, int64_t part) {
  return returned->parts[static_cast<size_t>(part)]->abi();
}

void strata_returned_release(strata_returned *returned) { delete returned; }

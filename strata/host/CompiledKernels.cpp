// Packs, unpacks, converts and computes by kernels that were compiled ahead.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/CompiledKernels.h"

#include "strata/host/Pack.h"
#include "strata/host/Unpack.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>

using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata::host {

Kernel CompiledKernels::kernel(KernelId number) const {
  return [this, entry = kernels[number]](Storage &result, std::span<Storage *const> operands,
                                         std::span<const int64_t> extents) -> Status {
    strata_context call;
    strata_context_initialize(&call);
    call.allocator = result.allocator();
    call.interrupt = interrupt;
    std::vector<strata_storage *> storages{result.abi()};
    for (Storage *operand : operands)
      storages.push_back(operand->abi());
    if (entry(&call, storages.data(), extents.data()) == STRATA_OK)
      return Status();
    return Error{runtime::codeOf(strata_status(call.status)), call.message};
  };
}

//===------------------------------------------------------------------------------------------===//
// Lists
//===------------------------------------------------------------------------------------------===//

namespace {

// Packs by a kernel of the program.
class CompiledPacker : public Packer {
public:
  CompiledPacker(Copy copied, strata_type coordinates)
      : copied(std::move(copied)), coordinates(coordinates) {}

  Result<Copy> copy(Coordinates &levels, std::span<const int>, std::span<const int64_t>) override {
    if (Status status = levels.convertCoordinates(coordinates); !status.ok())
      return Error{Error::IndexWidth,
                   "a size does not fit the 32 bits of the program's coordinates",
                   "a program that is compiled with --widths=64"};
    return copied;
  }

private:
  Copy copied;
  strata_type coordinates;
};

strata_type coordinateType(const Program &program) {
  return program.coordinateBits == 32 ? STRATA_I32 : STRATA_I64;
}

bool isZero(std::span<const char> element) {
  return std::ranges::all_of(element, [](char byte) { return byte == 0; });
}

} // namespace

Result<std::shared_ptr<Storage>> CompiledKernels::packPart(Coordinates list, TypeId id, size_t part,
                                                           std::span<const char> fill) const {
  const StoredFormat &format = program.type(id).parts[part];
  const ListKernels &own = program.type(id).kernels[part];
  const bool silentZero = isZero(fill);
  if (!silentZero && !std::ranges::equal(fill, format.fill))
    return Error{Error::FillValue,
                 "elements that are not listed have another value than the fill of the format " +
                     format.name + ", which programs that are compiled ahead do not store",
                 "the same fill"};
  const KernelId number = silentZero ? own.pack : own.packFill;
  Packer::Copy copy{{}, silentZero ? own.packKeepsValues : own.packFillKeepsValues};
  if (number >= 0)
    copy.kernel = kernel(number);
  CompiledPacker packer(std::move(copy), coordinateType(program));
  Result<Storage> storage = host::pack(std::move(list), format, silentZero, packer);
  if (!storage)
    return storage.takeStatus();
  return std::make_shared<Storage>(std::move(*storage));
}

Result<Tensor> CompiledKernels::pack(Coordinates list, TypeId id, std::span<const char> fill) {
  const TensorType &type = program.type(id);
  Tensor tensor{.type = id};
  if (!type.isSum()) {
    Result<std::shared_ptr<Storage>> storage = packPart(std::move(list), id, 0, fill);
    if (!storage)
      return storage.takeStatus();
    tensor.storage = std::move(*storage);
    return tensor;
  }
  if (Status status = list.convertValues(type.parts.front().element); !status.ok())
    return status;
  if (Result<int64_t> summed = list.sumDuplicates(); !summed)
    return summed.takeStatus();
  Result<std::vector<Coordinates>> lists = divide(std::move(list), type.parts, type.divisions);
  if (!lists)
    return lists.takeStatus();
  for (size_t part = 0; part < lists->size(); ++part) {
    Result<std::shared_ptr<Storage>> storage = packPart(std::move((*lists)[part]), id, part, fill);
    if (!storage)
      return storage.takeStatus();
    tensor.parts.push_back({.storage = std::move(*storage)});
  }
  return tensor;
}

// The entries as they lie.
Result<Coordinates> CompiledKernels::unsortedEntries(const Tensor &tensor) const {
  const TensorType &type = program.type(tensor.type);
  auto one = [&](const Storage &storage, size_t part) {
    auto makeKernel = [&](const std::vector<int64_t> &) -> Result<ListKernel> {
      const ListKernels &own = type.kernels[part];
      return ListKernel{kernel(own.unpack), coordinateType(program), own.unpackLeavesFills};
    };
    return unpack(storage, type.parts[part], makeKernel);
  };
  if (tensor.parts.empty())
    return one(*tensor.storage, 0);
  return joinParts(tensor.parts.size(), tensor.sizes(),
                   [&](size_t part) { return one(*tensor.parts[part].storage, part); });
}

Result<Coordinates> CompiledKernels::entriesOf(const Tensor &tensor) {
  Result<Coordinates> list = unsortedEntries(tensor);
  if (list)
    if (Status settled = settle(*list); !settled.ok())
      return settled;
  return list;
}

//===------------------------------------------------------------------------------------------===//
// Other formats
//===------------------------------------------------------------------------------------------===//

// The most entries that a place of the counted dimensions has.
Result<int64_t> CompiledKernels::slotsOf(const CountedSlots &slots, Storage &from) const {
  std::vector<int64_t> sizes;
  for (int64_t dim : slots.dimensions)
    sizes.push_back(from.sizes()[size_t(dim)]);
  std::vector<strata_type> types{STRATA_I64};
  Storage counts(std::move(sizes), types);
  Storage *operand = &from;
  if (Status status = kernel(slots.kernel)(counts, {&operand, 1}, from.sizes()); !status.ok())
    return status;
  const auto *begin = static_cast<const int64_t *>(counts.values().data);
  int64_t most = 0;
  for (int64_t at = 0; at < counts.values().count; ++at)
    most = std::max(most, begin[at]);
  return most;
}

Result<Tensor> CompiledKernels::convertByKernel(const Convert &convert, const Tensor &from) const {
  auto storage = std::make_shared<Storage>(from.sizes(), program.format(convert.type).buffers);
  Storage *operand = from.storage.get();
  std::vector<int64_t> extents = from.sizes();
  if (convert.slots.kernel >= 0) {
    Result<int64_t> slots = slotsOf(convert.slots, *operand);
    if (!slots)
      return slots.takeStatus();
    extents.push_back(*slots);
  }
  if (Status status = kernel(convert.kernel)(*storage, {&operand, 1}, extents); !status.ok())
    return status;
  if (convert.slots.kernel >= 0) {
    if (Status status = storage->allocate(convert.slots.buffer, 1); !status.ok())
      return status;
    *static_cast<int64_t *>(storage->buffer(convert.slots.buffer).data) = extents.back();
  }
  return Tensor{.type = convert.type, .storage = std::move(storage)};
}

Result<Tensor> CompiledKernels::convert(const Convert &convert, const Tensor &from) {
  if (convert.kernel >= 0)
    return convertByKernel(convert, from);
  Result<Coordinates> list = unsortedEntries(from);
  if (!list)
    return list.takeStatus();
  const StoredFormat &given = program.format(from.type);
  // The repetitions of a list are terms of computed sums, which wrap.
  bool isInteger = runtime::withValueType(list->valueType(),
                                          []<typename T>(T *) { return std::is_integral_v<T>; });
  if (isInteger && given.repeats)
    if (Result<int64_t> summed = list->sumDuplicates({}, runtime::Overflow::wraps); !summed)
      return summed.takeStatus();
  return pack(std::move(*list), convert.type, given.fill);
}

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

// The storage that a statement's kernel writes: new, or the one of the value that it updates.
Result<std::shared_ptr<Storage>> CompiledKernels::resultFor(const Compute &compute,
                                                            State &state) const {
  const strata_allocator allocator = state.allocatorOf(compute.to);
  if (compute.init < 0)
    return std::make_shared<Storage>(state.sizesOf(compute.sizes),
                                     program.format(compute.type).buffers, allocator);
  std::shared_ptr<Storage> &before = state.tensor(compute.init).storage;
  if (compute.inPlace && before.use_count() == 1)
    return std::move(before);
  Result<Storage> copy = cloned(*before, allocator);
  if (!copy)
    return copy.takeStatus();
  return std::make_shared<Storage>(std::move(*copy));
}

// Refuses accesses outside of tensors, and labels with other numbers of values than schedules say.
static Status checkReaches(const Compute &compute, const State &state,
                           const std::vector<int64_t> &resultSizes) {
  for (const Reach &reach : compute.reaches) {
    const std::vector<int64_t> &own =
        reach.tensor < 0 ? resultSizes : state.tensorSizes[size_t(reach.tensor)];
    std::vector<int64_t> extents = state.sizesOf(reach.extents);
    Status fits = checkReach(reach.coordinates, extents, own, reach.name);
    if (fits.ok() && reach.whole)
      fits = checkWhole(reach.coordinates, extents, own, reach.name);
    if (!fits.ok())
      return fits;
  }
  for (const Assumed &assumed : compute.assumed) {
    int64_t extent = state.size(assumed.extent);
    if (extent < assumed.least || extent > assumed.most)
      return Error{Error::Extent, assumed.message + std::to_string(extent) + " values"};
  }
  return Status();
}

Result<Tensor> CompiledKernels::compute(const Compute &compute, State &state) {
  Result<std::shared_ptr<Storage>> result = resultFor(compute, state);
  if (!result)
    return result.takeStatus();
  if (Status fits = checkReaches(compute, state, (*result)->sizes()); !fits.ok())
    return fits;
  std::vector<Storage *> operands;
  for (TensorId operand : compute.operands)
    operands.push_back(operand < 0 ? result->get() : state.tensor(operand).storage.get());
  if (Status status = kernel(compute.kernel)(**result, operands, state.sizesOf(compute.extents));
      !status.ok())
    return status;
  return Tensor{.type = compute.type, .storage = std::move(*result)};
}

} // namespace strata::host

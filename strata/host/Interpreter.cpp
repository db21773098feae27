// Executes the instructions of a program that are neither sources nor control flow.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Interpreter.h"

#include "strata/host/Pack.h"
#include "strata/host/Print.h"
#include "strata/host/Unpack.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/runtime/storage/ValueTypes.h"

#include <algorithm>
#include <cstdlib>

using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata::host {

void Interpreter::define(TensorId to, Tensor tensor) {
  tensorSizes[size_t(to)] = tensor.sizes();
  tensors[size_t(to)] = std::move(tensor);
}

std::vector<int64_t> Interpreter::sizesOf(const std::vector<SizeId> &ids) const {
  std::vector<int64_t> result;
  for (SizeId id : ids)
    result.push_back(sizes[size_t(id)]);
  return result;
}

Result<std::string> Interpreter::fileOf(const FileName &file) const {
  if (file.parameter.empty())
    return file.name;
  auto given = surroundings.parameters.find(file.parameter);
  if (given != surroundings.parameters.end())
    return given->second;
  // COMET's programs number their files, which the environment names.
  if (file.parameter.starts_with("SPARSE_FILE_NAME"))
    if (const char *value = std::getenv(file.parameter.c_str()); value && *value)
      return std::string(value);
  return Error{"'" + file.parameter + "' has no value: give the file's name with -D " +
               file.parameter + "=FILE"};
}

//===------------------------------------------------------------------------------------------===//
// Kernels and lists
//===------------------------------------------------------------------------------------------===//

Kernel Interpreter::kernel(KernelId number) const {
  return [this, entry = kernels[number]](Storage &result, std::span<Storage *const> operands,
                                         std::span<const int64_t> extents) -> Status {
    strata_context call;
    strata_context_initialize(&call);
    call.interrupt = surroundings.interrupt;
    std::vector<strata_storage *> storages{result.abi()};
    for (Storage *operand : operands)
      storages.push_back(operand->abi());
    if (entry(&call, storages.data(), extents.data()) == STRATA_OK)
      return Status();
    return Error{call.message};
  };
}

namespace {

// Packs by a kernel that was compiled ahead.
class CompiledPacker : public Packer {
public:
  CompiledPacker(Copy copied, strata_type coordinates)
      : copied(std::move(copied)), coordinates(coordinates) {}

  Result<Copy> copy(Coordinates &levels, std::span<const int>, std::span<const int64_t>) override {
    if (Status status = levels.convertCoordinates(coordinates); !status.ok())
      return Error{"a size does not fit the 32 bits of the program's coordinates",
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

} // namespace

Result<Tensor> Interpreter::packed(Coordinates list, TypeId id, bool silentZero) const {
  const TensorType &type = program.types[size_t(id)];
  auto one = [&](Coordinates entries, size_t part) -> Result<std::shared_ptr<Storage>> {
    const ListKernels &own = type.kernels[part];
    KernelId number = silentZero ? own.pack : own.packFill;
    Packer::Copy copy{{}, silentZero ? own.packKeepsValues : own.packFillKeepsValues};
    if (number >= 0)
      copy.kernel = kernel(number);
    CompiledPacker packer(std::move(copy), coordinateType(program));
    Result<Storage> storage = host::pack(std::move(entries), type.parts[part], silentZero, packer);
    if (!storage)
      return storage.takeStatus();
    return std::make_shared<Storage>(std::move(*storage));
  };
  if (!type.isSum()) {
    Result<std::shared_ptr<Storage>> storage = one(std::move(list), 0);
    return storage ? Result<Tensor>(Tensor{id, std::move(*storage)})
                   : Result<Tensor>(storage.takeStatus());
  }
  if (Status status = list.convertValues(type.parts.front().element); !status.ok())
    return status;
  if (Result<int64_t> summed = list.sumDuplicates(); !summed)
    return summed.takeStatus();
  Result<std::vector<Coordinates>> lists = divide(std::move(list), type.parts, type.divisions);
  if (!lists)
    return lists.takeStatus();
  Tensor tensor{id, nullptr};
  for (size_t part = 0; part < lists->size(); ++part) {
    Result<std::shared_ptr<Storage>> storage = one(std::move((*lists)[part]), part);
    if (!storage)
      return storage.takeStatus();
    tensor.parts.push_back(std::move(*storage));
  }
  return tensor;
}

Result<Coordinates> Interpreter::entriesOf(const Tensor &tensor) const {
  const TensorType &type = program.types[size_t(tensor.type)];
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
                   [&](size_t part) { return one(*tensor.parts[part], part); });
}

// The same, sorted, each entry once.
Result<Coordinates> Interpreter::listOf(const Tensor &tensor) const {
  Result<Coordinates> list = entriesOf(tensor);
  if (list)
    if (Status settled = settle(*list); !settled.ok())
      return settled;
  return list;
}

Status Interpreter::checkDeclared(const std::vector<int64_t> &sizes,
                                  const std::vector<int64_t> &declared) {
  for (size_t dim = 0; dim < declared.size() && dim < sizes.size(); ++dim)
    if (declared[dim] >= 0 && declared[dim] != sizes[dim])
      return Error{"dimension " + std::to_string(dim + 1) + " has size " +
                   std::to_string(sizes[dim]) + ", but " + std::to_string(declared[dim]) +
                   " was declared"};
  return Status();
}

Status Interpreter::pack(TensorId to, TypeId id, Result<Coordinates> list, bool silentZero) {
  if (!list)
    return list.takeStatus();
  const TensorType &type = program.types[size_t(id)];
  if (list->sizes().size() != type.sizes.size())
    return Error{"this makes a tensor of order " + std::to_string(list->order()) + ", order " +
                 std::to_string(type.sizes.size()) + " was declared"};
  if (Status fits = checkDeclared(list->sizes(), type.sizes); !fits.ok())
    return fits;
  Result<Tensor> tensor = packed(std::move(*list), id, silentZero);
  if (!tensor)
    return tensor.takeStatus();
  define(to, std::move(*tensor));
  return Status();
}

//===------------------------------------------------------------------------------------------===//
// Other formats
//===------------------------------------------------------------------------------------------===//

// The most entries that a place of the counted dimensions has.
Result<int64_t> Interpreter::slotsOf(const CountedSlots &slots, Storage &from) const {
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

Result<Tensor> Interpreter::convertedByKernel(const Convert &convert) const {
  const Tensor &from = tensors[size_t(convert.from)];
  const StoredFormat &format = program.types[size_t(convert.type)].parts.front();
  auto storage = std::make_shared<Storage>(from.sizes(), format.buffers);
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
  return Tensor{convert.type, std::move(storage)};
}

Status Interpreter::execute(const Convert &convert) {
  const Tensor &from = tensors[size_t(convert.from)];
  if (!convert.sizes.empty() && from.sizes() != sizesOf(convert.sizes))
    return Error{"the copy has other sizes than what it copies, which programs that are compiled "
                 "ahead do not do",
                 "a label whose size is that of the tensor"};
  if (convert.kernel >= 0) {
    Result<Tensor> made = convertedByKernel(convert);
    if (!made)
      return made.takeStatus();
    define(convert.to, std::move(*made));
    return Status();
  }
  Result<Coordinates> list = entriesOf(from);
  if (!list)
    return list.takeStatus();
  const StoredFormat &given = program.types[size_t(from.type)].parts.front();
  // The repetitions of a list are terms of computed sums, which wrap.
  bool isInteger = runtime::withValueType(list->valueType(),
                                          []<typename T>(T *) { return std::is_integral_v<T>; });
  if (isInteger && given.repeats)
    if (Result<int64_t> summed = list->sumDuplicates({}, runtime::Overflow::wraps); !summed)
      return summed.takeStatus();
  Result<Tensor> made = packed(std::move(*list), convert.type, !given.hasFill);
  if (!made)
    return made.takeStatus();
  define(convert.to, std::move(*made));
  return Status();
}

Status Interpreter::execute(const Component &component) {
  const Tensor &from = tensors[size_t(component.from)];
  auto part = from.parts[size_t(component.number)];
  define(component.to, {component.type, std::move(part)});
  return Status();
}

Status Interpreter::execute(const Gather &gather) {
  std::vector<int64_t> extents = sizesOf(gather.extents);
  const Tensor &from = tensors[size_t(gather.from)];
  if (Status reached = checkReach(gather.place.coordinates, extents, from.sizes(), gather.name);
      !reached.ok())
    return reached;
  Result<Coordinates> list = listOf(from);
  if (!list)
    return list.takeStatus();
  // What is gathered from a tensor is worth elsewhere what the tensor is.
  bool hasFill = program.types[size_t(gather.type)].parts.front().hasFill;
  return pack(gather.to, gather.type, reindexed(*list, gather.place, extents), !hasFill);
}

Status Interpreter::execute(const InsertPart &insert) {
  std::vector<int64_t> extents = sizesOf(insert.extents);
  const Tensor &whole = tensors[size_t(insert.whole)];
  if (Status reached = checkReach(insert.place.coordinates, extents, whole.sizes(), insert.name);
      !reached.ok())
    return reached;
  Result<Coordinates> entries = listOf(whole), fresh = listOf(tensors[size_t(insert.part)]);
  if (!entries || !fresh)
    return entries ? fresh.takeStatus() : entries.takeStatus();
  bool hasFill = program.types[size_t(insert.type)].parts.front().hasFill;
  return pack(insert.to, insert.type, overlaid(*fresh, *entries, insert.place, extents), !hasFill);
}

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

// The storage that a statement's kernel writes: new, or the one of the value that it updates.
Result<std::shared_ptr<Storage>> Interpreter::resultFor(const Compute &compute) {
  if (compute.init < 0)
    return std::make_shared<Storage>(sizesOf(compute.sizes),
                                     program.types[size_t(compute.type)].parts.front().buffers);
  std::shared_ptr<Storage> &before = tensors[size_t(compute.init)].storage;
  if (compute.inPlace && before.use_count() == 1)
    return std::move(before);
  Result<Storage> copy = cloned(*before);
  if (!copy)
    return copy.takeStatus();
  return std::make_shared<Storage>(std::move(*copy));
}

Status Interpreter::checkReaches(const Compute &compute,
                                 const std::vector<int64_t> &resultSizes) const {
  for (const Reach &reach : compute.reaches) {
    const std::vector<int64_t> &own =
        reach.tensor < 0 ? resultSizes : tensorSizes[size_t(reach.tensor)];
    std::vector<int64_t> extents = sizesOf(reach.extents);
    Status fits = checkReach(reach.coordinates, extents, own, reach.name);
    if (fits.ok() && reach.whole)
      fits = checkWhole(reach.coordinates, extents, own, reach.name);
    if (!fits.ok())
      return fits;
  }
  for (const Assumed &assumed : compute.assumed) {
    int64_t extent = sizes[size_t(assumed.extent)];
    if (extent < assumed.least || extent > assumed.most)
      return Error{assumed.message + std::to_string(extent) + " values"};
  }
  return Status();
}

Status Interpreter::execute(const Compute &compute) {
  Result<std::shared_ptr<Storage>> result = resultFor(compute);
  if (!result)
    return result.takeStatus();
  if (Status fits = checkReaches(compute, (*result)->sizes()); !fits.ok())
    return fits;
  std::vector<Storage *> operands;
  for (TensorId operand : compute.operands) {
    operands.push_back(operand < 0 ? result->get() : tensors[size_t(operand)].storage.get());
  }
  if (Status status = kernel(compute.kernel)(**result, operands, sizesOf(compute.extents));
      !status.ok())
    return status;
  define(compute.to, {compute.type, std::move(*result)});
  return Status();
}

Status Interpreter::execute(const Release &release) {
  for (TensorId tensor : release.tensors)
    tensors[size_t(tensor)] = Tensor();
  return Status();
}

//===------------------------------------------------------------------------------------------===//
// Output
//===------------------------------------------------------------------------------------------===//

Status Interpreter::execute(const Write &write) {
  Result<std::string> file = fileOf(write.file);
  if (!file)
    return file.takeStatus();
  const Tensor &tensor = tensors[size_t(write.tensor)];
  const StoredFormat &format = program.types[size_t(tensor.type)].parts.front();
  std::complex<double> fill = numberOf(format.fill, format.element);
  if (format.hasFill && !runtime::keepsFill(*file))
    return Error{"elements that such files do not list are zero, but this tensor has the fill "
                 "value " +
                     fillText(fill) + " where it stores nothing",
                 "a binsparse file (.bsp.h5), or a Dense tensor"};
  std::fflush(surroundings.out);
  if (tensor.parts.empty())
    if (std::optional<std::vector<int64_t>> strides = denseStrides(format, tensor.sizes()))
      if (std::optional<Status> written = runtime::writeDenseTensorFile(
              *file, {tensor.sizes(), *strides, format.element, tensor.storage->values().data}))
        return std::move(*written);
  Result<Coordinates> list = listOf(tensor);
  if (!list)
    return list.takeStatus();
  return format.hasFill ? runtime::writeTensorFile(*file, *list, fill)
                        : runtime::writeTensorFile(*file, *list);
}

Status Interpreter::execute(const Print &print) {
  const Tensor &tensor = tensors[size_t(print.tensor)];
  const StoredFormat &format = program.types[size_t(tensor.type)].parts.front();
  Result<std::string> text = Error{""};
  if (print.bare && tensor.sizes().empty()) {
    text = valueText(*tensor.storage, 0);
  } else if (tensor.parts.empty()) {
    text = tensorText(print.name, *tensor.storage, format, [&] { return listOf(tensor); });
  } else {
    Result<Coordinates> list = listOf(tensor);
    if (!list)
      return list.takeStatus();
    text = entriesText(print.name, *list, format);
  }
  if (!text)
    return text.takeStatus();
  std::fwrite(text->data(), 1, text->size(), surroundings.out);
  return Status();
}

Status Interpreter::execute(const PrintStorage &print) {
  const Tensor &tensor = tensors[size_t(print.tensor)];
  std::string text =
      tensor.parts.empty() ? storageText(print.name, *tensor.storage, print.parts.front()) : "";
  for (size_t part = 0; part < tensor.parts.size(); ++part)
    text += storageText(partName(print.name, part, tensor.parts.size()), *tensor.parts[part],
                        print.parts[part]);
  std::fwrite(text.data(), 1, text.size(), surroundings.out);
  return Status();
}

Status Interpreter::execute(const PrintText &print) {
  std::fwrite(print.text.data(), 1, print.text.size(), surroundings.out);
  return Status();
}

Status Interpreter::execute(const Time &time) {
  std::chrono::duration<double> since = std::chrono::steady_clock::now() - start;
  double seconds = since.count();
  define(time.to, scalar(time.type, {reinterpret_cast<const char *>(&seconds), sizeof(seconds)}));
  return Status();
}

Status Interpreter::execute(const PrintElapsed &print) {
  auto seconds = [&](TensorId tensor) {
    return *static_cast<const double *>(tensors[size_t(tensor)].storage->values().data);
  };
  std::fprintf(surroundings.out, "ELAPSED_TIME = %.6f\n",
               seconds(print.end) - seconds(print.start));
  return Status();
}

//===------------------------------------------------------------------------------------------===//
// Sizes and conditions
//===------------------------------------------------------------------------------------------===//

Status Interpreter::execute(const Dim &dim) {
  sizes[size_t(dim.to)] = tensorSizes[size_t(dim.tensor)][size_t(dim.dim)];
  return Status();
}

Status Interpreter::execute(const Number &number) {
  sizes[size_t(number.to)] = number.value;
  return Status();
}

Status Interpreter::execute(const SameSize &same) {
  int64_t size = sizes[size_t(same.sizes.front())];
  for (size_t at = 0; at < same.sizes.size(); ++at)
    if (int64_t other = sizes[size_t(same.sizes[at])]; other != size)
      return Error{"'" + same.label + "' has two sizes: " + std::to_string(size) + " from " +
                   same.uses[0] + ", " + std::to_string(other) + " from " + same.uses[at]};
  sizes[size_t(same.to)] = size;
  return Status();
}

Status Interpreter::execute(const Fit &fit) {
  std::vector<int64_t> own = sizesOf(fit.sizes);
  int64_t least = INT64_MAX;
  for (const Affine &bound : fit.bounds)
    least = std::min(least, bound.evaluate(own));
  sizes[size_t(fit.to)] = std::max<int64_t>(least, 0);
  return Status();
}

Status Interpreter::execute(const Holds &comparison) {
  sizes[size_t(comparison.to)] =
      holds(comparison.relation, scalarOf(*tensors[size_t(comparison.left)].storage),
            scalarOf(*tensors[size_t(comparison.right)].storage));
  return Status();
}

Status Interpreter::execute(const Logic &logic) {
  int64_t left = sizes[size_t(logic.left)], right = sizes[size_t(logic.right)];
  sizes[size_t(logic.to)] = logic.isAnd ? left & right : left | right;
  return Status();
}

} // namespace strata::host

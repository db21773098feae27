// Executes the instructions of a program that are neither sources nor control flow.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Interpreter.h"

#include "strata/host/Print.h"
#include "strata/host/StoredValues.h"
#include "strata/host/WriteTensor.h"
#include "strata/runtime/io/SharedOutput.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata::host {

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
  return Error{Error::Parameter, "'" + file.parameter +
                                     "' has no value: give the file's name with -D " +
                                     file.parameter + "=FILE"};
}

//===------------------------------------------------------------------------------------------===//
// Lists and other formats
//===------------------------------------------------------------------------------------------===//

Status Interpreter::checkDeclared(TensorId to, const std::vector<int64_t> &sizes,
                                  const std::vector<int64_t> &declared) const {
  for (size_t dim = 0; dim < declared.size() && dim < sizes.size(); ++dim)
    if (declared[dim] >= 0 && declared[dim] != sizes[dim])
      return Error{Error::Extent, "dimension " + std::to_string(dim + 1) + " of " +
                                      program.names[size_t(to)] + " has size " +
                                      std::to_string(sizes[dim]) + ", but " +
                                      std::to_string(declared[dim]) + " was declared"};
  return Status();
}

Status Interpreter::pack(TensorId to, TypeId id, Result<Coordinates> list,
                         std::span<const char> fill) {
  if (!list)
    return list.takeStatus();
  const TensorType &type = program.type(id);
  if (list->sizes().size() != type.sizes.size())
    return Error{Error::Order, "this makes a tensor of order " + std::to_string(list->order()) +
                                   ", order " + std::to_string(type.sizes.size()) +
                                   " was declared"};
  if (Status fits = checkDeclared(to, list->sizes(), type.sizes); !fits.ok())
    return fits;
  return state.define(to, provider.pack(std::move(*list), id, fill));
}

Status Interpreter::execute(const Convert &convert) {
  const Tensor &from = state.tensor(convert.from);
  if (!convert.sizes.empty() && from.sizes() != state.sizesOf(convert.sizes))
    return Error{Error::Unsupported,
                 "the copy has other sizes than what it copies, which programs that are compiled "
                 "ahead do not do",
                 "a label whose size is that of the tensor"};
  return state.define(convert.to, provider.convert(convert, from));
}

Status Interpreter::execute(const Component &component) {
  Tensor part = state.tensor(component.from).parts[size_t(component.number)];
  if (part.type < 0)
    part.type = component.type;
  state.define(component.to, std::move(part));
  return Status();
}

Status Interpreter::execute(const Values &values) {
  const Tensor &from = state.tensor(values.from);
  const Tensor &stored = from.parts.empty() ? from : from.parts[size_t(values.part)];
  state.define(values.to, Tensor{.type = values.type, .storage = valuesOf(stored.storage)});
  return Status();
}

Status Interpreter::execute(const WithValues &with) {
  auto taken = [&](TensorId id) {
    const bool ends = std::ranges::find(with.ended, id) != with.ended.end();
    return ends ? std::exchange(state.tensor(id), Tensor()) : state.tensor(id);
  };
  Tensor made = taken(with.pattern);
  made.source = nullptr;
  for (size_t part = 0; part < with.values.size(); ++part) {
    std::shared_ptr<runtime::Storage> &own =
        made.parts.empty() ? made.storage : made.parts[part].storage;
    Result<std::shared_ptr<runtime::Storage>> fresh =
        withValues(std::move(own), taken(with.values[part]).storage);
    if (!fresh)
      return fresh.takeStatus();
    own = std::move(*fresh);
  }
  state.define(with.to, std::move(made));
  return Status();
}

Status Interpreter::execute(const Gather &gather) {
  std::vector<int64_t> extents = state.sizesOf(gather.extents);
  const Tensor &from = state.tensor(gather.from);
  if (Status reached = checkReach(gather.place.coordinates, extents, from.sizes(), gather.name);
      !reached.ok())
    return reached;
  Result<std::shared_ptr<const Coordinates>> list = provider.listOf(from);
  if (!list)
    return list.takeStatus();
  // What is gathered from a tensor is worth elsewhere what the tensor is.
  return pack(gather.to, gather.type, reindexed(**list, gather.place, extents),
              program.format(gather.type).fill);
}

Status Interpreter::execute(const InsertPart &insert) {
  std::vector<int64_t> extents = state.sizesOf(insert.extents);
  const Tensor &whole = state.tensor(insert.whole);
  if (Status reached = checkReach(insert.place.coordinates, extents, whole.sizes(), insert.name);
      !reached.ok())
    return reached;
  Result<std::shared_ptr<const Coordinates>> entries = provider.listOf(whole);
  if (!entries)
    return entries.takeStatus();
  Result<std::shared_ptr<const Coordinates>> fresh = provider.listOf(state.tensor(insert.part));
  if (!fresh)
    return fresh.takeStatus();
  return pack(insert.to, insert.type, overlaid(**fresh, **entries, insert.place, extents),
              program.format(insert.type).fill);
}

Status Interpreter::execute(const Compute &compute) {
  return state.define(compute.to, provider.compute(compute, state));
}

Status Interpreter::execute(const Release &release) {
  for (TensorId tensor : release.tensors)
    state.tensor(tensor) = Tensor();
  return Status();
}

//===------------------------------------------------------------------------------------------===//
// Output
//===------------------------------------------------------------------------------------------===//

Status Interpreter::execute(const Write &write) {
  Result<std::string> file = fileOf(write.file);
  if (!file)
    return file.takeStatus();
  observer.flush();
  const std::string operation = "the writing of " + *file;
  if (Status here = meet(operation).takeStatus(); !here.ok())
    return here;
  TensorId source = write.tensor;
  if (state.tensor(source).pieces) {
    if (Result<bool> written = writePieces(state.tensor(source), *file, operation);
        !written || *written)
      return written.takeStatus();
    const Move gathering{write.whole, write.wholeType, write.tensor};
    if (Status gathered = moves.bringPlaced(gathering); !gathered.ok())
      return gathered;
    source = write.whole;
  }
  Status written;
  if (const Tensor &tensor = state.tensor(source); speaks())
    written = writeTensor(
        *file, tensor.storage.get(), program.format(tensor.type),
        [&] { return provider.levelsOf(tensor); }, [&] { return provider.entriesOf(tensor); },
        surroundings.indexBase);
  if (write.whole >= 0)
    state.tensor(write.whole) = Tensor();
  return written;
}

// Each process writes what it has, one behind the other. False if that cannot be.
Result<bool> Interpreter::writePieces(const Tensor &tensor, const std::string &file,
                                      const std::string &operation) {
  const TensorType &type = program.type(tensor.type);
  const StoredFormat &format = type.parts.front();
  const bool listed =
      !format.hasFill && (type.isSum() || !format.isArray()) && runtime::canBeWrittenTogether(file);
  if (!surroundings.job || surroundings.job->size() == 1 || !listed || tensor.sizes().empty())
    return false;
  const runtime::FileRanks ranks = fileRanks(operation);
  Result<std::optional<runtime::SharedOutput>> shared = runtime::SharedOutput::create(file, ranks);
  if (!shared || !*shared)
    return shared ? Result<bool>(false) : shared.takeStatus();
  Result<Coordinates> entries = moves.sortedAcross(tensor, operation);
  if (!entries)
    return entries.takeStatus();
  const runtime::WriteFileOptions options{.base = surroundings.indexBase, .shared = &**shared};
  if (Status done = runtime::writeTensorFile(file, *entries, options); !done.ok())
    return done;
  return true;
}

Status Interpreter::execute(const Print &print) {
  if (Status here = meetToPrint(print.name); !here.ok() || !speaks())
    return here;
  const Tensor &tensor = state.tensor(print.tensor);
  Result<std::string> text =
      print.bare && tensor.sizes().empty()
          ? Result<std::string>(valueText(*tensor.storage, 0))
          : tensorText(print.name, tensor.storage.get(), program.format(tensor.type),
                       [&] { return provider.entriesOf(tensor); });
  if (!text)
    return text.takeStatus();
  observer.print(*text);
  return Status();
}

Status Interpreter::execute(const PrintStorage &print) {
  if (Status here = meetToPrint("a storage"); !here.ok() || !speaks())
    return here;
  observer.print(provider.textOf(print, state.tensor(print.tensor)));
  return Status();
}

Status Interpreter::execute(const PrintText &print) {
  if (Status here = meetToPrint("a text"); !here.ok() || !speaks())
    return here;
  observer.print(print.text);
  return Status();
}

Status Interpreter::execute(const Checkpoint &checkpoint) {
  return provider.check(checkpoint, state.tensor(checkpoint.tensor));
}

Status Interpreter::execute(const Time &time) {
  std::chrono::duration<double> since = std::chrono::steady_clock::now() - start;
  const double own = since.count() - provider.secondsSpent();
  // Conditions may ask for the time: all processes take that of the first.
  Result<std::vector<int64_t>> all = meet("the time", std::bit_cast<int64_t>(own));
  if (!all)
    return all.takeStatus();
  const auto seconds = std::bit_cast<double>(all->front());
  state.define(time.to,
               scalar(time.type, {reinterpret_cast<const char *>(&seconds), sizeof(seconds)}));
  return Status();
}

Status Interpreter::execute(const PrintElapsed &print) {
  auto seconds = [&](TensorId tensor) {
    return *static_cast<const double *>(state.tensor(tensor).storage->values().data);
  };
  char text[64];
  std::snprintf(text, sizeof(text), "ELAPSED_TIME = %.6f\n",
                seconds(print.end) - seconds(print.start));
  if (Status here = meetToPrint("a time"); !here.ok() || !speaks())
    return here;
  observer.print(text);
  return Status();
}

//===------------------------------------------------------------------------------------------===//
// Sizes and conditions
//===------------------------------------------------------------------------------------------===//

Status Interpreter::execute(const Dim &dim) {
  state.sizes[size_t(dim.to)] = state.tensorSizes[size_t(dim.tensor)][size_t(dim.dim)];
  return Status();
}

Status Interpreter::execute(const Cells &cells) {
  state.sizes[size_t(cells.to)] = grids[size_t(cells.machine)].axes()[size_t(cells.axis)];
  return Status();
}

Status Interpreter::execute(const Number &number) {
  state.sizes[size_t(number.to)] = number.value;
  return Status();
}

// "4 from A"; "3" where the program itself says it.
static std::string sizeFrom(int64_t size, const std::string &use) {
  const std::string number = std::to_string(size);
  return use == number ? number : number + " from " + use;
}

Status Interpreter::execute(const SameSize &same) {
  int64_t size = state.size(same.sizes.front());
  for (size_t at = 0; at < same.sizes.size(); ++at)
    if (int64_t other = state.size(same.sizes[at]); other != size) {
      Error error{Error::Extent, "'" + same.label +
                                     "' has two sizes: " + sizeFrom(size, same.uses[0]) + ", " +
                                     sizeFrom(other, same.uses[at])};
      // One may be the largest index of a file.
      const std::string larger = std::to_string(std::max(size, other));
      for (const auto &[file, sizes] : foundSizes)
        if (std::ranges::find(sizes, std::min(size, other)) != sizes.end())
          error.expected = "one: " + file + " says no sizes, and its largest indices were taken; " +
                           "declare the size of '" + same.label +
                           "', or give it: -d=" + same.label + ":" + larger;
      return error;
    }
  state.sizes[size_t(same.to)] = size;
  return Status();
}

Status Interpreter::execute(const Fit &fit) {
  std::vector<int64_t> own = state.sizesOf(fit.sizes);
  int64_t least = INT64_MAX;
  for (const Affine &bound : fit.bounds)
    least = std::min(least, bound.evaluate(own));
  state.sizes[size_t(fit.to)] = std::max<int64_t>(least, 0);
  return Status();
}

Status Interpreter::execute(const Holds &comparison) {
  Scalar left = scalarOf(*state.tensor(comparison.left).storage);
  Scalar right = scalarOf(*state.tensor(comparison.right).storage);
  state.sizes[size_t(comparison.to)] = holds(comparison.relation, left, right);
  hasComparedNan |= isNan(left) || isNan(right);
  return Status();
}

Status Interpreter::execute(const Logic &logic) {
  int64_t left = state.size(logic.left), right = state.size(logic.right);
  state.sizes[size_t(logic.to)] = logic.isAnd ? left & right : left | right;
  return Status();
}

} // namespace strata::host

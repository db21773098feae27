// Executes the instructions of a program that make tensors of files, parameters and numbers.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Concatenate.h"
#include "strata/host/Interpreter.h"
#include "strata/host/LexiOrder.h"
#include "strata/host/Pack.h"
#include "strata/host/Parameters.h"
#include "strata/host/Print.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/dense/LinearAlgebra.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/runtime/storage/DropFills.h"
#include "strata/runtime/storage/EqualsFill.h"
#include "strata/runtime/storage/Generate.h"

#include <algorithm>
#include <cstring>

using strata::runtime::Coordinates;
using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;
using strata::runtime::Storage;

namespace strata::host {

// What was generated has numbers of its own type.
Status Interpreter::generate(TensorId to, TypeId type, Result<Coordinates> list) {
  if (list)
    if (Status status = list->convertValues(program.format(type).element); !status.ok())
      return status;
  return pack(to, type, std::move(list));
}

// What a file says of places that it does not store, the tensor's format must say, too.
static Result<std::vector<char>> fillOf(const Program &program, TypeId id, const std::string &file,
                                        std::complex<double> number) {
  const StoredFormat &format = program.format(id);
  std::optional<std::vector<char>> element = elementOf(number, format.element);
  if (!element)
    return Error{Error::FillValue, file + " has the fill value " + fillText(number) +
                                       ", but this tensor has elements of type " +
                                       runtime::typeName(format.element)};
  bool isSame = true; // as numbers: a NaN has many bits
  runtime::forEachBesideFill(format.element, element->data(), 1, format.fill,
                             [&](int64_t) { isSame = false; });
  if (isSame)
    return format.fill;
  if (!format.full)
    return Error{Error::FillValue,
                 file + " has the fill value " + fillText(number) +
                     ", but this tensor has the fill value " +
                     fillText(numberOf(format.fill, format.element)),
                 "'fill = " + fillText(number) + "' in its format, or Dense"};
  return std::move(*element);
}

// Gives a number for what each process has read whole: files of one name may differ between nodes.
static int64_t numberOf(const std::vector<int64_t> &sizes, int64_t entries) {
  uint64_t number = 0;
  auto add = [&](int64_t word) { number = (number ^ uint64_t(word)) * 0x100000001b3; };
  for (int64_t size : sizes)
    add(size);
  add(entries);
  return int64_t(number);
}

static int64_t valuesOf(const Tensor &tensor) {
  int64_t values = tensor.storage ? tensor.storage->values().count : 0;
  for (const Tensor &part : tensor.parts)
    values += valuesOf(part);
  return values;
}

Status Interpreter::execute(const Read &read) {
  Result<std::string> file = fileOf(read.file);
  if (!file)
    return file.takeStatus();
  if (surroundings.job && surroundings.job->size() > 1 && *file == "-")
    return Error{Error::FileAccess, "standard input comes to one rank alone", "the name of a file"};
  return this->read(read, *file);
}

// The processes that read the parts of a tensor in pieces.
runtime::FileRanks Interpreter::fileRanks(const std::string &operation) {
  runtime::FileRanks ranks;
  ranks.rank = surroundings.job->rank();
  ranks.count = surroundings.job->size();
  ranks.gather = [this, operation](std::span<const int64_t> own) -> Result<std::vector<int64_t>> {
    if (Status here = meet(operation).takeStatus(); !here.ok())
      return here;
    return surroundings.job->processes().allgather(own, operation);
  };
  return ranks;
}

// Who could not read a file is heard of here, before the others begin to compute.
Status Interpreter::compareRead(const std::string &file, int64_t number) {
  if (!surroundings.job)
    return Status();
  Result<std::vector<int64_t>> all = meet("the reading of " + file, number);
  if (!all)
    return all.takeStatus();
  auto other = std::ranges::find_if(*all, [&](int64_t one) { return one != all->front(); });
  if (other == all->end())
    return Status();
  return Error{Error::RanksDiffer, file + " holds other tensors on ranks 0 and " +
                                       std::to_string(other - all->begin())};
}

Status Interpreter::read(const Read &read, const std::string &file) {
  const TensorType &type = program.type(read.type);
  const bool isPlaced = type.machine >= 0;
  const std::string operation = "the reading of " + file;
  runtime::TensorFileOptions options;
  options.valueType = type.parts.front().element;
  options.order = int(type.sizes.size());
  options.sizes = type.sizes;
  if (Status given = giveSizes(read, *options.sizes); !given.ok())
    return given;
  options.base = surroundings.indexBase;
  options.comet = read.comet;
  if (surroundings.progress)
    options.progress = surroundings.progress(file);
  runtime::FileRanks ranks;
  if (isPlaced && surroundings.job && surroundings.job->size() > 1) {
    ranks = fileRanks(operation);
    options.ranks = &ranks;
  }
  // Arrays that already are buffers need no list.
  const TypeId wholeType = isPlaced ? type.piece : read.type;
  std::optional<Tensor> adopted;
  if (read.part == 1)
    options.take = [&](const runtime::LevelArrays &arrays) {
      adopted = provider.adopt(arrays, wholeType);
      return adopted.has_value();
    };
  Result<runtime::TensorFileContent> content = runtime::readTensorFile(file, options);
  if (!content)
    return content.takeStatus();
  if (!adopted)
    return packContent(read, file, std::move(*content), *options.sizes);
  Result<Tensor> whole = provider.finish(std::move(*adopted), wholeType);
  if (!whole)
    return whole.takeStatus();
  if (Status same = compareRead(file, numberOf(whole->sizes(), valuesOf(*whole))); !same.ok())
    return same;
  if (isPlaced)
    return moves.place(*whole, read.to, read.type, operation);
  state.define(read.to, std::move(*whole));
  return Status();
}

Status Interpreter::packContent(const Read &read, const std::string &file,
                                runtime::TensorFileContent content,
                                const std::vector<int64_t> &declared) {
  if (speaks())
    for (const std::string &remark : content.remarks)
      observer.warn(*current, remark);
  Coordinates &list = content.list;
  const auto order = int(declared.size());
  const bool saysSizes = content.format != "FROSTT" || !content.header.empty();
  if (!saysSizes &&
      std::ranges::find_if(declared, [](int64_t size) { return size < 0; }) != declared.end())
    foundSizes[file] = list.sizes();
  // An n x 1 matrix serves as a vector.
  for (int dim = list.order() - 1; dim >= 0 && list.order() > order; --dim)
    if (list.sizes()[size_t(dim)] == 1)
      if (Status dropped = list.dropDimension(dim); !dropped.ok())
        return dropped;
  if (list.order() != order)
    return Error{Error::Order, file + " holds a tensor of order " + std::to_string(list.order()) +
                                   ", order " + std::to_string(order) + " was declared"};
  if (read.part != 1)
    if (Status status = list.keepTriangle(runtime::Triangle(read.part)); !status.ok())
      return status;
  Result<std::vector<char>> fill = std::vector<char>();
  if (content.fill != 0.0)
    fill = fillOf(program, read.type, file, content.fill);
  if (!fill)
    return fill.takeStatus();
  if (!read.sizes.empty())
    if (Status fits = checkDeclared(read.to, list.sizes(), declared); !fits.ok())
      return fits;
  if (content.isArray && !program.format(read.type).full)
    if (Status status = runtime::dropFills(list, program.format(read.type).fill); !status.ok())
      return status;
  if (!content.isPart)
    if (Status same = compareRead(file, numberOf(list.sizes(), list.count())); !same.ok())
      return same;
  if (program.type(read.type).machine < 0)
    return pack(read.to, read.type, std::move(list), *fill);
  if (Status fits = checkDeclared(read.to, list.sizes(), program.type(read.type).sizes); !fits.ok())
    return fits;
  return moves.place(std::move(list), content.isPart, read.to, read.type, *fill,
                     "the reading of " + file);
}

// The text that was given for a number or a size.
Result<std::string> Interpreter::textOf(const std::string &parameter) const {
  auto given = surroundings.parameters.find(parameter);
  if (given != surroundings.parameters.end())
    return given->second;
  return Error{Error::Parameter, "'" + parameter + "' has no value: give it with -D " + parameter +
                                     "=" + wordOf(parametersOf(program).at(parameter))};
}

Result<int64_t> Interpreter::givenSize(const std::string &parameter) const {
  Result<std::string> text = textOf(parameter);
  return text ? sizeOf(parameter, *text) : Result<int64_t>(text.takeStatus());
}

// The sizes that a file must have, or that it has where it says none.
Status Interpreter::giveSizes(const Read &read, std::vector<int64_t> &declared) const {
  for (size_t dim = 0; dim < read.sizes.size(); ++dim) {
    if (read.sizes[dim].empty())
      continue;
    Result<int64_t> size = givenSize(read.sizes[dim]);
    if (!size)
      return size.takeStatus();
    declared[dim] = *size;
  }
  return Status();
}

Status Interpreter::execute(const Parameter &parameter) {
  if (parameter.to < 0) {
    Result<int64_t> size = givenSize(parameter.name);
    if (!size)
      return size.takeStatus();
    state.sizes[size_t(parameter.size)] = *size;
    return Status();
  }
  Result<std::string> text = textOf(parameter.name);
  if (!text)
    return text.takeStatus();
  strata_type element = program.format(parameter.type).element;
  Result<std::vector<char>> value = elementOf(parameter.name, *text, element);
  if (!value)
    return value.takeStatus();
  state.define(parameter.to, scalar(parameter.type, *value));
  return Status();
}

Tensor Interpreter::scalar(TypeId type, std::span<const char> element) const {
  Result<Storage> storage = filled(program.format(type), {}, element);
  return {.type = type, .storage = std::make_shared<Storage>(std::move(*storage))};
}

// A tensor of these sizes with one value everywhere, or with nothing stored.
Result<Tensor> Interpreter::filledTensor(TypeId id, std::vector<int64_t> sizes,
                                         std::span<const char> element) {
  const StoredFormat &format = program.format(id);
  if (element.empty()) {
    Result<Coordinates> nothing = Coordinates::create(sizes, format.element, 0);
    return nothing ? provider.pack(std::move(*nothing), id, format.fill) : nothing.takeStatus();
  }
  const TypeId type = provider.decided(id, sizes);
  Result<Storage> storage = filled(program.format(type), std::move(sizes), element);
  if (!storage)
    return storage.takeStatus();
  return Tensor{.type = type, .storage = std::make_shared<Storage>(std::move(*storage))};
}

Status Interpreter::execute(const Fill &fill) {
  std::vector<int64_t> own = state.sizesOf(fill.sizes);
  for (size_t dimension = 0; dimension < own.size(); ++dimension)
    if (own[dimension] < 0)
      return Error{Error::Size, "dimension " + std::to_string(dimension + 1) +
                                    " of a tensor that is made has size " +
                                    std::to_string(own[dimension])};
  if (const TensorType &type = program.type(fill.type); type.machine >= 0) {
    Result<std::shared_ptr<Pieces>> pieces = moves.emptyPieces(fill.type, own);
    if (!pieces)
      return pieces.takeStatus();
    for (Pieces::Piece &piece : (*pieces)->own) {
      Result<Tensor> made = filledTensor(type.piece, piece.box.sizes(), fill.element);
      if (!made)
        return made.takeStatus();
      piece.tensor = std::move(*made);
    }
    state.define(fill.to, {.type = fill.type, .pieces = std::move(*pieces)});
    return Status();
  }
  return state.define(fill.to, filledTensor(fill.type, std::move(own), fill.element));
}

Status Interpreter::execute(const Random &random) {
  strata_type element = program.format(random.type).element;
  return generate(random.to, random.type,
                  runtime::generateRandom({.sizes = state.sizesOf(random.sizes),
                                           .density = random.density,
                                           .seed = uint64_t(random.seed),
                                           .type = element}));
}

Status Interpreter::execute(const Stencil &stencil) {
  return generate(stencil.to, stencil.type, runtime::generateStencil27(stencil.points));
}

Status Interpreter::execute(const Iota &iota) {
  return generate(iota.to, iota.type,
                  runtime::generateCounts(state.size(iota.size), iota.first, iota.step));
}

Status Interpreter::execute(const Constant &constant) {
  strata_type element = program.format(constant.type).element;
  auto count = int64_t(constant.elements.size()) / strata_type_bytes(element);
  Result<Coordinates> list = Coordinates::create(constant.sizes, element, count);
  if (!list)
    return list.takeStatus();
  auto next = constant.coordinates.begin();
  for (int dim = 0; dim < list->order(); ++dim)
    runtime::withCoordinateType(list->coordinateType(), [&]<typename C>(C *) {
      for (int64_t entry = 0; entry < count; ++entry)
        list->column(dim).as<C>()[entry] = C(*next++);
    });
  if (count > 0)
    std::memcpy(list->values().data(), constant.elements.data(), constant.elements.size());
  return pack(constant.to, constant.type, std::move(list));
}

// A look-up lists all places of what it looks in, also those where nothing is stored.
static constexpr std::string_view lookedUp =
    "a coordinate that is looked up for each of its places";
static constexpr std::string_view fewerPlaces = "one of fewer places";

Status Interpreter::execute(const OneHot &one) {
  const Tensor &from = state.tensor(one.from);
  if (Status fits = provider.allowList(from.sizes(), one.type, lookedUp, fewerPlaces); !fits.ok())
    return within("looking up in " + one.name, fits.error());
  Result<std::shared_ptr<const Coordinates>> source = provider.listOf(from);
  if (!source)
    return source.takeStatus();
  return generate(one.to, one.type, oneHot(**source, one.fill, state.size(one.size), one.name));
}

// Tells whether there is room for an entry at each place of all dimensions but the last.
Status Interpreter::allowInside(std::vector<int64_t> sizes, TypeId type) {
  sizes.pop_back();
  return provider.allowList(sizes, type, lookedUp, fewerPlaces);
}

Status Interpreter::execute(const Inside &in) {
  std::vector<int64_t> sizes = state.sizesOf(in.extents);
  sizes.push_back(state.size(in.size));
  if (program.type(in.type).machine < 0) {
    if (Status fits = allowInside(sizes, in.type); !fits.ok())
      return fits;
    return generate(in.to, in.type, inside(in.coordinate, runtime::dist::Box::whole(sizes)));
  }
  Result<std::shared_ptr<Pieces>> pieces = moves.emptyPieces(in.type, sizes);
  if (!pieces)
    return pieces.takeStatus();
  const TypeId type = program.type(in.type).piece;
  for (Pieces::Piece &piece : (*pieces)->own) {
    if (Status fits = allowInside(piece.box.sizes(), type); !fits.ok())
      return fits;
    Result<Coordinates> list = inside(in.coordinate, piece.box);
    if (list)
      if (Status status = list->convertValues(program.format(type).element); !status.ok())
        return status;
    Result<Tensor> made = list ? provider.pack(std::move(*list), type, {}) : list.takeStatus();
    if (!made)
      return made.takeStatus();
    piece.tensor = std::move(*made);
  }
  state.define(in.to, {.type = in.type, .pieces = std::move(*pieces)});
  return Status();
}

using SharedLists = std::vector<std::shared_ptr<const Coordinates>>;

static Result<SharedLists> listsOf(const std::vector<TensorId> &tensors, const State &state,
                                   Provider &provider) {
  SharedLists lists;
  for (TensorId tensor : tensors) {
    Result<std::shared_ptr<const Coordinates>> list = provider.listOf(state.tensor(tensor));
    if (!list)
      return list.takeStatus();
    lists.push_back(std::move(*list));
  }
  return lists;
}

Status Interpreter::execute(const DenseAlgebra &algebra) {
  Result<SharedLists> lists = listsOf(algebra.tensors, state, provider);
  if (!lists)
    return lists.takeStatus();
  std::vector<const Coordinates *> operands;
  for (const std::shared_ptr<const Coordinates> &list : *lists)
    operands.push_back(list.get());
  std::vector<int64_t> own = state.sizesOf(algebra.sizes);
  return generate(algebra.to, algebra.type,
                  runtime::linearAlgebra(algebra.function, operands, own.empty() ? 0 : own.back()));
}

Status Interpreter::execute(const Concat &concat) {
  Result<SharedLists> lists = listsOf(concat.tensors, state, provider);
  if (!lists)
    return lists.takeStatus();
  return pack(concat.to, concat.type,
              concatenated(*lists, int(concat.dim), program.format(concat.type).element),
              concat.fill);
}

Status Interpreter::execute(const LexiOrder &order) {
  Result<SharedLists> lists = listsOf({order.from}, state, provider);
  if (!lists)
    return lists.takeStatus();
  if (order.dim < 0)
    return pack(order.to, order.type, inLexiOrder(*lists->front()), order.fill);
  const int64_t size = lists->front()->sizes()[size_t(order.dim)];
  if (Status fits = provider.allowList({size}, order.type,
                                       "the order of " + counted(size, "index", "indices"),
                                       "the order of a smaller dimension");
      !fits.ok())
    return fits;
  return generate(order.to, order.type, lexiOrderOf(*lists->front(), int(order.dim)));
}

} // namespace strata::host

// Executes the instructions of a program that make tensors of files, parameters and numbers.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Concatenate.h"
#include "strata/host/Interpreter.h"
#include "strata/host/Pack.h"
#include "strata/host/Parameters.h"
#include "strata/host/Print.h"
#include "strata/runtime/dense/LinearAlgebra.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/runtime/storage/Generate.h"

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
    if (Status status = list->convertValues(program.types[size_t(type)].parts.front().element);
        !status.ok())
      return status;
  return pack(to, type, std::move(list));
}

Status Interpreter::execute(const Read &read) {
  Result<std::string> file = fileOf(read.file);
  if (!file)
    return file.takeStatus();
  const TensorType &type = program.types[size_t(read.type)];
  const StoredFormat &format = type.parts.front();
  runtime::TensorFileOptions options;
  options.valueType = format.element;
  options.order = int(type.sizes.size());
  options.sizes = type.sizes;
  if (Status given = giveSizes(read, *options.sizes); !given.ok())
    return given;
  options.comet = read.comet;
  Result<runtime::TensorFileContent> content = runtime::readTensorFile(*file, options);
  if (!content)
    return content.takeStatus();
  for (const std::string &remark : content->remarks)
    std::fprintf(surroundings.messages, "warning: %s\n", remark.c_str());
  Coordinates &list = content->list;
  // An n x 1 matrix serves as a vector.
  for (int dim = list.order() - 1; dim >= 0 && list.order() > int(type.sizes.size()); --dim)
    if (list.sizes()[size_t(dim)] == 1)
      if (Status dropped = list.dropDimension(dim); !dropped.ok())
        return dropped;
  if (read.part != 1)
    if (Status status = list.keepTriangle(runtime::Triangle(read.part)); !status.ok())
      return status;
  bool silentZero = content->fill == 0.0;
  if (!silentZero && (type.isSum() || numberOf(format.fill, format.element) != content->fill))
    return Error{*file + " has the fill value " + fillText(content->fill) +
                 ", but this tensor has the fill value " +
                 fillText(numberOf(format.fill, format.element))};
  if (Status fits = checkDeclared(list.sizes(), *options.sizes); !fits.ok() && !read.sizes.empty())
    return fits;
  return pack(read.to, read.type, std::move(list), silentZero);
}

// The text that was given for a number or a size.
Result<std::string> Interpreter::textOf(const std::string &parameter) const {
  auto given = surroundings.parameters.find(parameter);
  if (given != surroundings.parameters.end())
    return given->second;
  return Error{"'" + parameter + "' has no value: give it with -D " + parameter + "=" +
               wordOf(parametersOf(program).at(parameter))};
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
    sizes[size_t(parameter.size)] = *size;
    return Status();
  }
  Result<std::string> text = textOf(parameter.name);
  if (!text)
    return text.takeStatus();
  strata_type element = program.types[size_t(parameter.type)].parts.front().element;
  Result<std::vector<char>> value = elementOf(parameter.name, *text, element);
  if (!value)
    return value.takeStatus();
  define(parameter.to, scalar(parameter.type, *value));
  return Status();
}

Tensor Interpreter::scalar(TypeId type, std::span<const char> element) const {
  const StoredFormat &format = program.types[size_t(type)].parts.front();
  Result<Storage> storage = filled(format, {}, element);
  return {type, std::make_shared<Storage>(std::move(*storage))};
}

Status Interpreter::execute(const Fill &fill) {
  const StoredFormat &format = program.types[size_t(fill.type)].parts.front();
  std::vector<int64_t> own = sizesOf(fill.sizes);
  if (fill.element.empty())
    return pack(fill.to, fill.type, Coordinates::create(own, format.element, 0), false);
  Result<Storage> storage = filled(format, std::move(own), fill.element);
  if (!storage)
    return storage.takeStatus();
  define(fill.to, {fill.type, std::make_shared<Storage>(std::move(*storage))});
  return Status();
}

Status Interpreter::execute(const Random &random) {
  strata_type element = program.types[size_t(random.type)].parts.front().element;
  return generate(random.to, random.type,
                  runtime::generateRandom({.sizes = sizesOf(random.sizes),
                                           .density = random.density,
                                           .seed = uint64_t(random.seed),
                                           .type = element}));
}

Status Interpreter::execute(const Stencil &stencil) {
  return generate(stencil.to, stencil.type, runtime::generateStencil27(stencil.points));
}

Status Interpreter::execute(const Iota &iota) {
  return generate(iota.to, iota.type,
                  runtime::generateCounts(sizes[size_t(iota.size)], iota.first, iota.step));
}

Status Interpreter::execute(const Constant &constant) {
  strata_type element = program.types[size_t(constant.type)].parts.front().element;
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

Status Interpreter::execute(const OneHot &one) {
  Result<Coordinates> source = listOf(tensors[size_t(one.from)]);
  if (!source)
    return source.takeStatus();
  return generate(one.to, one.type, oneHot(*source, one.fill, sizes[size_t(one.size)], one.name));
}

Status Interpreter::execute(const Inside &in) {
  return generate(in.to, in.type,
                  inside(in.coordinate, sizesOf(in.extents), sizes[size_t(in.size)]));
}

Status Interpreter::execute(const DenseAlgebra &algebra) {
  std::vector<Coordinates> lists;
  for (TensorId tensor : algebra.tensors) {
    Result<Coordinates> list = listOf(tensors[size_t(tensor)]);
    if (!list)
      return list.takeStatus();
    lists.push_back(std::move(*list));
  }
  std::vector<const Coordinates *> operands;
  for (const Coordinates &list : lists)
    operands.push_back(&list);
  std::vector<int64_t> own = sizesOf(algebra.sizes);
  return generate(algebra.to, algebra.type,
                  runtime::linearAlgebra(algebra.function, operands, own.empty() ? 0 : own.back()));
}

Status Interpreter::execute(const Concat &concat) {
  std::vector<std::shared_ptr<const Coordinates>> lists;
  for (TensorId tensor : concat.tensors) {
    Result<Coordinates> list = listOf(tensors[size_t(tensor)]);
    if (!list)
      return list.takeStatus();
    lists.push_back(std::make_shared<const Coordinates>(std::move(*list)));
  }
  strata_type element = program.types[size_t(concat.type)].parts.front().element;
  return pack(concat.to, concat.type, concatenated(lists, int(concat.dim), element),
              concat.silentZero);
}

} // namespace strata::host

// Tensors from files, and into files.
#include "strata/api/Ranks.h"

#include "strata/compile/ProgramKernels.h"
#include "strata/conversion/FileLevels.h"
#include "strata/conversion/Packing.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/host/Pack.h"
#include "strata/run/Executor.h"
#include "strata/run/Output.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/tensor/ElementTypes.h"
#include "strata/tensor/Fill.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cstring>

using namespace mlir;
using namespace strata;
using namespace strata::api;
using strata::runtime::Coordinates;
using strata::runtime::Result;

// A function that reads the file and returns the tensor.
static OwningOpRef<ModuleOp> readingProgram(const char *file, RankedTensorType type) {
  OpBuilder b(type.getContext());
  Location place = NameLoc::get(b.getStringAttr(file));
  OwningOpRef<ModuleOp> module = ModuleOp::create(b, place);
  b.setInsertionPointToEnd(module->getBody());
  auto main = func::FuncOp::create(b, place, "main", b.getFunctionType({}, {type}));
  b.setInsertionPointToEnd(main.addEntryBlock());
  auto read = ta::ReadOp::create(b, place, type, b.getStringAttr(file), b.getI64IntegerAttr(1));
  func::ReturnOp::create(b, place, read.getResult());
  return module;
}

// Gives a list the order that is asked for: an n x 1 matrix serves as a vector.
static runtime::Status ofOrder(Coordinates &list, int order, const char *file) {
  for (int dim = list.order() - 1; dim >= 0 && list.order() > order; --dim)
    if (list.sizes()[size_t(dim)] == 1)
      if (runtime::Status dropped = list.dropDimension(dim); !dropped.ok())
        return dropped;
  if (list.order() == order)
    return {};
  return runtime::Error{runtime::Error::Order,
                        "the file holds a tensor of order " + std::to_string(list.order()),
                        "one of order " + std::to_string(order), file};
}

// A file whose own order and type decide, where `options` say none.
static strata_error *readAsItIs(strata_session &session, const char *file,
                                runtime::TensorFileOptions options, Handle<strata_tensor> &tensor,
                                std::vector<std::vector<std::string>> *names = nullptr) {
  std::optional<TensorValue> adopted;
  options.names = names != nullptr;
  options.take = [&](const runtime::LevelArrays &arrays) {
    if (!options.order || size_t(*options.order) == arrays.sizes.size())
      adopted = adoptAsStored(arrays, &session.context, options.valueType,
                              widthFor(arrays.sizes, arrays.values.count));
    return adopted.has_value();
  };
  Result<runtime::TensorFileContent> content = runtime::readTensorFile(file, options);
  if (!content)
    return makeError(STRATA_ERROR_FILE, content.error());
  if (names)
    *names = std::move(content->names);
  if (adopted) {
    tensor = tensorOf(session, std::move(*adopted));
    return nullptr;
  }
  Coordinates &list = content->list;
  if (options.order)
    if (runtime::Status fits = ofOrder(list, *options.order, file); !fits.ok())
      return makeError(STRATA_ERROR_FILE, fits.error());
  double places = 1;
  for (int64_t size : list.sizes())
    places *= double(size);
  Type element = compilerType(&session.context, list.valueType());
  auto type = RankedTensorType::get(SmallVector<int64_t>(list.sizes().size(), ShapedType::kDynamic),
                                    element);
  Attribute fill;
  if (content->fill != 0.0)
    if (std::optional<TypedAttr> constant = constantOf(element, content->fill))
      fill = *constant;
  unsigned width = widthFor(list.sizes(), list.count());
  if (double(list.count()) != places)
    type = ta::withFormat(type, ta::coordinateFormat(&session.context, unsigned(list.order()),
                                                     /*nonuniqueLeaf=*/false)
                                    .withOpenWidths(width, width)
                                    .withFill(fill));
  Reports reports(session);
  Result<TensorValue> packed =
      pack(session.compiler, std::move(list), type, nullptr, /*force=*/true, fill);
  if (!packed)
    return makeError(STRATA_ERROR_FILE, packed.error());
  tensor = tensorOf(session, std::move(*packed));
  return nullptr;
}

strata_error *strata_tensor_read(strata_session *session, const char *file,
                                 const strata_format *format, strata_tensor **tensor) {
  if (!format)
    return strata_tensor_read_as(session, file, -1, -1, tensor);
  return inTurn(*session, [&]() -> strata_error * {
    if (strata_error *error = refusePlaces(*format))
      return error;
    OwningOpRef<ModuleOp> module = readingProgram(file, format->type());
    Reports reports(*session);
    std::string printed;
    llvm::raw_string_ostream out(printed);
    Executor executor(session->compiler, {.force = true}, out);
    func::FuncOp main = mainOf(*module);
    if (failed(executor.run(main)))
      return reports.error(STRATA_ERROR_FILE, "the file could not be read");
    Value read = main.getBody().front().getTerminator()->getOperand(0);
    *tensor = tensorOf(*session, *executor.value(read)).release();
    return nullptr;
  });
}

// What a caller knows of a file's tensor; below 0: nothing.
static runtime::TensorFileOptions optionsOf(int32_t order, int32_t type) {
  runtime::TensorFileOptions options;
  if (order >= 0)
    options.order = order;
  if (type >= 0)
    options.valueType = strata_type(type);
  return options;
}

strata_error *strata_tensor_read_as(strata_session *session, const char *file, int32_t order,
                                    int32_t type, strata_tensor **tensor) {
  return inTurn(*session, [&]() -> strata_error * {
    runtime::TensorFileOptions options = optionsOf(order, type);
    Handle<strata_tensor> read;
    if (strata_error *error = readAsItIs(*session, file, options, read))
      return error;
    *tensor = read.release();
    return nullptr;
  });
}

// Texts in JSON, as which lists of texts cross the interface.
static char *jsonText(llvm::json::Value value) {
  return strdup(llvm::formatv("{0}", std::move(value)).str().c_str());
}

static llvm::json::Array jsonArray(llvm::ArrayRef<std::string> texts) {
  llvm::json::Array array;
  for (const std::string &text : texts)
    array.push_back(llvm::json::fixUTF8(text));
  return array;
}

strata_error *strata_tensor_read_names(strata_session *session, const char *file, int32_t order,
                                       int32_t type, strata_tensor **tensor, char **names) {
  return inTurn(*session, [&]() -> strata_error * {
    runtime::TensorFileOptions options = optionsOf(order, type);
    Handle<strata_tensor> read;
    std::vector<std::vector<std::string>> found;
    if (strata_error *error = readAsItIs(*session, file, options, read, &found))
      return error;
    llvm::json::Array all;
    const auto &sizes = read->value.sizes();
    found.resize(sizes.size());
    for (size_t dim = 0; dim < sizes.size(); ++dim)
      if (found[dim].empty() && sizes[dim] != 0)
        all.push_back(nullptr);
      else
        all.push_back(jsonArray(found[dim]));
    *names = jsonText(std::move(all));
    *tensor = read.release();
    return nullptr;
  });
}

strata_error *strata_file_tensors(const char *file, char **names) {
  Result<std::vector<std::string>> found = runtime::tensorsOfFile(file);
  if (!found)
    return makeError(STRATA_ERROR_FILE, found.error());
  *names = jsonText(jsonArray(*found));
  return nullptr;
}

strata_error *strata_tensor_write(strata_tensor *tensor, const char *file) {
  strata_session &session = *tensor->session;
  return inTurn(session, [&]() -> strata_error * {
    if (strata_error *error = refusePieces(*tensor))
      return error;
    Reports reports(session);
    runtime::Status written = writeTensor(session.compiler, tensor->value, file);
    return written.ok() ? nullptr : makeError(STRATA_ERROR_FILE, written.error());
  });
}

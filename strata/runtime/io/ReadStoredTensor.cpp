// Reading a tensor of a store once it is found: no more of its arrays than is selected.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Binsparse.h"
#include "strata/runtime/io/Hdf5.h"
#include "strata/runtime/io/KeepRanges.h"
#include "strata/runtime/io/Npy.h"
#include "strata/runtime/io/StoredTensor.h"

#include <algorithm>

namespace strata::runtime {
namespace {

using Kind = StoredTensor::Kind;

/// Makes an array of a file of numbers.
FileArray arrayOfNumbers(std::string name, std::vector<int64_t> numbers) {
  auto owner = std::make_shared<std::vector<int64_t>>(std::move(numbers));
  return {.name = std::move(name),
          .type = FileType::int64,
          .elementBytes = sizeof(int64_t),
          .sizes = {static_cast<int64_t>(owner->size())},
          .count = static_cast<int64_t>(owner->size()),
          .data = reinterpret_cast<const char *>(owner->data()),
          .owner = owner};
}

class TensorReading {
public:
  TensorReading(ArrayStore &store, StoredTensor tensor, const FileSelection &selection,
                const TensorFileOptions &options)
      : store(store), tensor(std::move(tensor)), ranges(selection.ranges), options(options) {}

  Result<TensorFileContent> run() {
    content.format = tensor.format;
    content.header = tensor.header;
    if (tensor.kind == Kind::binsparse)
      return binsparse();
    if (ranges.size() > tensor.sizes.size())
      return tooManyRanges(ranges.size(), tensor.sizes.size());
    ranges.resize(tensor.sizes.size());
    for (size_t d = 0; d < ranges.size(); ++d)
      ranges[d] = ranges[d].of(tensor.sizes[d]);
    selected = ranges;
    Result<Coordinates> list = tensor.kind == Kind::array ? array() : compressed();
    if (!list)
      return list.takeStatus();
    if (options.names)
      if (Status named = readNames(); !named.ok())
        return named;
    if (content.taken)
      return std::move(content);
    Result<Coordinates> kept = keepRanges(std::move(*list), ranges);
    if (!kept)
      return kept.takeStatus();
    if (options.valueType)
      if (Status converted = kept->convertValues(*options.valueType); !converted.ok())
        return converted;
    content.list = std::move(*kept);
    return std::move(content);
  }

private:
  Result<TensorFileContent> binsparse() {
    if (std::ranges::any_of(ranges, [](const IndexRange &range) { return !range.isAll(); }))
      return Error{Error::FileOption, "of binsparse, a part cannot be read", "the whole tensor"};
    Result<std::optional<StoreNode>> node = store.describe(tensor.path);
    if (!node)
      return node.takeStatus();
    std::vector<ArrayRequest> requests;
    for (const auto &[name, child] : (*node)->children) {
      if (std::ranges::none_of(binsparsePrefixes,
                               [&](std::string_view prefix) { return name.starts_with(prefix); }))
        continue;
      if (child.isGroup || child.sizes.size() > 1)
        return Error{Error::Order, "'" + name + "' is not an array of one dimension"};
      requests.push_back({.path = childPath(tensor.path, name)});
    }
    Result<std::vector<FileArray>> arrays = store.read(requests);
    if (!arrays)
      return arrays.takeStatus();
    return readBinsparse({.text = tensor.text, .arrays = std::move(*arrays)}, store.bytes(),
                         options);
  }

  Result<Coordinates> array() {
    // Only the first dimension of the array can be read in parts.
    const bool inParts = !tensor.reversed && !ranges.empty();
    const ArrayRequest request{
        .path = tensor.path, .range = inParts ? ranges[0] : IndexRange(), .inPieces = true};
    std::vector<int64_t> sizes = tensor.sizes;
    if (inParts)
      sizes[0] = ranges[0].count();
    if (inParts)
      ranges[0] = {};
    content.isArray = true;
    if (productOf(sizes) == 0)
      return Coordinates::create(std::move(sizes), valueTypeFor(*tensor.type), 0);
    Result<std::vector<FileArray>> read = store.read(std::span(&request, 1));
    if (!read)
      return read.takeStatus();
    FileArray values = std::move(read->front());
    if (productOf(sizes) != values.count)
      return Error{Error::Count,
                   "'" + tensor.path + "' has another number of elements than its sizes say"};
    values.sizes = sizes;
    values.columnMajor = tensor.reversed;
    takeType(values);
    return coordinatesOfDense(std::move(values), {.floating = readsFloating(options.valueType)});
  }

  /// Of MATLAB's logical values, numbers are stored.
  void takeType(FileArray &values) const {
    if (tensor.type == FileType::boolean && fileTypeBytes(values.type) == 1)
      values.type = FileType::boolean;
  }

  Result<Coordinates> compressed() {
    const size_t major = tensor.byColumns ? 1 : 0;
    IndexRange &range = ranges[major];
    const bool part = range.begin > 0 || range.end < tensor.sizes[major];
    LevelArrays arrays{.sizes = {range.count(), tensor.sizes[1 - major]},
                       .dimensions = tensor.byColumns ? std::vector<int>{1, 0} : std::vector<int>(),
                       .fileBytes = store.bytes()};
    arrays.levels = {{}, {.sparse = true}};
    Status read = part ? readPart(arrays, range) : readWhole(arrays);
    if (!read.ok())
      return read;
    takeType(arrays.values);
    range = {};
    const bool all =
        ranges[1 - major].begin == 0 && ranges[1 - major].end == tensor.sizes[1 - major];
    content.entriesInFile = arrays.values.count;
    content.taken = all && options.take && options.take(arrays);
    if (content.taken)
      return Coordinates();
    return coordinatesOf(arrays, {.checkPromises = options.checkPromises,
                                  .floating = readsFloating(options.valueType)});
  }

  Status readWhole(LevelArrays &arrays) {
    std::vector<ArrayRequest> requests = {{.path = tensor.pointers}};
    if (!tensor.indices.empty())
      requests.insert(requests.end(), {{.path = tensor.indices, .inPieces = true},
                                       {.path = tensor.values, .inPieces = true}});
    Result<std::vector<FileArray>> read = store.read(requests);
    if (!read)
      return read.takeStatus();
    arrays.levels[1].pointers = std::move((*read)[0]);
    if (tensor.indices.empty())
      return takeNothing(arrays);
    arrays.levels[1].indices.push_back(std::move((*read)[1]));
    arrays.values = std::move((*read)[2]);
    return {};
  }

  Status takeNothing(LevelArrays &arrays) const {
    arrays.levels[1].indices.push_back(arrayOfNumbers("indices", {}));
    arrays.values = arrayOfNumbers("values", {});
    arrays.values.type = *tensor.type;
    arrays.values.elementBytes = fileTypeBytes(*tensor.type);
    return {};
  }

  /// Reads the pointers of some rows, and then what they point to.
  Status readPart(LevelArrays &arrays, IndexRange range) {
    const ArrayRequest request{.path = tensor.pointers, .range = {range.begin, range.end + 1}};
    Result<std::vector<FileArray>> read = store.read(std::span(&request, 1));
    if (!read)
      return read.takeStatus();
    Result<std::vector<int64_t>> pointers = readIntegers(read->front());
    if (!pointers)
      return pointers.takeStatus();
    if (static_cast<int64_t>(pointers->size()) != range.count() + 1)
      return Error{Error::Count,
                   "'" + tensor.pointers + "' has " + std::to_string(pointers->size()) +
                       " elements in the rows or columns that are selected",
                   std::to_string(range.count() + 1)};
    const int64_t first = pointers->front(), last = pointers->back();
    if (first < 0 || last < first)
      return Error{Error::Inconsistent,
                   "'" + tensor.pointers + "' goes from " + std::to_string(first) + " to " +
                       std::to_string(last) + " in the rows or columns that are selected",
                   "pointers that ascend"};
    for (int64_t &pointer : *pointers)
      pointer -= first;
    arrays.levels[1].pointers = arrayOfNumbers(read->front().name, std::move(*pointers));
    if (first == last)
      return takeNothing(arrays);
    const ArrayRequest parts[] = {
        {.path = tensor.indices, .range = {first, last}, .inPieces = true},
        {.path = tensor.values, .range = {first, last}, .inPieces = true}};
    read = store.read(parts);
    if (!read)
      return read.takeStatus();
    arrays.levels[1].indices.push_back(std::move((*read)[0]));
    arrays.values = std::move((*read)[1]);
    return {};
  }

  Status readNames() {
    content.names.resize(tensor.sizes.size());
    for (size_t d = 0; d < tensor.names.size() && d < content.names.size(); ++d) {
      if (tensor.names[d].empty())
        continue;
      const IndexRange range = selected[d];
      Result<std::vector<std::string>> names =
          store.readTexts({.path = tensor.names[d], .range = range});
      if (!names)
        return names.takeStatus();
      if (static_cast<int64_t>(names->size()) != range.count())
        return Error{Error::Count,
                     "'" + tensor.names[d] + "' has " + std::to_string(names->size()) + " names",
                     std::to_string(range.count()) + ", one for each index"};
      content.names[d] = std::move(*names);
    }
    return {};
  }

  ArrayStore &store;
  StoredTensor tensor;
  std::vector<IndexRange> ranges;   ///< what is left to do of what is selected
  std::vector<IndexRange> selected; ///< that
  const TensorFileOptions &options;
  TensorFileContent content;
};

} // namespace

Result<TensorFileContent> readStoredTensor(ArrayStore &store, const FileSelection &selection,
                                           const TensorFileOptions &options) {
  Result<StoredTensor> tensor = findTensor(store, selection.group);
  if (!tensor)
    return tensor.takeStatus();
  return TensorReading(store, std::move(*tensor), selection, options).run();
}

std::optional<strata_type> storedValueType(ArrayStore &store, const FileSelection &selection) {
  Result<StoredTensor> tensor = findTensor(store, selection.group);
  if (!tensor)
    return std::nullopt;
  if (tensor->kind == Kind::binsparse)
    return binsparseValueType(tensor->text);
  return tensor->type ? std::optional(valueTypeFor(*tensor->type)) : std::nullopt;
}

Result<TensorFileContent> readHdf5(const InputFile &file, const TensorFileOptions &options) {
  Result<Hdf5Store> store = Hdf5Store::open(file);
  if (!store)
    return store.takeStatus();
  return readStoredTensor(*store, file.selection(), options);
}

Result<std::vector<std::string>> hdf5Tensors(const InputFile &file) {
  Result<Hdf5Store> store = Hdf5Store::open(file);
  if (!store)
    return store.takeStatus();
  return tensorsOf(*store);
}

std::optional<strata_type> hdf5ValueType(const InputFile &file) {
  Result<Hdf5Store> store = Hdf5Store::open(file);
  return store ? storedValueType(*store, file.selection()) : std::nullopt;
}

} // namespace strata::runtime

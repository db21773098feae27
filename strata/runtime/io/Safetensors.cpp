// Reading and writing safetensors.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Safetensors.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/io/DenseArray.h"
#include "strata/runtime/io/OutputFile.h"
#include "strata/runtime/io/ParseJson.h"

#include <algorithm>
#include <array>
#include <bit>

namespace strata::runtime {
namespace {

using Json = nlohmann::json;

struct TypeName {
  std::string_view name;
  FileType type;
};
constexpr std::array<TypeName, 14> typeNames = {{{"BOOL", FileType::boolean},
                                                 {"I8", FileType::int8},
                                                 {"U8", FileType::uint8},
                                                 {"I16", FileType::int16},
                                                 {"U16", FileType::uint16},
                                                 {"I32", FileType::int32},
                                                 {"U32", FileType::uint32},
                                                 {"I64", FileType::int64},
                                                 {"U64", FileType::uint64},
                                                 {"F16", FileType::float16},
                                                 {"BF16", FileType::bfloat16},
                                                 {"F32", FileType::float32},
                                                 {"F64", FileType::float64},
                                                 {"C64", FileType::complex64}}};

constexpr size_t lengthBytes = 8;
constexpr uint64_t longestHeader = 100000000; ///< what the format allows
constexpr bool swapped = std::endian::native == std::endian::big;

/// The header, checked, and where the elements begin.
class Header {
public:
  static Result<Header> read(const InputFile &file) {
    Result<std::string_view> bytes = file.whole(looksLikeSafetensors);
    if (!bytes)
      return bytes.takeStatus();
    if (bytes->size() < lengthBytes)
      return Error{Error::CutOff, "the file ends within the length of its header"};
    const auto length = loadNumber<uint64_t>(bytes->data(), swapped);
    if (length > longestHeader || length > bytes->size() - lengthBytes)
      return Error{Error::CutOff,
                   "the header has " + std::to_string(length) + " bytes by what the file says",
                   "at most the " + std::to_string(bytes->size() - lengthBytes) +
                       " that follow, and 100 MB"};
    Header header;
    header.elements = bytes->substr(lengthBytes + length);
    header.json = parseJson(bytes->substr(lengthBytes, length));
    if (!header.json.is_object())
      return Error{Error::Header, "the header is no object of JSON"};
    return header;
  }

  /// Returns the names, by where the elements lie.
  std::vector<std::string> names() const {
    std::vector<std::pair<int64_t, std::string>> found;
    for (const auto &[name, entry] : json.items())
      if (name != "__metadata__") {
        const auto offsets = numbersOf(entry, "data_offsets");
        found.emplace_back(offsets && !offsets->empty() ? offsets->front() : 0, name);
      }
    std::ranges::sort(found);
    std::vector<std::string> names;
    for (auto &[begin, name] : found)
      names.push_back(std::move(name));
    return names;
  }

  /// Finds the tensor of this name, or the only one if it is empty.
  Result<FileArray> tensor(std::string name) const {
    const std::vector<std::string> all = names();
    if (name.empty() && all.size() == 1)
      name = all.front();
    std::string list;
    for (const std::string &known : all)
      if (list.size() < 500)
        list += (list.empty() ? "'" : ", '") + known + "'";
    if (name.empty())
      return Error{Error::MissingPart, "the file has " + counted(int64_t(all.size()), "tensor"),
                   all.empty() ? "one at least" : "FILE::NAME with one of " + list};
    if (std::ranges::find(all, name) == all.end())
      return Error{Error::MissingPart, "the file has no tensor '" + name + "'",
                   all.empty() ? "another file: this one is empty" : "one of " + list};
    return arrayOf(name, json[name]);
  }

private:
  /// Reads integers from 0 on under a key; nothing if there is anything else.
  static std::optional<std::vector<int64_t>> numbersOf(const Json &entry, const char *key) {
    if (!entry.is_object() || !entry.contains(key) || !entry[key].is_array())
      return std::nullopt;
    std::vector<int64_t> numbers;
    for (const Json &number : entry[key]) {
      if (!number.is_number_integer() || number < 0 || number > INT64_MAX)
        return std::nullopt;
      numbers.push_back(number.get<int64_t>());
    }
    return numbers;
  }

  Result<FileArray> arrayOf(const std::string &name, const Json &entry) const {
    const auto sizes = numbersOf(entry, "shape"), offsets = numbersOf(entry, "data_offsets");
    const Json *type = entry.is_object() && entry.contains("dtype") ? &entry["dtype"] : nullptr;
    if (!sizes || !offsets || offsets->size() != 2 || !type || !type->is_string())
      return Error{Error::Header, "the header does not describe the tensor '" + name + "'",
                   "'dtype', 'shape' and 'data_offsets'"};
    auto known = std::ranges::find(typeNames, type->get<std::string>(), &TypeName::name);
    if (known == typeNames.end())
      return Error{Error::ElementType,
                   "the elements of '" + name + "' are of the type '" + type->get<std::string>() +
                       "'",
                   "BOOL, integers of 8 to 64 bits, F16, BF16, F32, F64 or C64"};
    const int64_t width = fileTypeBytes(known->type), begin = (*offsets)[0], end = (*offsets)[1];
    std::vector<int64_t> factors = *sizes;
    factors.push_back(width);
    const std::optional<int64_t> bytes = productOf(factors);
    if (!bytes || end < begin || end - begin != *bytes ||
        end > static_cast<int64_t>(elements.size()))
      return Error{Error::Inconsistent,
                   "the tensor '" + name + "' lies from byte " + std::to_string(begin) + " to " +
                       std::to_string(end),
                   "as many bytes as its shape and type need, of the " +
                       std::to_string(elements.size()) + " in the file"};
    return FileArray{.name = name,
                     .type = known->type,
                     .elementBytes = width,
                     .swapped = swapped,
                     .sizes = *sizes,
                     .count = *bytes / width,
                     .data = elements.data() + begin};
  }

  Json json;
  std::string_view elements;
};

Result<FileArray> selectedTensor(const InputFile &file) {
  Result<Header> header = Header::read(file);
  return header ? header->tensor(file.selection().group) : header.takeStatus();
}

} // namespace

bool looksLikeSafetensors(std::string_view head) {
  return head.size() > lengthBytes && head[lengthBytes] == '{' &&
         loadNumber<uint64_t>(head.data(), swapped) <= longestHeader;
}

Result<TensorFileContent> readSafetensors(const InputFile &file, const TensorFileOptions &options) {
  Result<FileArray> array = selectedTensor(file);
  if (!array)
    return array.takeStatus();
  TensorFileContent content;
  content.isArray = true;
  content.header = array->name + ", " + fileTypeName(array->type);
  Result<Coordinates> list = readDenseArray(std::move(*array), file.selection().ranges, options);
  if (!list)
    return list.takeStatus();
  content.list = std::move(*list);
  return content;
}

std::optional<strata_type> safetensorsValueType(const InputFile &file) {
  Result<FileArray> array = selectedTensor(file);
  return array ? std::optional(valueTypeFor(array->type)) : std::nullopt;
}

Result<std::vector<std::string>> safetensorsNames(const InputFile &file) {
  Result<Header> header = Header::read(file);
  if (!header)
    return header.takeStatus();
  return header->names();
}

Status writeSafetensors(const std::string &path, const DenseValues &values) {
  Result<SelectedFile> named = selectedFile(path);
  if (!named)
    return named.takeStatus();
  if (!named->selection.ranges.empty() || named->selection.isOfEdges() ||
      named->selection.symmetry != 1)
    return Error{Error::FileOption, "what follows '::' is more than the name of a tensor",
                 "FILE::NAME", named->file, 0};
  const FileType type = values.type == STRATA_BF16 ? FileType::bfloat16 : *fileTypeOf(values.type);
  auto known = std::ranges::find(typeNames, type, &TypeName::type);
  const std::optional<int64_t> count = productOf(values.sizes);
  if (known == typeNames.end() || !count)
    return Error{Error::ElementType,
                 std::string("safetensors has no type for ") + fileTypeName(type),
                 "complex64, or another type", named->file, 0};
  const std::string name = named->selection.group.empty() ? "tensor" : named->selection.group;
  const Json header = {{name,
                        {{"dtype", known->name},
                         {"shape", values.sizes},
                         {"data_offsets", {int64_t{0}, *count * fileTypeBytes(type)}}}}};
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string length(lengthBytes, '\0');
  for (size_t byte = 0; byte < lengthBytes; ++byte)
    length[byte] = static_cast<char>(text.size() >> (8 * byte) & 255);
  return writeDenseArray(named->file, length + text, values, /*columnMajor=*/false);
}

} // namespace strata::runtime

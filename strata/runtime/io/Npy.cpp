// The header of `.npy` files, and what follows it.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/io/Npy.h"

#include "strata/runtime/Counted.h"
#include "strata/runtime/io/DenseArray.h"
#include "strata/runtime/io/EntryReader.h"
#include "strata/runtime/io/OutputFile.h"

#include <bit>
#include <charconv>

namespace strata::runtime {

static constexpr std::string_view magic("\x93NUMPY", 6);

bool looksLikeNpy(std::string_view bytes) { return bytes.starts_with(magic); }

namespace {

/// The literal of a Python dictionary that a header is.
class HeaderParser {
public:
  HeaderParser(std::string_view text, FileArray &array) : rest(text), array(array) {}

  Status parse() {
    bool descr = false, order = false, shape = false;
    if (!take('{'))
      return wrong("a dictionary");
    while (!take('}')) {
      std::string key;
      if (!text(key) || !take(':'))
        return wrong("a key and ':'");
      bool &seen = key == "descr" ? descr : key == "fortran_order" ? order : shape;
      if (key != "descr" && key != "fortran_order" && key != "shape")
        return Error{Error::Header, "the header has an unknown key " + quoteToken(key),
                     "'descr', 'fortran_order' and 'shape'"};
      if (Status fine = key == "descr"           ? parseType()
                        : key == "fortran_order" ? parseOrder()
                                                 : parseShape();
          !fine.ok())
        return fine;
      seen = true;
      if (!take(',') && peek() != '}')
        return wrong("',' or '}'");
    }
    if (!descr || !order || !shape)
      return Error{Error::Header, "the header lacks a key", "'descr', 'fortran_order' and 'shape'"};
    return {};
  }

private:
  char peek() {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\n' || rest.front() == '\t'))
      rest.remove_prefix(1);
    return rest.empty() ? 0 : rest.front();
  }
  bool take(char wanted) {
    if (peek() != wanted)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  bool word(std::string_view wanted) {
    peek();
    if (!rest.starts_with(wanted))
      return false;
    rest.remove_prefix(wanted.size());
    return true;
  }
  bool text(std::string &result) {
    const char quote = peek();
    if (quote != '\'' && quote != '"')
      return false;
    const size_t end = rest.find(quote, 1);
    if (end == rest.npos)
      return false;
    result = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return true;
  }
  Error wrong(const char *expected) {
    const std::string_view shown = rest.substr(0, 20);
    return {Error::Header, "the header has " + (peek() ? quoteToken(shown) : "its end"), expected};
  }

  Status parseType() {
    if (peek() == '[' || peek() == '(')
      return Error{Error::ElementType, "the elements have a structured type", "numbers"};
    std::string descr;
    if (!text(descr))
      return wrong("the type of the elements");
    Error unknown{Error::ElementType, "the elements have the type " + quoteToken(descr),
                  "bool, integers or floating-point numbers of up to 64 bits, or complex ones"};
    if (descr == "|O" || descr == "O")
      return Error{Error::ElementType, "the elements are Python objects", "numbers"};
    if (descr.size() < 3)
      return unknown;
    constexpr bool little = std::endian::native == std::endian::little;
    array.swapped = descr[0] == (little ? '>' : '<');
    int64_t width = 0;
    const char *end = descr.data() + descr.size();
    if (std::from_chars(descr.data() + 2, end, width).ptr != end || width < 0 ||
        width > INT32_MAX || std::string_view("<>|=").find(descr[0]) == std::string_view::npos)
      return unknown;
    return setType(descr[1], width) ? Status() : Status(unknown);
  }

  bool setType(char kind, int64_t width) {
    struct Known {
      char kind;
      FileType type;
    };
    static constexpr Known known[] = {
        {'b', FileType::boolean},   {'i', FileType::int8},       {'i', FileType::int16},
        {'i', FileType::int32},     {'i', FileType::int64},      {'u', FileType::uint8},
        {'u', FileType::uint16},    {'u', FileType::uint32},     {'u', FileType::uint64},
        {'f', FileType::float16},   {'f', FileType::float32},    {'f', FileType::float64},
        {'c', FileType::complex64}, {'c', FileType::complex128},
    };
    array.elementBytes = kind == 'U' ? 4 * width : width;
    if (kind == 'S' || kind == 'U') {
      array.type = kind == 'S' ? FileType::text : FileType::wideText;
      return true;
    }
    for (const Known &type : known)
      if (type.kind == kind && fileTypeBytes(type.type) == width) {
        array.type = type.type;
        return true;
      }
    return false;
  }

  Status parseOrder() {
    array.columnMajor = word("True");
    return array.columnMajor || word("False") ? Status() : Status(wrong("True or False"));
  }

  Status parseShape() {
    if (!take('('))
      return wrong("the sizes in parentheses");
    while (!take(')')) {
      int64_t size = 0;
      peek();
      const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
      if (code != std::errc() || size < 0)
        return wrong("a size of up to 63 bits");
      rest.remove_prefix(static_cast<size_t>(end - rest.data()));
      take('L'); // as Python 2 wrote it
      array.sizes.push_back(size);
      if (!take(',') && peek() != ')')
        return wrong("',' or ')'");
      if (array.sizes.size() > maximumOrder)
        return Error{Error::Order,
                     "an array of more than " + std::to_string(maximumOrder) + " dimensions"};
    }
    return {};
  }

  std::string_view rest;
  FileArray &array;
};

} // namespace

Result<FileArray> parseNpyHeader(std::string_view bytes, std::string name) {
  if (!looksLikeNpy(bytes))
    return Error{Error::FileKind, "'" + name + "' is not an array of NumPy",
                 "a text that begins with \\x93NUMPY"};
  if (bytes.size() < 12)
    return Error{Error::CutOff, "'" + name + "' ends within its header"};
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3)
    return Error{Error::UnsupportedFile, "'" + name + "' is of version " + std::to_string(version),
                 "1, 2 or 3"};
  constexpr bool big = std::endian::native == std::endian::big;
  const size_t start = version == 1 ? 10 : 12;
  const size_t length = version == 1 ? loadNumber<uint16_t>(bytes.data() + 8, big)
                                     : loadNumber<uint32_t>(bytes.data() + 8, big);
  if (length > bytes.size() - start)
    return Error{Error::CutOff, "'" + name + "' ends within its header"};
  FileArray array;
  array.name = std::move(name);
  if (Status fine = HeaderParser(bytes.substr(start, length), array).parse(); !fine.ok()) {
    fine.error().message += " (in '" + array.name + "')";
    return fine;
  }
  const std::optional<int64_t> count = productOf(array.sizes);
  if (!count)
    return Error{Error::IndexWidth,
                 "'" + array.name + "' has a number of elements that does not fit 63 bits"};
  array.count = *count;
  array.data = bytes.data() + start + length;
  return array;
}

Result<FileArray> parseNpy(std::string_view bytes, std::string name) {
  Result<FileArray> array = parseNpyHeader(bytes, std::move(name));
  if (!array)
    return array;
  const int64_t left = bytes.data() + bytes.size() - array->data;
  if (array->elementBytes == 0 && array->count > 1)
    return Error{Error::ElementType, "'" + array->name + "' has elements without bytes"};
  const bool fits = array->elementBytes == 0 || array->count <= left / array->elementBytes;
  if (!fits || array->count * array->elementBytes != left)
    return Error{Error::CutOff,
                 "'" + array->name + "' has " + counted(left, "byte") + " of elements",
                 counted(array->count, "element") + " of " + counted(array->elementBytes, "byte")};
  return array;
}

std::optional<strata_type> npyValueType(const InputFile &file) {
  Result<FileArray> array = parseNpyHeader(file.head(), "array");
  if (!array)
    return std::nullopt;
  return valueTypeFor(array->type);
}

Result<Coordinates> coordinatesOfDense(FileArray array, const LevelArraysOptions &options) {
  LevelArrays arrays{.sizes = array.sizes};
  const size_t order = array.sizes.size();
  if (array.columnMajor) {
    arrays.sizes.assign(array.sizes.rbegin(), array.sizes.rend());
    for (size_t d = order; d-- > 0;)
      arrays.dimensions.push_back(static_cast<int>(d));
  }
  if (order > 0)
    arrays.levels.push_back({.rank = static_cast<int>(order)});
  arrays.values = std::move(array);
  return coordinatesOf(arrays, options);
}

Result<TensorFileContent> readNpy(const InputFile &file, const TensorFileOptions &options) {
  Result<std::string_view> bytes = file.whole(looksLikeNpy);
  if (!bytes)
    return bytes.takeStatus();
  Result<FileArray> array = parseNpy(*bytes, "array");
  if (!array)
    return array.takeStatus();
  Result<Coordinates> list = readDenseArray(std::move(*array), file.selection().ranges, options);
  if (!list)
    return list.takeStatus();
  return TensorFileContent{.list = std::move(*list), .isArray = true};
}

//===------------------------------------------------------------------------------------------===//
// Writing
//===------------------------------------------------------------------------------------------===//

static std::string headerFor(const std::string &descr, std::span<const int64_t> sizes,
                             bool columnMajor) {
  std::string shape;
  for (int64_t size : sizes)
    shape += std::to_string(size) + ", ";
  if (sizes.size() > 1)
    shape.resize(shape.size() - 2);
  std::string text = "{'descr': '" + descr +
                     "', 'fortran_order': " + (columnMajor ? "True" : "False") + ", 'shape': (" +
                     shape + "), }";
  const bool first = text.size() + 1 + 10 + 64 < 65536;
  const size_t start = first ? 10 : 12, total = (start + text.size() + 1 + 63) / 64 * 64;
  text.resize(total - start - 1, ' ');
  text += '\n';
  std::string header(magic);
  header += first ? '\1' : '\2';
  header += '\0';
  for (size_t byte = 0; byte < start - 8; ++byte)
    header += static_cast<char>(text.size() >> (8 * byte) & 255);
  return header + text;
}

std::string npyHeader(FileType type, std::span<const int64_t> sizes, bool columnMajor) {
  const char kind = type == FileType::boolean ? 'b'
                    : isComplexType(type)     ? 'c'
                    : !isIntegerType(type)    ? 'f'
                    : type >= FileType::uint8 ? 'u'
                                              : 'i';
  const int64_t bytes = fileTypeBytes(type);
  constexpr bool little = std::endian::native == std::endian::little;
  const char order = bytes == 1 ? '|' : little ? '<' : '>';
  return headerFor(std::string{order, kind} + std::to_string(bytes), sizes, columnMajor);
}

std::string npyText(std::string_view text) {
  constexpr bool little = std::endian::native == std::endian::little;
  std::string array = headerFor((little ? "<U" : ">U") + std::to_string(text.size()), {}, false);
  for (char letter : text) {
    const auto number = static_cast<uint32_t>(static_cast<unsigned char>(letter));
    array.append(reinterpret_cast<const char *>(&number), sizeof number);
  }
  return array;
}

Status writeNpy(const std::string &path, const DenseValues &values) {
  const std::optional<int64_t> count = productOf(values.sizes);
  if (!count || values.strides.size() != values.sizes.size())
    return Error{Error::InvalidStorage, "sizes and strides that do not belong together", "", path,
                 0};
  const std::vector<int64_t> backSizes(values.sizes.rbegin(), values.sizes.rend()),
      backStrides(values.strides.rbegin(), values.strides.rend());
  const bool rows = liesInOrder(values.sizes, values.strides);
  const bool columns = !rows && liesInOrder(backSizes, backStrides);
  Result<FileType> type = fileTypeOf(values.type);
  if (!type)
    return type.takeStatus();
  return writeDenseArray(path, npyHeader(*type, values.sizes, columns), values, columns);
}

} // namespace strata::runtime

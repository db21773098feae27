// The JSON text of binsparse files, both ways.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Counted.h"
#include "strata/runtime/io/Binsparse.h"
#include "strata/runtime/io/EntryReader.h"
#include "strata/runtime/io/ParseJson.h"

namespace strata::runtime {
namespace {

using Json = nlohmann::json;
using Level = BinsparseDescriptor::Level;

struct NamedFormat {
  const char *name;
  std::vector<Level> levels;
  bool byColumns;
};

const std::vector<NamedFormat> &namedFormats() {
  static const Level dense{}, sparse{.sparse = true}, pairs{.sparse = true, .rank = 2};
  static const std::vector<NamedFormat> formats = {
      {"DVEC", {dense}, false},          {"CVEC", {sparse}, false},
      {"DMATR", {dense, dense}, false},  {"DMATC", {dense, dense}, true},
      {"CSR", {dense, sparse}, false},   {"CSC", {dense, sparse}, true},
      {"DCSR", {sparse, sparse}, false}, {"DCSC", {sparse, sparse}, true},
      {"COOR", {pairs}, false},          {"COOC", {pairs}, true},
      {"DMAT", {dense, dense}, false},   {"COO", {pairs}, false},
  };
  return formats;
}

std::string shown(const Json &value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return quoteToken(text);
}

/// One key after the other; the first mistake stays.
class DescriptorParser {
public:
  Result<BinsparseDescriptor> parse(const std::string &text) {
    const Json all = parseJson(text);
    if (!all.is_object())
      return Error{Error::Header, "the attribute 'binsparse' is not a JSON object"};
    const Json &root = all.contains("binsparse") ? all["binsparse"] : all;
    if (!root.is_object())
      return Error{Error::Header, "'binsparse' is " + shown(root), "an object"};
    for (auto step : {&DescriptorParser::parseVersion, &DescriptorParser::parseShape,
                      &DescriptorParser::parseFormat, &DescriptorParser::parseNumbers,
                      &DescriptorParser::parseTypes, &DescriptorParser::parseStructure})
      if (Status fine = (this->*step)(root); !fine.ok())
        return fine;
    return std::move(result);
  }

private:
  static const Json *find(const Json &object, const char *key) {
    auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }
  static Error mistake(const char *key, const Json &value, std::string expected) {
    return {Error::Header, std::string("'") + key + "' is " + shown(value), std::move(expected)};
  }
  static Error missing(const char *key) {
    return {Error::Header, std::string("the description has no '") + key + "'"};
  }
  /// A number from `least` to `most`.
  static Status number(const Json &value, const char *key, int64_t least, int64_t most,
                       int64_t &out) {
    const bool fits =
        value.is_number_unsigned() ? value.get<uint64_t>() <= INT64_MAX : value.is_number_integer();
    if (!fits || value.get<int64_t>() < least || value.get<int64_t>() > most)
      return mistake(key, value,
                     "an integer from " + std::to_string(least) + " to " + std::to_string(most));
    out = value.get<int64_t>();
    return {};
  }

  Status parseVersion(const Json &root) {
    const Json *version = find(root, "version");
    if (!version)
      return missing("version");
    if (!version->is_string())
      return mistake("version", *version, "a text, such as \"0.1.0\"");
    const auto &text = version->get_ref<const std::string &>();
    if (!text.starts_with("0.") && !text.starts_with("1.") && text != "1")
      return mistake("version", *version, "0.1 to 1.x");
    return {};
  }

  Status parseShape(const Json &root) {
    const Json *shape = find(root, "shape");
    if (!shape)
      return missing("shape");
    if (!shape->is_array() || shape->empty() || shape->size() > maximumOrder)
      return mistake("shape", *shape, "a list of 1 to " + std::to_string(maximumOrder) + " sizes");
    for (const Json &size : *shape)
      if (Status fine = number(size, "shape", 0, INT64_MAX, result.shape.emplace_back());
          !fine.ok())
        return fine;
    return {};
  }

  Status parseFormat(const Json &root) {
    const Json *format = find(root, "format"), *custom = find(root, "custom");
    if (!format && !custom)
      return missing("format");
    if (format && format->is_object())
      custom = format->contains("custom") ? &(*format)["custom"] : format;
    if (custom) {
      result.format = "custom";
      if (Status fine = parseCustom(*custom); !fine.ok())
        return fine;
    }
    if (format && format->is_string() && *format != "custom")
      if (Status fine = parseName(format->get<std::string>(), custom != nullptr); !fine.ok())
        return fine;
    if (result.levels.empty())
      return format ? mistake("format", *format, "the name of a format, or levels under 'custom'")
                    : missing("format");
    int64_t order = 0;
    for (const Level &level : result.levels)
      order += level.rank;
    if (order != static_cast<int64_t>(result.shape.size()))
      return Error{Error::Inconsistent, "the levels have " + counted(order, "dimension"),
                   std::to_string(result.shape.size()) + ", as the shape"};
    return {};
  }

  /// A format by its name, which custom levels beside it must agree with.
  Status parseName(const std::string &name, bool hasCustom) {
    for (const NamedFormat &known : namedFormats()) {
      if (name != known.name)
        continue;
      if (hasCustom && binsparseFormatName(result.levels, result.transpose) !=
                           binsparseFormatName(known.levels, known.byColumns ? std::vector{1, 0}
                                                                             : std::vector<int>()))
        return Error{Error::Inconsistent,
                     "the levels under 'custom' are not those of the format " + name};
      result.format = name;
      result.levels = known.levels;
      if (known.byColumns)
        result.transpose = {1, 0};
      return {};
    }
    std::string names;
    for (const NamedFormat &known : namedFormats())
      names += std::string(known.name) + ", ";
    return mistake("format", Json(name), names + "or custom levels");
  }

  Status parseCustom(const Json &custom) {
    if (!custom.is_object())
      return mistake("custom", custom, "an object");
    const Json *level = find(custom, "level");
    int64_t order = 0;
    for (;; level = find(*level, "level")) {
      if (!level || !level->is_object())
        return Error{Error::Header,
                     "the custom format has no level below level " +
                         std::to_string(result.levels.size()),
                     "\"level_desc\": \"element\" at the end"};
      const Json *kind = find(*level, "level_desc");
      if (!kind || !kind->is_string())
        return missing("level_desc");
      if (*kind == "element")
        break;
      if (*kind != "dense" && *kind != "sparse")
        return mistake("level_desc", *kind, "\"dense\", \"sparse\" or \"element\"");
      int64_t rank = 1;
      if (const Json *given = find(*level, "rank"))
        if (Status fine = number(*given, "rank", 1, maximumOrder, rank); !fine.ok())
          return fine;
      order += rank;
      if (order > maximumOrder)
        return Error{Error::Order,
                     "the levels have more than " + std::to_string(maximumOrder) + " dimensions"};
      const Json *sorted = find(*level, "sorted");
      if (sorted && !sorted->is_boolean())
        return mistake("sorted", *sorted, "true or false");
      result.levels.push_back({.sparse = *kind == "sparse",
                               .rank = static_cast<int>(rank),
                               .sorted = !sorted || sorted->get<bool>()});
    }
    return parseTranspose(custom);
  }

  Status parseTranspose(const Json &custom) {
    const Json *transpose = find(custom, "transpose");
    if (!transpose)
      return {};
    std::vector<bool> seen(result.shape.size());
    if (!transpose->is_array() || transpose->size() != seen.size())
      return mistake("transpose", *transpose, "a permutation of the dimensions");
    for (const Json &entry : *transpose) {
      int64_t dimension = 0;
      if (Status fine =
              number(entry, "transpose", 0, static_cast<int64_t>(seen.size()) - 1, dimension);
          !fine.ok())
        return fine;
      if (seen[static_cast<size_t>(dimension)])
        return mistake("transpose", *transpose, "a permutation of the dimensions");
      seen[static_cast<size_t>(dimension)] = true;
      result.transpose.push_back(static_cast<int>(dimension));
    }
    return {};
  }

  Status parseNumbers(const Json &root) {
    const Json *stored = find(root, "number_of_stored_values");
    if (!stored)
      return missing("number_of_stored_values");
    if (Status fine = number(*stored, "number_of_stored_values", 0, INT64_MAX, result.stored);
        !fine.ok())
      return fine;
    if (const Json *base = find(root, "index_base"))
      if (Status fine = number(*base, "index_base", 0, 1, result.base); !fine.ok())
        return fine;
    if (const Json *fill = find(root, "fill")) {
      if (!fill->is_boolean())
        return mistake("fill", *fill, "true or false");
      result.fill = fill->get<bool>();
    }
    return {};
  }

  /// `data_types`: of the values with modifiers, `iso[complex[float64]]`.
  Status parseTypes(const Json &root) {
    const Json *types = find(root, "data_types");
    if (!types)
      return missing("data_types");
    if (!types->is_object())
      return mistake("data_types", *types, "an object");
    for (const auto &[name, type] : types->items()) {
      if (!type.is_string())
        return mistake(name.c_str(), type, "the name of a type");
      result.types[name] = type.get<std::string>();
    }
    std::string &values = result.types["values"];
    auto modifier = [&](std::string_view word) {
      if (!values.starts_with(word) || !values.ends_with("]"))
        return false;
      values = values.substr(word.size(), values.size() - word.size() - 1);
      return true;
    };
    result.iso = modifier("iso[");
    result.complexValues = modifier("complex[");
    result.booleanValues = values == "bint8";
    return {};
  }

  Status parseStructure(const Json &root) {
    const Json *structure = find(root, "structure");
    if (!structure || *structure == "general")
      return {};
    struct Known {
      const char *name;
      Symmetry symmetry;
      bool upper;
    };
    static constexpr Known known[] = {
        {"symmetric_lower", Symmetry::symmetric, false},
        {"symmetric_upper", Symmetry::symmetric, true},
        {"hermitian_lower", Symmetry::hermitian, false},
        {"hermitian_upper", Symmetry::hermitian, true},
        {"skew_symmetric_lower", Symmetry::skewSymmetric, false},
        {"skew_symmetric_upper", Symmetry::skewSymmetric, true},
    };
    for (const Known &entry : known)
      if (*structure == entry.name) {
        result.symmetry = entry.symmetry;
        result.upper = entry.upper;
      }
    if (result.symmetry == Symmetry::general)
      return mistake("structure", *structure,
                     "symmetric, hermitian or skew_symmetric, with _lower or _upper");
    if (result.shape.size() != 2 || result.shape[0] != result.shape[1])
      return mistake("structure", *structure, "none, as the tensor is not a square matrix");
    return {};
  }

  BinsparseDescriptor result;
};

Json levelsAsJson(const BinsparseDescriptor &descriptor) {
  Json inner = {{"level_desc", "element"}};
  for (size_t at = descriptor.levels.size(); at-- > 0;) {
    const Level &level = descriptor.levels[at];
    Json outer = {{"level_desc", level.sparse ? "sparse" : "dense"}, {"rank", level.rank}};
    if (!level.sorted)
      outer["sorted"] = false;
    outer["level"] = std::move(inner);
    inner = std::move(outer);
  }
  return inner;
}

} // namespace

Result<BinsparseDescriptor> parseBinsparse(const std::string &text) {
  return DescriptorParser().parse(text);
}

std::string binsparseFormatName(const std::vector<Level> &levels,
                                const std::vector<int> &transpose) {
  const bool byColumns = transpose == std::vector{1, 0};
  const bool inOrder = std::ranges::is_sorted(transpose);
  auto same = [](const Level &a, const Level &b) {
    return a.sparse == b.sparse && a.rank == b.rank && a.sorted == b.sorted;
  };
  for (const NamedFormat &known : namedFormats())
    if ((known.byColumns ? byColumns : inOrder) && std::ranges::equal(levels, known.levels, same))
      return known.name;
  return "custom";
}

std::string printBinsparse(const BinsparseDescriptor &descriptor) {
  Json root = {{"version", "0.1.0"},
               {"shape", descriptor.shape},
               {"number_of_stored_values", descriptor.stored},
               {"data_types", descriptor.types}};
  if (descriptor.fill)
    root["fill"] = true;
  const std::string name = binsparseFormatName(descriptor.levels, descriptor.transpose);
  root["format"] = name;
  if (name == "custom") {
    root["custom"] = {{"level", levelsAsJson(descriptor)}};
    if (!std::ranges::is_sorted(descriptor.transpose))
      root["custom"]["transpose"] = descriptor.transpose;
  }
  return Json{{"binsparse", root}}.dump();
}

} // namespace strata::runtime

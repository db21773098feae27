// Reads modules, and spells old encodings in the words of today.
#include "strata/interop/ReadModule.h"

#include "strata/interop/ImportLinalg.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <optional>

using namespace mlir;
using llvm::StringRef;

namespace strata::interop {

//===------------------------------------------------------------------------------------------===//
// Old keys
//===------------------------------------------------------------------------------------------===//

// The text up to the bracket that closes the one at its begin; nothing if none does.
static std::optional<size_t> closing(StringRef text) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '-' && at + 1 < text.size() && text[at + 1] == '>') {
      ++at;
      continue;
    }
    depth += StringRef("([{<").contains(text[at])   ? 1
             : StringRef(")]}>").contains(text[at]) ? -1
                                                    : 0;
    if (depth == 0)
      return at;
  }
  return std::nullopt;
}

// Without comments, and in one line.
static std::string withoutComments(StringRef text) {
  std::string plain;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    plain += line.split("//").first.str() + " ";
    text = rest;
  }
  return plain;
}

// "key = value, key = value" apart, at commas outside of brackets.
static SmallVector<std::pair<StringRef, StringRef>> entriesOf(StringRef text) {
  SmallVector<std::pair<StringRef, StringRef>> entries;
  while (!text.trim().empty()) {
    size_t at = 0;
    while (at < text.size() && text[at] != ',') {
      if (StringRef("([{<").contains(text[at])) {
        std::optional<size_t> end = closing(text.drop_front(at));
        if (!end)
          return {};
        at += *end;
      }
      ++at;
    }
    auto [key, value] = text.take_front(at).split('=');
    entries.push_back({key.trim(), value.trim()});
    text = text.drop_front(std::min(at + 1, text.size()));
  }
  return entries;
}

// "compressed-nu-no", "compressed_nu": the properties stand behind the name.
static std::string levelText(StringRef word) {
  std::string name = word.trim(" \"").str();
  SmallVector<StringRef> properties;
  StringRef rest = name;
  for (bool found = true; found;) {
    found = false;
    for (auto [ending, property] : {std::pair<StringRef, StringRef>("nu", "nonunique"),
                                    std::pair<StringRef, StringRef>("no", "nonordered")})
      if (rest.ends_with(("-" + ending).str()) || rest.ends_with(("_" + ending).str())) {
        rest = rest.drop_back(3);
        properties.insert(properties.begin(), property);
        found = true;
      }
  }
  const bool isLoose = rest.consume_back("_hi") || rest.consume_back("-hi");
  std::string text = isLoose ? "loose_" + rest.str() : rest.str();
  return properties.empty() ? text : text + "(" + llvm::join(properties, ", ") + ")";
}

namespace {

struct OldEncoding {
  SmallVector<std::string> levels;
  SmallVector<std::string> dims, exprs; ///< of the ordering
  std::string others;                   ///< what today's encoding says in the same words

  bool read(StringRef text);
  std::string text() const;

private:
  bool readMap(StringRef map);
};

} // namespace

bool OldEncoding::readMap(StringRef map) {
  map.consume_front("affine_map<");
  map.consume_back(">");
  auto [from, to] = map.split("->");
  auto names = [](StringRef list, SmallVectorImpl<std::string> &into) {
    list = list.trim();
    if (!list.consume_front("(") || !list.consume_back(")"))
      return false;
    SmallVector<StringRef> parts;
    list.split(parts, ',');
    for (StringRef part : parts)
      into.push_back(part.trim().str());
    return true;
  };
  return names(from, dims) && names(to, exprs);
}

bool OldEncoding::read(StringRef text) {
  bool isOld = false;
  auto add = [&](StringRef key, StringRef value) { others += (", " + key + " = " + value).str(); };
  for (auto [key, value] : entriesOf(text)) {
    if (key == "dimLevelType" || key == "lvlTypes") {
      isOld = true;
      if (!value.consume_front("[") || !value.consume_back("]"))
        return false;
      SmallVector<StringRef> words;
      value.split(words, ',');
      for (StringRef word : words)
        levels.push_back(levelText(word));
    } else if (key == "dimOrdering" || key == "dimToLvl" || key == "higherOrdering") {
      if (!exprs.empty() || !readMap(value))
        return false;
    } else if (key == "pointerBitWidth" || key == "posWidth") {
      add("posWidth", value);
    } else if (key == "indexBitWidth" || key == "crdWidth") {
      add("crdWidth", value);
    } else if (key == "explicitVal" || key == "implicitVal") {
      add(key, value);
    } else {
      return false;
    }
  }
  if (exprs.empty())
    for (size_t dim = 0; dim < levels.size(); ++dim) {
      dims.push_back("d" + std::to_string(dim));
      exprs.push_back(dims.back());
    }
  return isOld && levels.size() == exprs.size();
}

std::string OldEncoding::text() const {
  std::string map;
  for (auto [expr, level] : llvm::zip(exprs, levels))
    map += (map.empty() ? "" : ", ") + expr + " : " + level;
  return "map = (" + llvm::join(dims, ", ") + ") -> (" + map + ")" + others;
}

std::string withTodaysEncodings(StringRef text) {
  static constexpr StringRef opening = "#sparse_tensor.encoding<{";
  std::string result;
  for (size_t at; (at = text.find(opening)) != StringRef::npos;) {
    result += text.take_front(at + opening.size()).str();
    StringRef body = text.drop_front(at + opening.size() - 1);
    text = text.drop_front(at + opening.size());
    std::optional<size_t> end = closing(body);
    if (!end)
      break;
    StringRef inside = body.slice(1, *end);
    std::string plain = withoutComments(inside);
    OldEncoding old;
    if (old.read(plain))
      result += old.text() + std::string(inside.count('\n'), '\n');
    else
      result += inside.str();
    text = body.drop_front(*end);
  }
  return result + text.str();
}

//===------------------------------------------------------------------------------------------===//
// Nesting
//===------------------------------------------------------------------------------------------===//

// Where a text or a comment that begins here ends; the place itself if neither does.
static size_t endOfQuoted(StringRef text, size_t at) {
  if (text.substr(at).starts_with("//"))
    return std::min(text.find('\n', at), text.size());
  if (text[at] != '"')
    return at;
  for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
    at += text[at] == '\\';
  return std::min(at + 1, text.size());
}

// Finds the first place that is nested too deeply: MLIR's parser calls itself for each bracket and
// each sign, and the stack is finite. An operator of an affine expression counts until it ends.
static std::optional<size_t> findTooDeep(StringRef text, size_t most) {
  SmallVector<size_t> operators{0}; // of each bracket that is open
  size_t depth = 0;
  for (size_t at = 0; at < text.size();) {
    if (size_t end = endOfQuoted(text, at); end != at) {
      at = end;
      continue;
    }
    StringRef pair = text.substr(at, 2);
    if (pair == "->" || pair == ">=" || pair == "<=") {
      at += 2;
      continue;
    }
    char c = text[at++];
    if (StringRef("([{<").contains(c)) {
      operators.push_back(0);
      ++depth;
    } else if (StringRef(")]}>").contains(c) && operators.size() > 1) {
      depth -= operators.pop_back_val() + 1;
    } else if (StringRef("+-*").contains(c)) {
      ++operators.back();
      ++depth;
    } else if (c == ',' || c == '=' || c == ':' || c == '%') {
      depth -= std::exchange(operators.back(), 0);
    }
    if (depth > most)
      return at - 1;
  }
  return std::nullopt;
}

// Reports what the parser's stack may not hold.
static LogicalResult checkNesting(StringRef text, StringRef name, MLIRContext *context) {
  constexpr size_t most = 1000;
  std::optional<size_t> place = findTooDeep(text, most);
  if (!place)
    return success();
  StringRef before = text.take_front(*place);
  size_t lineStart = before.rfind('\n') + 1;
  auto location = FileLineColLoc::get(context, name, unsigned(before.count('\n') + 1),
                                      unsigned(*place - lineStart + 1));
  return emitError(location) << "this is nested too deeply (more than " << most << " levels)";
}

//===------------------------------------------------------------------------------------------===//
// Names
//===------------------------------------------------------------------------------------------===//

// The name that a place of the text gives to a value; empty if that is a number.
static StringRef nameAt(SMRange range) {
  if (!range.isValid())
    return "";
  StringRef name(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
  return name.consume_front("%") && !name.empty() && !llvm::isDigit(name.front()) ? name : "";
}

static Location named(StringRef name, Location place) {
  if (name.empty() || isa<NameLoc>(place))
    return place;
  return NameLoc::get(StringAttr::get(place.getContext(), name), place);
}

// Values are called what the text calls them, unless it gives them a name by `loc`.
static void nameAsWritten(const AsmParserState &text) {
  for (const AsmParserState::OperationDefinition &op : text.getOpDefs())
    if (op.resultGroups.size() == 1)
      op.op->setLoc(named(nameAt(op.resultGroups.front().definition.loc), op.op->getLoc()));
  for (const AsmParserState::BlockDefinition &block : text.getBlockDefs())
    for (auto [argument, definition] : llvm::zip(block.block->getArguments(), block.arguments))
      argument.setLoc(named(nameAt(definition.loc), argument.getLoc()));
}

OwningOpRef<ModuleOp> readModule(StringRef text, StringRef name, MLIRContext *context) {
  if (failed(checkNesting(text, name, context)))
    return nullptr;
  DialectRegistry registry;
  registerDialects(registry);
  context->appendDialectRegistry(registry);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(withTodaysEncodings(text), name),
                             SMLoc());
  Block parsed;
  AsmParserState state;
  if (failed(parseAsmSourceFile(sources, &parsed, ParserConfig(context), &state)))
    return nullptr;
  nameAsWritten(state);
  return mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
      &parsed, context, FileLineColLoc::get(context, name, 0, 0));
}

} // namespace strata::interop

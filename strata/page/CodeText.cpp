// Colours C and assembly, and finds their loops.
#include "strata/page/CodeText.h"

#include "strata/page/Markup.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using llvm::SmallVector;
using llvm::StringRef;

namespace strata::page {

static SmallVector<StringRef> linesOfCode(StringRef text) {
  SmallVector<StringRef> lines;
  text.rtrim('\n').split(lines, '\n');
  return lines;
}

//===------------------------------------------------------------------------------------------===//
// Loops
//===------------------------------------------------------------------------------------------===//

std::vector<unsigned> loopDepthsOfC(StringRef source) {
  std::vector<unsigned> depths;
  SmallVector<bool> braces; // which are open, and whether a loop opened them
  auto depth = [&] { return unsigned(llvm::count(braces, true)); };
  for (StringRef line : linesOfCode(source)) {
    StringRef code = line.ltrim();
    bool isLoop = code.starts_with("for (") || code.starts_with("while (");
    unsigned before = depth(), most = before;
    for (char c : code) {
      if (c == '{') {
        braces.push_back(isLoop);
        most = std::max(most, depth());
      } else if (c == '}' && !braces.empty()) {
        braces.pop_back();
      }
    }
    // A loop's first and last line belong to it; so does one without braces.
    depths.push_back(std::max({before, most, before + (isLoop ? 1u : 0u)}));
  }
  return depths;
}

// The label that a line of assembly defines; empty if it defines none.
static StringRef labelOfLine(StringRef line) {
  if (line.empty() || isspace(static_cast<unsigned char>(line.front())))
    return "";
  auto [label, rest] = line.split(':');
  return rest.data() == line.end() && !line.ends_with(":") ? StringRef() : label;
}

// The label that a line of assembly jumps to; empty if it is no jump.
static StringRef targetOfLine(StringRef line) {
  StringRef code = line.ltrim();
  StringRef word = code.take_until([](char c) { return c == '\t' || c == ' '; });
  bool jumps = word.starts_with("j") || word == "b" || word.starts_with("b.") ||
               word.starts_with("cb") || word.starts_with("tb");
  if (!jumps)
    return "";
  return code.drop_front(word.size()).split('#').first.rsplit(',').second.empty()
             ? code.drop_front(word.size()).split('#').first.trim()
             : code.drop_front(word.size()).rsplit(',').second.trim();
}

std::vector<unsigned> loopDepthsOfAssembly(StringRef assembly) {
  SmallVector<StringRef> lines = linesOfCode(assembly);
  llvm::StringMap<size_t> begins; // of the labels of the present function
  llvm::StringMap<size_t> ends;
  std::vector<unsigned> depths(lines.size());
  auto closeFunction = [&] {
    for (const auto &loop : ends)
      for (size_t line = begins.lookup(loop.getKey()); line <= loop.getValue(); ++line)
        ++depths[line];
    begins.clear();
    ends.clear();
  };
  for (auto [number, line] : llvm::enumerate(lines)) {
    if (StringRef label = labelOfLine(line); !label.empty()) {
      if (!label.starts_with("."))
        closeFunction();
      begins[label] = number;
    } else if (StringRef target = targetOfLine(line); begins.contains(target)) {
      ends[target] = number;
    }
  }
  closeFunction();
  return depths;
}

//===------------------------------------------------------------------------------------------===//
// Words
//===------------------------------------------------------------------------------------------===//

static std::string tagged(StringRef tag, StringRef text) {
  return ("<" + tag + ">").str() + escaped(text) + ("</" + tag + ">").str();
}

static bool isKeyword(StringRef word) {
  static const llvm::StringSet<> words = {
      "for",     "while",   "if",       "else",    "return",   "const",    "restrict", "int64_t",
      "int32_t", "int16_t", "int8_t",   "uint8_t", "uint16_t", "uint32_t", "uint64_t", "double",
      "float",   "bool",    "void",     "struct",  "static",   "inline",   "do",       "break",
      "true",    "false",   "continue", "sizeof",  "char",     "typedef",  "goto",     "int"};
  return words.contains(word);
}

// A line of C; `inComment` goes from line to line.
static std::string cLine(StringRef line, bool &inComment) {
  if (line.ltrim().starts_with("#") && !inComment)
    return tagged("s", line);
  std::string text;
  while (!line.empty()) {
    if (inComment || line.starts_with("/*") || line.starts_with("//")) {
      size_t end = line.starts_with("//") && !inComment ? StringRef::npos
                                                        : line.find("*/", inComment ? 0 : 2);
      inComment = end == StringRef::npos && !line.starts_with("//");
      size_t size = end == StringRef::npos ? line.size() : end + 2;
      text += tagged("i", line.take_front(size));
      line = line.drop_front(size);
      continue;
    }
    StringRef word = line.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (word.empty())
      word = line.take_front(1);
    if (isKeyword(word))
      text += tagged("b", word);
    else if (llvm::isDigit(word.front()))
      text += tagged("u", word);
    else
      text += escaped(word);
    line = line.drop_front(word.size());
  }
  return text;
}

static std::string assemblyLine(StringRef line) {
  if (!labelOfLine(line).empty())
    return tagged("em", line);
  if (line.trim().empty())
    return "";
  size_t comment = line.find('#');
  std::string behind = comment == StringRef::npos ? "" : tagged("i", line.substr(comment));
  StringRef code = line.take_front(comment == StringRef::npos ? line.size() : comment);
  StringRef margin = code.take_while([](char c) { return c == '\t' || c == ' '; });
  StringRef word =
      code.drop_front(margin.size()).take_until([](char c) { return c == '\t' || c == ' '; });
  StringRef rest = code.drop_front(margin.size() + word.size());
  return margin.str() + tagged(word.starts_with(".") ? "s" : "b", word) + escaped(rest) + behind;
}

// Tells whether a line assembles to nothing.
static bool isAside(StringRef line) {
  StringRef code = line.ltrim();
  static constexpr StringRef data[] = {".long",  ".quad",  ".byte", ".short", ".zero",
                                       ".ascii", ".asciz", ".LCPI", ".LBB",   ".Ltmp0"};
  return code.starts_with(".") && labelOfLine(line).empty() &&
         llvm::none_of(data, [&](StringRef word) { return code.starts_with(word); });
}

static std::string lineHtml(StringRef html, unsigned depth, bool aside) {
  std::string kind = "line";
  if (depth > 0)
    kind += " d" + std::to_string((depth - 1) % 4 + 1);
  if (aside)
    kind += " aside";
  return "<span class=\"" + kind + "\">" + html.str() + "</span>";
}

std::string cHtml(StringRef source) {
  std::string html = "<pre class=\"code c\">";
  std::vector<unsigned> depths = loopDepthsOfC(source);
  bool inComment = false;
  for (auto [number, line] : llvm::enumerate(linesOfCode(source)))
    html += lineHtml(cLine(line, inComment), depths[number], false);
  return html + "</pre>\n";
}

std::string assemblyHtml(StringRef assembly, StringRef id) {
  std::string html = "<input type=\"checkbox\" class=\"all\" id=\"all-" + escaped(id) +
                     "\"> <label class=\"check\" for=\"all-" + escaped(id) +
                     "\">directives, too</label>\n<pre class=\"code asm\">";
  std::vector<unsigned> depths = loopDepthsOfAssembly(assembly);
  for (auto [number, line] : llvm::enumerate(linesOfCode(assembly)))
    html += lineHtml(assemblyLine(line), depths[number], isAside(line));
  return html + "</pre>\n";
}

std::string plainHtml(StringRef text) {
  return "<pre class=\"box\">" + escaped(text.rtrim('\n')) + "</pre>\n";
}

} // namespace strata::page

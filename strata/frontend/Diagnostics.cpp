// Recording and printing messages. LLVM's own printer gives up carets on lines that are not ASCII
// and copies control characters to the terminal; this one does neither, and cuts long lines.
#include "strata/frontend/Diagnostics.h"
#include "strata/frontend/ErrorCodes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"

#include <cstdlib>

using llvm::raw_ostream;
using llvm::StringRef;

namespace strata::frontend {

StringRef Diagnostic::code() const {
  return severity == Severity::Note ? StringRef() : errorCodeOf(message);
}

Diagnostics::Report &Diagnostics::Report::note(const llvm::Twine &message, llvm::SMRange range) {
  std::string text = message.str();
  if (diagnostic && !text.empty())
    diagnostic->notes.push_back({Severity::Note, range, std::move(text), {}});
  return *this;
}

// A `Report` lives within the statement that made it, so the vector does not grow meanwhile.
Diagnostics::Report Diagnostics::error(llvm::SMRange range, const llvm::Twine &message) {
  if (full())
    return Report(nullptr);
  ++numErrors;
  diagnostics.push_back({Severity::Error, range, message.str(), {}});
  return Report(&diagnostics.back());
}

Diagnostics::Report Diagnostics::warning(llvm::SMRange range, const llvm::Twine &message) {
  // A function is analysed at each call of it.
  std::string key = message.str() + "@" + std::to_string(uintptr_t(range.Start.getPointer()));
  if (range.isValid() && !warned.insert(key).second)
    return Report(nullptr);
  if (full())
    return Report(nullptr);
  diagnostics.push_back({Severity::Warning, range, message.str(), {}});
  return Report(&diagnostics.back());
}

Place Diagnostics::placeOf(llvm::SMLoc loc) const {
  if (!loc.isValid() || sources.FindBufferContainingLoc(loc) == 0)
    return {};
  auto [line, column] = sources.getLineAndColumn(loc);
  return {line, column};
}

//===------------------------------------------------------------------------------------------===//
// Printing
//===------------------------------------------------------------------------------------------===//

namespace {

// A source line as it can be shown: `text`, and how many columns stand before and under a range.
struct ShownLine {
  std::string text;
  unsigned before = 0, under = 1;
};

// The bytes of the character at the front of `rest`, or 0 if they are not a printable one.
unsigned printableLength(StringRef rest) {
  unsigned char first = rest.front();
  unsigned length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  return llvm::sys::unicode::columnWidthUTF8(rest.take_front(length)) > 0 ? length : 0;
}

// Shows `line`, whose bytes [from, to) are what a message is about.
ShownLine showLine(StringRef line, size_t from, size_t to) {
  constexpr size_t widest = 160, ahead = 60;
  ShownLine shown;
  size_t begin = from > widest - ahead ? from - (widest - ahead) : 0;
  // Not into the middle of a character.
  while (begin < from && (line[begin] & 0xC0) == 0x80)
    ++begin;
  if (begin > 0)
    shown.text = "...";
  unsigned column = shown.text.size();
  unsigned first = 0, last = 0;
  bool cut = false;
  for (size_t i = begin; i <= line.size();) {
    if (i <= from)
      first = column;
    if (i <= to)
      last = column;
    if (i == line.size() || (cut = i >= begin + widest))
      break;
    unsigned length = printableLength(line.substr(i));
    StringRef bytes = line.substr(i, length ? length : 1);
    std::string piece = length ? bytes.str() : bytes == "\t" ? "    " : "?";
    shown.text += piece;
    column += length ? std::max(0, llvm::sys::unicode::columnWidthUTF8(bytes)) : piece.size();
    i += bytes.size();
  }
  if (cut)
    shown.text += "...";
  shown.before = first;
  shown.under = std::max(1u, last > first ? last - first : 1u);
  return shown;
}

raw_ostream::Colors colourOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return raw_ostream::RED;
  case Severity::Warning:
    return raw_ostream::MAGENTA;
  case Severity::Note:
    break;
  }
  return raw_ostream::CYAN;
}

StringRef nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    break;
  }
  return "note";
}

} // namespace

void Diagnostics::printSource(raw_ostream &os, llvm::SMRange range, bool colours) const {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.FindBufferContainingLoc(range.Start));
  StringRef text = buffer->getBuffer();
  size_t at = range.Start.getPointer() - text.data();
  size_t begin = text.take_front(at).find_last_of("\r\n") + 1; // npos + 1 is 0
  size_t end = std::min(text.find_first_of("\r\n", at), text.size());
  size_t to = std::max<size_t>(at, range.End.getPointer() - text.data());
  ShownLine line = showLine(text.slice(begin, end), at - begin, std::min(to, end) - begin);
  os << "  " << line.text << "\n" << std::string(line.before + 2, ' ');
  if (colours)
    os.changeColor(raw_ostream::GREEN, /*Bold=*/true);
  os << '^' << std::string(line.under - 1, '~');
  if (colours)
    os.resetColor();
  os << "\n";
}

void Diagnostics::print(raw_ostream &os, const Diagnostic &diagnostic, bool colours) const {
  Place place = placeOf(diagnostic.range.Start);
  if (place.line) {
    unsigned id = sources.FindBufferContainingLoc(diagnostic.range.Start);
    os << sources.getMemoryBuffer(id)->getBufferIdentifier() << ":" << place.line << ":"
       << place.column << ": ";
  }
  if (colours)
    os.changeColor(colourOf(diagnostic.severity), /*Bold=*/true);
  os << nameOf(diagnostic.severity) << ": ";
  if (colours)
    os.resetColor();
  os << diagnostic.message << "\n";
  if (place.line)
    printSource(os, diagnostic.range, colours);
  for (const Diagnostic &note : diagnostic.notes)
    print(os, note, colours);
}

void Diagnostics::print(raw_ostream &os) const {
  const char *noColour = std::getenv("NO_COLOR");
  print(os, os.has_colors() && !(noColour && *noColour));
}

void Diagnostics::print(raw_ostream &os, bool colours) const {
  for (const Diagnostic &diagnostic : diagnostics)
    print(os, diagnostic, colours);
  if (full())
    os << "note: stopped after " << maxErrors << " errors\n";
}

} // namespace strata::frontend

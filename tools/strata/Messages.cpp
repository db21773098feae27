// Errors and notes, in one style.
#include "Messages.h"
#include "Progress.h"

#include "strata/frontend/ErrorCodes.h"
#include "strata/runtime/Counted.h"

#include <cstdlib>

using llvm::raw_ostream;
using llvm::Twine;

namespace strata::tool {

static std::vector<Said> &shown() {
  static std::vector<Said> list;
  return list;
}

// Keeps an error about no place, of which the runtime may have said the code.
static void remember(llvm::StringRef message) {
  auto [text, code] = frontend::splitCode(message);
  shown().push_back({text.str(), "", {}, code.str()});
}

llvm::ArrayRef<Said> errorsShown() { return shown(); }

static std::string keptText;
static bool messagesAreKept = false;

void keepMessages() { messagesAreKept = true; }

llvm::StringRef messagesKept() { return keptText; }

// Where messages go.
static raw_ostream &messages() {
  static llvm::raw_string_ostream kept(keptText);
  return messagesAreKept ? static_cast<raw_ostream &>(kept) : llvm::errs();
}

static std::optional<bool> coloursAsked;
static bool notesAreOff = false;

bool setColours(llvm::StringRef when) {
  if (when == "always" || when == "never")
    coloursAsked = when == "always";
  else if (when == "auto")
    coloursAsked = std::nullopt;
  else
    refuse("'--color=" + when + "' is none of auto, always and never");
  return when == "always" || when == "never" || when == "auto";
}

void turnNotesOff() { notesAreOff = true; }

bool useColours(const raw_ostream &os) {
  if (coloursAsked)
    return *coloursAsked;
  const char *noColour = std::getenv("NO_COLOR");
  return os.has_colors() && !(noColour && *noColour);
}

static void say(llvm::StringRef word, raw_ostream::Colors colour, const Twine &place,
                const Twine &message, raw_ostream &os = messages()) {
  clearProgress();
  os << place << ": ";
  if (useColours(os))
    os.changeColor(colour, /*Bold=*/true);
  os << word << ": ";
  if (useColours(os))
    os.resetColor();
  os << message << "\n";
}

static void sayNote(const Twine &message, const Twine &place = "strata") {
  say("note", raw_ostream::CYAN, place, message);
}

static int end(ExitCode code, const Twine &message, const Twine &hint) {
  llvm::outs().flush();
  remember(message.str());
  say("error", raw_ostream::RED, "strata", message);
  if (!hint.isTriviallyEmpty() && !hint.str().empty())
    sayNote(hint);
  return code;
}

int fail(const Twine &message, const Twine &hint) { return end(exitFailure, message, hint); }
int refuse(const Twine &message, const Twine &hint) { return end(exitMisuse, message, hint); }

void note(const Twine &message, const Twine &place) {
  if (!notesAreOff && !messagesAreKept)
    sayNote(message, place);
}

void warn(const Twine &message) {
  if (!notesAreOff && !messagesAreKept)
    say("warning", raw_ostream::MAGENTA, "strata", message);
}

void showFromRank(llvm::StringRef text, const Twine &who) {
  llvm::outs().flush();
  clearProgress();
  shown().push_back({text.trim().str(), "", {}, {}});
  llvm::errs() << text;
  if (std::string place = who.str(); !place.empty())
    say("note", raw_ostream::CYAN, "strata", place, llvm::errs());
}

void failInRank(const Twine &message) {
  llvm::outs().flush();
  remember(message.str());
  say("error", raw_ostream::RED, "strata", message, llvm::errs());
}

void noteFromRank(const Twine &message) {
  if (!notesAreOff)
    say("note", raw_ostream::CYAN, "strata", message, llvm::errs());
}

static Said saidOf(const frontend::Diagnostics &diagnostics,
                   const frontend::Diagnostic &diagnostic) {
  Said said{frontend::splitCode(diagnostic.message).first.str(), "",
            diagnostics.placeOf(diagnostic.range.Start), diagnostic.code().str()};
  const llvm::SourceMgr &sources = diagnostics.sourceManager();
  if (said.place.line)
    said.file = sources.getMemoryBuffer(sources.FindBufferContainingLoc(diagnostic.range.Start))
                    ->getBufferIdentifier();
  return said;
}

// The front end shows what is about a line; what is about none is the tool's to say.
static void show(const frontend::Diagnostics &diagnostics, const frontend::Diagnostic &diagnostic) {
  bool isError = diagnostic.severity == frontend::Severity::Error;
  Said said = saidOf(diagnostics, diagnostic);
  if (isError)
    shown().push_back(said);
  std::string message = said.message + (said.code.empty() ? "" : " [" + said.code + "]");
  if (said.place.line) {
    frontend::Diagnostics one(diagnostics.sourceManager());
    auto report =
        isError ? one.error(diagnostic.range, message) : one.warning(diagnostic.range, message);
    for (const frontend::Diagnostic &about : diagnostic.notes)
      report.note(about.message, about.range);
    return one.print(messages(), useColours(messages()));
  }
  say(isError ? "error" : "warning", isError ? raw_ostream::RED : raw_ostream::MAGENTA, "strata",
      message);
  for (const frontend::Diagnostic &about : diagnostic.notes)
    sayNote(about.message);
}

void show(const frontend::Diagnostics &diagnostics) {
  clearProgress();
  llvm::outs().flush();
  for (const frontend::Diagnostic &diagnostic : diagnostics.all())
    if (!messagesAreKept || diagnostic.severity == frontend::Severity::Error)
      show(diagnostics, diagnostic);
  if (diagnostics.full())
    sayNote("stopped after " + counted(frontend::Diagnostics::maxErrors, "error"));
}

} // namespace strata::tool

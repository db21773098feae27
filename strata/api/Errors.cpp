// Errors as values, and what the compiler reports as such.
#include "strata/api/Handles.h"
#include "strata/frontend/ErrorCodes.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace strata;
using namespace strata::api;

namespace strata::api {

// A text takes the place of each option of the command line that hints name.
struct Option {
  llvm::StringLiteral word, otherwise;
};
static constexpr Option options[] = {
    {"-i=", "give it as an operand"},
    {"-g=", "give it as an operand"},
    {"-D ", "a parameter of that name"},
    {"-d=",
     "an operand that has this dimension says its size, as does the result that is given (in "
     "Python, out=)"},
    {"--max-memory", "a higher limit of memory"},
    {"--force", "another format"},
};

// A hint in the library's words: parts that name an option, between "or"s, become others.
static std::string inLibrary(llvm::StringRef hint) {
  llvm::SmallVector<llvm::StringRef> parts, chosen;
  hint.split(parts, ", or ");
  for (llvm::StringRef part : parts) {
    const Option *named =
        llvm::find_if(options, [&](const Option &one) { return part.contains(one.word); });
    llvm::StringRef otherwise =
        named == std::end(options) ? part : llvm::StringRef(named->otherwise);
    if (!llvm::is_contained(chosen, otherwise))
      chosen.push_back(otherwise);
  }
  return llvm::join(chosen, ", or ");
}

// The same of what is wrong, which names other options.
static std::string messageInLibrary(std::string message) {
  constexpr Option inMessages[] = {{"--max-memory", "the limit of memory"},
                                   {"; --base=0 reads files that count from 0", ""}};
  for (const Option &option : inMessages)
    for (size_t at; (at = message.find(option.word)) != std::string::npos;)
      message.replace(at, option.word.size(), option.otherwise);
  return message;
}

// A mistake in Strata is one, whatever it makes fail.
static strata_error_code kindOf(strata_error_code kind, llvm::StringRef message) {
  return message.starts_with("internal error") ? STRATA_ERROR_INTERNAL : kind;
}

Mistake Mistake::of(llvm::StringRef message, Mistake otherwise) {
  if (kindOf(STRATA_ERROR_EXPRESSION, message) == STRATA_ERROR_INTERNAL)
    return ofStrata();
  llvm::StringRef code = frontend::errorCodeOf(message);
  uint16_t number = 0;
  if (code.consume_front("SE") && !code.getAsInteger(10, number))
    otherwise.number = number;
  return otherwise;
}

std::string Mistake::code() const {
  std::string text;
  if (number != runtime::Error::NoCode)
    llvm::raw_string_ostream(text) << llvm::format("SE%04u", unsigned(number));
  return text;
}

strata_error *makeError(strata_error_code kind, Mistake mistake, const llvm::Twine &message,
                        const llvm::Twine &hint) {
  std::string said = messageInLibrary(message.str());
  kind = kindOf(kind, said);
  return new strata_error(kind, mistake, std::move(said), inLibrary(hint.str()));
}

// An error of which the table, or what stands behind the message, says the kind of mistake.
static strata_error *withCodeOf(strata_error_code kind, llvm::StringRef message,
                                Mistake otherwise) {
  return makeError(kind, Mistake::of(message, otherwise), frontend::splitCode(message).first);
}

strata_error *withText(strata_error *error, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  if (error && error->text.empty() && error->line > 0 && size_t(error->line) <= lines.size())
    error->text = lines[size_t(error->line) - 1].str();
  return error;
}

strata_error *makeError(strata_error_code kind, const runtime::Error &error) {
  Mistake mistake = error.code;
  return withCodeOf(kind, error.sentence(), mistake);
}

// The line of a text around a place.
static std::string lineAround(const llvm::SourceMgr &sources, llvm::SMLoc place) {
  unsigned id = sources.FindBufferContainingLoc(place);
  llvm::StringRef text = sources.getMemoryBuffer(id)->getBuffer();
  size_t at = size_t(place.getPointer() - text.data());
  size_t begin = text.rfind('\n', at), end = text.find('\n', at);
  begin = begin == llvm::StringRef::npos ? 0 : begin + 1;
  return text.slice(begin, end).str();
}

strata_error *makeError(strata_error_code kind, const frontend::Diagnostics &diagnostics) {
  for (const frontend::Diagnostic &one : diagnostics.all()) {
    if (one.severity != frontend::Severity::Error)
      continue;
    strata_error *error = withCodeOf(kind, one.message, Refusal::Statement);
    frontend::Place place = diagnostics.placeOf(one.range.Start);
    error->line = int32_t(place.line);
    error->column = int32_t(place.column);
    if (place.line)
      error->text = lineAround(diagnostics.sourceManager(), one.range.Start);
    for (const frontend::Diagnostic &note : one.notes)
      error->hint += (error->hint.empty() ? "" : "\n") + inLibrary(note.message);
    return error;
  }
  return makeError(STRATA_ERROR_INTERNAL, Mistake::ofStrata(), "nothing says what is wrong");
}

Reports::Reports(strata_session &session, Mistake otherwise)
    : session(session), handler(&session.context, [this, otherwise](mlir::Diagnostic &diagnostic) {
        if (first || diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
          return mlir::success();
        first.reset(withCodeOf(STRATA_ERROR_INTERNAL, diagnostic.str(), otherwise));
        if (auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
          first->line = int32_t(place.getLine());
          first->column = int32_t(place.getColumn());
        }
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          first->hint += (first->hint.empty() ? "" : "\n") + inLibrary(note.str());
        return mlir::success();
      }) {}

strata_error *Reports::error(strata_error_code kind, const llvm::Twine &otherwise) const {
  if (!first)
    return makeError(STRATA_ERROR_INTERNAL, Mistake::ofStrata(), otherwise);
  auto *error = new strata_error(*first);
  error->kind = kindOf(kind, error->message);
  return error;
}

strata_error *Reports::error(const runtime::Error &failed) const {
  return failed.shown ? error(STRATA_ERROR_UNSUPPORTED, failed.sentence())
                      : makeError(errorKind(session), failed);
}

strata_error_code errorKind(const strata_session &session) {
  switch (session.compiler.lastStatus()) {
  case STRATA_OUT_OF_MEMORY:
    return STRATA_ERROR_MEMORY;
  case STRATA_OVERFLOW:
    return STRATA_ERROR_WIDTH;
  case STRATA_INTERRUPTED:
    return STRATA_ERROR_INTERRUPTED;
  case STRATA_DIVISION_BY_ZERO:
    return STRATA_ERROR_ARITHMETIC;
  case STRATA_NO_PLACE:
    return STRATA_ERROR_FORMAT;
  case STRATA_NOT_ASSEMBLED:
  case STRATA_NOT_IN_PATTERN:
    return STRATA_ERROR_ARGUMENT;
  default:
    return STRATA_ERROR_UNSUPPORTED;
  }
}

} // namespace strata::api

int32_t strata_error_kind(const strata_error *error) { return error->kind; }
const char *strata_error_message(const strata_error *error) { return error->message.c_str(); }
const char *strata_error_mistake(const strata_error *error) { return error->mistake.c_str(); }
const char *strata_error_hint(const strata_error *error) { return error->hint.c_str(); }
const char *strata_error_text(const strata_error *error) { return error->text.c_str(); }
int32_t strata_error_line(const strata_error *error) { return error->line; }
int32_t strata_error_column(const strata_error *error) { return error->column; }
void strata_error_free(strata_error *error) { delete error; }

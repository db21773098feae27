// How operations of strata.hpp end: statuses, results, and exceptions where there are any.
#ifndef STRATA_API_CPP_STATUS_HPP
#define STRATA_API_CPP_STATUS_HPP

#include "strata/api/strata.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#ifdef __cpp_exceptions
#include <stdexcept>
#endif

namespace strata {
inline namespace cpp {

/// The kinds of errors; strata.h documents each.
enum class ErrorKind : int32_t {
  None = 0,
  Expression = STRATA_ERROR_EXPRESSION,
  Shape = STRATA_ERROR_SHAPE,
  Format = STRATA_ERROR_FORMAT,
  Schedule = STRATA_ERROR_SCHEDULE,
  Type = STRATA_ERROR_TYPE,
  Argument = STRATA_ERROR_ARGUMENT,
  Width = STRATA_ERROR_WIDTH,
  File = STRATA_ERROR_FILE,
  Unsupported = STRATA_ERROR_UNSUPPORTED,
  Memory = STRATA_ERROR_MEMORY,
  Interrupted = STRATA_ERROR_INTERRUPTED,
  Arithmetic = STRATA_ERROR_ARITHMETIC,
  Internal = STRATA_ERROR_INTERNAL,
  Ranks = STRATA_ERROR_RANKS
};

/// The kinds of mistakes that strata.hpp finds itself. Each number is the code that
/// Status::mistake() gives, "SE0204"; docs/Errors.md describes it.
enum class Mistake : int32_t {
  NoValue = 204,
  Labels = 207,
  Extent = 302,
  Coordinate = 303,
  ElementType = 1310,
  Order = 1401,
  Arrays = 1701,
  Operands = 1702,
  Pieces = 1704,
  Argument = 1707
};

/// Success, or an error with what is known of it. Copying one is cheap.
class Status {
public:
  /// Success.
  Status() = default;
  Status(ErrorKind kind, Mistake mistake, std::string message, std::string hint = "",
         std::string text = "", int32_t line = 0, int32_t column = 0)
      : Status(Failure{kind, std::move(message), std::move(hint), std::move(text), line, column,
                       codeOf(mistake)}) {}
  /// Takes an error of the C interface, and frees it. Null is success.
  static Status take(strata_error *error) {
    if (!error)
      return {};
    Status status(Failure{ErrorKind(strata_error_kind(error)), strata_error_message(error),
                          strata_error_hint(error), strata_error_text(error),
                          strata_error_line(error), strata_error_column(error),
                          strata_error_mistake(error)});
    strata_error_free(error);
    return status;
  }

  bool ok() const { return !failure; }
  ErrorKind kind() const { return failure ? failure->kind : ErrorKind::None; }
  /// What is wrong, in one line.
  const std::string &message() const { return part(&Failure::message); }
  /// What would help, a line for each advice.
  const std::string &hint() const { return part(&Failure::hint); }
  /// The statement, schedule or format that the error is about.
  const std::string &text() const { return part(&Failure::text); }
  /// The code of the kind of mistake, "SE0204" (docs/Errors.md); empty of a mistake in Strata.
  const std::string &mistake() const { return part(&Failure::mistake); }
  /// The place in the text, counted from 1; 0 if the error is about all of it.
  int32_t line() const { return failure ? failure->line : 0; }
  int32_t column() const { return failure ? failure->column : 0; }

  /// The same error about `text`, unless it has a text of its own.
  Status about(const std::string &text) const {
    if (ok() || !failure->text.empty())
      return *this;
    return Status(Failure{kind(), message(), hint(), text, 0, 0, mistake()});
  }

  /// Message, text with a caret under the place, and hints; a line for each.
  std::string describe() const {
    if (ok())
      return "success";
    std::string all = "error: " + message() + "\n";
    if (!text().empty())
      all += "  " + text() + "\n";
    if (!text().empty() && column() > 0)
      all += "  " + std::string(size_t(column() - 1), ' ') + "^\n";
    for (size_t begin = 0; begin < hint().size();) {
      size_t end = hint().find('\n', begin);
      end = end == std::string::npos ? hint().size() : end;
      all += "hint: " + hint().substr(begin, end - begin) + "\n";
      begin = end + 1;
    }
    all.pop_back();
    return all;
  }

#ifdef __cpp_exceptions
  /// Throws strata::Error unless it is success.
  __attribute__((always_inline)) void orThrow() const;
#endif

private:
  struct Failure {
    ErrorKind kind;
    std::string message, hint, text;
    int32_t line, column;
    std::string mistake;
  };

  explicit Status(Failure failure) : failure(std::make_shared<const Failure>(std::move(failure))) {}

  static std::string codeOf(Mistake mistake) {
    const std::string digits = std::to_string(int32_t(mistake));
    return "SE" + std::string(4 - digits.size(), '0') + digits;
  }

  const std::string &part(std::string Failure::*which) const {
    static const std::string none;
    return failure ? (*failure).*which : none;
  }

  std::shared_ptr<const Failure> failure;
};

#ifdef __cpp_exceptions
/// A status as an exception.
class Error : public std::runtime_error {
public:
  explicit Error(Status status)
      : std::runtime_error(status.describe()), reason(std::move(status)) {}
  const Status &status() const { return reason; }
  /// The code of the kind of mistake, "SE0204" (docs/Errors.md); empty of a mistake in Strata.
  const std::string &mistake() const { return reason.mistake(); }

private:
  Status reason;
};

inline void Status::orThrow() const {
  if (!ok())
    throw Error(*this);
}
#endif

/// A value, or the error that stood in its way.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : content(std::move(value)) {}
  Result(Status error) : reason(std::move(error)) {}

  bool ok() const { return content.has_value(); }
  explicit operator bool() const { return ok(); }
  const Status &status() const { return reason; }

  /// The value. Without one it throws strata::Error; in a program without exceptions it prints the
  /// error and ends the program, so ask ok() first.
  __attribute__((always_inline)) T &value() & {
    demand();
    return *content;
  }
  __attribute__((always_inline)) const T &value() const & {
    demand();
    return *content;
  }
  __attribute__((always_inline)) T value() && {
    demand();
    return std::move(*content);
  }
  __attribute__((always_inline)) T &operator*() & { return value(); }
  __attribute__((always_inline)) const T &operator*() const & { return value(); }
  __attribute__((always_inline)) T operator*() && { return std::move(*this).value(); }
  __attribute__((always_inline)) T *operator->() { return &value(); }
  __attribute__((always_inline)) const T *operator->() const { return &value(); }

private:
  // Inlined, so that files with and without exceptions can be linked together.
  __attribute__((always_inline)) void demand() const {
    if (ok())
      return;
#ifdef __cpp_exceptions
    throw Error(reason);
#else
    std::fprintf(stderr, "%s\n", reason.describe().c_str());
    std::abort();
#endif
  }

  std::optional<T> content;
  Status reason;
};

} // namespace cpp
} // namespace strata

#endif // STRATA_API_CPP_STATUS_HPP

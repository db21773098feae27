// Results of runtime calls without exceptions: a value, or an error that says where and why.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STATUS_H
#define STRATA_RUNTIME_STATUS_H

#include "strata/runtime/abi.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

namespace strata::runtime {

/// A run-time failure: its kind, what was found, what was expected instead, and the place in a
/// file.
struct Error {
  /// The kinds of failures. Each number is the code that people see, SE1303, which docs/Errors.md
  /// describes; it keeps its meaning. Those below 1300 are also mistakes in programs.
  enum Code : uint16_t {
    NoCode = 0, ///< a failure of Strata itself, or one that diagnostics have told
    Parameter = 205,
    Extent = 302,
    Coordinate = 303,
    Size = 304,
    ElementValue = 402,
    FillValue = 507,
    RepeatedPlace = 705,
    LoopBounds = 802,
    Cells = 901,
    Placement = 902,
    // Files
    FileAccess = 1301,
    FileKind = 1302,
    Header = 1303,
    Entry = 1304,
    EntryIndex = 1305,
    Count = 1306,
    CutOff = 1307,
    Damaged = 1308,
    UnsupportedFile = 1309,
    ElementType = 1310,
    MissingPart = 1311,
    FileOption = 1312,
    Symmetry = 1313,
    Inconsistent = 1314,
    NotInSuchFiles = 1315,
    // Tensors
    Order = 1401,
    IndexWidth = 1402,
    NoRoom = 1403,
    InvalidStorage = 1404,
    Pattern = 1405,
    Arithmetic = 1406,
    Permutation = 1407,
    Unsupported = 1408,
    // The machine and its system
    Memory = 1501,
    MemoryLimit = 1502,
    System = 1503,
    Library = 1504,
    Interrupted = 1505,
    Processor = 1506,
    Setting = 1507,
    Description = 1508,
    Request = 1509,
    // Ranks
    Communication = 1601,
    RanksDiffer = 1602,
  };

  std::string message;
  std::string expected; ///< empty if the message says it all
  std::string file;     ///< empty if no file is concerned
  int64_t line;         ///< counted from 1; 0 if no line is concerned
  bool shown = false;   ///< diagnostics have said already what failed, at its place
  Code code;

  Error(Code code, std::string message, std::string expected = {}, std::string file = {},
        int64_t line = 0)
      : message(std::move(message)), expected(std::move(expected)), file(std::move(file)),
        line(line), code(code) {}
  /// A failure of which diagnostics have told.
  static Error alreadyShown(std::string message = {}) {
    Error error(NoCode, std::move(message));
    error.shown = true;
    return error;
  }

  /// `file:line: error: message; expected …`, without the parts that are absent.
  std::string text() const;
  /// The same without the word `error`, and with the code behind it, for people; also as the end of
  /// another sentence: `file:line: message; expected … [SE1303]`.
  std::string sentence() const;
  /// The code as it stands behind a message, ` [SE1303]`; empty if there is none.
  std::string mark() const;
};

/// A failure of a part: `where` stands before what it says.
Error within(const std::string &where, Error error);

/// The kind of failure that a kernel ends with, by its status.
Error::Code codeOf(strata_status status);

/// What a call of the system that failed says by errno, `cannot` and `what`; the file may be none.
Error systemError(const char *what, std::string_view file = {});

/// Success, or an Error.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : failure(std::make_unique<Error>(std::move(error))) {}

  bool ok() const { return !failure; }
  /// What failed; of a status that is ok, an internal error.
  const Error &error() const { return failure ? *failure : noFailure(); }
  Error &error() {
    if (!failure)
      failure = std::make_unique<Error>(noFailure());
    return *failure;
  }

private:
  static const Error &noFailure();

  std::unique_ptr<Error> failure;
};

/// The error of a result without a value, though nothing failed.
Status lacksValue(std::source_location where);

/// A value, or an Error.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : content(std::move(value)) {}
  Result(Error error) : outcome(std::move(error)) {}
  /// From a status that is not ok, to pass an error on; one that is ok lacks a value, which is an
  /// internal error at `where`.
  Result(Status failed, std::source_location where = std::source_location::current())
      : outcome(failed.ok() ? lacksValue(where) : std::move(failed)) {}

  bool ok() const { return content.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error &error() const { return outcome.error(); }
  /// The status alone, to pass an error on.
  Status takeStatus() { return std::move(outcome); }

  /// The value: only if ok(), which the caller has asked.
  T &operator*() { return *content; }
  const T &operator*() const { return *content; }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

private:
  std::optional<T> content;
  Status outcome;
};

/// The error of an allocation that failed: `cannot allocate 80 bytes for …`.
Error outOfMemory(const std::string &purpose, int64_t bytes);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STATUS_H

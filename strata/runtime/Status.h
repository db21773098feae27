// Results of runtime calls without exceptions: a value, or an error that says where and why.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STATUS_H
#define STRATA_RUNTIME_STATUS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

namespace strata::runtime {

/// A run-time failure: what was found, what was expected instead, and the place in a file.
struct Error {
  std::string message;
  std::string expected = {}; ///< empty if the message says it all
  std::string file = {};     ///< empty if no file is concerned
  int64_t line = 0;          ///< counted from 1; 0 if no line is concerned
  bool shown = false;        ///< diagnostics have said already what failed, at its place

  /// `file:line: error: message; expected …`, without the parts that are absent.
  std::string text() const;
  /// The same without the word `error`, to stand inside another message.
  std::string sentence() const;
};

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

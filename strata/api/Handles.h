// The objects behind the handles of strata.h.
#ifndef STRATA_API_HANDLES_H
#define STRATA_API_HANDLES_H

#include "strata/api/InterruptFlags.h"
#include "strata/api/Mistake.h"
#include "strata/api/strata.h"

#include "strata/compile/KernelCompiler.h"
#include "strata/frontend/Diagnostics.h"
#include "strata/host/StoredFormat.h"

#include "mlir/IR/Diagnostics.h"

#include <atomic>
#include <mutex>

namespace strata::runtime {
class Team;
} // namespace strata::runtime

struct strata_error {
  strata_error(strata_error_code kind, strata::api::Mistake mistake, std::string message,
               std::string hint)
      : kind(kind), message(std::move(message)), hint(std::move(hint)), mistake(mistake.code()) {}

  strata_error_code kind;
  std::string message, hint, text = {};
  int32_t line = 0, column = 0;
  std::string mistake; ///< the code of the kind of mistake; empty of a mistake in Strata
};

namespace strata::api {

/// Counts references. What is counted deletes itself with the last one.
class Counted {
public:
  Counted() = default;
  Counted(const Counted &) = delete;
  void retain() const { references.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (references.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

protected:
  virtual ~Counted() = default;

private:
  mutable std::atomic<int32_t> references{1};
};

/// A reference to what is counted.
template <typename T> class Handle {
public:
  Handle() = default;
  explicit Handle(T *object) : object(object) {
    if (object)
      object->retain();
  }
  Handle(const Handle &other) : Handle(other.object) {}
  Handle(Handle &&other) noexcept : object(other.object) { other.object = nullptr; }
  Handle &operator=(Handle other) {
    std::swap(object, other.object);
    return *this;
  }
  ~Handle() {
    if (object)
      object->release();
  }
  /// Takes over the reference that a new object begins with.
  static Handle adopt(T *object) {
    Handle handle;
    handle.object = object;
    return handle;
  }

  T *get() const { return object; }
  T *operator->() const { return object; }
  T &operator*() const { return *object; }
  explicit operator bool() const { return object; }
  /// Gives the reference away.
  T *release() {
    T *given = object;
    object = nullptr;
    return given;
  }

private:
  T *object = nullptr;
};

/// Makes an error of what the interface itself refuses.
strata_error *makeError(strata_error_code kind, Mistake mistake, const llvm::Twine &message,
                        const llvm::Twine &hint = "");
/// Makes an error of a failure of the runtime, which brings its code.
strata_error *makeError(strata_error_code kind, const runtime::Error &error);
/// Makes an error of the first of those about a text, with its line and its notes.
strata_error *makeError(strata_error_code kind, const frontend::Diagnostics &diagnostics);

/// The error with the line of the text that it is about, if it has a place.
strata_error *withText(strata_error *error, llvm::StringRef text);

/// Of what the last kernel of a session returned.
strata_error_code errorKind(const strata_session &session);

struct FormatFacts;
struct Threads;

/// A format with the widths that arrays of some types decide.
struct DecidedWidths {
  std::vector<int32_t> arrays;
  mlir::RankedTensorType type;
  std::vector<strata_type> buffers;
  FormatFacts *facts;
};

/// All that the interface tells of a format; a session finds it out once.
struct FormatFacts {
  mlir::RankedTensorType type; ///< all sizes dynamic
  std::string name, text;      ///< as programs write it: with its name, if it has one; with its map
  std::string machine = {};    ///< that its places name
  std::vector<std::string> levels = {}; ///< the formats of its levels; none of a hybrid format
  std::vector<strata_array_role> arrays = {};
  std::vector<DecidedWidths> decided = {}; ///< so far
  /// Of a format that stores every element: how, and its fill.
  std::optional<host::StoredFormat> full = {};
};

} // namespace strata::api

struct strata_session : strata::api::Counted {
  strata_session();

  /// Held by whoever compiles, and by who computes what has not been computed before.
  std::mutex turn;
  mlir::MLIRContext context;
  strata::KernelCompiler compiler;
  strata::api::InterruptFlag interrupt; ///< of who has the turn
  strata::api::InterruptFlags running;  ///< of runs without it
  std::atomic<int64_t> mostBytes = -1;  ///< as the compiler has it, for runs without the turn
  llvm::DenseMap<mlir::Type, std::unique_ptr<strata::api::FormatFacts>> formats;
  int64_t released = 0; ///< statements so far
  /// Runs of statements that were let go of while somebody repeated them.
  std::vector<std::shared_ptr<const void>> retired;
  std::atomic<int64_t> repeated = 0; ///< runs for which nothing was decided anew
  /// The threads that were chosen when a pool was used last, and the team of them.
  std::weak_ptr<const strata::api::Threads> threads;
  std::shared_ptr<strata::runtime::Team> team;
};

struct strata_format : strata::api::Counted {
  strata_format(strata_session &session, strata::api::FormatFacts &facts)
      : session(&session), facts(&facts) {}

  strata::api::Handle<strata_session> session;
  strata::api::FormatFacts *facts; ///< the session's

  mlir::RankedTensorType type() const { return facts->type; }
  const std::string &name() const { return facts->name; }
};

struct strata_tensor : strata::api::Counted {
  strata::api::Handle<strata_session> session;
  strata::TensorValue value;
  strata::api::Handle<strata_format> format;
  strata::api::Handle<strata_machine> machine; ///< that has its pieces; null if there are none
};

namespace strata::api {

using Turn = std::lock_guard<std::mutex>;

/// Does what takes long: in a turn of the session, which forgets how earlier ones ended, by the
/// threads that were chosen.
strata_error *inTurn(strata_session &session, llvm::function_ref<strata_error *()> body);

/// Does what needs no turn, by the threads that were chosen. False, with nothing done, if these
/// serve one call at a time, as those of a program's pool do.
bool besideTurns(llvm::function_ref<void()> body);

/// Collects what the compiler reports while it lives.
class Reports {
public:
  /// `otherwise`: the kind of mistake of messages that have no other.
  explicit Reports(strata_session &session, Mistake otherwise = Refusal::Statement);
  /// The first error; an internal one with `otherwise` if there was none.
  strata_error *error(strata_error_code kind, const llvm::Twine &otherwise) const;
  /// The error of a step that failed: the one that was reported, if that says what is wrong.
  strata_error *error(const runtime::Error &failed) const;

private:
  strata_session &session;
  std::unique_ptr<strata_error> first;
  mlir::ScopedDiagnosticHandler handler;
};

/// The sizes of all dimensions, each rounded up to a power of two: plans for these are few, and the
/// same for sizes that are alike.
std::vector<int64_t> roundedSizes(llvm::ArrayRef<strata_tensor *> tensors);

/// The session must be held. The type's sizes are forgotten.
FormatFacts &factsOf(strata_session &session, mlir::RankedTensorType type);
Handle<strata_format> formatOf(strata_session &session, mlir::RankedTensorType type);
Handle<strata_tensor> tensorOf(strata_session &session, TensorValue value);
/// The same with a format that is known already.
Handle<strata_tensor> tensorOf(strata_session &session, TensorValue value, FormatFacts &facts);

/// `type` with these sizes.
mlir::RankedTensorType withShape(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> sizes);

/// Positions and coordinates that a format leaves open have these widths: 32 bits where that holds
/// all sizes and `entries`, else 64; SciPy takes arrays as they are if both are the same.
unsigned widthFor(llvm::ArrayRef<int64_t> sizes, int64_t entries);

} // namespace strata::api

#endif // STRATA_API_HANDLES_H

// The process's session, which compiles what strata.hpp's tensors compute, and what it keeps.
#ifndef STRATA_API_CPP_SESSION_HPP
#define STRATA_API_CPP_SESSION_HPP

#include "strata/api/cpp/Status.hpp"

#include <complex>
#include <functional>
#include <map>
#include <mutex>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace strata {
inline namespace cpp {

template <typename T = int64_t> class Param;

/// The strata_type of a C++ type.
template <typename T> constexpr strata_type elementType() {
  if constexpr (std::is_same_v<T, bool>)
    return STRATA_BOOL;
  else if constexpr (std::is_same_v<T, float>)
    return STRATA_F32;
  else if constexpr (std::is_same_v<T, double>)
    return STRATA_F64;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return STRATA_C64;
  else if constexpr (std::is_same_v<T, std::complex<double>>)
    return STRATA_C128;
  else {
    static_assert(std::is_integral_v<T> && sizeof(T) <= 8, "tensors have no elements of this type");
    constexpr bool isSigned = std::is_signed_v<T>;
    return sizeof(T) == 1   ? (isSigned ? STRATA_I8 : STRATA_U8)
           : sizeof(T) == 2 ? (isSigned ? STRATA_I16 : STRATA_U16)
           : sizeof(T) == 4 ? (isSigned ? STRATA_I32 : STRATA_U32)
                            : (isSigned ? STRATA_I64 : STRATA_U64);
  }
}

namespace detail {

/// A counted reference to an object of the C interface.
template <typename T, T *retain(T *), void release(T *)> class Handle {
public:
  Handle() = default;
  Handle(const Handle &other) : object(other.object ? retain(other.object) : nullptr) {}
  Handle(Handle &&other) noexcept : object(other.object) { other.object = nullptr; }
  Handle &operator=(Handle other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Handle() { release(object); }

  T *get() const { return object; }
  explicit operator bool() const { return object != nullptr; }
  /// Where a function puts what it makes. There must be nothing yet.
  T **out() { return &object; }

private:
  T *object = nullptr;
};

using FormatHandle = Handle<strata_format, strata_format_retain, strata_format_release>;
using TensorHandle = Handle<strata_tensor, strata_tensor_retain, strata_tensor_release>;
using StatementHandle = Handle<strata_statement, strata_statement_retain, strata_statement_release>;
using RanksHandle = Handle<strata_ranks, strata_ranks_retain, strata_ranks_release>;
using MachineHandle = Handle<strata_machine, strata_machine_retain, strata_machine_release>;

/// A statement that was made once, and where each operand that it reads stands among those given.
struct KeptStatement {
  StatementHandle statement;
  std::vector<size_t> operands;
};

/// What is shared by all tensors of the process. It is never destroyed, so that tensors in static
/// storage may be.
class Core {
public:
  static Core &get() {
    static Core *core = new Core;
    return *core;
  }

  /// Held by whatever looks at or changes tensors. Operations call each other.
  std::recursive_mutex turn;
  strata_session *session = nullptr;
  /// Why there is no session.
  Status status;
  bool deterministic = false;
  std::unordered_map<std::string, KeptStatement> statements;
  /// The processes that the launcher has started, once a machine has been made of them.
  RanksHandle ranks;

  Result<FormatHandle> format(const std::string &text, int32_t order, strata_type type) {
    if (!status.ok())
      return status;
    FormatHandle &kept = formats[text + '|' + std::to_string(order) + '|' + std::to_string(type)];
    if (!kept)
      if (Status made =
              Status::take(strata_format_parse(session, text.c_str(), order, type, kept.out()));
          !made.ok())
        return made.about(text);
    return kept;
  }

private:
  Core() { status = Status::take(strata_session_create(&session)); }

  std::unordered_map<std::string, FormatHandle> formats;
};

using Turn = std::lock_guard<std::recursive_mutex>;

} // namespace detail

/// The session of all tensors, for functions of strata.h; null if it could not be made.
inline strata_session *session() { return detail::Core::get().session; }

/// From now on sums are taken in their order, and give the same bits on all processors.
inline void setDeterministic(bool wanted) {
  detail::Turn turn(detail::Core::get().turn);
  detail::Core::get().deterministic = wanted;
}

/// Forgets the statements that were compiled. Those in the user's cache stay there.
inline void forgetStatements() {
  detail::Turn turn(detail::Core::get().turn);
  detail::Core::get().statements.clear();
}

/// From now on computations use threads of a pool that the program has, `threads` at once with the
/// one that computes; strata_use_pool tells how. `submit` has the pool call the function that it is
/// given once, at any time; it does not wait for that, and throws nothing:
///   strata::usePool([&](std::function<void()> task) { pool.post(std::move(task)); }, 8);
inline void usePool(std::function<void(std::function<void()>)> submit, int32_t threads) {
  using Submit = std::function<void(std::function<void()>)>;
  strata_pool pool = {};
  pool.state = new Submit(std::move(submit));
  pool.threads = threads;
  pool.submit = [](void *state, void (*task)(void *), void *argument) noexcept {
    (*static_cast<Submit *>(state))([=] { task(argument); });
  };
  pool.release = [](void *state) { delete static_cast<Submit *>(state); };
  strata_use_pool(&pool);
}

/// From now on computations use the library's threads again.
inline void useLibraryThreads() { strata_use_pool(nullptr); }

/// The sizes of a tensor's dimensions.
class Sizes {
public:
  /// A size of any integer type, or that a parameter has now.
  struct Size {
    template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
    Size(T size) : value(int64_t(size)) {}
    template <typename T> Size(const Param<T> &size) : value(int64_t(size.get())) {}
    int64_t value;
  };

  Sizes(std::initializer_list<Size> sizes) {
    for (const Size &size : sizes)
      all.push_back(size.value);
  }
  Sizes(std::vector<int64_t> sizes) : all(std::move(sizes)) {}
  const std::vector<int64_t> &get() const { return all; }

private:
  std::vector<int64_t> all;
};

} // namespace cpp
} // namespace strata

#endif // STRATA_API_CPP_SESSION_HPP

// Machines, and formats: how a tensor is stored, and which cell of a machine has what of it.
#ifndef STRATA_API_CPP_MACHINES_HPP
#define STRATA_API_CPP_MACHINES_HPP

#include "strata/api/cpp/Session.hpp"

#include <atomic>

namespace strata {
inline namespace cpp {

/// How many cells each axis of a machine has; 0: as many as the ranks leave.
class Grid {
public:
  template <typename... Counts, typename = std::enable_if_t<(sizeof...(Counts) > 0)>>
  explicit Grid(const Counts &...counts) : all{Sizes::Size(counts).value...} {}
  const std::vector<int64_t> &cells() const { return all; }

private:
  std::vector<int64_t> all;
};

/// A grid of cells, which the processes have that a launcher of MPI has started (docs/Ranks.md).
/// Calls about tensors in pieces are collective: each process makes the same ones in the same
/// order. A copy is the same machine.
class Machine {
public:
  /// An axis, as schedules name it: divide(i, io, ii, M.x).
  struct Axis {
    std::string text;
  };

  /// Of all processes of the launcher, or of those of a communicator: the address of an MPI_Comm. A
  /// mistake is an error of whatever is placed on it.
  explicit Machine(const Grid &grid, std::string name = "M", const void *communicator = nullptr)
      : x{name + ".x"}, y{name + ".y"}, z{name + ".z"}, w{name + ".w"},
        state(std::make_shared<State>()) {
    detail::Core &core = detail::Core::get();
    detail::Turn turn(core.turn);
    state->name = std::move(name);
    state->status = core.status;
    detail::RanksHandle own;
    detail::RanksHandle &ranks = communicator ? own : core.ranks;
    if (state->status.ok() && !ranks)
      state->status = Status::take(strata_ranks_create(core.session, communicator, 0, ranks.out()));
    if (state->status.ok())
      state->status =
          Status::take(strata_machine_create(ranks.get(), state->name.c_str(), grid.cells().data(),
                                             int32_t(grid.cells().size()), state->handle.out()));
  }

  Axis x, y, z, w;

  const std::string &name() const { return state->name; }
  /// What went wrong when it was made.
  const Status &status() const { return state->status; }
  /// The number of this process, and how many have the cells.
  int32_t rank() const { return ranks() ? strata_ranks_rank(ranks()) : 0; }
  int32_t size() const { return ranks() ? strata_ranks_size(ranks()) : 1; }
  /// The machine for functions of strata.h; null if it could not be made.
  strata_machine *handle() const { return state->handle.get(); }

private:
  struct State {
    std::string name;
    detail::MachineHandle handle;
    Status status;
  };
  strata_ranks *ranks() const { return handle() ? strata_machine_ranks(handle()) : nullptr; }

  std::shared_ptr<State> state;
};

/// A dimension of a tensor, or several, in a distribution: the same in the list of the tensor's
/// dimensions and in that of the machine's axes. ~x and ~fuse(x, y) cut what is stored, and not
/// coordinates, into parts of equal number.
class DistVar {
public:
  DistVar() : ids{nextId()} {}

  friend DistVar operator~(DistVar variable) {
    variable.entries = true;
    return variable;
  }
  /// Several dimensions together, in row-major order.
  template <typename... Others> friend DistVar fuse(DistVar first, const Others &...others) {
    (first.ids.insert(first.ids.end(), others.ids.begin(), others.ids.end()), ...);
    return first;
  }

private:
  friend class Distribution;
  static uint64_t nextId() {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }

  std::vector<uint64_t> ids;
  bool entries = false;
};

/// Which cell of a machine has what of a tensor: an axis cuts the dimensions that it shares names
/// with, and the cells of one that shares none have the same.
class Distribution {
public:
  Distribution(std::initializer_list<DistVar> tensor, const Machine &machine,
               std::initializer_list<DistVar> axes)
      : on(machine) {
    std::vector<uint64_t> dims;
    for (const DistVar &dim : tensor)
      dims.push_back(dim.ids.front());
    for (const DistVar &axis : axes)
      written += (written.empty() ? "" : ", ") + placeOf(axis, dims);
  }

  /// "M(~(i, j))", as formats write it.
  std::string text() const { return on.name() + "(" + written + ")"; }
  const Machine &machine() const { return on; }

private:
  static std::string placeOf(const DistVar &axis, const std::vector<uint64_t> &dims) {
    std::string names;
    for (uint64_t id : axis.ids)
      for (size_t dim = 0; dim < dims.size(); ++dim)
        if (dims[dim] == id)
          names += (names.empty() ? "" : ", ") + nameOf(dim, dims.size());
    if (names.empty())
      return "*";
    if (axis.ids.size() > 1)
      names = "(" + names + ")";
    return axis.entries ? "~" + names : names;
  }
  // As formats outside of programs name the dimensions.
  static std::string nameOf(size_t dim, size_t order) {
    return order <= 9 ? std::string(1, "ijklmnopq"[dim]) : "i" + std::to_string(dim);
  }

  Machine on;
  std::string written;
};

/// The levels of a format, as TACO and SpDISTAL call them.
enum class LevelFormat { Dense, Compressed, Singleton };
inline constexpr LevelFormat Dense = LevelFormat::Dense, Compressed = LevelFormat::Compressed,
                             Singleton = LevelFormat::Singleton;

/// How a tensor is stored, as text: "CSR", "BCSR:4x4", "(i, j) -> (i : dense, j : compressed)";
/// and, of one in pieces, on which machine: Format("CSR on M(i)", M). Without a text the library
/// chooses for each statement.
class Format {
public:
  Format() = default;
  Format(const char *text) : written(text) {}
  Format(std::string text) : written(std::move(text)) {}
  /// A text that names the machine.
  Format(std::string text, const Machine &machine) : written(std::move(text)), on(machine) {}
  Format(std::string text, const Distribution &distribution)
      : written(std::move(text) + " on " + distribution.text()), on(distribution.machine()) {}
  /// Of one level for each dimension, in their order.
  Format(std::initializer_list<LevelFormat> levels) : written(wordsOf(levels)) {}
  Format(std::initializer_list<LevelFormat> levels, const Distribution &distribution)
      : Format(wordsOf(levels), distribution) {}

  const std::string &text() const { return written; }
  /// Nothing of a tensor that each process has whole.
  const std::optional<Machine> &machine() const { return on; }

private:
  static std::string wordsOf(std::initializer_list<LevelFormat> levels) {
    std::string words;
    for (LevelFormat level : levels)
      words += std::string(words.empty() ? "{" : ", ") + (level == Dense        ? "D"
                                                          : level == Compressed ? "CU"
                                                                                : "S");
    return words + "}";
  }

  std::string written;
  std::optional<Machine> on;
};

} // namespace cpp
} // namespace strata

#endif // STRATA_API_CPP_MACHINES_HPP

// Tensors of one element type.
#ifndef STRATA_API_CPP_TENSOR_HPP
#define STRATA_API_CPP_TENSOR_HPP

#include "strata/api/cpp/Statements.hpp"

#include <array>

namespace strata {
inline namespace cpp {

/// Elements that lie one behind the other.
template <typename T> class Span {
public:
  using value_type = std::remove_const_t<T>;
  using iterator = T *;
  using const_iterator = T *;

  Span(T *first, size_t count) : first(first), count(count) {}
  T *data() const { return first; }
  size_t size() const { return count; }
  T *begin() const { return first; }
  T *end() const { return first + count; }
  T &operator[](size_t at) const { return first[at]; }

private:
  T *first;
  size_t count;
};

/// An array of a storage, for Tensor::adopt: `array(pos.data(), pos.size())`.
template <typename T> strata_array array(const T *data, size_t count) {
  return {const_cast<T *>(data), int64_t(count), elementType<T>()};
}

/// The entries of a tensor: for each dimension their coordinates, and their values.
template <typename T> struct EntriesOf {
  std::vector<std::vector<int64_t>> coordinates;
  std::vector<T> values;
};

class TensorSchedule;

/// A tensor of any element type: what all handles of it share. A copy of a handle is the same
/// tensor, as in TACO; copy() makes another one.
class TensorBase {
public:
  /// The access A(i, j), of index variables, integers, and sums and multiples of them; A() is a
  /// scalar.
  template <typename... Indices> Access operator()(const Indices &...indices) const {
    return Access(state, {Expr(indices)...});
  }

  /// Computes what was assigned, if that has not been done; the error if it cannot be.
  Status compute() const {
    detail::Turn turn(detail::Core::get().turn);
    return value().force();
  }
  /// Says how the statement that waits to be computed runs.
  Status schedule(const Schedule &schedule) const {
    detail::Turn turn(detail::Core::get().turn);
    return value().schedule(schedule);
  }
  TensorSchedule schedule() const;
  /// The plan of the statement that was assigned last, or its kernel at a stage: "loops", "ta",
  /// "cin", "lvl", "scf", "c", "llvm", "assembly".
  Result<std::string> explain(const char *stage = "loops") const {
    detail::Turn turn(detail::Core::get().turn);
    return value().show(stage);
  }

  /// What texts of statements call it; else they choose a letter.
  void setName(std::string name) {
    detail::Turn turn(detail::Core::get().turn);
    state->name = std::move(name);
  }

  Result<std::vector<int64_t>> sizes() const {
    detail::Turn turn(detail::Core::get().turn);
    if (state->declaration->sized())
      return state->declaration->sizes;
    return read<std::vector<int64_t>>([](strata_tensor *tensor) {
      const int64_t *sizes = strata_tensor_sizes(tensor);
      return std::vector<int64_t>(sizes, sizes + strata_tensor_order(tensor));
    });
  }
  /// With the widths of positions and coordinates.
  Result<std::string> format() const {
    return read<std::string>([](strata_tensor *tensor) {
      return std::string(strata_format_name(strata_tensor_format(tensor)));
    });
  }
  /// The number of values, padding included.
  Result<int64_t> stored() const {
    return read<int64_t>([](strata_tensor *tensor) { return strata_tensor_stored(tensor); });
  }
  /// Checks every promise of the format.
  Status validate() const {
    detail::Turn turn(detail::Core::get().turn);
    Status status = compute();
    return status.ok() ? Status::take(strata_tensor_validate(value().get())) : status;
  }
  /// To a file, of the kind that its ending says. A tensor in pieces is written once, by rank 0.
  Status write(const std::string &file) const {
    detail::Turn turn(detail::Core::get().turn);
    Status status = compute();
    if (!status.ok())
      return status;
    strata_machine *machine = strata_tensor_machine(value().get());
    if (!machine)
      return Status::take(strata_tensor_write(value().get(), file.c_str()));
    detail::TensorHandle whole;
    if (Status done = gatherInto(whole); !done.ok())
      return done;
    strata_ranks *ranks = strata_machine_ranks(machine);
    if (strata_ranks_rank(ranks) == 0)
      status = Status::take(strata_tensor_write(whole.get(), file.c_str()));
    const std::string said = status.mistake().empty()
                                 ? status.message()
                                 : status.message() + " [" + status.mistake() + "]";
    Status others = Status::take(strata_ranks_settle(ranks, int32_t(status.kind()), said.c_str()));
    return status.ok() ? others : status;
  }
  /// How many pieces this process has; 0 of a tensor that each has whole.
  Result<int32_t> pieceCount() const {
    return read<int32_t>([](strata_tensor *tensor) { return strata_tensor_piece_count(tensor); });
  }
  /// An array of the storage, in the order of the format; valid until something is assigned.
  Result<strata_array> storage(int32_t index) const {
    return read<strata_array>(
        [&](strata_tensor *tensor) { return strata_tensor_array(tensor, index); });
  }
  /// The tensor for functions of strata.h, as it is now: a reference that the caller releases.
  Result<strata_tensor *> share() const { return read<strata_tensor *>(strata_tensor_retain); }

  const std::shared_ptr<detail::TensorState> &shared() const { return state; }

protected:
  explicit TensorBase(detail::Declaration declaration, detail::TensorHandle tensor = {})
      : state(std::make_shared<detail::TensorState>()) {
    state->declaration = std::make_shared<detail::Declaration>(std::move(declaration));
    state->value = std::make_shared<detail::Value>(state->declaration, std::move(tensor));
  }
  TensorBase(const TensorBase &) = default;
  TensorBase(TensorBase &&) noexcept = default;
  TensorBase &operator=(const TensorBase &) = default;
  TensorBase &operator=(TensorBase &&) noexcept = default;
  ~TensorBase() = default;

  detail::Value &value() const { return *state->value; }
  template <typename R, typename F> Result<R> read(F take) const {
    detail::Turn turn(detail::Core::get().turn);
    if (Status status = compute(); !status.ok())
      return status;
    return R(take(value().get()));
  }
  // What has been computed, brought to each process in the format without places.
  Status gatherInto(detail::TensorHandle &whole) const {
    const strata_format *format = strata_tensor_format(value().get());
    std::string name = strata_format_name(format);
    Result<detail::FormatHandle> plain =
        detail::Core::get().format(name.substr(0, name.rfind(" on ")), strata_format_order(format),
                                   strata_format_type(format));
    return plain ? detail::convert(value().get(), *plain, nullptr, whole) : plain.status();
  }
  void insertEntry(const int64_t *coordinates, size_t order, const void *element) const {
    detail::Turn turn(detail::Core::get().turn);
    value().forceReaders();
    value().insert(coordinates, order, element);
  }

  std::shared_ptr<detail::TensorState> state;
};

inline Expr::Expr(const TensorBase &scalar)
    : parts{{detail::Token::Kind::Tensor, "", 0, scalar.shared()}} {}
inline ScheduleArgument::ScheduleArgument(const TensorBase &tensor)
    : tokens{{detail::Token::Kind::Tensor, "", 0, tensor.shared()}} {}
inline ScheduleArgument::ScheduleArgument(
    std::initializer_list<std::reference_wrapper<const TensorBase>> tensors)
    : tokens{detail::textToken("{")} {
  for (const TensorBase &tensor : tensors) {
    if (tokens.size() > 1)
      tokens.push_back(detail::textToken(", "));
    detail::append(tokens, ScheduleArgument(tensor).tokens);
  }
  tokens.push_back(detail::textToken("}"));
}

/// The schedule of the statement that waits to be computed, command by command:
/// a.schedule().divide(i, io, ii, M.x).distribute(io).
class TensorSchedule {
public:
  explicit TensorSchedule(const TensorBase &tensor) : tensor(&tensor) {}

  TensorSchedule &command(const char *name, std::initializer_list<ScheduleArgument> arguments) {
    return add(Schedule().command(name, arguments));
  }
  template <typename... Variables> TensorSchedule &reorder(const Variables &...variables) {
    return add(Schedule().reorder(variables...));
  }
  TensorSchedule &split(const IndexVar &i, const IndexVar &outer, const IndexVar &inner,
                        int64_t size) {
    return add(Schedule().split(i, outer, inner, size));
  }
  TensorSchedule &divide(const IndexVar &i, const IndexVar &outer, const IndexVar &inner,
                         const ScheduleArgument &parts) {
    return add(Schedule().divide(i, outer, inner, parts));
  }
  TensorSchedule &fuse(const IndexVar &i, const IndexVar &j, const IndexVar &fused) {
    return add(Schedule().fuse(i, j, fused));
  }
  TensorSchedule &pos(const IndexVar &i, const IndexVar &position, const TensorBase &operand) {
    return add(Schedule().pos(i, position, operand));
  }
  TensorSchedule &distribute(const IndexVar &i) { return add(Schedule().distribute(i)); }
  TensorSchedule &distribute(const std::vector<IndexVar> &variables) {
    return add(Schedule().distribute(variables));
  }
  TensorSchedule &communicate(const TensorBase &operand, const IndexVar &i) {
    return add(Schedule().communicate(operand, i));
  }
  TensorSchedule &
  communicate(std::initializer_list<std::reference_wrapper<const TensorBase>> operands,
              const IndexVar &i) {
    return add(Schedule().communicate(operands, i));
  }
  TensorSchedule &rotate(const IndexVar &i, const std::vector<IndexVar> &cells,
                         const IndexVar &rotated) {
    return add(Schedule().rotate(i, cells, rotated));
  }
  TensorSchedule &parallelize(const IndexVar &i, const char *unit = CPUThread,
                              const char *races = "NoRaces") {
    return add(Schedule().parallelize(i, unit, races));
  }
  TensorSchedule &vectorize(const IndexVar &i, int64_t lanes) {
    return add(Schedule().vectorize(i, lanes));
  }
  template <typename... Variables> TensorSchedule &contract(const Variables &...variables) {
    return add(Schedule().contract(variables...));
  }
  TensorSchedule &unroll(const IndexVar &i, int64_t times) {
    return add(Schedule().unroll(i, times));
  }
  /// The first error. (A command that is not legal is one of the computation.)
  const Status &status() const { return first; }

private:
  TensorSchedule &add(const Schedule &schedule) {
    if (first.ok())
      first = tensor->schedule(schedule);
    return *this;
  }

  const TensorBase *tensor;
  Status first;
};

inline TensorSchedule TensorBase::schedule() const { return TensorSchedule(*this); }

/// A tensor with elements of type T: bool, an integer, float, double, or a std::complex of these.
template <typename T> class Tensor : public TensorBase {
public:
  /// A tensor whose sizes and format are those of what is assigned first.
  Tensor() : TensorBase({elementType<T>()}) {}
  /// Without entries; without a text for the format, it is that which the library chooses for what
  /// is assigned. A format that does not exist is told when the tensor is read or assigned.
  explicit Tensor(Sizes sizes, Format format = "Dense")
      : TensorBase({elementType<T>(), int32_t(sizes.get().size()), sizes.get(), format.text(),
                    format.machine()}) {}
  static Tensor scalar(T number) {
    Tensor tensor{Sizes(std::vector<int64_t>())};
    tensor.insert(std::initializer_list<int64_t>{}, number);
    return tensor;
  }

  /// From the arrays of a format, in their order, which are used where they are and only read,
  /// until `release` is called (also after an error). Without one, or with a null one, the arrays
  /// stay the caller's. Every promise of the format is checked first.
  static Result<Tensor> adopt(const Sizes &sizes, const Format &format,
                              const std::vector<strata_array> &arrays, std::nullptr_t = nullptr) {
    return fromArrays(sizes, format, arrays, STRATA_ADOPT | STRATA_VALIDATE, nullptr, nullptr);
  }
  template <typename Release>
  static Result<Tensor> adopt(const Sizes &sizes, const Format &format,
                              const std::vector<strata_array> &arrays, Release release) {
    if constexpr (std::is_constructible_v<bool, Release &>)
      if (!release) // a null pointer to a function, or an empty std::function
        return adopt(sizes, format, arrays);
    auto call = [](void *state) {
      auto *held = static_cast<Release *>(state);
      (*held)();
      delete held;
    };
    return fromArrays(sizes, format, arrays, STRATA_ADOPT | STRATA_VALIDATE, call,
                      new Release(std::move(release)));
  }
  /// The same with copies of the arrays.
  static Result<Tensor> copyOf(const Sizes &sizes, const Format &format,
                               const std::vector<strata_array> &arrays) {
    return fromArrays(sizes, format, arrays, STRATA_COPY | STRATA_VALIDATE, nullptr, nullptr);
  }
  /// A dense tensor of these elements, row by row, which it takes over.
  static Result<Tensor> dense(const Sizes &sizes, std::vector<T> elements) {
    static_assert(!std::is_same_v<T, bool>, "vectors of bool have no array to be taken over");
    auto held = std::make_shared<std::vector<T>>(std::move(elements));
    return adopt(sizes, "Dense", {array(held->data(), held->size())}, [held] {});
  }
  /// From entries in any order: for each dimension their coordinates, and their values. Those of
  /// one place are added up, or refused with STRATA_REFUSE_DUPLICATES.
  template <typename Index>
  static Result<Tensor> fromCoordinates(const Sizes &sizes, const Format &format,
                                        const std::vector<std::vector<Index>> &coordinates,
                                        const std::vector<T> &values,
                                        int32_t duplicates = STRATA_SUM_DUPLICATES) {
    std::vector<strata_array> columns;
    for (const std::vector<Index> &column : coordinates)
      columns.push_back(array(column.data(), column.size()));
    if (columns.size() != sizes.get().size())
      return Status(ErrorKind::Shape, Mistake::Arrays,
                    "there are coordinates of " + std::to_string(columns.size()) +
                        " dimensions, and sizes of " + std::to_string(sizes.get().size()));
    return make(sizes, format,
                [&](strata_session *session, strata_format *parsed, strata_tensor **tensor) {
                  return strata_tensor_from_coordinates(
                      session, parsed, sizes.get().data(), int64_t(values.size()), columns.data(),
                      array(values.data(), values.size()), duplicates, tensor);
                });
  }
  /// From any file that programs read. The format has as many dimensions as the file.
  static Result<Tensor> read(const std::string &file, const Format &format = Format()) {
    detail::Core &core = detail::Core::get();
    detail::Turn turn(core.turn);
    if (!core.status.ok())
      return core.status;
    detail::TensorHandle as;
    if (Status done =
            Status::take(strata_tensor_read(core.session, file.c_str(), nullptr, as.out()));
        !done.ok())
      return done;
    return converted<T>(as.get(), format);
  }

  /// Adds an entry to what is stored: insert(i, j, value). Entries of one place are added up. An
  /// entry that the tensor cannot hold is an error of the next read.
  template <typename... Rest> void insert(int64_t first, Rest... rest) const {
    static_assert(sizeof...(Rest) > 0, "the value comes last: insert(i, j, value)");
    std::array<int64_t, sizeof...(Rest)> coordinates;
    T element = T();
    split(coordinates.data(), element, first, rest...);
    insertEntry(coordinates.data(), coordinates.size(), &element);
  }
  void insert(std::initializer_list<int64_t> coordinates, T element) const {
    insertEntry(coordinates.begin(), coordinates.size(), &element);
  }

  /// The stored values where they lie; valid until something is assigned.
  Result<Span<const T>> values() const {
    return TensorBase::read<Span<const T>>([](strata_tensor *tensor) {
      strata_array array =
          strata_tensor_array(tensor, strata_format_array_count(strata_tensor_format(tensor)) - 1);
      return Span<const T>{static_cast<const T *>(array.data), size_t(array.count)};
    });
  }
  /// All elements, row by row.
  Result<std::vector<T>> toVector() const {
    Result<Tensor> full = convert("Dense");
    if (!full)
      return full.status();
    Result<Span<const T>> values = full->values();
    return values ? Result<std::vector<T>>(std::vector<T>(values->begin(), values->end()))
                  : values.status();
  }
  /// What is stored, without padding.
  Result<EntriesOf<T>> entries() const {
    detail::Turn turn(detail::Core::get().turn);
    if (Status status = compute(); !status.ok())
      return status;
    Result<detail::EntryList> list = detail::EntryList::of(value().get());
    if (!list)
      return list.status();
    EntriesOf<T> all;
    const T *values = static_cast<const T *>(list->values.data);
    all.values.assign(values, values + list->values.count);
    for (const strata_array &column : list->columns) {
      all.coordinates.emplace_back();
      for (int64_t entry = 0; entry < column.count; ++entry)
        all.coordinates.back().push_back(detail::integerAt(column, entry));
    }
    return all;
  }
  /// One element. It takes a pass over all of them unless the tensor is Dense.
  Result<T> at(std::initializer_list<int64_t> coordinates) const {
    Result<std::vector<int64_t>> sizes = this->sizes();
    if (!sizes)
      return sizes.status();
    size_t place = 0, dim = 0;
    for (int64_t coordinate : coordinates) {
      if (dim >= sizes->size() || coordinate < 0 || coordinate >= (*sizes)[dim])
        return Status(ErrorKind::Shape, Mistake::Coordinate, "the tensor has no such element");
      place = place * size_t((*sizes)[dim++]) + size_t(coordinate);
    }
    if (dim != sizes->size())
      return Status(ErrorKind::Shape, Mistake::Coordinate, "the tensor has no such element");
    Result<Tensor> full = convert("Dense");
    if (!full)
      return full.status();
    Result<Span<const T>> values = full->values();
    return values ? Result<T>((*values)[place]) : values.status();
  }

  /// The same elements in another format, or of another type that holds them. What has the format
  /// already shares its storage.
  template <typename U = T> Result<Tensor<U>> convert(const Format &format) const {
    detail::Turn turn(detail::Core::get().turn);
    Status status = compute();
    return status.ok() ? converted<U>(value().get(), format) : Result<Tensor<U>>(status);
  }
  /// Whole on each process.
  Result<Tensor> gather() const {
    detail::Turn turn(detail::Core::get().turn);
    if (Status status = compute(); !status.ok())
      return status;
    if (!strata_tensor_machine(value().get()))
      return *this;
    detail::TensorHandle whole;
    Status done = gatherInto(whole);
    return done.ok() ? Result<Tensor>(of(std::move(whole), "")) : done;
  }
  /// What a cell has of a tensor on a machine.
  struct Piece {
    int64_t cell;
    std::vector<int64_t> first, end; ///< coordinates of each dimension: from, and to before
    Tensor tensor;                   ///< whose own coordinates count from there
  };
  /// Those of this process.
  Result<std::vector<Piece>> pieces() const {
    detail::Turn turn(detail::Core::get().turn);
    if (Status status = compute(); !status.ok())
      return status;
    std::vector<Piece> all;
    strata_tensor *placed = value().get();
    const auto order = size_t(strata_tensor_order(placed));
    for (int32_t index = 0; index < strata_tensor_piece_count(placed); ++index) {
      detail::TensorHandle piece;
      if (Status done = Status::take(strata_tensor_piece(placed, index, piece.out())); !done.ok())
        return done;
      const int64_t *first = strata_tensor_piece_first(placed, index);
      const int64_t *end = strata_tensor_piece_end(placed, index);
      all.push_back({strata_tensor_piece_cell(placed, index),
                     {first, first + order},
                     {end, end + order},
                     of(std::move(piece), "")});
    }
    return all;
  }
  /// From what each process has, which begins at the coordinates `first`; what lies elsewhere in
  /// the format is sent there.
  static Result<Tensor> fromPiece(const Tensor &piece, const Format &format, const Sizes &sizes,
                                  const Sizes &first) {
    detail::Core &core = detail::Core::get();
    detail::Turn turn(core.turn);
    if (!format.machine())
      return Status(ErrorKind::Format, Mistake::Pieces,
                    "pieces make a tensor whose format names a machine");
    Status status = piece.compute();
    if (!status.ok())
      return status;
    const auto order = size_t(strata_tensor_order(piece.value().get()));
    if (sizes.get().size() != order || first.get().size() != order)
      return Status(ErrorKind::Shape, Mistake::Pieces,
                    "a size and a first coordinate of each dimension are needed");
    detail::Declaration declared{elementType<T>(), int32_t(order), sizes.get(), format.text(),
                                 format.machine()};
    Result<detail::FormatHandle> placed = declared.makeFormat();
    if (!placed)
      return placed.status();
    detail::TensorHandle made;
    status = Status::take(strata_tensor_from_piece(format.machine()->handle(), placed->get(),
                                                   sizes.get().data(), piece.value().get(),
                                                   first.get().data(), made.out()));
    return status.ok() ? Result<Tensor>(Tensor(std::move(declared), std::move(made))) : status;
  }

  /// Another tensor with the same elements, in memory of its own.
  Result<Tensor> copy() const {
    detail::Turn turn(detail::Core::get().turn);
    if (Status status = compute(); !status.ok())
      return status;
    detail::TensorHandle copied;
    Status done = Status::take(strata_tensor_copy(value().get(), copied.out()));
    return done.ok() ? Result<Tensor>(of(std::move(copied), state->declaration->format,
                                         state->declaration->machine))
                     : done;
  }
  /// Takes a tensor of the C interface and the caller's reference to it.
  static Result<Tensor> take(strata_tensor *given) {
    detail::TensorHandle handle;
    *handle.out() = given;
    if (strata_format_type(strata_tensor_format(given)) != elementType<T>())
      return Status(ErrorKind::Type, Mistake::ElementType,
                    "the tensor has elements of another type");
    return of(std::move(handle), "");
  }

private:
  template <typename U> friend class Tensor;

  // A tensor with this storage. Without a format, later assignments have the library's choice.
  static Tensor of(detail::TensorHandle handle, const std::string &format,
                   std::optional<Machine> machine = {}) {
    const int64_t *sizes = strata_tensor_sizes(handle.get());
    int32_t order = strata_tensor_order(handle.get());
    std::string text =
        format.empty() ? strata_format_name(strata_tensor_format(handle.get())) : format;
    return Tensor({elementType<T>(), order, std::vector<int64_t>(sizes, sizes + order), text,
                   std::move(machine)},
                  std::move(handle));
  }
  Tensor(detail::Declaration declaration, detail::TensorHandle handle)
      : TensorBase(std::move(declaration), std::move(handle)) {}

  template <typename U>
  static Result<Tensor<U>> converted(strata_tensor *given, const Format &format) {
    std::string text =
        format.text().empty() ? strata_format_name(strata_tensor_format(given)) : format.text();
    Result<detail::FormatHandle> wanted =
        detail::Core::get().format(text, strata_tensor_order(given), elementType<U>());
    if (!wanted)
      return wanted.status();
    if (format.machine() && !format.machine()->status().ok())
      return format.machine()->status();
    strata_machine *machine = format.machine() ? format.machine()->handle() : nullptr;
    detail::TensorHandle made;
    Status done = detail::convert(given, *wanted, machine, made);
    return done.ok()
               ? Result<Tensor<U>>(Tensor<U>::of(std::move(made), format.text(), format.machine()))
               : done;
  }
  template <typename F>
  static Result<Tensor> make(const Sizes &sizes, const Format &format, F call) {
    detail::Core &core = detail::Core::get();
    detail::Turn turn(core.turn);
    Result<detail::FormatHandle> parsed =
        core.format(format.text(), int32_t(sizes.get().size()), elementType<T>());
    if (!parsed)
      return parsed.status();
    detail::TensorHandle made;
    Status done = Status::take(call(core.session, parsed->get(), made.out()));
    return done.ok() ? Result<Tensor>(of(std::move(made), format.text())) : done;
  }
  static Result<Tensor> fromArrays(const Sizes &sizes, const Format &format,
                                   const std::vector<strata_array> &arrays, int32_t flags,
                                   strata_release_fn release, void *state) {
    bool handed = false;
    Result<Tensor> made = make(
        sizes, format, [&](strata_session *session, strata_format *parsed, strata_tensor **tensor) {
          handed = true;
          return strata_tensor_from_buffers(session, parsed, sizes.get().data(), arrays.data(),
                                            int32_t(arrays.size()), flags, release, state, tensor);
        });
    if (!handed && release)
      release(state);
    return made;
  }
  // The last argument is the element, the others are coordinates.
  template <typename First, typename... Rest>
  static void split(int64_t *coordinates, T &element, First first, Rest... rest) {
    if constexpr (sizeof...(Rest) == 0) {
      element = T(first);
    } else {
      *coordinates = int64_t(first);
      split(coordinates + 1, element, rest...);
    }
  }
};

} // namespace cpp
} // namespace strata

#endif // STRATA_API_CPP_TENSOR_HPP

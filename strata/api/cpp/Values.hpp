// What tensors hold: storages, entries that wait to be packed, statements that wait to be computed.
#ifndef STRATA_API_CPP_VALUES_HPP
#define STRATA_API_CPP_VALUES_HPP

#include "strata/api/cpp/Names.hpp"
#include "strata/api/cpp/Schedule.hpp"

#include <algorithm>

namespace strata {
inline namespace cpp {
namespace detail {

class Value;

/// What a tensor was declared as.
struct Declaration {
  strata_type type = STRATA_F64;
  int32_t order = -1; ///< -1: as the first statement gives it
  std::vector<int64_t> sizes = {};
  std::string format = {};             ///< empty: the library's choice
  std::optional<Machine> machine = {}; ///< that the format names

  bool sized() const { return order >= 0; }
  Result<FormatHandle> makeFormat() const {
    if (machine && !machine->status().ok())
      return machine->status();
    return Core::get().format(format, order, type);
  }
  /// Of the tensor before it is placed.
  Result<FormatHandle> makePlainFormat() const {
    return Core::get().format(format.substr(0, format.rfind(" on ")), order, type);
  }
  /// Puts what has been made in that onto the machine, if there is one.
  Status place(TensorHandle &tensor) const {
    if (!machine)
      return {};
    Result<FormatHandle> placed = makeFormat();
    if (!placed)
      return placed.status();
    TensorHandle made;
    Status done = Status::take(
        strata_tensor_place(tensor.get(), placed->get(), machine->handle(), made.out()));
    if (done.ok())
      tensor = std::move(made);
    return done;
  }
};

/// The same elements in another format, on a machine if it names one.
inline Status convert(strata_tensor *tensor, const FormatHandle &format, strata_machine *machine,
                      TensorHandle &made) {
  const bool isPlaced = strata_tensor_machine(tensor) || strata_format_machine(format.get());
  return Status::take(isPlaced ? strata_tensor_place(tensor, format.get(), machine, made.out())
                               : strata_tensor_convert(tensor, format.get(), made.out()));
}

/// What all handles of a tensor share.
struct TensorState {
  std::shared_ptr<const Declaration> declaration;
  std::string name;
  std::shared_ptr<Value> value;
};

inline void Names::reserve(const Tokens &tokens) {
  for (const Token &token : tokens)
    if (token.kind == Token::Kind::Variable || token.kind == Token::Kind::Plain)
      keep(variables[token.variable], token.text);
    else if (token.kind == Token::Kind::Tensor)
      keep(tensors[token.tensor.get()], token.tensor->name);
}

/// What a statement reads: what a tensor held when it was written, or a number.
struct Operand {
  std::string name;
  std::shared_ptr<Value> value; ///< null: a number
  Number number;
  int32_t indices = 0; ///< with which it is read
};

/// A statement that was written.
struct Statement {
  std::string text;
  std::vector<Operand> operands;
  std::string schedule;
  Names names;

  /// The tensors of the operands, which are computed first.
  Status collect(std::vector<TensorHandle> &tensors);
  /// The library's statement for these tensors; from the cache if it is there.
  Result<KeptStatement> make(const Declaration &result, const std::vector<TensorHandle> &tensors);
  /// Computes it.
  Status run(const Declaration &result, TensorHandle &tensor, StatementHandle &kernel);

private:
  Status checkOrder(const Operand &operand, const strata_tensor *tensor) const;
  Result<StatementHandle> create(const std::vector<strata_operand> &given,
                                 const Declaration &result,
                                 const std::vector<strata_machine *> &machines) const;
};

/// Entries that were inserted.
struct Entries {
  std::vector<std::vector<int64_t>> coordinates;
  std::vector<unsigned char> values;
  int64_t count = 0;
};

/// What a tensor holds. A tensor gets a new one when it is assigned; statements that read the old
/// one keep it until they are computed.
class Value {
public:
  explicit Value(std::shared_ptr<const Declaration> declaration, TensorHandle tensor = {})
      : declaration(std::move(declaration)), tensor(std::move(tensor)) {}
  Value(std::shared_ptr<const Declaration> declaration, Statement statement)
      : declaration(std::move(declaration)), statement(std::move(statement)) {
    for (const Operand &operand : this->statement->operands)
      if (operand.value)
        operand.value->readers.push_back(this);
  }
  Value(const Value &) = delete;
  ~Value() {
    Turn turn(Core::get().turn);
    forgetStatement();
  }

  void fail(Status error) { status = std::move(error); }
  bool isPending() const { return statement.has_value(); }
  /// Is there anything to read: elements, or what it takes to make an empty tensor?
  bool isReadable() const {
    return tensor || statement || (declaration->sized() && !declaration->format.empty());
  }

  /// Computes or packs what waits. Later calls give the same tensor or the same error.
  Status force();
  /// Computes the statements that read it, before it changes.
  void forceReaders() {
    while (!readers.empty())
      readers.back()->force();
  }
  /// The tensor, which must have been forced without an error.
  strata_tensor *get() const { return tensor.get(); }
  TensorHandle share() const { return tensor; }
  void insert(const int64_t *coordinates, size_t order, const void *value);
  Status schedule(const Schedule &schedule);
  Result<std::string> show(const char *stage);

private:
  void forgetStatement();
  Status makeEmpty();
  Status pack();
  Status addStored(Entries &all) const;

  std::shared_ptr<const Declaration> declaration;
  TensorHandle tensor;
  std::optional<Statement> statement;
  StatementHandle kernel; ///< that computed it
  std::optional<Entries> entries;
  std::vector<Value *> readers;
  Status status;
};

/// A tensor in a format that lists its entries, and the columns of their coordinates.
struct EntryList {
  TensorHandle tensor;
  std::vector<strata_array> columns;
  strata_array values = {nullptr, 0, 0};

  static Result<EntryList> of(strata_tensor *tensor);
};

inline int64_t integerAt(const strata_array &array, int64_t at) {
  switch (array.type) {
  case STRATA_I8:
    return static_cast<const int8_t *>(array.data)[at];
  case STRATA_U8:
    return static_cast<const uint8_t *>(array.data)[at];
  case STRATA_I16:
    return static_cast<const int16_t *>(array.data)[at];
  case STRATA_U16:
    return static_cast<const uint16_t *>(array.data)[at];
  case STRATA_I32:
    return static_cast<const int32_t *>(array.data)[at];
  case STRATA_U32:
    return static_cast<const uint32_t *>(array.data)[at];
  default:
    return static_cast<const int64_t *>(array.data)[at];
  }
}

//===------------------------------------------------------------------------------------------===//
// Values
//===------------------------------------------------------------------------------------------===//

inline void Value::forgetStatement() {
  if (!statement)
    return;
  for (const Operand &operand : statement->operands)
    if (operand.value) {
      std::vector<Value *> &others = operand.value->readers;
      others.erase(std::remove(others.begin(), others.end(), this), others.end());
    }
  statement.reset();
}

inline Status Value::force() {
  Turn turn(Core::get().turn);
  if (!Core::get().status.ok())
    status = Core::get().status;
  if (statement) {
    if (status.ok())
      status = statement->run(*declaration, tensor, kernel);
    forgetStatement();
  }
  if (status.ok() && entries)
    status = pack();
  else if (status.ok() && !tensor)
    status = makeEmpty();
  return status;
}

inline Status Value::makeEmpty() {
  if (!declaration->sized())
    return Status(ErrorKind::Argument, Mistake::NoValue,
                  "the tensor has no sizes, and nothing was assigned to it");
  if (declaration->format.empty())
    return Status(ErrorKind::Format, Mistake::NoValue,
                  "the tensor has no format, and nothing was assigned to it",
                  "give a format with its sizes: Tensor<double> A({n, m}, \"CSR\")");
  Result<FormatHandle> format = declaration->makePlainFormat();
  if (!format)
    return format.status();
  TensorHandle made;
  Status done = Status::take(strata_tensor_empty(Core::get().session, format->get(),
                                                 declaration->sizes.data(), made.out()));
  if (done.ok())
    done = declaration->place(made);
  if (done.ok())
    tensor = std::move(made);
  return done;
}

inline void Value::insert(const int64_t *coordinates, size_t order, const void *value) {
  if (!declaration->sized() || size_t(declaration->order) != order)
    return fail(Status(ErrorKind::Shape, Mistake::Order,
                       "an entry with " + std::to_string(order) +
                           " coordinates is inserted into a tensor of " +
                           (declaration->sized() ? std::to_string(declaration->order) : "unknown") +
                           " dimensions"));
  if (!entries) {
    entries.emplace();
    entries->coordinates.resize(order);
  }
  for (size_t dim = 0; dim < order; ++dim)
    entries->coordinates[dim].push_back(coordinates[dim]);
  const auto *bytes = static_cast<const unsigned char *>(value);
  entries->values.insert(entries->values.end(), bytes,
                         bytes + strata_type_bytes(declaration->type));
  ++entries->count;
}

inline Status Value::addStored(Entries &all) const {
  if (!strata_tensor_machine(tensor.get()) && strata_tensor_stored(tensor.get()) == 0)
    return {};
  Result<EntryList> list = EntryList::of(tensor.get());
  if (!list)
    return list.status();
  for (size_t dim = 0; dim < all.coordinates.size(); ++dim)
    for (int64_t entry = 0; entry < list->values.count; ++entry)
      all.coordinates[dim].push_back(integerAt(list->columns[dim], entry));
  const auto *bytes = static_cast<const unsigned char *>(list->values.data);
  all.values.insert(all.values.end(), bytes,
                    bytes + list->values.count * strata_type_bytes(declaration->type));
  all.count += list->values.count;
  return {};
}

inline Status Value::pack() {
  Entries all = std::move(*entries);
  entries.reset();
  if (tensor)
    if (Status added = addStored(all); !added.ok())
      return added;
  Result<FormatHandle> declared = declaration->makePlainFormat();
  if (!declared)
    return declared.status();
  std::vector<strata_array> columns;
  for (std::vector<int64_t> &column : all.coordinates)
    columns.push_back({column.data(), all.count, STRATA_I64});
  TensorHandle packed;
  Status done = Status::take(strata_tensor_from_coordinates(
      Core::get().session, declared->get(), declaration->sizes.data(), all.count, columns.data(),
      {all.values.data(), all.count, declaration->type}, STRATA_SUM_DUPLICATES, packed.out()));
  if (done.ok())
    done = declaration->place(packed);
  if (done.ok())
    tensor = std::move(packed);
  return done;
}

} // namespace detail
} // namespace cpp
} // namespace strata

#endif // STRATA_API_CPP_VALUES_HPP

// Statements: written from expressions, made by the library or found among those made before,
// computed.
#ifndef STRATA_API_CPP_STATEMENTS_HPP
#define STRATA_API_CPP_STATEMENTS_HPP

#include "strata/api/cpp/Values.hpp"

namespace strata {
inline namespace cpp {

/// An access to a tensor's elements, A(i, j): an operand, or what a statement assigns to.
class Access {
public:
  Access(std::shared_ptr<detail::TensorState> tensor, std::initializer_list<Expr> indices)
      : state(std::move(tensor)) {
    for (const Expr &index : indices)
      coordinates.push_back(index.tokens());
    for (detail::Tokens &index : coordinates)
      if (index.size() == 1 && index[0].kind == detail::Token::Kind::Variable)
        index[0].kind = detail::Token::Kind::Plain;
  }
  Access(const Access &) = default;

  /// The statement that gives the elements their values. It is computed at the first read, or by
  /// compute(); an error is told then.
  const Access &operator=(const Expr &value) const { return assign("=", value); }
  const Access &operator=(const Access &value) const { return assign("=", value); }
  Access &operator=(const Access &value) {
    assign("=", value);
    return *this;
  }
  const Access &operator+=(const Expr &value) const { return assign("+=", value); }
  const Access &operator-=(const Expr &value) const { return assign("-=", value); }
  const Access &operator*=(const Expr &value) const { return assign("*=", value); }
  const Access &operator|=(const Expr &value) const { return assign("|=", value); }
  const Access &operator&=(const Expr &value) const { return assign("&=", value); }
  /// `assign("min=", e)`: every operator that the language has.
  const Access &assign(const char *op, const Expr &value) const;

  /// Only where the mask is not zero, as in C(i, k).mask(M(i, k)) or .mask(!M(i, k)); `words` may
  /// be "structural", "replace" or both with a comma between them.
  Access mask(const Expr &where, const char *words = "") const {
    Access masked(*this);
    masked.maskTokens = {detail::textToken("<")};
    detail::append(masked.maskTokens, where.tokens());
    masked.maskTokens.push_back(detail::textToken(*words ? std::string(", ") + words + ">" : ">"));
    return masked;
  }

  const std::shared_ptr<detail::TensorState> &tensor() const { return state; }
  size_t order() const { return coordinates.size(); }
  /// The text of the statement that assigns a value, with what it reads.
  detail::Statement statement(const char *op, const Expr &value) const;
  detail::Tokens tokens() const {
    detail::Tokens all{{detail::Token::Kind::Tensor, "", order(), state}};
    for (const detail::Tokens &index : coordinates) {
      all.push_back(detail::textToken(&index == coordinates.data() ? "(" : ","));
      detail::append(all, index);
    }
    if (!coordinates.empty())
      all.push_back(detail::textToken(")"));
    detail::append(all, maskTokens);
    return all;
  }

private:
  bool needsOld(const char *op, const detail::Tokens &value) const;

  std::shared_ptr<detail::TensorState> state;
  std::vector<detail::Tokens> coordinates;
  detail::Tokens maskTokens;
};

inline Expr::Expr(const Access &access) : parts(access.tokens()) {}

namespace detail {

//===------------------------------------------------------------------------------------------===//
// From expressions to text
//===------------------------------------------------------------------------------------------===//

/// The text of tokens. Tensors and numbers that have no names yet become operands.
class Writer {
public:
  explicit Writer(Statement &statement) : statement(statement) {}

  std::string write(const Tokens &tokens) {
    std::string text;
    for (const Token &token : tokens)
      text += textOf(token);
    return text;
  }
  /// Makes a tensor an operand, unless it is one.
  const std::string &read(const std::shared_ptr<TensorState> &tensor, size_t indices) {
    std::string name = statement.names.tensor(tensor.get(), tensor->declaration->order);
    for (const Operand &operand : statement.operands)
      if (operand.name == name)
        return operand.name;
    statement.operands.push_back({name, tensor->value, {}, int32_t(indices)});
    return statement.operands.back().name;
  }

private:
  std::string textOf(const Token &token) {
    switch (token.kind) {
    case Token::Kind::Text:
      return token.text;
    case Token::Kind::Variable:
    case Token::Kind::Plain:
      return statement.names.variable(token);
    case Token::Kind::Tensor:
      return read(token.tensor, size_t(token.variable));
    case Token::Kind::Argument:
      break;
    }
    std::string name = statement.names.argument(token);
    for (const Operand &operand : statement.operands)
      if (operand.name == name)
        return name;
    statement.operands.push_back({name, nullptr, token.param ? token.param->number : token.number});
    return name;
  }

  Statement &statement;
};

/// The type of a number beside tensors of these types: the narrowest that suits them, as a literal
/// of the language has it.
inline strata_type typeOf(const Number &number, const std::vector<strata_type> &others) {
  if (!number.weak)
    return number.type;
  bool complex = number.kind == Number::Kind::Complex, fraction = complex, anyDouble = false;
  fraction |= number.kind == Number::Kind::Real;
  bool anyFraction = false;
  strata_type integer = STRATA_BOOL;
  for (strata_type other : others) {
    bool isComplex = other == STRATA_C64 || other == STRATA_C128;
    bool isFraction = isComplex || other == STRATA_F32 || other == STRATA_F64;
    anyFraction |= isFraction;
    anyDouble |= other == STRATA_F64 || other == STRATA_C128;
    if (!isFraction && other != STRATA_BOOL &&
        (integer == STRATA_BOOL || strata_type_bytes(other) > strata_type_bytes(integer)))
      integer = other;
  }
  bool doubles = anyDouble || !anyFraction;
  if (complex)
    return doubles ? STRATA_C128 : STRATA_C64;
  if (fraction || anyFraction)
    return doubles ? STRATA_F64 : STRATA_F32;
  bool isSigned = integer <= STRATA_I64;
  int64_t bits = integer == STRATA_BOOL ? 0 : 8 * strata_type_bytes(integer);
  if (number.kind == Number::Kind::Unsigned && number.integer < 0)
    return STRATA_U64;
  int64_t value = number.integer;
  bool fits = bits == 64  ? isSigned || value >= 0
              : isSigned  ? bits > 0 && value >= -(int64_t(1) << (bits - 1)) &&
                                value < int64_t(1) << (bits - 1)
              : bits == 0 ? false
                          : value >= 0 && value < int64_t(1) << bits;
  return fits ? integer : STRATA_I64;
}

/// Writes a number as an element of a type.
inline void store(const Number &number, strata_type type, unsigned char (&bytes)[16]) {
  auto put = [&](auto value) { std::memcpy(bytes, &value, sizeof value); };
  switch (type) {
  case STRATA_F32:
    return put(float(number.real()));
  case STRATA_F64:
    return put(number.real());
  case STRATA_C64:
    return put(number.kind == Number::Kind::Complex ? std::complex<float>(number.complex)
                                                    : std::complex<float>(float(number.real())));
  case STRATA_C128:
    return put(number.kind == Number::Kind::Complex ? number.complex
                                                    : std::complex<double>(number.real()));
  case STRATA_BOOL:
  case STRATA_I8:
  case STRATA_U8:
    return put(int8_t(number.integer));
  case STRATA_I16:
  case STRATA_U16:
    return put(int16_t(number.integer));
  case STRATA_I32:
  case STRATA_U32:
    return put(int32_t(number.integer));
  default:
    return put(number.integer);
  }
}

//===------------------------------------------------------------------------------------------===//
// Computing
//===------------------------------------------------------------------------------------------===//

inline Status Statement::checkOrder(const Operand &operand, const strata_tensor *tensor) const {
  int32_t order = strata_tensor_order(tensor);
  if (order == operand.indices)
    return {};
  size_t place = text.find(operand.name + "(");
  return Status(ErrorKind::Expression, Mistake::Labels,
                "'" + operand.name + "' has " + std::to_string(order) +
                    (order == 1 ? " dimension" : " dimensions") + ", and is read with " +
                    std::to_string(operand.indices) +
                    (operand.indices == 1 ? " index" : " indices"),
                "", text, 1, place == std::string::npos ? 1 : int32_t(place) + 1);
}

inline Status Statement::collect(std::vector<TensorHandle> &tensors) {
  tensors.resize(operands.size());
  std::vector<strata_type> types;
  for (size_t at = 0; at < operands.size(); ++at) {
    if (!operands[at].value) {
      if (!operands[at].number.weak)
        types.push_back(operands[at].number.type);
      continue;
    }
    if (Status forced = operands[at].value->force(); !forced.ok())
      return forced;
    tensors[at] = operands[at].value->share();
    if (Status fits = checkOrder(operands[at], tensors[at].get()); !fits.ok())
      return fits;
    types.push_back(strata_format_type(strata_tensor_format(tensors[at].get())));
  }
  for (size_t at = 0; at < operands.size(); ++at) {
    if (operands[at].value)
      continue;
    strata_type type = typeOf(operands[at].number, types);
    Result<FormatHandle> format = Core::get().format("Dense", 0, type);
    if (!format)
      return format.status();
    unsigned char bytes[16];
    store(operands[at].number, type, bytes);
    strata_array element = {bytes, 1, type};
    if (Status made = Status::take(strata_tensor_from_buffers(Core::get().session, format->get(),
                                                              nullptr, &element, 1, STRATA_COPY,
                                                              nullptr, nullptr, tensors[at].out()));
        !made.ok())
      return made;
  }
  return {};
}

inline Result<StatementHandle>
Statement::create(const std::vector<strata_operand> &given, const Declaration &result,
                  const std::vector<strata_machine *> &machines) const {
  Core &core = Core::get();
  auto made = [&](const strata_format *format, StatementHandle &handle) {
    strata_statement_options options = {format, schedule.empty() ? nullptr : schedule.c_str(),
                                        core.deterministic, machines.data(),
                                        int32_t(machines.size())};
    return Status::take(strata_statement_create(core.session, text.c_str(), given.data(),
                                                int32_t(given.size()), &options, handle.out()))
        .about(text);
  };
  StatementHandle handle;
  if (!result.format.empty() && result.sized()) {
    Result<FormatHandle> format = result.makeFormat();
    if (!format)
      return format.status();
    Status done = made(format->get(), handle);
    return done.ok() ? Result<StatementHandle>(std::move(handle)) : done;
  }
  if (Status done = made(nullptr, handle); !done.ok())
    return done;
  const strata_format *chosen = strata_statement_result(handle.get());
  if (strata_format_type(chosen) == result.type)
    return handle;
  FormatHandle typed;
  StatementHandle again;
  Status done = Status::take(strata_format_with_type(chosen, result.type, typed.out()));
  if (done.ok())
    done = made(typed.get(), again);
  return done.ok() ? Result<StatementHandle>(std::move(again)) : done;
}

/// Those on which the result and the tensors lie, each once.
inline std::vector<strata_machine *> machinesOf(const Declaration &result,
                                                const std::vector<TensorHandle> &tensors) {
  std::vector<strata_machine *> machines;
  auto add = [&](strata_machine *machine) {
    if (machine && std::find(machines.begin(), machines.end(), machine) == machines.end())
      machines.push_back(machine);
  };
  if (result.machine)
    add(result.machine->handle());
  for (const TensorHandle &tensor : tensors)
    add(strata_tensor_machine(tensor.get()));
  return machines;
}

inline Result<KeptStatement> Statement::make(const Declaration &result,
                                             const std::vector<TensorHandle> &tensors) {
  Core &core = Core::get();
  std::string key = text + '\n' + schedule + '\n' + std::to_string(result.type) +
                    (core.deterministic ? "d" : " ") + (result.sized() ? result.format : "");
  std::vector<strata_operand> given;
  for (size_t at = 0; at < operands.size(); ++at) {
    const strata_format *format = strata_tensor_format(tensors[at].get());
    given.push_back({operands[at].name.c_str(), format});
    key += '\n' + std::to_string(strata_format_type(format)) + ' ' + strata_format_name(format);
  }
  std::vector<strata_machine *> machines = machinesOf(result, tensors);
  for (strata_machine *machine : machines)
    key += '\n' + std::to_string(reinterpret_cast<uintptr_t>(machine));
  if (auto kept = core.statements.find(key); kept != core.statements.end())
    return kept->second;
  Result<StatementHandle> made = create(given, result, machines);
  if (!made)
    return made.status();
  KeptStatement statement{*made, {}};
  for (int32_t number = 0; const char *name = strata_statement_operand(made->get(), number);
       ++number)
    for (size_t at = 0; at < operands.size(); ++at)
      if (operands[at].name == name)
        statement.operands.push_back(at);
  constexpr size_t mostKept = 4096; // a program that writes more writes each of them once
  if (core.statements.size() >= mostKept)
    core.statements.clear();
  core.statements.emplace(std::move(key), statement);
  return statement;
}

inline Status Statement::run(const Declaration &result, TensorHandle &tensor,
                             StatementHandle &kernel) {
  std::vector<TensorHandle> tensors;
  if (Status collected = collect(tensors); !collected.ok())
    return collected.about(text);
  Result<KeptStatement> made = make(result, tensors);
  if (!made)
    return made.status();
  std::vector<strata_tensor *> read;
  for (size_t at : made->operands)
    read.push_back(tensors[at].get());
  TensorHandle computed;
  if (Status done = Status::take(strata_statement_run(made->statement.get(), read.data(),
                                                      int32_t(read.size()), computed.out()));
      !done.ok())
    return done.about(text);
  if (result.sized() && strata_tensor_order(computed.get()) != result.order)
    return Status(ErrorKind::Shape, Mistake::Order,
                  "the result has " + std::to_string(strata_tensor_order(computed.get())) +
                      " dimensions, the tensor " + std::to_string(result.order),
                  "", text);
  const int64_t *sizes = strata_tensor_sizes(computed.get());
  for (size_t dim = 0; result.sized() && dim < result.sizes.size(); ++dim)
    if (sizes[dim] != result.sizes[dim])
      return Status(ErrorKind::Shape, Mistake::Extent,
                    "dimension " + std::to_string(dim) + " of the result has the size " +
                        std::to_string(sizes[dim]) + ", that of the tensor " +
                        std::to_string(result.sizes[dim]),
                    "", text);
  tensor = std::move(computed);
  kernel = made->statement;
  return {};
}

inline Status Value::schedule(const Schedule &schedule) {
  if (!statement)
    return Status(ErrorKind::Schedule, Mistake::Argument, "no statement waits to be computed here",
                  "schedule a statement between writing it and reading its result");
  Statement &pending = *statement;
  pending.names.reserve(schedule.tokens());
  size_t before = pending.operands.size();
  if (!pending.schedule.empty())
    pending.schedule += ", ";
  pending.schedule += Writer(pending).write(schedule.tokens());
  pending.operands.resize(before); // a schedule reads nothing
  return {};
}

inline Result<std::string> Value::show(const char *stage) {
  StatementHandle shown = kernel;
  if (statement) {
    std::vector<TensorHandle> tensors;
    if (Status collected = statement->collect(tensors); !collected.ok())
      return collected;
    Result<KeptStatement> made = statement->make(*declaration, tensors);
    if (!made)
      return made.status();
    shown = made->statement;
  }
  if (!shown)
    return status.ok()
               ? Status(ErrorKind::Argument, Mistake::Argument, "no statement computes the tensor")
               : status;
  char *text = nullptr;
  if (Status done = Status::take(strata_statement_show(shown.get(), stage, &text)); !done.ok())
    return done;
  std::string copy(text);
  strata_text_free(text);
  return copy;
}

/// The list that stores what a format stores: elsewhere it has the same fill.
inline std::string listLike(const strata_format *format) {
  const int32_t order = strata_format_order(format);
  if (order == 0)
    return "Dense";
  const std::string list = order == 1 ? "(i) -> (i : compressed)" : "COO";
  double fill[2];
  if (!strata_format_fill(format, fill))
    return "{" + list + "}";
  // The format's own text has all digits of it.
  const std::string name = strata_format_name(format);
  const size_t at = name.rfind("fill = ");
  return "{" + list + ", " + name.substr(at, name.find_first_of(",}", at) - at) + "}";
}

inline Result<EntryList> EntryList::of(strata_tensor *tensor) {
  const strata_format *own = strata_tensor_format(tensor);
  Result<FormatHandle> format =
      Core::get().format(listLike(own), strata_format_order(own), strata_format_type(own));
  if (!format)
    return format.status();
  EntryList list;
  if (Status done = convert(tensor, *format, nullptr, list.tensor); !done.ok())
    return done;
  const strata_format *stored = strata_tensor_format(list.tensor.get());
  for (int32_t at = 0; at < strata_format_array_count(stored); ++at)
    if (strata_array_role role = strata_format_array(stored, at); role.level < 0)
      list.values = strata_tensor_array(list.tensor.get(), at);
    else if (std::strcmp(role.name, "crd") == 0)
      list.columns.push_back(strata_tensor_array(list.tensor.get(), at));
  return list;
}

} // namespace detail

//===------------------------------------------------------------------------------------------===//
// Assignments
//===------------------------------------------------------------------------------------------===//

// Does the statement need what the left side holds, or the sizes that it was declared with?
inline bool Access::needsOld(const char *op, const detail::Tokens &value) const {
  if (std::strcmp(op, "=") != 0 || !maskTokens.empty())
    return true;
  std::set<uint64_t> seen;
  bool givesSizes = true;
  for (const detail::Tokens &index : coordinates) {
    if (index.size() != 1 || index[0].kind != detail::Token::Kind::Plain ||
        !seen.insert(index[0].variable).second)
      return true;
    auto gives = [&](const detail::Token &token) {
      return token.kind == detail::Token::Kind::Plain && token.variable == index[0].variable;
    };
    givesSizes &= std::any_of(value.begin(), value.end(), gives);
  }
  return !givesSizes && state->declaration->sized();
}

inline detail::Statement Access::statement(const char *op, const Expr &value) const {
  std::shared_ptr<detail::Value> old = state->value;
  detail::Statement statement;
  detail::Tokens left = tokens();
  statement.names.reserve(left);
  statement.names.reserve(value.tokens());
  statement.names.tensor(state.get(), int32_t(order()), /*result=*/true);
  detail::Writer writer(statement);
  statement.text = writer.write(left) + " " + op + " ";
  // The left side is no operand by itself, but its mask may have some.
  auto isResult = [&](const detail::Operand &operand) { return operand.value == old; };
  bool inMask = std::count_if(maskTokens.begin(), maskTokens.end(),
                              [&](const auto &token) { return token.tensor == state; }) > 0;
  if (!inMask)
    statement.operands.erase(
        std::remove_if(statement.operands.begin(), statement.operands.end(), isResult),
        statement.operands.end());
  statement.text += writer.write(value.tokens());
  if (needsOld(op, value.tokens()) && old->isReadable())
    writer.read(state, order());
  return statement;
}

inline const Access &Access::assign(const char *op, const Expr &value) const {
  using detail::Value;
  detail::Turn turn(detail::Core::get().turn);
  std::shared_ptr<Value> old = state->value;
  detail::Statement written = statement(op, value);
  old->forceReaders();
  for (const detail::Operand &operand : written.operands)
    if (operand.value == old)
      (void)old->force();
  state->value = std::make_shared<Value>(state->declaration, std::move(written));
  return *this;
}

} // namespace cpp
} // namespace strata

#endif // STRATA_API_CPP_STATEMENTS_HPP

// Gradients of statements: the derivatives of a number by the elements of operands, from those by
// the elements of the result.
#ifndef STRATA_API_CPP_GRADIENTS_HPP
#define STRATA_API_CPP_GRADIENTS_HPP

#include "strata/api/cpp/Tensor.hpp"

#include <tuple>

namespace strata {
inline namespace cpp {
namespace detail {

using GradientHandle = Handle<strata_gradient, strata_gradient_retain, strata_gradient_release>;

/// Tensors by the names that the statements of a gradient have for them.
class NamedTensors {
public:
  TensorHandle &operator[](const std::string &name) { return tensors[name]; }

  /// Computes a statement in a format, or in any, and keeps its result by that name.
  Status compute(const std::string &text, const std::vector<std::string> &operands,
                 const strata_format *format, const std::string &result) {
    Result<KeptStatement> made = make(text, operands, format);
    if (!made)
      return made.status();
    std::vector<strata_tensor *> read;
    for (size_t at : made->operands)
      read.push_back(tensors[operands[at]].get());
    TensorHandle computed;
    Status done = Status::take(strata_statement_run(made->statement.get(), read.data(),
                                                    int32_t(read.size()), computed.out()));
    if (done.ok())
      tensors[result] = std::move(computed);
    return done.about(text);
  }

private:
  // From what has been made before, if it is there.
  Result<KeptStatement> make(const std::string &text, const std::vector<std::string> &operands,
                             const strata_format *format) {
    Core &core = Core::get();
    std::string key = text + "\ngradient " + (core.deterministic ? "d " : " ");
    if (format)
      key += std::to_string(strata_format_type(format)) + strata_format_name(format);
    std::vector<strata_operand> given;
    std::vector<TensorHandle> placed;
    for (const std::string &name : operands) {
      placed.push_back(tensors[name]);
      const strata_format *own = strata_tensor_format(placed.back().get());
      given.push_back({name.c_str(), own});
      key += '\n' + std::to_string(strata_format_type(own)) + ' ' + strata_format_name(own);
    }
    std::vector<strata_machine *> machines = machinesOf({}, placed);
    for (strata_machine *machine : machines)
      key += '\n' + std::to_string(reinterpret_cast<uintptr_t>(machine));
    if (auto kept = core.statements.find(key); kept != core.statements.end())
      return kept->second;
    KeptStatement statement;
    strata_statement_options options = {format, nullptr, core.deterministic, machines.data(),
                                        int32_t(machines.size())};
    if (Status made = Status::take(strata_statement_create(core.session, text.c_str(), given.data(),
                                                           int32_t(given.size()), &options,
                                                           statement.statement.out()));
        !made.ok())
      return made.about(text);
    for (int32_t number = 0;
         const char *name = strata_statement_operand(statement.statement.get(), number); ++number)
      statement.operands.push_back(
          size_t(std::find(operands.begin(), operands.end(), name) - operands.begin()));
    core.statements.emplace(std::move(key), statement);
    return statement;
  }

  std::map<std::string, TensorHandle> tensors;
};

/// Computes the gradient of a statement by some of its operands.
class GradientRun {
public:
  /// Computes all that the statement reads.
  Status begin(Statement written) {
    statement = std::move(written);
    std::vector<TensorHandle> tensors;
    if (Status collected = statement.collect(tensors); !collected.ok())
      return collected.about(statement.text);
    for (size_t at = 0; at < tensors.size(); ++at)
      known[statement.operands[at].name] = tensors[at];
    return {};
  }

  Status run(const Access &left, const TensorBase &cotangent,
             const std::vector<std::shared_ptr<TensorState>> &by,
             std::vector<TensorHandle> &found) {
    if (Status done = cotangent.compute(); !done.ok())
      return done;
    TensorHandle given = cotangent.shared()->value->share();
    if (Status fits = checkCotangent(left, given.get()); !fits.ok())
      return fits;
    std::vector<std::string> names;
    for (const std::shared_ptr<TensorState> &one : by) {
      Result<std::string> name = nameOf(*one);
      if (!name)
        return name.status();
      names.push_back(*name);
    }
    GradientHandle gradient;
    if (Status done = differentiate(names, gradient); !done.ok())
      return done;
    known[strata_gradient_cotangent(gradient.get())] = given;
    for (int32_t at = 0; const char *text = strata_gradient_statement(gradient.get(), at); ++at)
      if (Status done = known.compute(text, operandsOf(gradient.get(), at),
                                      strata_gradient_format(gradient.get(), at),
                                      strata_gradient_result(gradient.get(), at));
          !done.ok())
        return done;
    for (size_t at = 0; at < names.size(); ++at) {
      std::string result = strata_gradient_name(gradient.get(), int32_t(at));
      if (Status done = complete(names[at], result); !done.ok())
        return done;
      found.push_back(known[result]);
    }
    return {};
  }

private:
  Status checkCotangent(const Access &left, const strata_tensor *cotangent) const {
    auto isComplex = [](strata_type type) { return type == STRATA_C64 || type == STRATA_C128; };
    const int32_t order = strata_tensor_order(cotangent);
    if (order != int32_t(left.order()))
      return Status(ErrorKind::Shape, Mistake::Order,
                    "the cotangent has " + std::to_string(order) + " dimensions, the result " +
                        std::to_string(left.order()),
                    "", statement.text);
    if (isComplex(strata_format_type(strata_tensor_format(cotangent))) &&
        !isComplex(left.tensor()->declaration->type))
      return Status(ErrorKind::Type, Mistake::Operands,
                    "the cotangent is complex, the result is not", "", statement.text);
    return {};
  }

  Result<std::string> nameOf(const TensorState &tensor) const {
    for (const Operand &operand : statement.operands)
      if (operand.value && operand.value == tensor.value)
        return operand.name;
    return Status(ErrorKind::Argument, Mistake::Operands,
                  "the statement does not read a tensor by which its gradient is asked for", "",
                  statement.text);
  }

  Status differentiate(const std::vector<std::string> &names, GradientHandle &gradient) {
    std::vector<strata_operand> operands;
    for (const Operand &operand : statement.operands)
      operands.push_back({operand.name.c_str(), strata_tensor_format(known[operand.name].get())});
    std::vector<const char *> by;
    for (const std::string &name : names)
      by.push_back(name.c_str());
    return Status::take(strata_gradient_create(Core::get().session, statement.text.c_str(),
                                               operands.data(), int32_t(operands.size()), by.data(),
                                               int32_t(by.size()), gradient.out()))
        .about(statement.text);
  }

  static std::vector<std::string> operandsOf(const strata_gradient *gradient, int32_t statement) {
    std::vector<std::string> names;
    for (int32_t at = 0; const char *name = strata_gradient_operand(gradient, statement, at); ++at)
      names.emplace_back(name);
    return names;
  }

  // Gives a gradient all entries of its operand: one to which nothing contributes is zero.
  Status complete(const std::string &name, std::string &result) {
    strata_tensor *operand = known[name].get();
    const int32_t order = strata_tensor_order(operand);
    if (!result.empty()) {
      strata_tensor *found = known[result].get();
      if (!std::equal(strata_tensor_sizes(operand), strata_tensor_sizes(operand) + order,
                      strata_tensor_sizes(found), strata_tensor_sizes(found) + order))
        return Status(ErrorKind::Shape, Mistake::Extent,
                      "the gradient by '" + name + "' has other sizes than '" + name + "'",
                      "the cotangent has the sizes of the result", statement.text);
      if (strata_tensor_stored(found) == strata_tensor_stored(operand))
        return {};
    }
    std::string labels;
    for (int32_t dim = 0; dim < order; ++dim)
      labels += (dim ? ",i" : "(i") + std::to_string(dim);
    labels += order ? ")" : "";
    NamedTensors own;
    own["A"] = known[name];
    std::vector<std::string> operands = {"A"};
    std::string text = (order ? "Z" + labels + "<A, structural> = " : "Z = ");
    if (!result.empty()) {
      own["G"] = known[result];
      operands.emplace_back("G");
      text += "G" + labels + " + ";
    }
    text += "0.0 * bool(A" + labels + ")";
    Status done = own.compute(text, operands, strata_tensor_format(operand), "Z");
    result = "gradient by " + name; // which is no name of the language
    known[result] = own["Z"];
    return done;
  }

  Statement statement;
  NamedTensors known;
};

inline Status gradientsOf(const Access &left, const Expr &right, const TensorBase &cotangent,
                          const std::vector<std::shared_ptr<TensorState>> &by,
                          std::vector<TensorHandle> &found) {
  Core &core = Core::get();
  Turn turn(core.turn);
  if (!core.status.ok())
    return core.status;
  GradientRun run;
  Status status = run.begin(left.statement("=", right));
  return status.ok() ? run.run(left, cotangent, by, found) : status;
}

template <typename... T, size_t... at>
Result<std::tuple<Tensor<T>...>> typed(std::vector<TensorHandle> &found,
                                       std::index_sequence<at...>) {
  std::tuple<Result<Tensor<T>>...> made{Tensor<T>::take(strata_tensor_retain(found[at].get()))...};
  Status first;
  ((first = first.ok() ? std::get<at>(made).status() : first), ...);
  if (!first.ok())
    return first;
  return std::tuple<Tensor<T>...>(*std::get<at>(made)...);
}

} // namespace detail

/// The gradient of the statement `left = right` by some of the tensors that it reads, each in the
/// format and with the entries of its tensor. Nothing is assigned to the tensor on the left.
///
///   auto [dA, dx] = *strata::grad(y(i), A(i, j) * x(j), dy, A, x);
///
/// `cotangent` has the derivatives of some number by the elements of the result, in its sizes.
/// docs/Gradients.md says what has a gradient.
template <typename... T>
Result<std::tuple<Tensor<T>...>> grad(const Access &left, const Expr &right,
                                      const TensorBase &cotangent, const Tensor<T> &...by) {
  static_assert(sizeof...(by) > 0, "the tensors by which the gradient is asked for are missing");
  std::vector<detail::TensorHandle> found;
  if (Status done = detail::gradientsOf(left, right, cotangent, {by.shared()...}, found);
      !done.ok())
    return done;
  return detail::typed<T...>(found, std::index_sequence_for<T...>());
}

/// The same of a scalar, s() = ..., by which the derivative is a number: 1 if it is the scalar's
/// own gradient that is asked for.
template <typename Number, typename... T, typename = std::enable_if_t<std::is_arithmetic_v<Number>>>
Result<std::tuple<Tensor<T>...>> grad(const Access &left, const Expr &right, Number cotangent,
                                      const Tensor<T> &...by) {
  return grad(left, right, Tensor<double>::scalar(double(cotangent)), by...);
}

} // namespace cpp
} // namespace strata

#endif // STRATA_API_CPP_GRADIENTS_HPP

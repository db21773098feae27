// Refuses what has no gradient.
#include "strata/frontend/CheckDifferentiable.h"
#include "strata/frontend/AccessQueries.h"
#include "strata/frontend/StatementText.h"
#include "strata/frontend/Suggest.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

std::complex<double> fillValueOf(const Tensor &tensor) {
  if (tensor.format)
    for (const ast::FormatOption &option : tensor.format->options)
      if (option.key.text == "fill")
        return option.value.value_or(0);
  return 0;
}

// Scalars of a statement alone are filled with numbers before it.
static bool givesOperands(const Operation &operation) {
  return std::holds_alternative<Given>(operation.kind) ||
         std::holds_alternative<Return>(operation.kind) ||
         std::holds_alternative<Read>(operation.kind) ||
         std::holds_alternative<Write>(operation.kind) ||
         std::holds_alternative<Fill>(operation.kind);
}

const Compute *statementToDifferentiate(const Program &program, Diagnostics &diagnostics) {
  const Compute *found = nullptr;
  llvm::SMRange other =
      program.operations.empty() ? llvm::SMRange() : program.operations.back().range;
  bool isAlone = true;
  for (const Operation &operation : program.operations) {
    if (givesOperands(operation))
      continue;
    const auto *compute = std::get_if<Compute>(&operation.kind);
    if (compute && !found) {
      found = compute;
    } else {
      isAlone = false;
      other = operation.range;
    }
  }
  if (found && isAlone)
    return found;
  diagnostics.error(other, "this statement has no gradient: it is none of index notation");
  return nullptr;
}

static bool isDifferentiable(ElementType type) { return kindOf(type) >= NumberKind::Real; }

// Refuses operands by which nothing has a gradient.
static bool checkOperands(const std::vector<Tensor> &tensors, llvm::ArrayRef<std::string> by,
                          Diagnostics &diagnostics) {
  std::vector<llvm::StringRef> known;
  for (const Tensor &tensor : tensors)
    known.push_back(tensor.name);
  for (const std::string &name : by) {
    auto found = llvm::find(known, name);
    if (found == known.end()) {
      diagnostics.error({}, "the statement has no tensor '" + name + "'")
          .note("it has " + quotedList(known));
      return false;
    }
    const Tensor &tensor = tensors[size_t(found - known.begin())];
    if (!isDifferentiable(tensor.type)) {
      diagnostics.error(tensor.range, "'" + name + "' holds " + elementTypeName(tensor.type) +
                                          ": only real and complex numbers have gradients");
      return false;
    }
    if (fillValueOf(tensor) != 0.0) {
      diagnostics
          .error(tensor.range, "'" + name +
                                   "' has another value than zero where it stores nothing, "
                                   "which a gradient has not")
          .note("subtract it, and write the number in the statement");
      return false;
    }
  }
  return true;
}

// Refuses assignments that have no adjoint here: those other than sums.
static bool checkForm(const Compute &compute, const std::vector<Tensor> &tensors,
                      llvm::ArrayRef<std::string> by, const llvm::DenseSet<unsigned> &lookedUp,
                      Diagnostics &diagnostics) {
  using ast::AssignOp;
  const AssignOp op = compute.op;
  llvm::SMRange range = tensors[compute.result].range;
  if (op != AssignOp::Set && op != AssignOp::Add && op != AssignOp::Subtract) {
    diagnostics.error(range, "'" + ast::spelling(op) + "' has no gradient here")
        .note("write the old value on the right side, as in y(i) = y(i) * x(i)");
    return false;
  }
  if (op == AssignOp::Set && compute.scatters) {
    diagnostics
        .error(range, "'=' keeps any one of the values that come to the same place, which has no "
                      "gradient")
        .note("'+=' adds them up");
    return false;
  }
  const bool keepsOld = op == AssignOp::Set && compute.hasValue && !compute.whole;
  if (keepsOld && llvm::is_contained(by, tensors[compute.result].name)) {
    diagnostics
        .error(range, "there is no gradient by the old value of a tensor of which a part is "
                      "assigned")
        .note("'+=' has one");
    return false;
  }
  if (compute.mask && !(compute.mask->access->indices.size() == compute.indices.size() ||
                        arePlain(compute.indices, lookedUp))) {
    diagnostics.error(range, "this mask has no gradient here");
    return false;
  }
  return true;
}

// Refuses a result that is as long as a limited range: it is shorter than what is accessed at the
// label itself.
static bool checkLengths(const Compute &compute, const std::vector<Tensor> &tensors,
                         Diagnostics &diagnostics) {
  if (!compute.whole)
    return true;
  for (unsigned var = 0; var < compute.numFree; ++var) {
    const Element *plain = nullptr;
    bool isLimited = false;
    forEachAccess(*compute.value, [&](const Element &access) {
      for (const Index &index : access.indices) {
        isLimited |= isAffine(index, var);
        if (isVariable(index) && !index.window && index.terms.front().var == var)
          plain = &access;
      }
    });
    if (!plain || !isLimited)
      continue;
    const std::string tensor = tensors[plain->tensor].name, label = compute.vars[var].name;
    diagnostics
        .error(plain->range, "the result is shorter than '" + tensor + "', since '" + label +
                                 "' runs where all accesses lie inside: this has no gradient")
        .note("write the access at '" + label +
              "' first, which makes the result as long, or others as ~(" + label + " + 1)");
    return false;
  }
  return true;
}

bool checkDifferentiable(const Compute &compute, const std::vector<Tensor> &tensors,
                         llvm::ArrayRef<std::string> by, const llvm::DenseSet<unsigned> &lookedUp,
                         Diagnostics &diagnostics) {
  if (!checkOperands(tensors, by, diagnostics))
    return false;
  const Tensor &result = tensors[compute.result];
  if (isDifferentiable(result.type))
    return checkForm(compute, tensors, by, lookedUp, diagnostics) &&
           checkLengths(compute, tensors, diagnostics);
  diagnostics.error(result.range, "'" + result.name + "' holds " + elementTypeName(result.type) +
                                      ", which has no gradient");
  return false;
}

// A summed label in index expressions runs where all its accesses lie inside, which must therefore
// be in the gradient, too.
bool checkRanges(const Contribution &contribution, const Compute &compute,
                 const std::vector<Tensor> &tensors, const std::vector<IndexVar> &vars,
                 const llvm::DenseSet<unsigned> &lookedUp, Diagnostics &diagnostics) {
  for (unsigned var : contribution.vars) {
    if (var < compute.numFree || lookedUp.contains(var) || windowSize(vars[var]))
      continue;
    std::vector<const Element *> users;
    bool affine = false;
    forEachAccess(*compute.value, [&](const Element &access) {
      if (uses(access, var))
        users.push_back(&access);
      affine |= llvm::any_of(access.indices, [&](const Index &one) { return isAffine(one, var); });
    });
    if (!affine)
      continue;
    for (const Element *user : users) {
      bool found = sameIndices(user->indices, contribution.access->indices) &&
                   user->tensor == contribution.access->tensor;
      forEachAccess(*contribution.value, [&](const Element &access) {
        found |= access.tensor == user->tensor && sameIndices(access.indices, user->indices);
      });
      if (found)
        continue;
      diagnostics
          .error(contribution.access->range,
                 "'" + vars[var].name + "' runs where all its accesses lie inside, and that to '" +
                     tensors[user->tensor].name + "' is not in the gradient by '" +
                     tensors[contribution.access->tensor].name + "'")
          .note("an index that may lie outside says so: ~(i - 1)");
      return false;
    }
  }
  return true;
}

} // namespace strata::frontend

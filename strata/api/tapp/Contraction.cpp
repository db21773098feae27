// From strided tensors to a contraction of dense ones: labels that run as one become one, and each
// operand stays where it is if it is a part of a dense tensor.
#include "strata/api/tapp/Contraction.h"

#include "strata/api/tapp/CheckTerms.h"
#include "strata/api/tapp/Errors.h"

#include <cstdlib>
#include <optional>

using namespace strata::tapp;

namespace {

enum Tensor { inA, inB, inC, inD };

// An index of the product, with the sum of its strides in each tensor. A tensor in which it has the
// stride 0 does not depend on it.
struct Label {
  int64_t index = 0, extent = 1;
  int64_t strides[4] = {};
  bool isFree = false; ///< D has it
  std::string name = {};
  int64_t result = 0; ///< stride in R

  bool isOf(Tensor tensor) const { return strides[tensor] != 0; }
  bool isIn(Tensor operand) const { return isOf(operand) && !isAlone(); }
  // Only one operand depends on it, and it is summed: before the contraction.
  bool isAlone() const { return !isFree && isOf(inA) != isOf(inB); }
  bool isContracted() const { return !isFree && isOf(inA) && isOf(inB); }
};

// Where a label went that became a part of another.
struct Part {
  size_t whole;
  int64_t factor;
};

class Analysis {
public:
  Analysis(const Term &A, const Term &B, const Term &C, const Term &D, Contraction &made)
      : terms{&A, &B, &C, &D}, made(made) {}

  TAPP_error analyze(TAPP_prectype prec);

private:
  void collect();
  void chooseTypes(TAPP_prectype prec);
  void unite();
  bool unites(const Label &outer, const Label &inner) const;
  TAPP_error placeResult();
  TAPP_error placeOperand(Tensor tensor, Operand &operand);
  bool isPartOfDense(Tensor tensor, const std::vector<const Label *> &order, Operand &operand);
  TAPP_error pack(Tensor tensor, const std::vector<const Label *> &order, Operand &operand);
  void writeText();
  bool reachOf(Tensor tensor, Span &span) const;
  std::vector<const Label *> sorted(Tensor tensor) const;

  const Term *terms[4];
  Contraction &made;
  std::vector<Label> original, labels; ///< as the tensors have them; united
  std::vector<Part> parts;             ///< of each original label
};

} // namespace

static std::string accessOf(char name, const std::vector<std::string> &indices) {
  std::string text(1, name);
  for (size_t at = 0; at < indices.size(); ++at)
    text += (at == 0 ? "(" : ",") + indices[at];
  return indices.empty() ? text : text + ")";
}

void Analysis::collect() {
  for (Tensor tensor : {inA, inB, inC, inD})
    for (size_t mode = 0; mode < terms[tensor]->indices.size(); ++mode) {
      int64_t index = terms[tensor]->indices[mode];
      auto found = std::find_if(original.begin(), original.end(),
                                [&](const Label &label) { return label.index == index; });
      if (found == original.end()) {
        original.push_back({.index = index, .extent = terms[tensor]->info.extents[mode]});
        found = original.end() - 1;
      }
      found->strides[tensor] += terms[tensor]->info.strides[mode];
      found->isFree |= tensor == inD;
    }
  for (const Label &label : original) {
    made.isEmpty |= label.isFree && label.extent == 0;
    made.hasTerms &= label.isFree || label.extent > 0;
  }
  std::erase_if(original, [](const Label &label) { return label.extent == 1; });
}

void Analysis::chooseTypes(TAPP_prectype prec) {
  bool wide = prec == TAPP_F64F64_ACCUM_F64, complex = false;
  for (const Term *term : terms)
    wide |= isDouble(term->info.type);
  for (Tensor tensor : {inA, inB})
    complex |= isComplex(terms[tensor]->info.type);
  made.type = computedType(complex, wide);
  made.typeC = terms[inC]->info.type;
  made.typeD = terms[inD]->info.type;
  made.finish = computedType(complex || isComplex(made.typeC) || isComplex(made.typeD), wide);
  made.conjugateC = terms[inC]->op == TAPP_CONJUGATE && isComplex(made.typeC);
  made.conjugateD = terms[inD]->op == TAPP_CONJUGATE && isComplex(made.typeD);
}

// Tells whether the outer label is to the inner one what tens are to ones, in all tensors that have
// them.
bool Analysis::unites(const Label &outer, const Label &inner) const {
  int64_t values;
  if (outer.isFree != inner.isFree || outer.isAlone() || inner.isAlone() ||
      __builtin_mul_overflow(outer.extent, inner.extent, &values))
    return false;
  for (Tensor tensor : {inA, inB, inD})
    if (outer.isOf(tensor) != inner.isOf(tensor) ||
        outer.strides[tensor] != inner.strides[tensor] * inner.extent)
      return false;
  return true;
}

void Analysis::unite() {
  labels = original;
  for (size_t at = 0; at < labels.size(); ++at)
    parts.push_back({at, 1});
  std::vector<bool> gone(labels.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t outer = 0; outer < labels.size(); ++outer)
      for (size_t inner = 0; inner < labels.size(); ++inner) {
        if (outer == inner || gone[outer] || gone[inner] || !unites(labels[outer], labels[inner]))
          continue;
        for (Part &part : parts)
          if (part.whole == outer)
            part = {inner, part.factor * labels[inner].extent};
        labels[inner].extent *= labels[outer].extent;
        gone[outer] = changed = true;
      }
  }
  for (size_t at = 0; at < labels.size(); ++at)
    if (gone[at])
      labels[at].extent = 1;
}

// The labels of a tensor of the contraction, from the outermost.
std::vector<const Label *> Analysis::sorted(Tensor tensor) const {
  std::vector<const Label *> order;
  for (const Label &label : labels)
    if (label.extent > 1 &&
        (tensor == inD ? label.isFree && (label.isOf(inA) || label.isOf(inB)) : label.isIn(tensor)))
      order.push_back(&label);
  std::sort(order.begin(), order.end(), [tensor](const Label *a, const Label *b) {
    const int64_t strideA = std::abs(a->strides[tensor]), strideB = std::abs(b->strides[tensor]);
    return strideA != strideB ? strideA > strideB : a < b;
  });
  return order;
}

// Which elements a tensor has; nothing if they lie further apart than 64 bits count.
bool Analysis::reachOf(Tensor tensor, Span &span) const {
  for (const Label &label : original) {
    int64_t reach;
    if (__builtin_mul_overflow(label.strides[tensor], label.extent - 1, &reach))
      return false;
    int64_t &end = reach < 0 ? span.first : span.last;
    if (__builtin_add_overflow(end, reach, &end))
      return false;
  }
  return true;
}

// The result has the labels of D in D's order, one after the other.
TAPP_error Analysis::placeResult() {
  std::vector<const Label *> order = sorted(inD);
  bool fits = true;
  for (size_t at = order.size(); at-- > 0;) {
    Label &label = labels[size_t(order[at] - labels.data())];
    label.result = made.count;
    label.name = "i" + std::to_string(at);
    fits &= label.strides[inD] == made.count;
    if (__builtin_mul_overflow(made.count, label.extent, &made.count))
      return TooLarge;
  }
  for (const Label *label : order)
    made.sizes.push_back(label->extent);
  size_t dependent = 0, contracted = 0;
  for (Label &label : labels) {
    dependent += label.extent > 1 && label.isFree;
    if (label.extent > 1 && label.isContracted())
      label.name = "k" + std::to_string(contracted++);
  }
  made.isD = fits && dependent == order.size() && made.type == made.typeD && !made.conjugateD;
  made.likeC = made.typeC == made.typeD;
  for (size_t at = 0; at < original.size(); ++at) {
    const Label &label = original[at];
    if (label.isFree)
      made.loops.push_back({label.extent,
                            {labels[parts[at].whole].result * parts[at].factor, label.strides[inC],
                             label.strides[inD]}});
    made.likeC &= !label.isFree || label.strides[inC] == label.strides[inD];
    if (!label.isFree && !label.isOf(inA) && !label.isOf(inB))
      made.factor *= double(label.extent);
  }
  arrange(made.loops, 2);
  return reachOf(inC, made.spanC) && reachOf(inD, made.spanD) ? Success : TooLarge;
}

// Tells whether a tensor is a part of a dense one of more values, of which it has the first of each
// dimension.
bool Analysis::isPartOfDense(Tensor tensor, const std::vector<const Label *> &order,
                             Operand &operand) {
  std::vector<std::string> indices;
  int64_t below = 1; // the stride to the last label from what lies between its elements
  if (!order.empty() && order.back()->strides[tensor] < 1)
    return false;
  for (size_t at = 0; at < order.size(); ++at) {
    const int64_t stride = order[at]->strides[tensor];
    const int64_t outer = at == 0 ? stride * order[at]->extent : order[at - 1]->strides[tensor];
    if (stride < 1 || outer % stride != 0 || outer / stride < order[at]->extent)
      return false;
    operand.sizes.push_back(outer / stride);
    const bool whole = outer / stride == order[at]->extent;
    indices.push_back(whole ? order[at]->name
                            : order[at]->name + "(0," + std::to_string(order[at]->extent) + ")");
    below = stride;
  }
  if (below > 1) { // the first of the elements between two
    operand.sizes.push_back(below);
    indices.push_back("0");
  }
  for (int64_t size : operand.sizes)
    if (__builtin_mul_overflow(operand.count, size, &operand.count))
      return false;
  operand.access = accessOf(tensor == inA ? 'A' : 'B', indices);
  return true;
}

TAPP_error Analysis::pack(Tensor tensor, const std::vector<const Label *> &order,
                          Operand &operand) {
  operand.packed = true;
  operand.sizes.clear();
  operand.count = 1;
  std::vector<std::string> indices;
  for (const Label *label : order) {
    operand.sizes.push_back(label->extent);
    indices.push_back(label->name);
  }
  operand.access = accessOf(tensor == inA ? 'A' : 'B', indices);
  for (size_t at = order.size(); at-- > 0;) {
    operand.loops.push_back({order[at]->extent, {order[at]->strides[tensor], operand.count}});
    if (__builtin_mul_overflow(operand.count, order[at]->extent, &operand.count))
      return TooLarge;
  }
  for (const Label &label : labels)
    if (label.extent > 1 && label.isAlone() && label.isOf(tensor)) {
      operand.loops.push_back({label.extent, {label.strides[tensor], 0}});
      operand.sums = true;
    }
  arrange(operand.loops, 0);
  return Success;
}

TAPP_error Analysis::placeOperand(Tensor tensor, Operand &operand) {
  operand.type = terms[tensor]->info.type;
  operand.conjugate = terms[tensor]->op == TAPP_CONJUGATE && isComplex(operand.type);
  if (!reachOf(tensor, operand.span))
    return TooLarge;
  std::vector<const Label *> order = sorted(tensor);
  bool isSummed = std::any_of(labels.begin(), labels.end(), [&](const Label &label) {
    return label.extent > 1 && label.isAlone() && label.isOf(tensor);
  });
  if (operand.type == made.type && !operand.conjugate && !isSummed &&
      isPartOfDense(tensor, order, operand))
    return Success;
  return pack(tensor, order, operand);
}

void Analysis::writeText() {
  std::vector<std::string> indices;
  for (const Label *label : sorted(inD))
    indices.push_back(label->name);
  made.text = accessOf('R', indices) + " = " + made.A.access + " * " + made.B.access;
}

TAPP_error Analysis::analyze(TAPP_prectype prec) {
  collect();
  chooseTypes(prec);
  if (made.isEmpty)
    return Success;
  unite();
  if (TAPP_error error = placeResult())
    return error;
  if (!made.hasTerms)
    return Success;
  if (TAPP_error error = placeOperand(inA, made.A))
    return error;
  if (TAPP_error error = placeOperand(inB, made.B))
    return error;
  writeText();
  return Success;
}

TAPP_error strata::tapp::analyze(const Term &A, const Term &B, const Term &C, const Term &D,
                                 TAPP_prectype prec, Contraction &contraction) {
  if (TAPP_error error = checkTerms(A, B, C, D))
    return error;
  return Analysis(A, B, C, D, contraction).analyze(prec);
}

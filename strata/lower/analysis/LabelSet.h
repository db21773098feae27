// Sets of labels, by the numbers that a statement gives them.
#ifndef STRATA_LOWER_ANALYSIS_LABELSET_H
#define STRATA_LOWER_ANALYSIS_LABELSET_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include <initializer_list>

namespace strata {

class LabelSet {
public:
  LabelSet() = default;
  LabelSet(std::initializer_list<unsigned> labels) {
    for (unsigned label : labels)
      insert(label);
  }

  void insert(unsigned label) {
    if (label >= bits.size())
      bits.resize(label + 1);
    bits.set(label);
  }
  bool contains(unsigned label) const { return label < bits.size() && bits.test(label); }
  bool empty() const { return bits.none(); }
  bool overlaps(const LabelSet &other) const { return bits.anyCommon(other.bits); }
  /// The numbers, in ascending order.
  auto members() const { return bits.set_bits(); }

  LabelSet &operator|=(const LabelSet &other) {
    bits |= other.bits;
    return *this;
  }
  friend LabelSet operator|(LabelSet left, const LabelSet &right) { return left |= right; }
  friend LabelSet operator&(LabelSet left, const LabelSet &right) {
    left.bits &= right.bits;
    return left;
  }
  /// The labels of `left` that `right` lacks.
  friend LabelSet operator-(LabelSet left, const LabelSet &right) {
    left.bits.reset(right.bits);
    return left;
  }
  friend bool operator==(const LabelSet &left, const LabelSet &right) {
    return llvm::equal(left.members(), right.members());
  }

private:
  llvm::SmallBitVector bits;
};

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_LABELSET_H

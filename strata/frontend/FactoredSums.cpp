// Factoring sums.
#include "strata/frontend/FactoredSums.h"
#include "strata/frontend/Derivatives.h"
#include "strata/frontend/Reductions.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

// A product of factors, the divisors last.
static ElementPtr productOfFactors(std::vector<Element::Operand> factors) {
  std::stable_partition(factors.begin(), factors.end(), [](auto &one) { return !one.inverse; });
  if (factors.empty() || factors.front().inverse)
    factors.insert(factors.begin(), Element::Operand{false, numberElement(1)});
  return factors.size() == 1 ? std::move(factors.front().element)
                             : makeMultiply(std::move(factors), {});
}

// Takes the factors that are linked to the first one by variables of a sum, and these variables.
static std::pair<std::vector<Element::Operand>, llvm::SmallVector<unsigned>>
takeLinked(std::vector<Element::Operand> &factors, llvm::ArrayRef<unsigned> summed) {
  std::vector<Element::Operand> linked;
  llvm::SmallVector<unsigned> own;
  linked.push_back(std::move(factors.front()));
  factors.erase(factors.begin());
  for (size_t at = 0; at < linked.size(); ++at)
    for (unsigned var : usedVars(*linked[at].element)) {
      if (!llvm::is_contained(summed, var) || llvm::is_contained(own, var))
        continue;
      own.push_back(var);
      for (size_t other = 0; other < factors.size();)
        if (llvm::is_contained(usedVars(*factors[other].element), var)) {
          linked.push_back(std::move(factors[other]));
          factors.erase(factors.begin() + other);
        } else {
          ++other;
        }
    }
  return {std::move(linked), std::move(own)};
}

ElementPtr sumOver(llvm::ArrayRef<unsigned> summed, ElementPtr value) {
  if (summed.empty())
    return value;
  if (value->kind == Element::Kind::Negate)
    return negated(sumOver(summed, std::move(value->operands.front().element)));
  if (value->kind != Element::Kind::Multiply)
    return makeReduction(Operator::Plus, summed, std::move(value), false);
  std::vector<Element::Operand> factors = std::move(value->operands), result;
  while (!factors.empty()) {
    auto [linked, own] = takeLinked(factors, summed);
    if (own.empty())
      result.push_back(std::move(linked.front()));
    else
      result.push_back(
          {false, makeReduction(Operator::Plus, own, productOfFactors(std::move(linked)), false)});
  }
  return productOfFactors(std::move(result));
}

// The element so many times. A number that it is multiplied by takes part.
static ElementPtr times(unsigned count, ElementPtr element) {
  if (count == 1)
    return element;
  if (element->kind == Element::Kind::Negate)
    return negated(times(count, std::move(element->operands.front().element)));
  if (element->kind != Element::Kind::Multiply)
    return productOf(numberElement(count), std::move(element));
  std::vector<Element::Operand> factors = std::move(element->operands);
  auto number = llvm::find_if(factors, [](const Element::Operand &factor) {
    return !factor.inverse && factor.element->kind == Element::Kind::Constant &&
           factor.element->imaginary == 0;
  });
  if (number == factors.end())
    factors.insert(factors.begin(), Element::Operand{false, numberElement(count)});
  else if (double product = number->element->value * count; product == 1)
    factors.erase(number);
  else
    number->element = numberElement(product);
  return productOfFactors(std::move(factors));
}

ElementPtr sumOfTerms(std::vector<Element::Operand> terms,
                      llvm::function_ref<std::string(const Element &)> textOf) {
  std::vector<std::string> texts;
  std::vector<Element::Operand> different;
  std::vector<unsigned> counts;
  for (Element::Operand &term : terms) {
    std::string text = textOf(*term.element);
    auto known = llvm::find(texts, text);
    if (known != texts.end()) {
      ++counts[size_t(known - texts.begin())];
      continue;
    }
    texts.push_back(std::move(text));
    counts.push_back(1);
    different.push_back(std::move(term));
  }
  for (auto [term, count] : llvm::zip(different, counts))
    term.element = times(count, std::move(term.element));
  return different.size() == 1 ? std::move(different.front().element)
                               : makeAdd(std::move(different), {});
}

} // namespace strata::frontend

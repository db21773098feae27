// Closest names by edit distance.
#include "strata/frontend/Suggest.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace strata::frontend {

// The least number of letters to insert, delete, replace or swap with their neighbour (optimal
// string alignment). Swaps are the commonest slip: CRS for CSR.
static unsigned editDistance(llvm::StringRef a, llvm::StringRef b) {
  std::vector<unsigned> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row.back();
}

llvm::StringRef closestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates) {
  // Nobody mistypes a name of hundreds of letters; comparing such would only take time.
  if (name.size() > 64)
    return {};
  std::string lower = name.lower();
  unsigned best = std::max<unsigned>(1, name.size() / 3) + 1;
  llvm::StringRef closest;
  for (llvm::StringRef candidate : candidates) {
    if (candidate.empty() || candidate.size() > 64 || candidate == name)
      continue;
    unsigned distance = editDistance(lower, candidate.lower());
    // One letter for another one-letter name says nothing.
    if (distance < best && distance < std::max(name.size(), candidate.size())) {
      best = distance;
      closest = candidate;
    }
  }
  return closest;
}

std::string didYouMean(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates) {
  llvm::StringRef closest = closestName(name, candidates);
  return closest.empty() ? std::string() : ("did you mean '" + closest + "'?").str();
}

std::string quotedList(llvm::ArrayRef<llvm::StringRef> names) {
  constexpr size_t limit = 12;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), limit); ++i) {
    bool last = i + 1 == names.size();
    text += (i == 0 ? "" : last ? " or " : ", ");
    text += ("'" + names[i] + "'").str();
  }
  if (names.size() > limit)
    text += ", ...";
  return text;
}

} // namespace strata::frontend

// Closest names by edit distance.
#include "strata/frontend/Suggest.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace strata::frontend {

llvm::StringRef closestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates) {
  // Nobody mistypes a name of hundreds of letters; comparing such would only take time.
  if (name.size() > 64)
    return {};
  std::string lower = name.lower();
  unsigned best = std::max<unsigned>(1, (name.size() + 2) / 3) + 1;
  llvm::StringRef closest;
  for (llvm::StringRef candidate : candidates) {
    if (candidate.empty() || candidate.size() > 64 || candidate == name)
      continue;
    std::string other = candidate.lower();
    unsigned distance = llvm::StringRef(lower).edit_distance(other, /*AllowReplacements=*/true,
                                                             /*MaxEditDistance=*/best);
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

// Tells how many elements the buffers of a level have.
#include "strata/level/BufferCounts.h"

namespace strata {

llvm::SmallVector<CountRule> countsOf(const LevelFormat &level, bool root) {
  if (const auto *own = dynamic_cast<const OwnCounts *>(&level))
    return own->counts(root);
  llvm::SmallVector<CountRule> rules;
  for (const BufferSpec &spec : level.buffers())
    rules.push_back({spec.kind == BufferKind::Position ? CountRule::Edges
                     : spec.kind == BufferKind::Word   ? CountRule::Free
                                                       : CountRule::Each});
  return rules;
}

} // namespace strata

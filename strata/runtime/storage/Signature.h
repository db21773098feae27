// What a kernel was compiled for, as words that the kernel carries: a call from outside is checked
// by them before any buffer is read, in time that does not depend on how large the buffers are.
//
//   words   how many storages, how many extents;
//           of each storage: the order, the number of buffers, whether it is the result, the type
//           of each buffer, and steps (below) that end with Step::End; how many subscripts, and of
//           each: storage, dimension, whether it covers the dimension, a constant, how many terms,
//           and of each term the extent and its factor
//   names   one after the other, each with its zero byte: of each storage, followed by its buffers;
//           then of the extents
//
// The steps follow the levels from the root and know two numbers: the positions of the level above
// (parents), and those of this one (positions), 1 at first.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_STORAGE_SIGNATURE_H
#define STRATA_RUNTIME_STORAGE_SIGNATURE_H

#include <cstdint>

namespace strata::runtime {

enum class Step : int64_t {
  End,         ///< the last buffer has an element for each position
  Level,       ///< the next level: positions become parents
  Times,       ///< n: so many positions for each before
  TimesBlocks, ///< dimension, n: one for each n coordinates of the dimension, rounded up
  TimesWord,   ///< buffer: as many as its first element says
  Unknown,     ///< positions are not known from here on, until a buffer tells
  Edges,       ///< buffer: an element for each position, and one more, which is the new number
  Word,        ///< buffer: its first element is the new number of positions
  Each,        ///< buffer, n: n elements for each position
  Parents,     ///< buffer: an element for each parent
  ParentEdges, ///< buffer: an element for each parent, and one more
  Dimension,   ///< buffer, dimension: an element for each coordinate
  Told,        ///< buffer, another, n: as many elements as element n of the other says
  ParentPairs, ///< buffer: two elements for each parent; positions are not known from here on
};

/// How many words follow a step.
constexpr int64_t operandsOf(Step step) {
  switch (step) {
  case Step::End:
  case Step::Level:
  case Step::Unknown:
    return 0;
  case Step::Times:
  case Step::TimesWord:
  case Step::Edges:
  case Step::Word:
  case Step::Parents:
  case Step::ParentEdges:
  case Step::ParentPairs:
    return 1;
  case Step::TimesBlocks:
  case Step::Each:
  case Step::Dimension:
    return 2;
  case Step::Told:
    break;
  }
  return 3;
}

} // namespace strata::runtime
#endif // STRATA_RUNTIME_STORAGE_SIGNATURE_H

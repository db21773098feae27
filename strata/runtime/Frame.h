// A kernel while it runs, or a piece of one.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_FRAME_H
#define STRATA_RUNTIME_FRAME_H

#include "strata/runtime/assembly.h"

#include <csetjmp>
#include <mutex>
#include <vector>

namespace strata::runtime {

/// Which pieces of a loop have begun. A thread goes on with the piece that follows its own, so that
/// what it builds is one part; another one begins in the middle of the longest gap that is left.
class Claims {
public:
  explicit Claims(int64_t pieces) : states(static_cast<size_t>(pieces), State::left) {}

  /// A piece for a thread that has none; -1 if all have begun.
  int64_t begin();
  /// The piece that follows one that has ended; -1 if it has begun, or is none.
  int64_t goOn(int64_t ended);

private:
  enum class State : char { left, running, ended };

  std::mutex mutex;
  std::vector<State> states;
};

/// Where to go on failure, and the memory to give back then.
struct Frame {
  struct Block {
    void *data;
    int64_t count, elementBytes;
  };

  std::jmp_buf exit;
  std::vector<Block> blocks;
  std::mutex adopting;      ///< blocks of pieces that have ended
  Claims *claims = nullptr; ///< of a piece: those of its loop

  /// Forgets a block, if it is held.
  void drop(void *data) {
    std::erase_if(blocks, [=](const Block &block) { return block.data == data; });
  }
};

inline Frame *frameOf(strata_context *context) { return static_cast<Frame *>(context->frame); }

/// Runs a piece, and those after it that its code takes from `claims`. If it fails inside, its
/// scratch memory is released and the status says why.
int32_t invokePiece(strata_context *, Claims &claims, int64_t piece, strata_piece body,
                    void *captured);

} // namespace strata::runtime
#endif // STRATA_RUNTIME_FRAME_H

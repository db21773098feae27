// Runs the code of kernels: a failure inside unwinds to the call, which releases what is left.
//
// Kernels have no destructors to run, so that leaving them by a jump is safe, and their code is
// free of checks. Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/runtime/Frame.h"

using strata::runtime::Frame;
using strata::runtime::frameOf;

namespace {

[[noreturn]] void leave(strata_context *context) { std::longjmp(frameOf(context)->exit, 1); }

void checkInterrupt(strata_context *context) {
  if (!context->interrupt || !*context->interrupt)
    return;
  strata_fail(context, STRATA_INTERRUPTED);
  leave(context);
}

} // namespace

// What a piece holds at its end goes to the kernel around it.
static void adopt(Frame *kernel, const std::vector<Frame::Block> &blocks) {
  const std::lock_guard lock(kernel->adopting);
  kernel->blocks.insert(kernel->blocks.end(), blocks.begin(), blocks.end());
}

// Runs `body` in a frame of its own, inside that of the context, if there is one.
template <typename Body>
static int32_t guarded(strata_context *context, strata::runtime::Claims *claims, Body body) {
  Frame frame;
  frame.claims = claims;
  auto *outer = frameOf(context);
  context->frame = &frame;
  context->status = STRATA_OK;
  context->message[0] = 0;
  if (setjmp(frame.exit) == 0)
    body();
  if (outer && context->status == STRATA_OK)
    adopt(outer, frame.blocks);
  else
    for (const Frame::Block &block : frame.blocks)
      strata_release(context, block.data, block.count, block.elementBytes);
  context->frame = outer;
  return context->status;
}

int32_t strata_invoke(strata_context *context, strata_storage *const *storages,
                      const int64_t *extents,
                      void (*body)(strata_context *, strata_storage *const *, const int64_t *)) {
  return guarded(context, nullptr, [=] { body(context, storages, extents); });
}

int32_t strata::runtime::invokePiece(strata_context *context, Claims &claims, int64_t piece,
                                     strata_piece body, void *captured) {
  return guarded(context, &claims, [=] { body(context, piece, captured); });
}

void strata_kernel_fail(strata_context *context, int64_t status) {
  strata_fail(context, static_cast<int32_t>(status));
  leave(context);
}

void *strata_kernel_allocate(strata_context *context, int64_t count, int64_t elementBytes) {
  return strata_kernel_grow(context, nullptr, 0, count, elementBytes);
}

void *strata_kernel_grow(strata_context *context, void *block, int64_t oldCount, int64_t newCount,
                         int64_t elementBytes) {
  checkInterrupt(context);
  void *grown = strata_grow(context, block, oldCount, newCount, elementBytes);
  if (!grown)
    leave(context);
  Frame *frame = frameOf(context);
  frame->drop(block);
  frame->blocks.push_back({grown, newCount, elementBytes});
  return grown;
}

void strata_kernel_release(strata_context *context, void *block, int64_t count,
                           int64_t elementBytes) {
  frameOf(context)->drop(block);
  strata_release(context, block, count, elementBytes);
}

void strata_kernel_publish(strata_context *context, strata_storage *storage, int64_t index,
                           void *block, int64_t count, int64_t capacity, int64_t elementBytes) {
  frameOf(context)->drop(block);
  strata_publish(context, storage, index, block, count, capacity, elementBytes);
  if (context->status != STRATA_OK)
    leave(context);
}

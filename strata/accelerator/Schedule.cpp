// Schedules operations.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/accelerator/Schedule.h"

#include "strata/accelerator/MicroKernel.h"
#include "strata/accelerator/Tracer.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace strata::accelerator {

uint32_t UnitPool::firstFree(uint32_t cycle) {
  uint32_t last = cycle;
  while (next[last] != last)
    last = next[last];
  while (next[cycle] != last) {
    const uint32_t following = next[cycle];
    next[cycle] = last;
    cycle = following;
  }
  return last;
}

uint32_t UnitPool::take(uint32_t earliest) {
  // There is always a free cycle behind those that were asked for.
  while (next.size() < size_t(earliest) + 2) {
    next.push_back(uint32_t(next.size()));
    used.push_back(0);
  }
  const uint32_t cycle = firstFree(earliest);
  if (++used[cycle] == capacity) {
    if (cycle + 1 == next.size()) {
      next.push_back(cycle + 1);
      used.push_back(0);
    }
    next[cycle] = cycle + 1;
  }
  return cycle;
}

Schedule::Schedule(const Accelerator &accelerator)
    : loadLatency(uint32_t(accelerator.loadLatency)),
      multiplyLatency(uint32_t(accelerator.multiplyLatency)),
      addLatency(uint32_t(accelerator.addLatency)),
      storeLatency(uint32_t(accelerator.storeLatency)), multipliers(accelerator.multiplierCount()),
      adders(accelerator.adderCount()) {
  for (const Matrix matrix : {A, B, C}) {
    banks[matrix] = uint32_t(accelerator.banks[matrix]);
    reads[matrix].assign(banks[matrix], UnitPool(accelerator.ports));
    writes[matrix].assign(banks[matrix], UnitPool(accelerator.ports));
  }
}

runtime::Result<Activity> scheduleMicroKernel(const Accelerator &accelerator) {
  llvm::LLVMContext context;
  llvm::Module module("accelerator", context);
  runtime::Result<TracedFunction> traced =
      TracedFunction::decode(*buildMicroKernel(module, accelerator), accelerator);
  if (!traced)
    return traced.takeStatus();
  Schedule schedule(accelerator);
  traced->trace(schedule);
  Activity activity = schedule.result();
  activity.registers = traced->registers();
  return activity;
}

} // namespace strata::accelerator

// Adds up what a product takes on an accelerator.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/accelerator/Offload.h"

#include <cmath>

namespace strata::accelerator {

double Host::bandwidth(double bytes) const {
  if (!machine)
    return assumedBandwidth;
  const machine::MemoryLevel &level = machine->levelFor(bytes, allThreads);
  const double rate = allThreads ? level.readAll : level.readOne;
  return rate > 0 ? rate : assumedBandwidth;
}

Offload offload(const Design &design, const Product &product, const Host &host) {
  const Accelerator &accelerator = design.accelerator;
  const double down = std::ceil(product.rows / double(accelerator.rows));
  const double across = std::ceil(product.columns / double(accelerator.columns));
  const double deep = std::ceil(product.depth / double(accelerator.depth));
  const double left = product.batch * product.rows * product.depth;
  const double right = product.batch * product.depth * product.columns;
  const double result = product.batch * product.rows * product.columns;
  const auto factor = double(factorBytes(accelerator.type));
  const auto sum = double(sumBytes(accelerator.type)), count = double(accelerator.count);

  Offload offload;
  offload.microKernels = product.batch * down * across * deep;
  offload.computeSeconds = std::ceil(offload.microKernels / count) * design.seconds();
  offload.transferBytes = (left * across + right * down) * factor + 2 * result * sum;
  const double packed = (left + right) * factor + result * sum;
  const double connection = count * accelerator.bytesPerCycle * accelerator.hertz();
  offload.transferSeconds = offload.transferBytes / std::min(host.bandwidth(packed), connection);
  const double packing =
      (left + right) * (product.elementBytes + factor) + result * (product.elementBytes + sum);
  offload.packingSeconds = packing / host.bandwidth(packing);
  const double busy = accelerator.buffers > 1
                          ? std::max(offload.computeSeconds, offload.transferSeconds)
                          : offload.computeSeconds + offload.transferSeconds;
  offload.seconds = busy + offload.packingSeconds;
  offload.joules = offload.microKernels * design.switchingEnergy() + count * design.leakage * busy +
                   left * across * design.writeEnergy[A] + right * down * design.writeEnergy[B] +
                   result * (design.writeEnergy[C] + design.readEnergy[C]);
  offload.utilization = 2 * result * product.depth /
                        (offload.computeSeconds * count * accelerator.hertz() *
                         double(accelerator.multiplierCount() + accelerator.adderCount()));
  return offload;
}

} // namespace strata::accelerator

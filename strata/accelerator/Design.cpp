// Adds up what an accelerator takes.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/accelerator/Design.h"

#include "strata/accelerator/Technology.h"

namespace strata::accelerator {

namespace {

constexpr double picojoule = 1e-12, milliwatt = 1e-3;
constexpr int64_t bits = 8; ///< of a byte

/// The parameters that a schedule depends on.
std::vector<int64_t> keyOf(const Accelerator &accelerator) {
  std::vector<int64_t> key{
      accelerator.rows,         accelerator.columns,      accelerator.depth,
      accelerator.arrayRows,    accelerator.arrayColumns, accelerator.multiplierCount(),
      accelerator.adderCount(), accelerator.loadLatency,  accelerator.multiplyLatency,
      accelerator.addLatency,   accelerator.storeLatency, accelerator.ports};
  key.insert(key.end(), accelerator.banks.begin(), accelerator.banks.end());
  return key;
}

void addUnits(Design &design) {
  const Accelerator &accelerator = design.accelerator;
  const UnitFigures multiplier = multiplierFigures(accelerator.type, accelerator.nanometers);
  const UnitFigures adder = adderFigures(accelerator.type, accelerator.nanometers);
  design.unitsArea = double(accelerator.multiplierCount()) * multiplier.area +
                     double(accelerator.adderCount()) * adder.area;
  design.unitsEnergy =
      picojoule * (double(design.activity.multiplications) * multiplier.picojoules +
                   double(design.activity.additions) * adder.picojoules);
}

/// Those of the sums, of the products behind each multiplier, and of the factors of the array's
/// rows and columns. Each is written once for each operation whose result it takes.
void addRegisters(Design &design) {
  const Accelerator &accelerator = design.accelerator;
  const Activity &activity = design.activity;
  const UnitFigures bit = registerBitFigures(accelerator.nanometers);
  const int64_t sum = bits * sumBytes(accelerator.type),
                factor = bits * factorBytes(accelerator.type),
                product = bits * productBytes(accelerator.type);
  const int64_t there = activity.registers * sum + accelerator.multiplierCount() * product +
                        (accelerator.arrayRows + accelerator.arrayColumns) * factor;
  const int64_t written = (activity.additions + activity.loads[C]) * sum +
                          activity.multiplications * product +
                          (activity.loads[A] + activity.loads[B]) * factor;
  design.registersArea = double(there) * bit.area;
  design.registersEnergy = double(written) * bit.picojoules * picojoule;
}

void addScratchpads(Design &design) {
  const Accelerator &accelerator = design.accelerator;
  for (const Matrix matrix : {A, B, C}) {
    const int64_t word = accelerator.elementBytes(matrix), banks = accelerator.banks[matrix];
    const int64_t bytes = (accelerator.elements(matrix) + banks - 1) / banks * word;
    const BankFigures bank = bankFigures(bytes, word, accelerator.ports, accelerator.nanometers);
    const double copies = double(banks * accelerator.buffers);
    design.scratchpadsArea += copies * bank.area;
    design.leakage += copies * bank.leakageMilliwatts * milliwatt;
    design.readEnergy[matrix] = bank.readPicojoules * picojoule;
    design.writeEnergy[matrix] = bank.writePicojoules * picojoule;
    design.scratchpadsEnergy += double(design.activity.loads[matrix]) * design.readEnergy[matrix] +
                                double(design.activity.stores[matrix]) * design.writeEnergy[matrix];
  }
}

} // namespace

runtime::Result<Design> Designer::design(const Accelerator &accelerator) {
  Design design;
  design.accelerator = accelerator;
  const std::vector<int64_t> key = keyOf(accelerator);
  auto found = known.find(key);
  if (found == known.end()) {
    runtime::Result<Activity> activity = scheduleMicroKernel(accelerator);
    if (!activity)
      return activity.takeStatus();
    found = known.emplace(key, *activity).first;
  }
  design.activity = found->second;
  addUnits(design);
  addRegisters(design);
  addScratchpads(design);
  design.leakage +=
      (design.unitsArea + design.registersArea) * logicLeakage(accelerator.nanometers) * milliwatt;
  return design;
}

} // namespace strata::accelerator

// Reads, sets and checks the attributes of kernels.
#include "strata/lower/analysis/KernelAttributes.h"

#include "strata/lower/analysis/Resolutions.h"

using namespace mlir;

namespace strata {

static constexpr StringLiteral kernelName = "strata.kernel", phaseName = "strata.phase",
                               assumptionsName = "strata.assumptions", policyName = "strata.policy",
                               argumentsName = "strata.arguments", scheduleName = "strata.schedule",
                               inheritsName = "strata.inherits", valuesName = "strata.values",
                               sharedName = "strata.shared", signatureName = "strata.signature",
                               namesName = "strata.names";

void markKernel(func::FuncOp function) {
  function->setAttr(kernelName, UnitAttr::get(function.getContext()));
}

bool isKernel(func::FuncOp function) { return function->hasAttr(kernelName); }

void markShared(func::FuncOp function, StringRef title) {
  function->setAttr(sharedName, StringAttr::get(function.getContext(), title));
}

void unmarkShared(func::FuncOp function) { function->removeAttr(sharedName); }

StringRef titleOfShared(func::FuncOp function) {
  return function->getAttrOfType<StringAttr>(sharedName).getValue();
}

bool isShared(Operation *function) { return function->hasAttr(sharedName); }

Phase phaseOf(func::FuncOp kernel) {
  auto phase = kernel->getAttrOfType<ta::PhaseAttr>(phaseName);
  return phase ? phase.getValue() : Phase::All;
}

void setPhase(func::FuncOp kernel, Phase phase) {
  if (phase == Phase::All)
    kernel->removeAttr(phaseName);
  else
    kernel->setAttr(phaseName, ta::PhaseAttr::get(kernel.getContext(), phase));
}

ta::AssumptionsAttr assumptionsAttrOf(Operation *kernel) {
  return kernel->getAttrOfType<ta::AssumptionsAttr>(assumptionsName);
}

static Assumptions assumptionsOf(Operation *kernel) {
  ta::AssumptionsAttr assumptions = assumptionsAttrOf(kernel);
  return assumptions ? assumptions.getValue() : Assumptions::None;
}

bool assumes(Operation *kernel, Assumptions one) {
  return ta::bitEnumContainsAll(assumptionsOf(kernel), one);
}

void assume(Operation *kernel, Assumptions one) {
  kernel->setAttr(assumptionsName,
                  ta::AssumptionsAttr::get(kernel->getContext(), assumptionsOf(kernel) | one));
}

static Policy policyOf(Operation *kernel) {
  auto policy = kernel->getAttrOfType<ta::PolicyAttr>(policyName);
  return policy ? policy.getValue() : Policy::None;
}

bool prefers(Operation *kernel, Policy one) {
  return ta::bitEnumContainsAll(policyOf(kernel), one);
}

void prefer(func::FuncOp kernel, Policy one) {
  kernel->setAttr(policyName, ta::PolicyAttr::get(kernel.getContext(), policyOf(kernel) | one));
}

void forget(func::FuncOp kernel, Policy one) {
  Policy rest = policyOf(kernel) & ~one;
  if (rest == Policy::None)
    kernel->removeAttr(policyName);
  else
    kernel->setAttr(policyName, ta::PolicyAttr::get(kernel.getContext(), rest));
}

void forgetPolicies(func::FuncOp kernel) { kernel->removeAttr(policyName); }

ta::ScheduleAttr scheduleOf(func::FuncOp kernel) {
  auto schedule = kernel->getAttrOfType<ta::ScheduleAttr>(scheduleName);
  return schedule ? schedule : ta::ScheduleAttr::get(kernel.getContext(), {});
}

void setSchedule(func::FuncOp kernel, ta::ScheduleAttr schedule) {
  if (schedule.getCommands().empty())
    kernel->removeAttr(scheduleName);
  else
    kernel->setAttr(scheduleName, schedule);
}

void setInheritance(func::FuncOp kernel, ArrayRef<int64_t> plan, func::FuncOp values) {
  kernel->setAttr(inheritsName, DenseI64ArrayAttr::get(kernel.getContext(), plan));
  kernel->setAttr(valuesName, FlatSymbolRefAttr::get(values));
}

std::optional<Inheritance> inheritanceOf(Operation *kernel) {
  auto plan = kernel->getAttrOfType<DenseI64ArrayAttr>(inheritsName);
  auto values = kernel->getAttrOfType<FlatSymbolRefAttr>(valuesName);
  if (!plan || !values)
    return std::nullopt;
  return Inheritance{plan.asArrayRef(), values.getValue()};
}

LogicalResult verifyKernelAttributes(func::FuncOp kernel) {
  for (NamedAttribute attribute : kernel->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    Attribute value = attribute.getValue();
    if (!name.starts_with("strata."))
      continue;
    bool fits = (name == kernelName && isa<UnitAttr>(value)) ||
                (name == phaseName && isa<ta::PhaseAttr>(value)) ||
                (name == assumptionsName && isa<ta::AssumptionsAttr>(value)) ||
                (name == policyName && isa<ta::PolicyAttr>(value)) ||
                (name == scheduleName && isa<ta::ScheduleAttr>(value)) ||
                (name == inheritsName && isa<DenseI64ArrayAttr>(value)) ||
                (name == valuesName && isa<FlatSymbolRefAttr>(value)) ||
                (name == signatureName && isa<DenseI64ArrayAttr>(value)) ||
                (name == namesName && isa<StringAttr>(value)) ||
                ((name == argumentsName || name == forbiddenAttribute) && isa<ArrayAttr>(value));
    if (!fits)
      return kernel.emitError() << "'" << name
                                << "' is not an attribute of kernels, or not of this "
                                << "type; there are " << phaseName << " = #ta.phase<...>, "
                                << assumptionsName << " = #ta.assumptions<...>, " << policyName
                                << " = #ta.policy<...> and " << scheduleName
                                << " = #ta.schedule<...>";
  }
  return success();
}

} // namespace strata

// Reads sweeps, and combines their values.
#include "Sweep.h"
#include "Messages.h"

#include "strata/frontend/Suggest.h"

#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;
using strata::accelerator::Accelerator;

namespace strata::tool {

// Reports a parameter that does not exist.
static bool isKnown(StringRef name) {
  std::vector<accelerator::ParameterName> known = accelerator::parameters();
  std::vector<StringRef> names;
  for (const accelerator::ParameterName &one : known)
    names.push_back(one.name);
  if (llvm::is_contained(names, name))
    return true;
  std::string hint = frontend::didYouMean(name, names);
  refuse("accelerators have no parameter '" + name + "'",
         hint.empty() ? "docs/Accelerators.md lists the parameters" : hint);
  return false;
}

bool Sweep::add(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [name, list] = part.trim().split('=');
    llvm::SmallVector<StringRef> values;
    list.split(values, ',');
    if (name.trim().empty() || list.trim().empty()) {
      refuse("'" + part + "' is no parameter with values", "--over='size=16,64;count=1,2'");
      return false;
    }
    if (!isKnown(name.trim()))
      return false;
    Parameter parameter{name.trim().str(), {}};
    for (StringRef value : values)
      parameter.values.push_back(value.trim().str());
    parameters.push_back(std::move(parameter));
  }
  if (parts.empty())
    refuse("--over names no parameters", "--over='size=16,64;count=1,2'");
  return !parts.empty();
}

// An accelerator with the values of one combination; nothing after a mistake, which was reported.
static std::optional<Accelerator> combine(Accelerator accelerator, const Sweep &sweep,
                                          size_t number) {
  std::string values;
  for (const Sweep::Parameter &parameter : llvm::reverse(sweep.parameters)) {
    const std::string &value = parameter.values[number % parameter.values.size()];
    number /= parameter.values.size();
    if (parameter.values.size() > 1)
      values = " " + parameter.name + "=" + value + values;
    if (runtime::Status set = accelerator::setParameter(accelerator, parameter.name, value);
        !set.ok()) {
      refuse(set.error().sentence());
      return std::nullopt;
    }
  }
  accelerator.name += values;
  return accelerator;
}

std::optional<std::vector<Accelerator>> combinations(llvm::ArrayRef<Accelerator> bases,
                                                     const Sweep &sweep) {
  constexpr size_t most = 10000;
  size_t count = 1;
  for (const Sweep::Parameter &parameter : sweep.parameters) {
    count *= parameter.values.size();
    if (count * bases.size() > most) {
      refuse("--over has more than " + llvm::Twine(most) + " combinations");
      return std::nullopt;
    }
  }
  std::vector<Accelerator> all;
  for (const Accelerator &base : bases)
    for (size_t number = 0; number < count; ++number) {
      std::optional<Accelerator> one = combine(base, sweep, number);
      if (!one)
        return std::nullopt;
      if (std::string fault = accelerator::faultOf(*one); !fault.empty())
        note(one->name + " is left out: " + fault);
      else
        all.push_back(std::move(*one));
    }
  if (all.empty()) {
    refuse("no combination of --over makes sense");
    return std::nullopt;
  }
  return all;
}

} // namespace strata::tool

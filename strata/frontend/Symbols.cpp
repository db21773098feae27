// Scopes.
#include "strata/frontend/Symbols.h"

#include "llvm/ADT/STLExtras.h"

namespace strata::frontend {

const Symbol *Scope::find(llvm::StringRef name) const {
  auto found = symbols.find(name);
  if (found != symbols.end())
    return &found->second;
  return parent ? parent->find(name) : nullptr;
}

bool Scope::declare(llvm::StringRef name, Symbol symbol) {
  return !find(name) && symbols.try_emplace(name, symbol).second;
}

std::vector<llvm::StringRef> Scope::names(Symbol::Kind kind) const {
  std::vector<llvm::StringRef> result;
  for (const Scope *scope = this; scope; scope = scope->parent)
    for (const auto &entry : scope->symbols)
      if (entry.second.kind == kind)
        result.push_back(entry.first());
  llvm::sort(result);
  return result;
}

std::vector<llvm::StringRef> Scope::names() const {
  std::vector<llvm::StringRef> result;
  for (const Scope *scope = this; scope; scope = scope->parent)
    for (const auto &entry : scope->symbols)
      result.push_back(entry.first());
  llvm::sort(result);
  return result;
}

} // namespace strata::frontend

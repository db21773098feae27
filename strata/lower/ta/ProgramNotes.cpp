// Keeps notes of passes on the module.
#include "strata/lower/ta/ProgramNotes.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Ta.h"

using namespace mlir;

namespace strata {

std::string ProgramNotes::nameOf(Value value) { return ta::nameOf(value); }

void ProgramNotes::add(Value value, const Twine &what) {
  fresh.push_back(StringAttr::get(module.getContext(), "'" + nameOf(value) + "' " + what));
  fresh.push_back(value.getLoc());
}

ProgramNotes::~ProgramNotes() {
  if (fresh.empty())
    return;
  SmallVector<Attribute> notes;
  if (auto before = module->getAttrOfType<ArrayAttr>(attribute))
    llvm::append_range(notes, before);
  llvm::append_range(notes, fresh);
  module->setAttr(attribute, ArrayAttr::get(module.getContext(), notes));
}

SmallVector<std::pair<Location, std::string>> ProgramNotes::all(ModuleOp module) {
  SmallVector<std::pair<Location, std::string>> notes;
  if (auto kept = module->getAttrOfType<ArrayAttr>(attribute))
    for (unsigned at = 0; at + 1 < kept.size(); at += 2)
      notes.push_back({Location(cast<LocationAttr>(kept[at + 1])),
                       cast<StringAttr>(kept[at]).getValue().str()});
  return notes;
}

} // namespace strata

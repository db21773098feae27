// Pictures of storages, put together from trees and arrays.
#ifndef STRATA_PAGE_STORAGEPICTURE_H
#define STRATA_PAGE_STORAGEPICTURE_H

#include "strata/host/StorageText.h"
#include "strata/page/Pictures.h"
#include "strata/page/SvgWriter.h"
#include "strata/page/TreePicture.h"

namespace strata::page {

constexpr int64_t mostLeavesDrawn = 36; ///< of a tree

/// What is drawn stands below what was drawn before.
class StoragePicture {
public:
  void heading(llvm::StringRef title, llvm::StringRef color = "currentColor");
  void drawTree(const CoordinateTree &tree, CellsOfNode cellsOf = nullptr);
  /// The arrays of the levels, and the values: all in one colour, if one is given.
  void drawArrays(const TensorValue &part, llvm::StringRef color = "");
  std::string finish(llvm::StringRef title, Ground ground) const;

private:
  void drawLevel(const host::ShownLevel &level, llvm::StringRef color);
  void drawArray(const host::ShownArray &array, llvm::StringRef color);

  SvgWriter svg;
  double y = 0, width = 0;
};

} // namespace strata::page

#endif // STRATA_PAGE_STORAGEPICTURE_H

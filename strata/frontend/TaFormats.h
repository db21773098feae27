// Formats as the language writes them, and as the ta dialect knows them.
#ifndef STRATA_FRONTEND_TAFORMATS_H
#define STRATA_FRONTEND_TAFORMATS_H

#include "strata/dialect/ta/Ta.h"
#include "strata/frontend/Sema.h"

namespace strata::frontend {

/// The element type as a builtin or complex type.
mlir::Type emitElementType(mlir::MLIRContext *context, ElementType type);

/// The format, or the sum of formats, of a tensor of `order` dimensions; null, with the reason in
/// `why`, if it has none such.
mlir::Attribute emitFormat(mlir::MLIRContext *context, const ast::Format &format, unsigned order,
                           ElementType type, std::string &why);

/// Where the pieces of a tensor are, in a format that analysis has passed; null of one without
/// pieces.
ta::PlacementAttr emitPlacement(mlir::MLIRContext *context, const ast::Format &format);

/// Everything that the ta dialect and the registered level formats offer.
class TaFormats : public FormatVocabulary {
public:
  explicit TaFormats(mlir::MLIRContext *context);

  llvm::ArrayRef<llvm::StringRef> formatNames() const override;
  llvm::ArrayRef<llvm::StringRef> levelWords() const override { return words; }
  llvm::ArrayRef<llvm::StringRef> levelNames() const override;
  std::string problem(const ast::Format &format, unsigned order) const override;
  bool storesAll(const ast::Format &format, unsigned order) const override;

private:
  mlir::MLIRContext *context;
  llvm::SmallVector<llvm::StringRef> words;
};

} // namespace strata::frontend

#endif // STRATA_FRONTEND_TAFORMATS_H

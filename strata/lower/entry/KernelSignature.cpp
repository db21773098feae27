// Sets and reads what a kernel was compiled for.
#include "strata/lower/entry/KernelSignature.h"

using namespace mlir;

namespace strata {

void setSignature(func::FuncOp kernel, const Signature &signature) {
  MLIRContext *context = kernel.getContext();
  kernel->setAttr(Signature::wordsAttribute, DenseI64ArrayAttr::get(context, signature.words));
  kernel->setAttr(Signature::namesAttribute, StringAttr::get(context, signature.names));
}

std::optional<Signature> signatureOf(Operation *kernel) {
  auto words = kernel->getAttrOfType<DenseI64ArrayAttr>(Signature::wordsAttribute);
  auto names = kernel->getAttrOfType<StringAttr>(Signature::namesAttribute);
  if (!words || !names)
    return std::nullopt;
  return Signature{SmallVector<int64_t>(words.asArrayRef()), names.str()};
}

} // namespace strata

// Replaces element functions by SLEEF's (https://sleef.org), and takes the addresses of these.
#include "strata/target/cpu/ElementFunctions.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <cmath>

using namespace llvm;

#define FUNCTION(name) extern "C" void name();
#include "strata/target/cpu/ElementFunctions.inc"
#undef FUNCTION

namespace strata {

ArrayRef<ElementFunction> elementFunctions() {
#define FUNCTION(name) {#name, &name},
  static constexpr ElementFunction all[] = {
#include "strata/target/cpu/ElementFunctions.inc"
  };
#undef FUNCTION
  return all;
}

namespace {

/// A width of vectors, in bytes, and what SLEEF calls the instructions for it.
struct Width {
  unsigned bytes;
  StringRef instructions;
};

/// The forms of SLEEF's functions that a target can run.
class Forms {
public:
  explicit Forms(const MCSubtargetInfo &processor) {
    if (processor.getTargetTriple().isAArch64()) {
      fused = true;
      widths.push_back({16, "advsimd"});
      return;
    }
    fused = processor.checkFeatures("+avx2,+fma");
    if (!fused) {
      widths.push_back({16, "sse2"});
      if (processor.checkFeatures("+avx"))
        widths.push_back({32, "avx"});
      return;
    }
    widths = {{16, "avx2128"}, {32, "avx2"}};
    if (processor.checkFeatures("+avx512f"))
      widths.push_back({64, "avx512f"});
  }

  /// The function `base` ("exp") of one element, or of a vector of `count` elements; nothing where
  /// there is none of that width.
  FunctionCallee get(Module &module, StringRef base, Type *element, unsigned operands,
                     unsigned count) const {
    const bool isDouble = element->isDoubleTy();
    StringRef instructions = fused ? "purecfma" : "purec";
    Type *type = element;
    if (count > 1) {
      const auto *width =
          find_if(widths, [&](Width width) { return width.bytes == count * (isDouble ? 8 : 4); });
      if (width == widths.end())
        return {};
      instructions = width->instructions;
      type = FixedVectorType::get(element, count);
    }
    const std::string name = ((fused ? "Sleef_finz_" : "Sleef_cinz_") + base +
                              (isDouble ? "d" : "f") + Twine(count) + "_u10" + instructions)
                                 .str();
    FunctionCallee callee = module.getOrInsertFunction(
        name, FunctionType::get(type, SmallVector<Type *>(operands, type), false));
    auto *function = cast<Function>(callee.getCallee());
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    function->setWillReturn();
    function->setNoSync();
    function->setDoesNotFreeMemory();
    return callee;
  }

  /// How many elements a vector has, for each width.
  SmallVector<unsigned> counts(Type *element) const {
    SmallVector<unsigned> result;
    for (Width width : widths)
      result.push_back(width.bytes / (element->isDoubleTy() ? 8 : 4));
    return result;
  }

private:
  bool fused; ///< multiply-adds
  SmallVector<Width, 3> widths;
};

/// What SLEEF calls the function that an instruction calls; empty if it has none that is within 1
/// ulp for all arguments (its sinh, cosh, asinh and acosh give infinities for large ones).
StringRef baseOf(const CallInst &call) {
  const Function *function = call.getCalledFunction();
  Type *element = call.getType()->getScalarType();
  if (!function || !(element->isDoubleTy() || element->isFloatTy()) ||
      isa<ScalableVectorType>(call.getType()))
    return "";
  StringRef name = function->getName();
  if (function->isIntrinsic()) {
    name = Intrinsic::getBaseName(function->getIntrinsicID());
    name.consume_front("llvm.");
  } else if (element->isFloatTy() && !name.consume_back("f")) {
    return "";
  }
  return StringSwitch<StringRef>(name)
      .Cases({"atanh", "cbrt", "expm1", "log1p", "erf"}, name)
      .Cases({"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "tanh"}, name)
      .Cases({"exp", "exp2", "log", "log2", "log10", "pow"}, name)
      .Default("");
}

/// Says whether a power is a product or a quotient, which LLVM makes of it.
bool isSimplePower(const CallInst &call) {
  const auto *exponent =
      call.arg_size() == 2 ? dyn_cast<ConstantFP>(call.getArgOperand(1)) : nullptr;
  return exponent && any_of(ArrayRef<double>{-1, 0, 1, 2},
                            [&](double simple) { return exponent->isExactlyValue(simple); });
}

/// Calls the function for the elements [begin, begin + count) of vectors, in the widest parts that
/// there are.
Value *callForVector(IRBuilder<> &b, const Forms &forms, StringRef base, ArrayRef<Value *> operands,
                     Module &module) {
  auto *type = cast<FixedVectorType>(operands.front()->getType());
  Type *element = type->getElementType();
  const unsigned count = type->getNumElements();
  if (FunctionCallee callee = forms.get(module, base, element, operands.size(), count))
    return b.CreateCall(callee, operands);
  Value *result = PoisonValue::get(type);
  SmallVector<unsigned> counts = forms.counts(element);
  for (unsigned begin = 0; begin < count;) {
    unsigned part = 1;
    for (unsigned each : counts)
      if (each <= count - begin)
        part = std::max(part, each);
    SmallVector<Value *> parts;
    for (Value *operand : operands) {
      SmallVector<int> lanes;
      for (unsigned lane = 0; lane < part; ++lane)
        lanes.push_back(begin + lane);
      parts.push_back(part == 1 ? b.CreateExtractElement(operand, begin)
                                : b.CreateShuffleVector(operand, lanes));
    }
    Value *call = b.CreateCall(forms.get(module, base, element, operands.size(), part), parts);
    for (unsigned lane = 0; lane < part; ++lane)
      result = b.CreateInsertElement(result, part == 1 ? call : b.CreateExtractElement(call, lane),
                                     begin + lane);
    begin += part;
  }
  return result;
}

/// Calls the function for one element, and names its forms for vectors.
Value *callForElement(IRBuilder<> &b, const Forms &forms, StringRef base,
                      ArrayRef<Value *> operands, Module &module) {
  Type *element = operands.front()->getType();
  FunctionCallee scalar = forms.get(module, base, element, operands.size(), 1);
  CallInst *call = b.CreateCall(scalar, operands);
  SmallVector<std::string> variants;
  SmallVector<GlobalValue *> kept;
  for (unsigned count : forms.counts(element)) {
    auto *vector =
        cast<Function>(forms.get(module, base, element, operands.size(), count).getCallee());
    variants.push_back(("_ZGV_LLVM_N" + Twine(count) + std::string(operands.size(), 'v') + "_" +
                        call->getCalledFunction()->getName() + "(" + vector->getName() + ")")
                           .str());
    kept.push_back(vector);
  }
  VFABI::setVectorVariantNames(call, variants);
  appendToCompilerUsed(module, kept);
  return call;
}

/// Calls the function with operands that are numbers or vectors.
Value *callFunction(IRBuilder<> &b, const Forms &forms, StringRef base, ArrayRef<Value *> operands,
                    Module &module) {
  return operands.front()->getType()->isVectorTy()
             ? callForVector(b, forms, base, operands, module)
             : callForElement(b, forms, base, operands, module);
}

/// log(1 + x), which is log(x) where SLEEF's log1p gives infinity.
Value *callLogarithmPlus1(IRBuilder<> &b, const Forms &forms, Value *x, Module &module) {
  const double large = std::ldexp(1, x->getType()->getScalarType()->isDoubleTy() ? 1000 : 120);
  return b.CreateSelect(b.CreateFCmpOGT(x, ConstantFP::get(x->getType(), large)),
                        callFunction(b, forms, "log", x, module),
                        callFunction(b, forms, "log1p", x, module));
}

} // namespace

void callElementFunctions(Module &module, const TargetMachine &machine) {
  const Forms forms(*machine.getMCSubtargetInfo());
  SmallVector<CallInst *> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && !baseOf(*call).empty() && !isSimplePower(*call))
        calls.push_back(call);
  for (CallInst *call : calls) {
    IRBuilder<> b(call);
    const SmallVector<Value *> operands(call->args());
    const StringRef base = baseOf(*call);
    call->replaceAllUsesWith(base == "log1p"
                                 ? callLogarithmPlus1(b, forms, operands.front(), module)
                                 : callFunction(b, forms, base, operands, module));
    call->eraseFromParent();
  }
}

} // namespace strata

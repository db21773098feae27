// Decodes functions to be traced.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/accelerator/Tracer.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

#include <bit>

using namespace llvm;

namespace strata::accelerator {

class Decoder {
public:
  Decoder(const Function &function, const Accelerator &accelerator)
      : function(function), layout(function.getParent()->getDataLayout()) {
    traced.numbers.push_back(0); // place 0 is none
    constexpr Matrix ofArguments[] = {C, A, B};
    for (auto [argument, matrix] : llvm::zip(function.args(), ofArguments)) {
      places[&argument] = newPlace(int64_t(uint64_t(matrix) << TracedFunction::spaceBits));
      traced.shifts[matrix] =
          unsigned(std::countr_zero(uint64_t(accelerator.elementBytes(matrix))));
      traced.elements[matrix] = size_t(accelerator.elements(matrix));
    }
  }

  runtime::Result<TracedFunction> decode() {
    for (const BasicBlock &block : function)
      for (const Instruction &instruction : block)
        if (!instruction.getType()->isVoidTy())
          places[&instruction] = newPlace(0);
    for (const BasicBlock &block : function) {
      begins[&block] = uint32_t(traced.steps.size());
      for (const Instruction &instruction : block)
        if (!take(instruction))
          return runtime::Error{runtime::Error::Unsupported,
                                std::string("an accelerator's function has the instruction '") +
                                    instruction.getOpcodeName() + "'"};
    }
    for (auto [edge, block] : llvm::zip(traced.edges, targets))
      edge.step = begins.lookup(block);
    return std::move(traced);
  }

private:
  using Code = TracedFunction::Code;

  uint32_t newPlace(int64_t number) {
    traced.numbers.push_back(number);
    return uint32_t(traced.numbers.size() - 1);
  }

  uint32_t placeOf(const Value *value) {
    auto [found, isNew] = places.try_emplace(value, 0);
    if (isNew) {
      const auto *constant = dyn_cast<ConstantInt>(value);
      uint32_t place = newPlace(constant ? constant->getSExtValue() : 0);
      places[value] = place;
      return place;
    }
    return found->second;
  }

  // Does a value depend on what is loaded? Such values are data, others are numbers or addresses.
  static bool isData(const Value *value) {
    const auto *instruction = dyn_cast<Instruction>(value);
    if (value->getType()->isFloatingPointTy() || isa_and_nonnull<LoadInst>(instruction))
      return true;
    return instruction && !isa<PHINode, GetElementPtrInst, AllocaInst>(instruction) &&
           llvm::any_of(instruction->operands(), [](const Use &use) { return isData(use.get()); });
  }

  // The place of the address to which a value is stored, if that is known where the value is made.
  uint32_t targetOf(const Instruction &instruction) {
    for (const User *user : instruction.users())
      if (const auto *store = dyn_cast<StoreInst>(user);
          store && store->getValueOperand() == &instruction) {
        const auto *pointer = dyn_cast<Instruction>(store->getPointerOperand());
        if (pointer && pointer->getParent() == instruction.getParent() &&
            !pointer->comesBefore(&instruction))
          return 0;
        return placeOf(store->getPointerOperand());
      }
    return 0;
  }

  void emit(Code code, const Instruction &instruction) {
    TracedFunction::Step step{code};
    step.into = placeOf(&instruction);
    step.left = placeOf(instruction.getOperand(0));
    if (instruction.getNumOperands() > 1)
      step.right = placeOf(instruction.getOperand(1));
    if (code == Code::load || code == Code::add || code == Code::multiply)
      step.target = targetOf(instruction);
    traced.steps.push_back(step);
  }

  bool take(const Instruction &instruction) {
    const bool data = isData(&instruction);
    switch (instruction.getOpcode()) {
    case Instruction::PHI: // by the edges that lead here
      return true;
    case Instruction::Alloca:
      return takeVariable(cast<AllocaInst>(instruction));
    case Instruction::GetElementPtr:
      return takeElement(cast<GetElementPtrInst>(instruction));
    case Instruction::Load:
      emit(Code::load, instruction);
      return true;
    case Instruction::Store: {
      TracedFunction::Step step{Code::store};
      step.left = placeOf(instruction.getOperand(0)),
      step.right = placeOf(instruction.getOperand(1));
      traced.steps.push_back(step);
      return true;
    }
    case Instruction::SExt:
      emit(Code::same, instruction);
      return data; // a number's would need its width
    case Instruction::FMul:
    case Instruction::Mul:
      emit(data ? Code::multiply : Code::multiplyNumbers, instruction);
      return true;
    case Instruction::FAdd:
    case Instruction::Add:
      emit(data ? Code::add : Code::addNumbers, instruction);
      return true;
    case Instruction::And:
      emit(Code::andNumbers, instruction);
      return !data;
    case Instruction::ICmp:
      return !data && takeComparison(cast<ICmpInst>(instruction));
    case Instruction::Br:
      return takeBranch(cast<BranchInst>(instruction));
    case Instruction::Ret:
      traced.steps.push_back({Code::end});
      return true;
    default:
      return false;
    }
  }

  // All variables are one array of registers, of elements of one size.
  bool takeVariable(const AllocaInst &variable) {
    llvm::Type *element = variable.getAllocatedType();
    uint64_t count = 1;
    if (const auto *array = dyn_cast<ArrayType>(element))
      count = array->getNumElements(), element = array->getElementType();
    unsigned shift = Log2_64(layout.getTypeAllocSize(element));
    if (traced.registerCount > 0 && traced.shifts[TracedFunction::registersSpace] != shift)
      return false;
    traced.shifts[TracedFunction::registersSpace] = shift;
    traced.numbers[placeOf(&variable)] =
        int64_t((TracedFunction::registersSpace << TracedFunction::spaceBits) +
                (traced.registerCount << shift));
    traced.registerCount += count;
    return !variable.isArrayAllocation();
  }

  bool takeElement(const GetElementPtrInst &access) {
    emit(Code::element, access);
    uint64_t bytes = layout.getTypeAllocSize(access.getSourceElementType());
    traced.steps.back().shift = uint8_t(Log2_64(bytes));
    return access.getNumIndices() == 1 && isPowerOf2_64(bytes);
  }

  bool takeComparison(const ICmpInst &comparison) {
    switch (comparison.getPredicate()) {
    case CmpInst::ICMP_ULT:
      emit(Code::isLess, comparison);
      return true;
    case CmpInst::ICMP_EQ:
      emit(Code::isEqual, comparison);
      return true;
    default:
      return false;
    }
  }

  bool takeBranch(const BranchInst &branch) {
    TracedFunction::Step step{branch.isConditional() ? Code::branch : Code::jump};
    step.into = edgeTo(branch, 0);
    if (branch.isConditional()) {
      step.left = placeOf(branch.getCondition());
      step.right = edgeTo(branch, 1);
    }
    traced.steps.push_back(step);
    return areCopiesApart;
  }

  uint32_t edgeTo(const BranchInst &branch, unsigned successor) {
    const BasicBlock *target = branch.getSuccessor(successor);
    TracedFunction::Edge edge{};
    // Blocks come in the order in which they run first, so that only loops go back.
    edge.isStep = (begins.contains(target)) && !isUnrolled(branch);
    for (const PHINode &phi : target->phis()) {
      const Value *from = phi.getIncomingValueForBlock(branch.getParent());
      const auto *other = dyn_cast<PHINode>(from);
      areCopiesApart &= !other || other->getParent() != target || other == &phi;
      edge.copies.push_back({placeOf(&phi), placeOf(from)});
    }
    traced.edges.push_back(edge);
    targets.push_back(target);
    return uint32_t(traced.edges.size() - 1);
  }

  static bool isUnrolled(const BranchInst &branch) {
    const MDNode *loop = branch.getMetadata(LLVMContext::MD_loop);
    return loop && llvm::any_of(loop->operands(), [](const MDOperand &operand) {
             const auto *one = dyn_cast<MDNode>(operand.get());
             if (!one || one->getNumOperands() == 0)
               return false;
             const auto *name = dyn_cast<MDString>(one->getOperand(0));
             return name && name->getString() == "llvm.loop.unroll.full";
           });
  }

  const Function &function;
  const DataLayout &layout;
  TracedFunction traced;
  DenseMap<const Value *, uint32_t> places;
  DenseMap<const BasicBlock *, uint32_t> begins;
  std::vector<const BasicBlock *> targets; ///< of the edges
  bool areCopiesApart = true;              ///< no phi of an edge reads what another one writes
};

runtime::Result<TracedFunction> TracedFunction::decode(const Function &function,
                                                       const Accelerator &accelerator) {
  return Decoder(function, accelerator).decode();
}

} // namespace strata::accelerator

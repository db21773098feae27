// Makes an operation of loops that are nothing but a dense contraction.
//
// before: for i { for k { for j { C[i, j] += A[i, k] * B[k, j] } } }
// after:  if there is much to do { lvl.contract A, B into C } else { the loops }
#include "strata/dialect/lvl/Lvl.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/scf/ContractionTerms.h"
#include "strata/lower/scf/LoopEmitter.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_FINDCONTRACTIONS
#include "strata/lower/Passes.h.inc"

namespace {

using lvl::Role;

// Fewer products are not worth the buffers: of complex numbers, which loops take long for, and of
// others. Where a loop around this one has parts of the outermost loop, its values are not counted.
constexpr int64_t leastProducts = 40000, leastComplex = 1024, leastForEach = 4096;
// Likewise the columns and the summed values. Few columns would be stored by masks.
constexpr int64_t leastOfGroup = 4, leastColumns = 8, leastOfGroupForEach = 8;

// The operation for a nest of loops, and whether it is worthwhile.
class Emitter : LoopEmitter {
public:
  using Tensor = ContractionNest::Tensor;

  Emitter(ContractionNest found, int64_t vectorBytes)
      : LoopEmitter(found.pieces ? found.pieces : found.root.getOperation(), found.root.getLoc(),
                    /*context=*/Value()),
        nest(std::move(found)), vectorBytes(vectorBytes) {
    chooseSides();
  }

  /// Emits, where the loops stand, whether blocks are worthwhile. The answer does not depend on the
  /// part of the outermost loop that a thread has.
  Value isWorthwhile() {
    bool all = bool(nest.pieces), isComplex = isa<ComplexType>(nest.element);
    int64_t least = !all ? leastForEach : isComplex ? leastComplex : leastProducts;
    int64_t lanes = vectorBytes * 8 / realType().getIntOrFloatBitWidth();
    int64_t enoughColumns = std::max(leastOfGroup, std::min(leastColumns, lanes));
    Value worthwhile = isAtLeast(valuesOf(std::nullopt), least);
    for (Role role : {Role::column, Role::summed}) {
      if (!all && llvm::count(nest.roles, role) == 1 && nest.roles.front() == role)
        continue;
      int64_t enough = !all                   ? leastOfGroupForEach
                       : role == Role::column ? enoughColumns
                                              : leastOfGroup;
      worthwhile = both(worthwhile, isAtLeast(valuesOf(role), enough));
    }
    return worthwhile;
  }

  void emitAt(Block *into, Block::iterator place) {
    b.setInsertionPoint(into, place);
    SmallVector<Value> strides[3], extents;
    SmallVector<int64_t> nesting;
    for (unsigned loop = 0; loop < nest.roles.size(); ++loop) {
      for (Tensor tensor : {Tensor::left, Tensor::right, Tensor::result})
        strides[tensor].push_back(nest.moves(tensor, loop) ? nest.stride(b, tensor, loop)
                                                           : constant(0));
      extents.push_back(extentOf(loop));
      nesting.push_back(nest.moves(Tensor::result, loop) ? nest.distance(Tensor::result, loop) : 0);
    }
    auto roles = llvm::map_to_vector(nest.roles, [](Role role) { return int32_t(role); });
    auto buffer = [&](Tensor tensor) { return nest.accesses[tensor].buffer; };
    Value pieces = nest.pieces ? nest.pieces.getUpperBound()[0] : Value();
    lvl::ContractOp::create(b, loc, buffer(Tensor::left), nest.base(b, Tensor::left),
                            strides[Tensor::left], buffer(Tensor::right),
                            nest.base(b, Tensor::right), strides[Tensor::right],
                            buffer(Tensor::result), nest.base(b, Tensor::result),
                            strides[Tensor::result], roles, extents, pieces, nest.factors(b),
                            *nest.sums, *nest.products, nest.negates, nest.overwrites, nesting);
  }

private:
  // Columns are those of the operand whose free labels lie next to each other in the result.
  void chooseSides() {
    for (auto [loop, role] : llvm::enumerate(nest.roles))
      if (role == Role::row && nest.isUnit(Tensor::result, loop)) {
        std::swap(nest.accesses[Tensor::left], nest.accesses[Tensor::right]);
        for (Role &other : nest.roles)
          other = other == Role::row ? Role::column : other == Role::column ? Role::row : other;
        return;
      }
  }

  Type realType() const {
    auto number = dyn_cast<ComplexType>(nest.element);
    return number ? number.getElementType() : nest.element;
  }

  Value extentOf(unsigned loop) { return subtract(nest.upper(loop), nest.lower(b, loop)); }

  // How many values all labels have together, or those of one role; without the outermost where a
  // loop around has parts of it.
  Value valuesOf(std::optional<Role> role) {
    Value size = constant(1);
    for (unsigned loop = nest.pieces ? 0 : 1; loop < nest.roles.size(); ++loop)
      if (!role || nest.roles[loop] == *role)
        size = multiply(size, extentOf(loop));
    return size;
  }

  ContractionNest nest;
  int64_t vectorBytes;
};

// if blocks are worthwhile { contractions } else { the loops as they were }; of several terms, if
// they are for one.
void emitContractions(ContractionTerms &terms, int64_t vectorBytes) {
  OpBuilder b(terms.loops);
  Location loc = terms.loops->getLoc();
  std::vector<Emitter> all;
  Value worthwhile;
  for (ContractionNest &nest : terms.nests) {
    Value enough = all.emplace_back(std::move(nest), vectorBytes).isWorthwhile();
    worthwhile = worthwhile ? arith::OrIOp::create(b, loc, worthwhile, enough) : enough;
  }
  auto choice = scf::IfOp::create(b, loc, worthwhile, /*withElseRegion=*/true);
  if (terms.fill)
    terms.fill->moveBefore(choice.elseBlock()->getTerminator());
  terms.loops->moveBefore(choice.elseBlock()->getTerminator());
  Operation *end = choice.thenBlock()->getTerminator();
  if (terms.rest)
    terms.rest->moveBefore(end);
  for (Emitter &contraction : all)
    contraction.emitAt(choice.thenBlock(), end->getIterator());
  for (Operation *copy : terms.copies)
    if (copy != terms.loops)
      copy->erase();
}

struct FindContractions : impl::FindContractionsBase<FindContractions> {
  using FindContractionsBase::FindContractionsBase;

  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (forbiddenFor(kernel).contains(Resolution::Blocks))
        continue;
      std::vector<ContractionTerms> found;
      kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
        std::optional<ContractionTerms> terms = contractionsOf(loop);
        if (!terms)
          return WalkResult::advance();
        found.push_back(std::move(*terms));
        return WalkResult::skip();
      });
      for (ContractionTerms &terms : found)
        emitContractions(terms, vectorBytes);
    }
  }

  static std::optional<ContractionTerms> contractionsOf(scf::ForOp loop) {
    std::optional<ContractionNest> nest = ContractionNest::match(loop);
    if (!nest)
      return ContractionTerms::match(loop);
    Operation *whole = nest->pieces ? nest->pieces.getOperation() : loop.getOperation();
    ContractionTerms terms{whole};
    terms.copies.push_back(whole);
    if (nest->fillOfAll)
      terms.fill = nest->fillOfAll->loop;
    terms.nests.push_back(std::move(*nest));
    return terms;
  }
};

} // namespace
} // namespace strata

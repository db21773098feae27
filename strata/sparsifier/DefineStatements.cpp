// Gives functions that were declared for statements their bodies.
#include "strata/sparsifier/Sparsifier.h"

#include "strata/tensor/ElementTypes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensorStorageLayout.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensorType.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using sparse_tensor::SparseTensorFieldKind;
using sparse_tensor::SparseTensorType;
using sparse_tensor::StorageSpecifierKind;

namespace strata::sparsifier {
namespace {

// A buffer of a sparse tensor, as the code that upstream makes of the type has it.
struct Field {
  Type type;
  StorageSpecifierKind kind;
  std::optional<unsigned> level; ///< not of values
};

SmallVector<Field> fieldsOf(const SparseTensorType &type) {
  SmallVector<Field> fields;
  foreachFieldAndTypeInSparseTensor(type, [&](Type field, unsigned, SparseTensorFieldKind kind,
                                              uint64_t level, sparse_tensor::LevelType) {
    if (kind == SparseTensorFieldKind::StorageSpec)
      return true;
    bool isValues = kind == SparseTensorFieldKind::ValMemRef;
    fields.push_back({field, sparse_tensor::toSpecifierKind(kind),
                      isValues ? std::nullopt : std::optional(unsigned(level))});
    return true;
  });
  return fields;
}

// The body of one function.
class StatementBody {
public:
  explicit StatementBody(func::FuncOp function)
      : function(function), b(function.getContext()), loc(function.getLoc()),
        converter(function.getContext()) {}

  void define() {
    function.eraseBody();
    Block *block = function.addEntryBlock();
    b.setInsertionPointToStart(block);
    left = block->getArguments();
    for (Type type : typesOf("strata.inputs")) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      auto sparse = tensor ? std::optional(SparseTensorType(tensor)) : std::nullopt;
      if (!tensor)
        addScalar(next());
      else if (sparse->hasEncoding())
        addSparse(*sparse);
      else
        addDense(next());
    }
    if (!left.empty())
      addSizes(left);
    add(number(function->hasAttr("strata.threads")));
    auto goals = function->getAttrOfType<DenseI64ArrayAttr>("strata.goals");
    for (int64_t goal : goals.asArrayRef())
      add(number(goal));
    SmallVector<size_t> places;
    for (Type type : typesOf("strata.results"))
      places.push_back(addResult(SparseTensorType(cast<RankedTensorType>(type))));
    call();
    SmallVector<Value> results;
    for (auto [at, type] : llvm::enumerate(typesOf("strata.results")))
      read(SparseTensorType(cast<RankedTensorType>(type)), places[at], goals[at], results);
    func::ReturnOp::create(b, loc, results);
    for (StringRef name : {"strata.inputs", "strata.results", "strata.goals", "strata.threads"})
      function->removeAttr(name);
  }

private:
  SmallVector<Type> typesOf(StringRef attribute) {
    auto types = function->getAttrOfType<ArrayAttr>(attribute).getAsValueRange<TypeAttr>();
    return SmallVector<Type>(types.begin(), types.end());
  }

  //===----------------------------------------------------------------------------------------===//
  // Words
  //===----------------------------------------------------------------------------------------===//

  Value next() {
    Value value = left.front();
    left = left.drop_front();
    return value;
  }
  void add(Value word) { words.push_back(word); }
  Value number(int64_t value) {
    return arith::ConstantIntOp::create(b, loc, b.getI64Type(), value);
  }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value word(Value index) { return arith::IndexCastOp::create(b, loc, b.getI64Type(), index); }
  void addBuffer(Value memref, Value count) {
    add(word(memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref)));
    add(count);
    add(typeWord(cast<MemRefType>(memref.getType()).getElementType()));
  }
  // The importer refuses what the runtime has no type for.
  Value typeWord(Type element) {
    std::optional<strata_type> known =
        element.isIndex() ? std::optional(STRATA_I64) : runtimeType(element);
    return number(known.value_or(STRATA_I64));
  }

  void addScalar(Value scalar) {
    auto type = MemRefType::get({}, scalar.getType());
    Value place = memref::AllocaOp::create(b, loc, type);
    memref::StoreOp::create(b, loc, scalar, place);
    addBuffer(place, number(1));
  }

  void addSizes(ValueRange sizes) {
    for (Value size : sizes)
      add(word(size));
    add(number(0));
    add(number(0));
    add(number(STRATA_I8));
  }

  void addDense(Value memref) {
    Value count = number(1);
    for (int64_t dim = 0; dim < cast<MemRefType>(memref.getType()).getRank(); ++dim) {
      Value size = word(memref::DimOp::create(b, loc, memref, dim));
      add(size);
      count = arith::MulIOp::create(b, loc, count, size);
    }
    addBuffer(memref, count);
  }

  void addSparse(const SparseTensorType &type) {
    SmallVector<Field> fields = fieldsOf(type);
    ValueRange buffers = left.take_front(fields.size());
    left = left.drop_front(fields.size());
    Value specifier = next();
    auto get = [&](StorageSpecifierKind kind, std::optional<unsigned> level) -> Value {
      auto at = level ? b.getIndexAttr(*level) : IntegerAttr();
      return sparse_tensor::GetStorageSpecifierOp::create(
          b, loc, specifier, sparse_tensor::StorageSpecifierKindAttr::get(b.getContext(), kind),
          at);
    };
    SmallVector<Value> levels;
    for (unsigned level = 0; level < type.getLvlRank(); ++level)
      levels.push_back(get(StorageSpecifierKind::LvlSize, level));
    for (unsigned dim = 0; dim < type.getDimRank(); ++dim)
      add(word(dimSize(type, dim, levels)));
    for (auto [field, buffer] : llvm::zip(fields, buffers))
      addBuffer(buffer, word(get(field.kind, field.level)));
  }

  // The largest coordinate of the dimension is that at the largest of the levels.
  Value dimSize(const SparseTensorType &type, unsigned dim, ArrayRef<Value> levels) {
    if (!type.isDynamicDim(dim))
      return index(type.getDimShape()[dim]);
    AffineMap map = type.getLvlToDim();
    AffineExpr expr = map ? map.getResult(dim) : getAffineDimExpr(dim, function.getContext());
    Value one = index(1);
    SmallVector<Value> last = llvm::map_to_vector(
        levels, [&](Value size) -> Value { return arith::SubIOp::create(b, loc, size, one); });
    Value largest = evaluate(expr, last);
    return arith::AddIOp::create(b, loc, largest, one);
  }

  Value evaluate(AffineExpr expr, ValueRange at) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return at[dim.getPosition()];
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return index(constant.getValue());
    auto parts = cast<AffineBinaryOpExpr>(expr);
    Value lhs = evaluate(parts.getLHS(), at), rhs = evaluate(parts.getRHS(), at);
    switch (expr.getKind()) {
    case AffineExprKind::Add:
      return arith::AddIOp::create(b, loc, lhs, rhs);
    case AffineExprKind::Mul:
      return arith::MulIOp::create(b, loc, lhs, rhs);
    case AffineExprKind::FloorDiv:
      return arith::DivUIOp::create(b, loc, lhs, rhs);
    case AffineExprKind::Mod:
      return arith::RemUIOp::create(b, loc, lhs, rhs);
    case AffineExprKind::CeilDiv:
    case AffineExprKind::Constant:
    case AffineExprKind::DimId:
    case AffineExprKind::SymbolId:
      break;
    }
    return arith::CeilDivUIOp::create(b, loc, lhs, rhs);
  }

  //===----------------------------------------------------------------------------------------===//
  // Results
  //===----------------------------------------------------------------------------------------===//

  // Makes room for the words of a result; returns the number of the first one.
  size_t addResult(const SparseTensorType &type) {
    size_t place = words.size();
    words.append(size_t(type.getDimRank()), Value());
    auto buffer = [&](Type element) {
      words.append(2, Value());
      add(typeWord(element));
    };
    if (!type.hasEncoding())
      buffer(type.getElementType());
    else
      for (const Field &field : fieldsOf(type))
        buffer(cast<MemRefType>(field.type).getElementType());
    return place;
  }

  void call() {
    Value place =
        memref::AllocaOp::create(b, loc, MemRefType::get({int64_t(words.size())}, b.getI64Type()));
    for (auto [at, word] : llvm::enumerate(words))
      if (word)
        memref::StoreOp::create(b, loc, word, place, index(int64_t(at)));
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value address = word(memref::ExtractAlignedPointerAsIndexOp::create(b, loc, place));
    Value given = LLVM::IntToPtrOp::create(b, loc, pointer, address);
    LLVM::CallOp::create(b, loc, TypeRange(), (function.getSymName() + "_run").str(),
                         ValueRange(given));
    for (auto [at, word] : llvm::enumerate(words))
      if (!word)
        word = memref::LoadOp::create(b, loc, place, ValueRange(index(int64_t(at))));
  }

  // A buffer that was given back.
  Value memrefOf(MemRefType type, Value address, ArrayRef<Value> sizes) {
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value data = LLVM::IntToPtrOp::create(b, loc, pointer, address);
    auto made = MemRefDescriptor::poison(b, loc, converter.convertType(type));
    made.setAllocatedPtr(b, loc, data);
    made.setAlignedPtr(b, loc, data);
    made.setConstantOffset(b, loc, 0);
    Value stride = number(1);
    for (unsigned dim = unsigned(sizes.size()); dim-- > 0;) {
      made.setSize(b, loc, dim, sizes[dim]);
      made.setStride(b, loc, dim, stride);
      stride = arith::MulIOp::create(b, loc, stride, sizes[dim]);
    }
    Value whole = made;
    return UnrealizedConversionCastOp::create(b, loc, type, whole).getResult(0);
  }

  void read(const SparseTensorType &type, size_t place, int64_t goal,
            SmallVectorImpl<Value> &results) {
    ArrayRef<Value> sizes = ArrayRef(words).slice(place, type.getDimRank());
    ArrayRef<Value> buffers = ArrayRef(words).drop_front(place + sizes.size());
    if (type.hasEncoding())
      return readSparse(type, sizes, buffers, results);
    auto memref = cast<MemRefType>(function.getResultTypes()[results.size()]);
    Value result = goal >= 0 ? denseInput(goal) : memrefOf(memref, buffers.front(), sizes);
    if (result.getType() != memref)
      result = memref::CastOp::create(b, loc, memref, result);
    results.push_back(result);
  }

  // The argument that the input with this number is.
  Value denseInput(int64_t number) {
    unsigned at = 0;
    SmallVector<Type> inputs = typesOf("strata.inputs");
    for (Type type : ArrayRef(inputs).take_front(size_t(number))) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      bool isSparse = tensor && SparseTensorType(tensor).hasEncoding();
      at += isSparse ? unsigned(fieldsOf(SparseTensorType(tensor)).size()) + 1 : 1;
    }
    return function.getArgument(at);
  }

  void readSparse(const SparseTensorType &type, ArrayRef<Value> sizes, ArrayRef<Value> buffers,
                  SmallVectorImpl<Value> &results) {
    SmallVector<Field> fields = fieldsOf(type);
    Type specifierType = function.getResultTypes()[results.size() + fields.size()];
    Value specifier = sparse_tensor::StorageSpecifierInitOp::create(b, loc, specifierType);
    auto set = [&](StorageSpecifierKind kind, std::optional<unsigned> level, Value value) {
      auto attribute = level ? b.getIndexAttr(*level) : IntegerAttr();
      specifier = sparse_tensor::SetStorageSpecifierOp::create(
          b, loc, specifierType, specifier,
          sparse_tensor::StorageSpecifierKindAttr::get(b.getContext(), kind), attribute, value);
    };
    SmallVector<Value> dims = llvm::map_to_vector(sizes, [&](Value size) { return toIndex(size); });
    for (unsigned level = 0; level < type.getLvlRank(); ++level)
      set(StorageSpecifierKind::LvlSize, level, levelSize(type, level, dims));
    for (const Field &field : fields) {
      Value count = buffers[1];
      Value room = arith::MaxSIOp::create(b, loc, count, number(1));
      results.push_back(memrefOf(cast<MemRefType>(field.type), buffers.front(), room));
      set(field.kind, field.level, toIndex(count));
      buffers = buffers.drop_front(3);
    }
    results.push_back(specifier);
  }

  Value toIndex(Value word) { return arith::IndexCastOp::create(b, loc, b.getIndexType(), word); }

  Value levelSize(const SparseTensorType &type, unsigned level, ArrayRef<Value> dims) {
    if (int64_t size = type.getLvlShape()[level]; !ShapedType::isDynamic(size))
      return index(size);
    AffineExpr expr = type.getDimToLvl() ? type.getDimToLvl().getResult(level)
                                         : getAffineDimExpr(level, function.getContext());
    auto parts = dyn_cast<AffineBinaryOpExpr>(expr);
    if (parts && expr.getKind() == AffineExprKind::Mod)
      return evaluate(parts.getRHS(), dims);
    if (parts && expr.getKind() == AffineExprKind::FloorDiv)
      return arith::CeilDivUIOp::create(b, loc, evaluate(parts.getLHS(), dims),
                                        evaluate(parts.getRHS(), dims));
    return evaluate(expr, dims);
  }

  func::FuncOp function;
  OpBuilder b;
  Location loc;
  LLVMTypeConverter converter;
  ValueRange left; ///< arguments that were not used yet
  SmallVector<Value> words;
};

struct DefineStatements : PassWrapper<DefineStatements, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DefineStatements)

  StringRef getName() const override { return "DefineStatements"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, arith::ArithDialect, memref::MemRefDialect,
                    sparse_tensor::SparseTensorDialect>();
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (isDeclaredStatement(function))
        StatementBody(function).define();
  }
};

} // namespace

std::unique_ptr<Pass> createDefineStatements() { return std::make_unique<DefineStatements>(); }

} // namespace strata::sparsifier

// The inside of semantic analysis: what is known of a program while it is walked, statement by
// statement in the order of execution. One source file for each group of methods.
#ifndef STRATA_FRONTEND_ANALYZER_H
#define STRATA_FRONTEND_ANALYZER_H

#include "strata/frontend/Builtins.h"
#include "strata/frontend/Sema.h"
#include "strata/frontend/Symbols.h"

#include "llvm/ADT/StringSet.h"

namespace strata::frontend {

/// What decides the type of an expression, and the one in which it is computed.
struct TypeFacts {
  /// Of its tensors, scalars and casts.
  std::optional<ElementType> type;
  bool hasReal = false, hasDivision = false;
  bool hasOpen = false;                 ///< numbers that are given when the program runs
  bool adds = false, subtracts = false; ///< +, -, *; - alone
  bool counts = false;                  ///< a sum of booleans that is written
  std::optional<std::pair<Operator, llvm::SMRange>> ordered; ///< one that complex numbers lack
  std::optional<std::pair<Operator, llvm::SMRange>> bits;    ///< one that only integers have
  std::optional<llvm::SMRange> negative;                     ///< a '-', which booleans lack
  std::optional<int64_t> least, greatest;                    ///< of its whole constants
  bool hasImaginary = false;                                 ///< 2i

  void include(int64_t constant) {
    least = std::min(least.value_or(constant), constant);
    greatest = std::max(greatest.value_or(constant), constant);
  }
  /// Those of an operand.
  void include(const TypeFacts &other);
};

/// Far above what anyone can want: the labels of a network of thousands of tensors.
constexpr unsigned maxVars = 16384;

/// A coordinate that is looked up.
struct Gather {
  unsigned var;    ///< the index variable that stands for it
  unsigned anchor; ///< that of the access for which it is looked up, maybe by way of others
  ast::Coordinate coordinate;
  ElementPtr selector;   ///< worth something where the variable has the value looked up
  bool scatters = false; ///< stands on the left side
};

/// A statement of index notation while it is built.
struct Notation {
  struct Source {
    SizeSource source;
    llvm::SMRange range; // where it comes from
  };
  struct Var {
    std::string name;
    llvm::SMRange range;
    std::vector<Source> sources;
    /// Has no size of its own, and stands in an index expression: its range follows from that.
    bool fits = false;
  };
  /// An index expression and the dimension in which it must stay.
  struct Reach {
    TensorId tensor;
    unsigned dimension;
    Index index;
    llvm::SMRange range;
    /// The index must stay below this many times the dimension's size: of `i floordiv 4` i is here.
    int64_t scale = 1;
  };

  std::vector<Var> vars;
  std::vector<Reach> reaches;
  std::vector<Gather> gathers;
  std::vector<ElementPtr> clipped; // selectors of the access that is read: where it lies inside
  bool onLeft = false;             // the left side is read: what its gathers need comes later
  bool readsMask = false;          // whose coordinates are those of the left side
  std::optional<unsigned> anchor;  // of the gather around the one that is read
  /// Names of variables: the statement's own, and above it those of the SUMs being read.
  std::vector<llvm::StringMap<unsigned>> scopes{1};
  /// Labels of SUMs that are complete, which the rest must not use.
  llvm::StringMap<llvm::SMRange> summed;
  /// How often a label occurs on both sides; decides what `.*` multiplies.
  llvm::StringMap<unsigned> occurrences;
  /// Of the right side, or of that part of it which is being read and has a type of its own.
  TypeFacts facts;
  /// explicit(...) was read: a copy stores zeros, too.
  bool keepsZeros = false;
  /// Labels of reductions being read, `min(j, ...)`; each has a scope of its own.
  std::vector<llvm::StringMap<unsigned>> reduced;
};

/// The variables that only coordinates looked up on the left side depend on.
llvm::SmallVector<unsigned> scatteredVars(const Notation &notation, unsigned numFree);

/// What an access reaches.
struct ResolvedAccess {
  TensorId tensor = 0;
  std::vector<Index> indices;
};

/// Returns the names of a tensor's dimensions where no declaration gives them: i, j, k, ...
std::vector<std::string> dimensionNames(size_t order);

/// Is one of them an expression, `i + 1`?
bool hasComputed(llvm::ArrayRef<ast::Coordinate> coordinates);

/// `A[i, j]` or `A(i, j)`, wherever it stands.
struct AccessText {
  const ast::Name *tensor = nullptr;
  std::vector<ast::Coordinate> labels;
  llvm::SMRange range;

  bool hasComputed() const { return frontend::hasComputed(labels); }
};

/// A fill, or random values, of a tensor whose sizes are not known yet.
struct Deferred {
  TensorId tensor = 0;
  llvm::SMRange range;
  double value = 0;
  std::optional<int64_t> integer;
  std::optional<Random> random = std::nullopt; // else a fill
  unsigned depth = 0;                          // of the block that it stands in
};

/// A loop while its body is walked.
struct OpenLoop {
  size_t firstInside = 0; // tensors from here on are its own
  /// For each break: which of the tensors around the loop have a value there.
  std::vector<std::vector<bool>> breaks;
};

class Analyzer {
public:
  Analyzer(const Parameters &parameters, const FormatVocabulary &formats, Diagnostics &diagnostics)
      : parameters(parameters), formats(formats), diagnostics(diagnostics) {}

  // Sema.cpp
  void module(const ast::Module &module, Outputs *outputs);
  Program takeProgram() { return std::move(program); }
  void warnAboutUnusedParameters();

  // Entries.cpp
  void entry(const ast::Module &module, const ast::Function &entry);
  TensorId given(const ast::FunctionParameter &parameter);

  // Declarations.cpp
  LabelId addLabel(Label label);
  TensorId addTensor(Tensor tensor, TensorState state);
  TensorId addScalar(const ast::Name &name);
  TensorId addTemporary();
  void declareName(const ast::Name &name, Symbol::Kind kind, unsigned id);

  // CheckFormats.cpp
  bool checkFormat(const ast::Format &format, unsigned order, ElementType type,
                   llvm::StringRef tensor);

  // Placements.cpp
  /// The machine of the format's placement is known, and the dimensions that it cuts by are some of
  /// these, whose numbers it gets. If not, that is an error.
  bool checkPlacement(ast::Format &format, llvm::ArrayRef<std::string> dimensions,
                      llvm::StringRef tensor);

  // Assignments.cpp
  void assign(const ast::AssignStmt &statement);

  // ControlFlow.cpp
  std::vector<bool> whichHaveValues(size_t count) const;

  // Sizes.cpp
  std::vector<SizeSource> sourcesOfLabel(LabelId label) const;
  std::optional<std::vector<Size>> sizesOf(TensorId tensor, llvm::SMRange range);

  // Deferred.cpp
  void addWhenSized(Deferred deferred);
  void refuseDeferred();

  void add(llvm::SMRange range, decltype(Operation::kind) kind);
  void setValue(TensorId tensor, bool isSource);

  Program program;
  std::vector<TensorState> states; // parallel to program.tensors
  std::vector<Label> labels;
  std::vector<View> views;
  Scope *scope = nullptr;
  /// One statement given alone: it has no declarations to point at.
  bool alone = false;
  /// Its result goes to its caller, who gives the operands.
  bool returns = false;

private:
  // Sema.cpp
  const ast::Function *findFunction(llvm::StringRef name) const;
  bool checkFunctions(const ast::Module &module);

  // Instances.cpp
  bool function(const ast::Function &function, llvm::ArrayRef<TensorId> arguments,
                llvm::SMRange call);
  bool callFunction(const ast::Function &function, const ast::CallExpr &call);
  bool bindParameter(const ast::FunctionParameter &parameter, TensorId argument,
                     llvm::SMRange call);
  std::optional<LabelId> labelOfParameter(const ast::Bound &bound, TensorId argument,
                                          unsigned dimension, llvm::SMRange call);
  bool checkParameter(const ast::FunctionParameter &parameter, TensorId argument,
                      llvm::SMRange call);
  void returnValue(const ast::ReturnStmt &statement);
  std::optional<TensorId> valueOfCall(const ast::Function &function, const ast::CallExpr &call);
  const ast::Function *calledFunction(const ast::Expr &expr) const;
  bool assignCall(const ast::AssignStmt &statement, const Symbol &symbol);
  void statement(const ast::Stmt &statement);
  void statements(const std::vector<ast::StmtPtr> &statements);

  // ControlFlow.cpp
  void forLoop(const ast::ForStmt &statement);
  void loop(const ast::LoopStmt &statement);
  void branch(const ast::IfStmt &statement);
  void breakLoop(llvm::SMRange range);
  std::vector<Operation> block(llvm::function_ref<void()> walk);
  struct LoopFlow {
    bool runsOnce = false;     // there is a first round
    bool endsNormally = false; // the end of a round is reached, other than by a break
  };
  void closeLoop(Loop loop, llvm::SMRange range, LoopFlow flow, const std::vector<bool> &before);
  std::optional<TensorId> bound(const ast::Expr *expr, int64_t otherwise, llvm::SMRange range);
  std::optional<int64_t> constantOf(TensorId scalar) const;
  void addLeaving(const Test &test, bool ifHolds, llvm::SMRange range);
  std::optional<Test> test(const ast::Condition &condition);
  std::optional<TensorId> compared(const ast::Expr &expr);
  bool checkCounter(TensorId tensor, llvm::SMRange range);

  // Declarations.cpp
  void declareLabels(const ast::LabelsStmt &statement);
  bool describeLabel(const ast::LabelsStmt &statement, Label &label);
  void declareTensor(const ast::TensorStmt &statement);
  std::optional<ast::Format> placed(const ast::TensorStmt &statement);
  ElementType elementTypeOf(const ast::Name &name);
  std::optional<LabelId> labelOfDimension(const ast::Bound &bound);
  void declareScalar(const ast::ScalarStmt &statement);
  const std::string *parameter(llvm::StringRef name);
  bool mayBeParameter(llvm::StringRef name) const;
  bool isOpen(const ast::Bound &bound) const;
  void leaveOpen(const ast::Name &name, llvm::ArrayRef<llvm::StringRef> known);
  bool refuseOpen(const ast::Name &name);
  static std::string knownWhenCompiled(const std::string &name);
  std::optional<int64_t> valueOf(const ast::Bound &bound);

  // CheckFormats.cpp
  bool checkFormatNames(const ast::Format &format, unsigned order, llvm::StringRef tensor);
  bool checkFormatWords(const ast::Format &format, unsigned order, llvm::StringRef tensor);
  bool checkFormatMap(const ast::Format &format, unsigned order, llvm::StringRef tensor);
  bool checkFormatLevel(const ast::FormatLevel &level, llvm::ArrayRef<llvm::StringRef> dimensions);
  bool checkFormatOption(const ast::FormatOption &option);
  bool checkFills(const ast::Format &format, ElementType type, llvm::StringRef tensor);
  bool checkFill(const ast::FormatOption &option, ElementType type, llvm::StringRef tensor);
  bool checkLevelProperty(const ast::FormatOption &property);
  bool checkWidth(const ast::FormatOption &option);

  // Placements.cpp
  void declareMachine(const ast::Machine &declared);
  void giveCells(Machine &machine);
  const Machine *findMachine(const ast::Placement &placement);
  bool resolvePlace(ast::Place &place, llvm::ArrayRef<std::string> dimensions,
                    llvm::StringRef tensor);

  // Lookup.cpp
  bool isTensor(llvm::StringRef name) const;
  const Symbol *findTensor(const ast::Name &name, llvm::ArrayRef<ast::Coordinate> labels = {});
  std::optional<LabelId> findLabel(const ast::Name &name);
  std::optional<AccessText> accessOf(const ast::Expr &expr) const;
  unsigned orderOf(const Symbol &symbol) const;
  LabelId labelOf(const Symbol &symbol, unsigned dimension) const;
  bool checkOrder(const Symbol &symbol, const ast::Name &tensor, size_t numLabels,
                  llvm::SMRange range);
  bool checkHasValue(TensorId tensor, llvm::SMRange range);
  bool unknown(const ast::Name &name, const llvm::Twine &message,
               llvm::ArrayRef<llvm::StringRef> candidates, const llvm::Twine &hint);

  // Accesses.cpp
  bool resolve(const AccessText &access, Notation &notation, ResolvedAccess &resolved);
  std::optional<unsigned> varOf(const ast::Name &label, Notation &notation);
  bool index(const Symbol &symbol, unsigned dimension, const ast::Name &name, LabelId label,
             unsigned var, Notation &notation, Index &index, unsigned &baseDimension);
  void throughView(const View::Dimension &view, Index &index);
  bool checkWindow(const Symbol &symbol, unsigned dimension, const ast::Name &name, LabelId label);
  void warnAboutDiagonal(const Symbol &symbol, const AccessText &access);
  bool selects(const Symbol &symbol, unsigned dimension, LabelId label) const;
  std::optional<int64_t> sizeOf(const Symbol &symbol, unsigned dimension) const;
  TensorId tensorOf(const Symbol &symbol) const;
  unsigned baseDimension(const Symbol &symbol, unsigned dimension) const;

  // IndexExpressions.cpp
  bool computedIndex(const Symbol &symbol, unsigned dimension, const ast::Coordinate &coordinate,
                     Notation &notation, Index &index);
  bool sumOfLabels(const Symbol &symbol, unsigned dimension, const ast::Expr &expr,
                   Notation &notation, Index &sum);
  bool productOfLabels(const Symbol &symbol, unsigned dimension, const ast::ProductExpr &product,
                       Notation &notation, Index &sum);
  bool nameInIndex(const Symbol &symbol, unsigned dimension, const ast::Name &name,
                   Notation &notation, Index &sum);
  bool labelInIndex(const Symbol &symbol, unsigned dimension, const ast::Name &name, LabelId label,
                    Notation &notation, Index &index);
  bool isValue(const ast::Name &name) const;
  bool fit(Compute &compute, Notation &notation);
  bool staysInside(const Notation::Reach &reach, const Index &index, const SizeSource &size,
                   llvm::ArrayRef<IndexVar> vars);

  // Gathers.cpp
  bool gatheredIndex(const Symbol &symbol, unsigned dimension, const ast::Coordinate &coordinate,
                     Notation &notation, Index &index);
  bool clippedIndex(const Symbol &symbol, unsigned dimension, const ast::Coordinate &coordinate,
                    const ast::Expr &written, Notation &notation, Index &index);
  std::optional<unsigned> lookedUpVar(const Symbol &symbol, unsigned dimension,
                                      const ast::Coordinate &coordinate, Notation &notation);
  ElementPtr whereInside(ElementPtr access, size_t first, Notation &notation);
  bool resolveGather(Gather &gather, Notation &notation);
  bool resolveGathers(Notation &notation);
  void addPointers(Element &access, const Notation &notation);
  void placeGathers(Compute &compute, Notation &notation);

  // Elements.cpp
  ElementPtr element(const ast::Expr &expr, Notation &notation);
  ElementPtr number(const ast::NumberExpr &number, Notation &notation);
  ElementPtr openNumber(const ast::Name &name, Notation &notation);
  ElementPtr bareName(const ast::NameExpr &name, Notation &notation);
  ElementPtr access(const AccessText &access, Notation &notation);
  ElementPtr labelValue(const ast::Name &name, LabelId label, Notation &notation);
  ElementPtr scalarAccess(TensorId tensor, llvm::SMRange range, Notation &notation);
  ElementPtr negate(const ast::NegateExpr &negate, Notation &notation);
  void subtracts(llvm::SMRange range, Notation &notation);
  ElementPtr sum(const ast::SumExpr &sum, Notation &notation);
  ElementPtr product(const ast::ProductExpr &product, Notation &notation);
  bool checkProduct(const ast::ProductExpr &product);
  ElementPtr withConstant(ElementPtr element, Notation &notation);

  // Functions.cpp
  ElementPtr binary(const ast::BinaryExpr &expr, Notation &notation);
  std::optional<ElementPtr> reduction(const ast::CallExpr &call, Notation &notation);
  void useOperator(Operator op, llvm::SMRange range, Notation &notation);
  bool checkOperators(const TypeFacts &facts, ElementType type);
  ElementPtr castTo(const ast::CallExpr &call, ElementType to, Notation &notation);
  using ReadElement = llvm::function_ref<ElementPtr(const ast::Expr &)>;
  ElementPtr apply(const ast::CallExpr &call, Operator op, Notation &notation, ReadElement read);
  ElementPtr measure(const ast::CallExpr &call, Operator op, Notation &notation, ReadElement read);
  ElementPtr complement(const ast::CallExpr &call, Notation &notation, ReadElement read);
  ElementPtr ofBits(const ast::BinaryExpr &expr, Notation &notation, ReadElement read);
  ElementPtr comparison(const ast::BinaryExpr &expr, Notation &notation, ReadElement readSide);
  ElementPtr condition(const ast::Expr &expr, Notation &notation, ReadElement readValue);

  // Semirings.cpp
  using Substitution = llvm::StringMap<const Element *>;
  const ast::OperatorFunction *findOperatorFunction(llvm::StringRef name) const;
  bool mayExpand(const ast::Expr &value, llvm::ArrayRef<llvm::StringRef> parameters,
                 llvm::ArrayRef<const Element *> operands, llvm::SMRange range);
  void useElement(const Element &element, Notation &notation);
  ElementPtr substituted(const ast::Expr &expr, const Substitution &names, Notation &notation);
  ElementPtr substitutedChain(const ast::Expr &expr, const Substitution &names, Notation &notation);
  ElementPtr substitutedCall(const ast::CallExpr &call, const Substitution &names,
                             Notation &notation);
  ElementPtr expanded(const ast::OperatorFunction &function, const ast::CallExpr &call,
                      std::vector<ElementPtr> operands, Notation &notation);
  ElementPtr callOperator(const ast::OperatorFunction &function, const ast::CallExpr &call,
                          Notation &notation);
  std::optional<Operator> monoidOf(const ast::Expr &expr) const;
  bool keepsPromises(const ast::Semiring &semiring, Operator add);
  std::optional<Operator> checkSemiring(const ast::Semiring &semiring);
  ElementPtr semiringJoin(const ast::BinaryExpr &expr, Notation &notation);

  // Masks.cpp
  std::optional<ComputeMask> maskOf(const ast::AssignStmt &statement, Notation &notation);
  using LabelCounts = llvm::StringMap<unsigned>;
  bool checkElementwise(const LabelCounts &left, const LabelCounts &right, llvm::SMRange range,
                        const Notation &notation);
  void countLabels(const ast::Expr &expr, LabelCounts &counts) const;

  // Calls.cpp
  void callStatement(const ast::CallExpr &call);
  ElementPtr callElement(const ast::CallExpr &call, Notation &notation);
  ElementPtr explicitSum(const ast::CallExpr &call, Notation &notation);
  ElementPtr summand(const ast::Expr &expr, Notation &notation);
  ElementPtr sizeOfDimension(const ast::CallExpr &call, Notation &notation);
  ElementPtr storedCount(const ast::CallExpr &call, Notation &notation);
  ElementPtr transpose(const ast::CallExpr &call, Notation &notation);
  bool checkArguments(const ast::CallExpr &call, const Builtin &builtin);
  bool unknownFunction(const ast::CallExpr &call);
  void print(const ast::CallExpr &call);
  bool asksForStorage(const ast::Expr &argument) const;
  void write(const ast::CallExpr &call);
  void writeRequested(llvm::SMRange range);
  std::optional<TensorId> tensorArgument(const ast::Expr &argument);
  std::optional<TensorId> scalarArgument(const ast::Expr &argument);
  std::optional<TensorId> copyOf(const AccessText &access);

  // Files.cpp
  struct FileName {
    std::string name, parameter = {}; ///< a parameter names the file when the program runs
  };
  std::optional<FileName> fileName(const ast::Expr &argument);
  std::optional<FileName> fileOfEnvironment(const std::string &variable, llvm::SMRange range);
  bool fileToRead(const ast::CallExpr &call, Read &read);

  // Sources.cpp
  const Builtin *wholeRightSide(const ast::Expr &expr) const;
  bool namesWholeTensor(const ast::AssignStmt &statement, const Symbol &symbol);
  bool assignSource(const ast::AssignStmt &statement, const Symbol &symbol, const Builtin &builtin);
  bool assignValues(const ast::AssignStmt &statement, const Symbol &symbol,
                    const ast::ValuesExpr &written);
  bool giveSizes(Values &values, const ast::ValuesExpr &written);
  bool giveEntries(Values &values, const ast::ValuesExpr &written);
  bool linearAlgebra(const ast::CallExpr &call, TensorId tensor, llvm::SMRange range);
  bool concatenation(const ast::AssignStmt &statement, const ast::CallExpr &call, TensorId tensor);
  std::optional<unsigned> dimensionNamed(const ast::Expr &which, TensorId tensor,
                                         llvm::ArrayRef<ast::Coordinate> written) const;
  bool checkShapes(const Concatenation &joined, const ast::CallExpr &call);
  bool reordering(const ast::CallExpr &call, TensorId tensor, llvm::SMRange range);
  bool stencil(const ast::CallExpr &call, TensorId tensor, llvm::SMRange range);
  bool randomValues(const ast::CallExpr &call, TensorId tensor, llvm::SMRange range);
  std::optional<double> numberArgument(const ast::Expr &argument);
  std::optional<int64_t> wholeArgument(const ast::Expr &argument);

  // Assignments.cpp
  bool isFill(const ast::Expr &expr) const;
  bool resolveFill(const ast::AssignStmt &statement, const Symbol &symbol, Notation &notation,
                   ResolvedAccess &target);
  bool compute(const ResolvedAccess &target, ast::AssignOp op, const ast::Expr &value,
               llvm::SMRange range, Notation &notation,
               const std::optional<ast::Schedule> &schedule = std::nullopt,
               const ast::AssignStmt *masked = nullptr);
  bool refuseSchedule(const std::optional<ast::Schedule> &schedule);
  void giveNumbers(std::vector<ast::CommandArgument> &arguments);
  bool copiesDense(const Element &value) const;
  bool isPartial(const Notation &notation, const Compute &compute) const;
  bool giveType(Compute &compute, const Notation &notation, llvm::SMRange range);
  bool giveSizes(Compute &compute, llvm::SMRange range);
  bool declareView(const ast::AssignStmt &statement);
  bool copiesPart(const ast::AssignStmt &statement, const Symbol &symbol) const;
  void warnAboutCopy(const ast::AssignStmt &statement, TensorId tensor, bool copiesAgain);
  bool isWhole(const ResolvedAccess &target, const Notation &notation) const;

  // SumWarnings.cpp
  void warnOfSum(const Compute &compute, const Notation &notation, llvm::ArrayRef<unsigned> summed,
                 llvm::SMRange range);
  void warnOfFunctions(const Element &value, const Notation &notation,
                       llvm::ArrayRef<unsigned> summed);

  // Sizes.cpp
  void addSource(Notation &notation, unsigned var, SizeSource source, llvm::SMRange range);
  void addTargetSources(const ResolvedAccess &target, bool updates, llvm::SMRange range,
                        Notation &notation);
  std::vector<SizeSource> sourcesOfDimension(TensorId tensor, unsigned dimension) const;
  bool settle(Notation &notation, std::vector<IndexVar> &vars);
  void unknownSize(const std::string &name, llvm::SMRange range);
  std::string optionForSize(TensorId tensor, const Label &label) const;

  // Deferred.cpp
  bool sizesAreKnown(TensorId tensor) const;
  void addDeferred();
  bool isDeferred(TensorId tensor) const;
  void dropDeferred(TensorId tensor);

  // Types.cpp
  void useType(ElementType type, Notation &notation);
  static TypeFacts withOpen(TypeFacts facts, std::optional<ElementType> receiver);
  ElementType typeOf(const TypeFacts &facts, bool isConstant) const;
  ElementType computingType(ElementType type, const TypeFacts &facts,
                            std::optional<ElementType> receiver) const;
  std::optional<ElementType> inOwnType(Notation &notation, std::optional<ElementType> receiver,
                                       llvm::function_ref<bool(bool &isConstant)> read);
  bool checkType(TensorId target, ElementType type, llvm::SMRange range);
  bool checkConstant(TensorId target, const Element &constant);

  const Parameters &parameters;
  const FormatVocabulary &formats;
  Diagnostics &diagnostics;
  const ast::Module *currentModule = nullptr;
  Outputs *requested = nullptr; ///< may be null
  llvm::StringSet<> usedParameters;
  llvm::StringSet<> leftOpen; // parameters that are given when the program runs
  llvm::StringSet<> reported; // unknown names that were complained about
  std::vector<const ast::Function *> calls;
  std::optional<TensorId> returned; // by the function that ended last
  std::vector<OpenLoop> loops;      // of the current function, the innermost last
  unsigned depth = 0;               // of blocks, those of callers included
  unsigned functionDepth = 0;       // that of the current function's body
  bool ended = false;               // the current block ends here: by a break
  llvm::StringSet<> analyzed;       // functions that were called
  std::vector<Deferred> waiting;
  bool addingDeferred = false;
  unsigned numStatements = 0;
  /// Declared semirings that were used: by what they add, if they are fine.
  llvm::StringMap<std::optional<Operator>> semirings;
  uint64_t grown = 0; // elements that operators have become
};

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ANALYZER_H

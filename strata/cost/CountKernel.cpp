// Walks a kernel once, from the outside to the inside.
#include "strata/cost/CountKernel.h"

#include "strata/cost/KnownNumbers.h"
#include "strata/cost/MergeVisits.h"
#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/lvl/RunningSum.h"
#include "strata/dialect/ta/LabelValues.h"
#include "strata/dialect/ta/Ta.h"
#include "strata/level/LevelProperties.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata::cost {

double KernelCounts::operations() const {
  double sum = 0;
  for (const LoopCounts &loop : loops)
    sum += loop.body.operations + loop.body.functions;
  return sum;
}

namespace {

/// What moves one level's coordinate of a path.
struct Step {
  std::optional<unsigned> loop = {};
  std::optional<Driver> driver = {};
  double times = 1; ///< how often it takes another value, all together
};

/// A path in the storage of a tensor.
struct Path {
  unsigned tensor = 0;
  SmallVector<Step> steps = {}; ///< of each level so far
  double there = 1;             ///< the share of times at which it leads to something
  double together = 1;          ///< positions with equal coordinates that it stands for
};

class Counter {
public:
  Counter(func::FuncOp kernel, ArrayRef<TensorStatistics> tensors, ArrayRef<int64_t> extents)
      : tensors(tensors) {
    for (BlockArgument argument : kernel.getArguments())
      if (auto storage = dyn_cast<ta::StorageType>(argument.getType())) {
        storages[argument] = unsigned(formats.size());
        formats.push_back(ta::formatOf(storage.getTensor()));
      } else {
        size_t number = argument.getArgNumber() - formats.size();
        if (number < extents.size())
          numbers.know(argument, double(extents[number]));
      }
  }

  std::optional<KernelCounts> count(Block &body) {
    visit(body, Around{});
    return fails ? std::nullopt : std::optional(std::move(counts));
  }

private:
  /// A place in the kernel: the loop around it, and how often it is reached.
  struct Around {
    std::optional<unsigned> loop = {};
    double times = 1;
  };

  const TensorStatistics &tensorOf(const Path &path) const { return tensors[path.tensor]; }

  //===----------------------------------------------------------------------------------------===//
  // Coordinates and paths
  //===----------------------------------------------------------------------------------------===//

  // What moves a coordinate: the innermost of the loops whose variables it is computed from.
  Step stepOf(Value coordinate) {
    if (auto known = moved.find(coordinate); known != moved.end())
      return known->second;
    Step step;
    if (Operation *def = coordinate.getDefiningOp())
      for (Value operand : def->getOperands())
        if (Step other = stepOf(operand); other.loop && (!step.loop || *other.loop >= *step.loop))
          step = other;
    moved[coordinate] = step;
    return step;
  }

  // Nothing more is counted where a path comes from nowhere.
  Path pathOf(Value path) {
    auto known = paths.find(path);
    fails |= known == paths.end();
    return fails ? Path{} : known->second;
  }

  // The share of a level's coordinates that are stored below a parent.
  static double density(const TensorStatistics &tensor, unsigned level) {
    const LevelStatistics &one = tensor.levels[level];
    double places = std::max(tensor.parentsOf(level) * one.extent, 1.0);
    return std::min(1.0, one.positions / places);
  }

  static double children(const TensorStatistics &tensor, unsigned level) {
    return tensor.levels[level].positions / std::max(tensor.parentsOf(level), 1.0);
  }

  void locate(lvl::LocateOp op, Around around) {
    Path path = pathOf(op.getParent());
    auto level = unsigned(op.getLevel());
    if (fails)
      return;
    const TensorStatistics &tensor = tensorOf(path);
    const LevelTraits *traits = traitsOf(path.tensor, level);
    path.steps.push_back(stepOf(op.getCoordinate()));
    path.there *= density(tensor, level);
    paths[op.getPath()] = path;
    if (traits->defaults.full)
      return;
    BodyCounts &body = bodyOf(around);
    if (!traits->locates)
      body.searches += around.times * std::log2(children(tensor, level) + 1);
    else if (traits->inserts && !traits->places)
      body.lookups += around.times;
    addAccess(levelArray(tensor, level), path, level + 1, tensor.levels[level].bytesPerPosition,
              tensor.levels[level].positions, {});
  }

  static std::string levelArray(const TensorStatistics &tensor, unsigned level) {
    return "level " + std::to_string(level + 1) + " of " + tensor.name;
  }

  const LevelTraits *traitsOf(unsigned tensor, unsigned level) const {
    return findLevelTraits(formats[tensor].getLevels()[level].getName());
  }

  //===----------------------------------------------------------------------------------------===//
  // Accesses
  //===----------------------------------------------------------------------------------------===//

  struct Writing {
    bool writes = false, combines = false;
  };

  // Of an array with so many elements of so many bytes each, at the end of a path's first steps.
  void addAccess(std::string array, const Path &path, unsigned depth, double bytes, double elements,
                 Writing writing) {
    if (bytes == 0 || depth > path.steps.size())
      return;
    AccessCounts access{.array = std::move(array), .bytes = bytes, .size = bytes * elements};
    access.writes = writing.writes;
    access.combines = writing.combines;
    access.loops.resize(unsigned(counts.loops.size()));
    auto bytesBelow = [&](unsigned level) {
      return access.size / std::max(tensorOf(path).levels[level].positions, 1.0);
    };
    std::optional<unsigned> driving;
    for (auto [level, step] : llvm::enumerate(ArrayRef(path.steps).take_front(depth))) {
      if (!step.loop)
        continue;
      access.loops.set(*step.loop);
      if (access.count == 0 || *step.loop >= access.loop) {
        access.loop = *step.loop;
        access.count = step.times;
        access.stride = bytesBelow(unsigned(level));
      }
      if (step.driver && (!driving || *step.loop >= *driving)) {
        driving = step.loop;
        access.driver = step.driver;
        access.jumps = step.times;
        access.bytesPerCoordinate = bytesBelow(unsigned(level));
      }
    }
    if (access.count > 0)
      counts.accesses.push_back(std::move(access));
  }

  void addValues(const Path &path, Writing writing) {
    if (fails)
      return;
    const TensorStatistics &tensor = tensorOf(path);
    if (path.steps.size() == tensor.levels.size())
      addAccess(tensor.name, path, unsigned(path.steps.size()), tensor.valueBytes, tensor.values,
                writing);
  }

  //===----------------------------------------------------------------------------------------===//
  // Loops
  //===----------------------------------------------------------------------------------------===//

  BodyCounts &bodyOf(Around around) {
    return around.loop ? counts.loops[*around.loop].body : outside;
  }

  // How many positions have one coordinate, of those below one path: coordinates lie anywhere.
  double positionsTogether(lvl::IteratorOp iterator) {
    const Path &parent = paths[iterator.getParent()];
    const TensorStatistics &tensor = tensorOf(parent);
    double positions = parent.together * children(tensor, unsigned(iterator.getLevel()));
    double extent = std::max(tensor.levels[iterator.getLevel()].extent, 1.0);
    double distinct = -extent * std::expm1(-positions / extent);
    return distinct > 0 ? std::max(positions / distinct, 1.0) : 1;
  }

  // How many values an iterator visits below one path.
  double visitsOf(lvl::IteratorOp iterator, double begins) {
    const Path &parent = paths[iterator.getParent()];
    const TensorStatistics &tensor = tensorOf(parent);
    double visits = parent.there;
    if (iterator.getFirstPosition()) // chunks of all positions
      return tensor.levels[iterator.getLevel()].positions / std::max(begins, 1.0);
    for (auto [at, how] : llvm::enumerate(iterator.getSteps())) {
      unsigned level = unsigned(iterator.getLevel() + at);
      visits *= isa<UnitAttr>(how) ? children(tensor, level) : density(tensor, level);
    }
    visits *= parent.together;
    if (iterator.getDedup())
      visits /= positionsTogether(iterator);
    if (iterator.getWindows()) // those of parts, which together are the whole
      visits /= std::max(begins, 1.0);
    return visits;
  }

  // The share of a level's coordinates between the bounds of a loop.
  double shareWithin(lvl::IteratorOp iterator) {
    std::optional<double> length =
        iterator.getExtent() ? numbers.meanOf(iterator.getExtent()) : std::nullopt;
    return length ? std::min(1.0, *length / spaceOf(iterator)) : 1;
  }

  // How many values there are to visit, whether an iterator has them or not.
  double spaceOf(lvl::IteratorOp iterator) {
    const TensorStatistics &tensor = tensorOf(paths[iterator.getParent()]);
    double space = 1;
    for (auto [at, how] : llvm::enumerate(iterator.getSteps()))
      if (isa<UnitAttr>(how))
        space *= tensor.levels[unsigned(iterator.getLevel() + at)].extent;
    return std::max(space, 1.0);
  }

  // Tells whether the loop only adds up ones: the sum is the product of the sizes, without a loop.
  static bool onlyCounts(lvl::CoiterateOp loop) {
    return !loop.walk([](Operation *op) {
                  auto inner = dyn_cast<lvl::CoiterateOp>(op);
                  bool counts = inner ? inner.getIterators().empty()
                                      : isa<arith::ConstantOp, arith::AddFOp, arith::AddIOp>(op) ||
                                            op->hasTrait<OpTrait::IsTerminator>();
                  return counts ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  // Of each iterator the first of those that have the same values: they walk one level below one
  // path.
  SmallVector<unsigned> alike(ArrayRef<lvl::IteratorOp> iterators) {
    auto isSame = [&](lvl::IteratorOp one, lvl::IteratorOp other) {
      const Path &a = paths[one.getParent()], &b = paths[other.getParent()];
      auto loopOf = [](const Step &step) { return step.loop; };
      return a.tensor == b.tensor && one.getLevel() == other.getLevel() &&
             one.getSteps() == other.getSteps() && one.getCompose() == other.getCompose() &&
             llvm::map_to_vector(a.steps, loopOf) == llvm::map_to_vector(b.steps, loopOf);
    };
    SmallVector<unsigned> first;
    for (unsigned at = 0; at < iterators.size(); ++at)
      for (unsigned other = 0; first.size() == at; ++other)
        if (other == at || isSame(iterators[at], iterators[other]))
          first.push_back(other);
    return first;
  }

  // How often the loop around runs each time that it begins: a sum that goes on from round to round
  // takes what it adds up once in all of them, about a value in each.
  double roundsOf(Around around) const {
    const LoopCounts &loop = counts.loops[*around.loop];
    return std::max(loop.iterations / std::max(loop.begins, 1.0), 1.0);
  }

  void coiterate(lvl::CoiterateOp loop, Around around) {
    unsigned number = unsigned(counts.loops.size());
    LoopCounts made{.name = loop.getName().str(), .around = around.loop};
    made.begins = around.times;
    made.parallel = bool(loop.getPieces());
    made.marked = bool(loop.getMark());
    const bool bounded = loop->hasAttr(ta::boundedAttribute);
    const bool goesOn = loop->hasAttr(lvl::goesOnAttribute);
    SmallVector<lvl::IteratorOp> iterators;
    SmallVector<double> visits;
    for (Value iterator : loop.getIterators()) {
      iterators.push_back(iterator.getDefiningOp<lvl::IteratorOp>());
      pathOf(iterators.back().getParent());
      if (fails)
        return;
      visits.push_back(visitsOf(iterators.back(), around.times));
      if (goesOn)
        visits.back() /= roundsOf(around);
      else if (bounded)
        visits.back() *= shareWithin(iterators.back());
      made.gathers |= iterators.back().getDedup();
    }
    SmallVector<double> ofCases;
    if (loop.getUniverse()) {
      std::optional<double> universe = onlyCounts(loop) || goesOn ? std::optional(1.0)
                                       : bounded ? numbers.meanOf(loop.getUniverse())
                                                 : numbers.numberOf(loop.getUniverse());
      fails |= !universe;
      if (fails)
        return;
      ofCases = visitsOfCases(loop, visits, alike(iterators), *universe);
      made.kind = iterators.empty() ? LoopCounts::Kind::Counts : LoopCounts::Kind::Merges;
    } else if (iterators.size() == 1) {
      ofCases = {visits.front(), visits.front()};
      made.kind = LoopCounts::Kind::Walks;
      const Path &parent = paths[iterators.front().getParent()];
      made.uneven = tensorOf(parent).levels[iterators.front().getLevel()].uneven;
    } else {
      ofCases = visitsOfCases(loop, visits, alike(iterators), spaceOf(iterators.front()));
      made.kind = LoopCounts::Kind::Merges;
      made.uneven = 1;
      if (std::optional<Search> search = searchOf(loop, visits)) {
        ofCases.back() = search->coordinates;
        made.body.searches = around.times * search->steps;
      }
    }
    made.iterations = around.times * ofCases.back();
    made.unites = loop.getCases().size() > 1 || loop.getPredicates();
    if (around.loop)
      counts.loops[*around.loop].innermost = false;
    counts.loops.push_back(std::move(made));
    for (auto [at, region] : llvm::enumerate(loop.getBodies())) {
      Around inside{number, around.times * ofCases[at]};
      bindCase(loop, unsigned(at), iterators, inside);
      visit(region.front(), inside);
    }
    for (lvl::IteratorOp iterator : iterators)
      readLevels(iterator, Around{number, counts.loops[number].iterations}, around);
  }

  // How many values lie between two bounds, of which the first may depend on loops around.
  std::optional<double> distance(Value from, Value to) {
    if (auto sum = to.getDefiningOp<arith::AddIOp>())
      for (auto [one, other] :
           {std::pair(sum.getLhs(), sum.getRhs()), {sum.getRhs(), sum.getLhs()}})
        if (one == from)
          return numbers.numberOf(other);
    std::optional<double> first = numbers.numberOf(from), end = numbers.numberOf(to);
    return first && end ? std::optional(*end - *first) : std::nullopt;
  }

  // A loop through consecutive elements of a workspace.
  void pass(scf::ForOp loop, Around around) {
    std::optional<double> length = distance(loop.getLowerBound(), loop.getUpperBound());
    fails |= !length || !loop.getInitArgs().empty() || numbers.numberOf(loop.getStep()) != 1.0;
    if (fails)
      return;
    auto number = unsigned(counts.loops.size());
    LoopCounts made{.name = "workspace", .around = around.loop, .kind = LoopCounts::Kind::Counts};
    made.begins = around.times;
    made.iterations = around.times * *length;
    Around inside{number, made.iterations};
    moved[loop.getInductionVar()] = {number, std::nullopt, inside.times};
    if (around.loop)
      counts.loops[*around.loop].innermost = false;
    counts.loops.push_back(std::move(made));
    visit(*loop.getBody(), inside);
  }

  // How many values the variable of a loop has, visited or not; nothing if that is not known, or of
  // several variables.
  std::optional<double> valuesOf(lvl::CoiterateOp loop, ArrayRef<lvl::IteratorOp> iterators) {
    if (loop.getVariableCount() != 1)
      return std::nullopt;
    if (Value universe = loop.getUniverse())
      return numbers.meanOf(universe);
    lvl::IteratorOp first = iterators.front();
    return first.getExtent() ? numbers.meanOf(first.getExtent()) : std::optional(spaceOf(first));
  }

  // The coordinates and paths that a case gets.
  void bindCase(lvl::CoiterateOp loop, unsigned at, ArrayRef<lvl::IteratorOp> iterators,
                Around inside) {
    Block &body = loop.getBodies()[at].front();
    unsigned variables = loop.getVariableCount();
    if (std::optional<double> values = valuesOf(loop, iterators))
      numbers.knowMean(body.getArgument(0), std::max(*values - 1, 0.0) / 2);
    for (unsigned variable = 0; variable < variables; ++variable) {
      Step step{inside.loop, std::nullopt, inside.times};
      if (!loop.getUniverse())
        step.driver = driverOf(iterators.front(), variable);
      moved[body.getArgument(variable)] = step;
    }
    for (auto [place, present] : llvm::enumerate(loop.getCase(at))) {
      lvl::IteratorOp iterator = iterators[present];
      Path path = paths[iterator.getParent()];
      path.together = iterator.getDedup() ? positionsTogether(iterator) : 1;
      for (size_t step = 0; step < iterator.getSteps().size(); ++step)
        path.steps.push_back({inside.loop, std::nullopt, inside.times});
      paths[body.getArgument(variables + unsigned(place))] = path;
    }
  }

  // The level whose stored coordinates decide over a variable's values; nothing if these are
  // consecutive.
  std::optional<Driver> driverOf(lvl::IteratorOp iterator, unsigned variable) {
    AffineExpr value = iterator.getCompose().getResult(variable);
    const Path &parent = paths[iterator.getParent()];
    std::optional<Driver> driver;
    unsigned symbol = 0;
    for (auto [at, how] : llvm::enumerate(iterator.getSteps()))
      if (isa<UnitAttr>(how) && value.isFunctionOfSymbol(symbol++)) {
        unsigned level = unsigned(iterator.getLevel() + at);
        bool stored = storesCoordinates(traitsOf(parent.tensor, level)->name);
        driver = stored ? std::optional(Driver{parent.tensor, level}) : std::nullopt;
      }
    return driver;
  }

  // An iterator reads, of each level that it walks, what belongs to the parent and to each
  // position.
  void readLevels(lvl::IteratorOp iterator, Around inside, Around outsideLoop) {
    Path path = paths[iterator.getParent()];
    const TensorStatistics &tensor = tensorOf(path);
    for (size_t at = 0; at < iterator.getSteps().size(); ++at) {
      unsigned level = unsigned(iterator.getLevel() + at);
      const LevelStatistics &known = tensor.levels[level];
      std::string array = levelArray(tensor, level);
      if (at == 0 && path.steps.empty() && outsideLoop.times > 1)
        path.steps.push_back({}); // the root's children are begun again and again
      addAccess(array, path, level, known.bytesPerParent, tensor.parentsOf(level), {});
      path.steps.resize(level);
      path.steps.push_back({inside.loop, std::nullopt, inside.times});
      addAccess(array, path, level + 1, known.bytesPerPosition, known.positions, {});
    }
  }

  //===----------------------------------------------------------------------------------------===//
  // The result
  //===----------------------------------------------------------------------------------------===//

  void insert(lvl::InsertOp op, Around around) {
    auto level = unsigned(op.getLevel());
    Path path = op.getParent() ? pathOf(op.getParent()) : Path{};
    path.tensor = 0; // the result's
    path.steps.resize(level);
    Step step = stepOf(op.getCoordinate());
    BodyCounts &body = bodyOf(around);
    const TensorStatistics &result = tensors.front();
    const LevelTraits *traits = traitsOf(0, level);
    if (gathered == level) {
      body.gathered += around.times;
      addWorkspace(step, result.levels[level].extent * result.valueBytes, around,
                   {.writes = true, .combines = true});
      isGathered.insert(op.getPath());
    } else if (traits->appends) {
      step = {around.loop, std::nullopt, around.times};
      body.appends += around.times;
      path.steps.push_back(step);
      addAccess(levelArray(result, level), path, level + 1, result.levels[level].bytesPerPosition,
                result.levels[level].positions, {.writes = true});
      path.steps.pop_back();
    } else if (traits->inserts && !traits->places) {
      body.lookups += around.times;
    }
    path.steps.push_back(step);
    paths[op.getPath()] = path;
  }

  // Scratch memory of so many bytes, accessed where a step leads.
  void addWorkspace(Step step, double size, Around around, Writing writing) {
    if (!step.loop)
      return;
    AccessCounts access{.array = "the workspace", .count = around.times, .size = size};
    access.loop = *step.loop;
    access.loops.resize(unsigned(counts.loops.size()));
    access.loops.set(*step.loop);
    access.writes = writing.writes;
    access.combines = writing.combines;
    access.driver = step.driver;
    access.jumps = step.times;
    access.bytesPerCoordinate = access.bytes;
    counts.accesses.push_back(std::move(access));
  }

  void addWorkspace(Value values, ValueRange indices, Around around, Writing writing) {
    if (!indices.empty())
      addWorkspace(stepOf(indices.front()), workspaces.lookup(values), around, writing);
  }

  void close(lvl::CloseOp op, Around around) {
    auto level = unsigned(op.getLevel());
    const TensorStatistics &result = tensors.front();
    if (gathered == level && around.loop) {
      counts.loops[*around.loop].sortedRows += around.times;
      counts.loops[*around.loop].sortedCoordinates += result.levels[level].positions;
    }
    addAccess(levelArray(result, level), pathOf(op.getParent()), level,
              result.levels[level].bytesPerParent, result.parentsOf(level), {.writes = true});
  }

  void store(lvl::StoreOp op, Around around) {
    BodyCounts &body = bodyOf(around);
    if (op.getCombine())
      body.operations += around.times * (isa<ComplexType>(op.getValue().getType()) ? 2 : 1);
    if (!isGathered.contains(op.getPath()))
      addValues(pathOf(op.getPath()), {true, op.getCombine().has_value()});
  }

  //===----------------------------------------------------------------------------------------===//
  // Everything else
  //===----------------------------------------------------------------------------------------===//

  static bool isElement(Type type) { return isa<FloatType, IntegerType, ComplexType>(type); }

  void element(Operation &op, Around around) {
    if (isa<math::AbsFOp, math::AbsIOp, math::SqrtOp, math::CopySignOp, math::FmaOp>(op))
      bodyOf(around).operations += around.times; // instructions of their own
    else if (isa<math::MathDialect>(op.getDialect()))
      bodyOf(around).functions += around.times;
    else if (isa<arith::ArithDialect, complex::ComplexDialect>(op.getDialect()) &&
             op.getNumOperands() == 2 && isElement(op.getOperand(0).getType()))
      bodyOf(around).operations +=
          around.times * (isa<complex::MulOp, complex::DivOp>(op)        ? 6
                          : isa<ComplexType>(op.getOperand(0).getType()) ? 2
                                                                         : 1);
  }

  void visit(Block &block, Around around) {
    for (Operation &op : block) {
      if (fails)
        return;
      llvm::TypeSwitch<Operation *>(&op)
          .Case([&](lvl::RootOp root) {
            paths[root.getPath()] = Path{storages.lookup(root.getStorage())};
          })
          .Case([&](lvl::LocateOp locate) { this->locate(locate, around); })
          .Case([&](lvl::CoiterateOp loop) { coiterate(loop, around); })
          .Case([&](lvl::BuildOp build) { gathered = build.getGathered(); })
          .Case([&](lvl::InsertOp insert) { this->insert(insert, around); })
          .Case([&](lvl::CloseOp close) { this->close(close, around); })
          .Case([&](lvl::StoreOp store) { this->store(store, around); })
          .Case([&](lvl::ValueOp value) { addValues(pathOf(value.getPath()), {}); })
          .Case([&](lvl::WorkspaceOp space) {
            std::optional<double> count = numbers.numberOf(space.getCount());
            auto element = cast<MemRefType>(space.getValues().getType()).getElementType();
            unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
            workspaces[space.getValues()] = count.value_or(0) * bits / 8;
          })
          .Case([&](memref::LoadOp load) {
            addWorkspace(load.getMemRef(), load.getIndices(), around, {});
          })
          .Case([&](memref::StoreOp store) {
            addWorkspace(store.getMemRef(), store.getIndices(), around, {.writes = true});
          })
          .Case([&](scf::IfOp branch) {
            for (Region &region : branch->getRegions())
              if (!region.empty())
                visit(region.front(), around);
          })
          .Case([&](scf::ForOp loop) { pass(loop, around); })
          .Case<scf::WhileOp, scf::ParallelOp>([&](auto) { fails = true; })
          .Default([&](Operation *other) { element(*other, around); });
    }
  }

  ArrayRef<TensorStatistics> tensors;
  KernelCounts counts;
  BodyCounts outside; // of what stands in no loop
  bool fails = false;
  std::optional<uint64_t> gathered;    // the level of the result that comes from a workspace
  SmallVector<ta::FormatAttr> formats; // of each storage
  llvm::DenseMap<Value, unsigned> storages;
  KnownNumbers numbers;
  llvm::DenseMap<Value, double> workspaces;
  llvm::DenseMap<Value, Step> moved;
  llvm::DenseMap<Value, Path> paths;
  llvm::DenseSet<Value> isGathered;
};

} // namespace

std::optional<KernelCounts> countKernel(func::FuncOp kernel, ArrayRef<TensorStatistics> tensors,
                                        ArrayRef<int64_t> extents) {
  return Counter(kernel, tensors, extents).count(kernel.getBody().front());
}

} // namespace strata::cost

// strata explore: which accelerator suits a program.
#include "Arguments.h"
#include "Commands.h"
#include "DataFile.h"
#include "Messages.h"
#include "Offloads.h"
#include "OutputFile.h"
#include "Report.h"
#include "RunProgram.h"
#include "ScatterPlot.h"
#include "Sweep.h"
#include "Threads.h"

#include "strata/cost/Quantities.h"
#include "strata/runtime/Counted.h"

#include "llvm/Support/Format.h"

using llvm::format;
using llvm::outs;
using llvm::StringRef;
using strata::cost::durationText;

namespace strata::tool {

namespace explore {
#define STRATA_OPTIONS "ExploreOptions.inc"
#include "OptionTable.def"
} // namespace explore

const Command exploreDescription{"explore", R"(
strata explore compares accelerators for matrix products on a program. It runs the program here once,
and tells for each accelerator what the program's statements would take with it: time, energy, power
and area, by the model that docs/Accelerators.md describes.

  strata explore mm.ta --accelerator=gemm16.toml --accelerator=gemm64.toml
                                  two accelerators
  strata explore mm.ta --accelerator=gemm64.toml --over='size=32,64,128;count=1,2,4'
                                  nine: of three sizes of tiles, one, two and four at once
  strata explore mm.ta --accelerator=gemm64.toml --over='clock=100,1000' -o plot.svg
                                  with a picture of time against area and power
  strata explore --product=5184x5184x72 --accelerator=gemm64.toml --over=size=16,64,256
                                  without a program: a product of matrices, which is not run

The best one is marked, and those that no other one beats in time, area and power at once.
)",
                                 explore::table, "[PROGRAM]",
                                 "compare accelerators for matrix products on a program"};

namespace {

struct Point {
  accelerator::Design design;
  OffloadedRun run;
  std::vector<OffloadedStep> steps;
  bool isFrontier = false, isBest = false;

  double count() const { return double(design.accelerator.count); }
  double area() const { return count() * design.area(); }
  double power() const { return count() * design.power(); }
};

/// What --by names: less of it is better.
struct Goal {
  StringRef name;
  double (*value)(const Point &);
};
constexpr Goal goals[] = {
    {"time", [](const Point &point) { return point.run.seconds; }},
    {"mean", [](const Point &point) { return 1 / point.run.meanRate; }},
    {"energy", [](const Point &point) { return point.run.joules; }},
    {"power", [](const Point &point) { return point.power(); }},
    {"area", [](const Point &point) { return point.area(); }},
    {"area-time", [](const Point &point) { return point.area() * point.run.seconds; }},
    {"energy-time", [](const Point &point) { return point.run.joules * point.run.seconds; }}};

class Exploration {
public:
  Exploration(const llvm::opt::InputArgList &list) : list(list) {}

  /// Takes the options. False after a mistake, which was reported.
  bool readOptions();
  /// Reads the accelerators and makes all combinations; the code to return is not 0 after an error.
  int findAccelerators();
  /// The steps that --product names; nothing after a mistake, which was reported.
  std::optional<std::vector<StepReport>> products() const;
  /// Tells what steps, which a run took or --product names, would take.
  int tell(llvm::ArrayRef<StepReport> steps, const std::optional<machine::Machine> &machine);

private:
  bool addPoints(llvm::ArrayRef<StepReport> steps, const std::optional<machine::Machine> &machine);
  void markPoints();
  void printTable() const;
  void printFigures() const;
  int writePicture() const;

  const llvm::opt::InputArgList &list;
  const Goal *goal = goals;
  Sweep sweep;
  std::vector<accelerator::Accelerator> accelerators;
  std::vector<Point> points;
};

bool Exploration::readOptions() {
  using namespace explore;
  StringRef by = list.getLastArgValue(OPT_by, goals[0].name);
  goal = llvm::find_if(goals, [&](const Goal &one) { return one.name == by; });
  if (goal == std::end(goals)) {
    refuse("--by=" + by + " is no goal",
           "time, mean, energy, power, area, area-time or energy-time");
    return false;
  }
  const llvm::opt::Arg *output = list.getLastArg(OPT_output);
  if (output && !StringRef(output->getValue()).ends_with_insensitive(".svg")) {
    refuse("'" + llvm::Twine(output->getValue()) + "' is not the name of a picture", "-o plot.svg");
    return false;
  }
  if (!list.hasArg(OPT_accelerator)) {
    refuse("explore needs an accelerator to begin with", "--accelerator=accelerators/gemm64.toml");
    return false;
  }
  return llvm::all_of(list.getAllArgValues(OPT_over),
                      [&](const std::string &text) { return sweep.add(text); });
}

int Exploration::findAccelerators() {
  std::vector<accelerator::Accelerator> bases;
  for (const std::string &file : list.getAllArgValues(explore::OPT_accelerator)) {
    runtime::Result<accelerator::Accelerator> base = accelerator::readAccelerator(file);
    if (!base)
      return fail(base.error().sentence(), "docs/Accelerators.md describes descriptions");
    bases.push_back(std::move(*base));
  }
  std::optional<std::vector<accelerator::Accelerator>> all = combinations(bases, sweep);
  if (!all)
    return exitMisuse;
  accelerators = std::move(*all);
  return exitSuccess;
}

std::optional<std::vector<StepReport>> Exploration::products() const {
  std::vector<StepReport> steps;
  for (const std::string &text : list.getAllArgValues(explore::OPT_product)) {
    llvm::SmallVector<StringRef> parts;
    StringRef(text).split(parts, 'x');
    double sizes[] = {1, 1, 1, 1}; // rows, columns, depth, batch
    bool isProduct = parts.size() == 3 || parts.size() == 4;
    for (auto [part, size] : llvm::zip(parts, sizes)) {
      int64_t count = 0;
      isProduct &= !part.getAsInteger(10, count) && count > 0;
      size = double(count);
    }
    if (!isProduct) {
      refuse("'" + text + "' is not the sizes of a product", "--product=ROWSxCOLUMNSxDEPTH");
      return std::nullopt;
    }
    ContractionShape shape{.batch = {sizes[3], 1},
                           .rows = {sizes[0], 1},
                           .columns = {sizes[1], 1},
                           .depth = {sizes[2], 1},
                           .elementBytes = sizeof(double)};
    StepReport step{text};
    step.flops = shape.operations();
    step.contractions.push_back({shape, 1});
    steps.push_back(std::move(step));
  }
  return steps;
}

bool Exploration::addPoints(llvm::ArrayRef<StepReport> steps,
                            const std::optional<machine::Machine> &machine) {
  accelerator::Host host = hostOf(machine);
  accelerator::Designer designer;
  for (const accelerator::Accelerator &one : accelerators) {
    runtime::Result<accelerator::Design> design = designer.design(one);
    if (!design) {
      fail(design.error().sentence());
      return false;
    }
    std::vector<OffloadedStep> offloaded = offloadSteps(steps, *design, host);
    OffloadedRun run = totalOf(steps, offloaded);
    points.push_back({std::move(*design), run, std::move(offloaded)});
  }
  return true;
}

// The first of the best ones is the best; one that is beaten in nothing, or equal, is at the front.
void Exploration::markPoints() {
  auto isBeaten = [&](const Point &point) {
    return llvm::any_of(points, [&](const Point &other) {
      bool noMore = other.run.seconds <= point.run.seconds && other.area() <= point.area() &&
                    other.power() <= point.power();
      bool less = other.run.seconds < point.run.seconds || other.area() < point.area() ||
                  other.power() < point.power();
      return noMore && less;
    });
  };
  for (Point &point : points)
    point.isFrontier = !isBeaten(point);
  llvm::min_element(points, [&](const Point &a, const Point &b) {
    return goal->value(a) < goal->value(b);
  })->isBest = true;
}

int Exploration::tell(llvm::ArrayRef<StepReport> steps,
                      const std::optional<machine::Machine> &machine) {
  if (llvm::all_of(steps, [](const StepReport &step) { return step.contractions.empty(); }))
    return fail(
        "the program has no contractions of dense tensors that an accelerator could compute",
        "C[i, j] = A[i, k] * B[k, j], of more than 4,096 products");
  if (!addPoints(steps, machine))
    return exitFailure;
  markPoints();
  list.hasArg(explore::OPT_json) ? printFigures() : printTable();
  return writePicture();
}

void Exploration::printTable() const {
  size_t width = 12;
  for (const Point &point : points)
    width = std::max(width, point.design.accelerator.name.size());
  outs() << llvm::left_justify("", unsigned(width))
         << "      cycles        area       power      peak      mean         time   speedup"
            "      energy\n";
  for (const Point &point : points) {
    outs() << llvm::left_justify(point.design.accelerator.name, unsigned(width))
           << format("%12lld", static_cast<long long>(point.design.activity.cycles))
           << llvm::right_justify(areaText(point.area()), 12)
           << llvm::right_justify(powerText(point.power()), 12)
           << format("%10.4g%10.4g", point.count() * point.design.peak() * 1e-9,
                     point.run.meanRate * 1e-9)
           << llvm::right_justify(durationText(point.run.seconds), 13);
    if (point.run.native > 0)
      outs() << format("%10.3g", point.run.native / point.run.seconds);
    else
      outs() << "         .";
    outs() << llvm::right_justify(energyText(point.run.joules), 12)
           << (point.isFrontier ? "  front" : "") << (point.isBest ? "  best" : "") << "\n";
  }
  double native = points.front().run.native;
  outs() << "here: " << (native > 0 ? durationText(native) : "not run")
         << "; peak in GFLOP/s; mean: the geometric mean of "
         << counted(int64_t(points.front().steps.size()), "statement") << "; best by " << goal->name
         << "\n";
}

void Exploration::printFigures() const {
  llvm::json::OStream json(outs(), 1);
  json.object([&] {
    json.attribute("native", points.front().run.native);
    json.attribute("by", goal->name);
    json.attributeArray("accelerators", [&] {
      for (const Point &point : points)
        json.object([&] {
          writeDesign(json, point.design);
          json.attribute("seconds", point.run.seconds);
          json.attribute("mean_gflops", point.run.meanRate * 1e-9);
          json.attribute("joules", point.run.joules);
          json.attribute("front", point.isFrontier);
          json.attribute("best", point.isBest);
          json.attributeArray("statements", [&] {
            for (const OffloadedStep &step : point.steps)
              json.object([&] {
                json.attribute("what", step.step->what);
                json.attribute("native", step.step->run);
                writeOffload(json, step);
              });
          });
        });
    });
  });
  outs() << "\n";
}

int Exploration::writePicture() const {
  const llvm::opt::Arg *output = list.getLastArg(explore::OPT_output);
  if (!output)
    return exitSuccess;
  bool inSeconds = llvm::all_of(points, [](const Point &point) { return point.run.seconds >= 1; });
  std::string yTitle = inSeconds ? "time in s" : "time in ms";
  Plot areas{"area in mm2", yTitle, {}}, powers{"power in mW", yTitle, {}};
  for (const Point &point : points) {
    PlottedPoint plotted{point.design.accelerator.name, point.area() * 1e-6,
                         point.run.seconds * (inSeconds ? 1 : 1e3), point.isBest};
    areas.points.push_back(plotted);
    plotted.x = point.power() * 1e3;
    powers.points.push_back(plotted);
  }
  return writeTo(output->getValue(),
                 drawPlots("Accelerators: time against area and power", {areas, powers}));
}

} // namespace

int exploreCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace explore;
  Arguments args = parseArguments(exploreDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  bool runs = !args.list.hasArg(OPT_product);
  if (!runs && args.list.hasArg(OPT_INPUT))
    return refuse("explore takes a program, or --product, but not both");
  std::optional<std::string> file;
  if (runs) {
    file = args.onlyInput("explore", "one program");
    if (!file)
      return *args.exitCode;
  }
  RunRequest request{file.value_or("")};
  request.cache = !args.list.hasArg(OPT_no_cache);
  Exploration exploration(args.list);
  ThreadLimit threads;
  std::optional<frontend::Parameters> parameters = parseParameters(args.list, OPT_define);
  if (!parameters || !threads.set(args.list.getLastArg(OPT_threads)) ||
      !findMachine(args.list, OPT_machine, request.machine) || !exploration.readOptions())
    return exitMisuse;
  if (const llvm::opt::Arg *repeat = args.list.getLastArg(OPT_repeat)) {
    std::optional<int64_t> count = parseCount(*repeat, 1);
    if (!count)
      return exitMisuse;
    request.repeat = int(std::min<int64_t>(*count, 1000000));
  }
  if (int code = exploration.findAccelerators(); code != exitSuccess)
    return code;
  if (!runs) {
    std::optional<std::vector<StepReport>> products = exploration.products();
    return products ? exploration.tell(*products, request.machine) : int(exitMisuse);
  }
  Session session;
  mlir::OwningOpRef<mlir::ModuleOp> module = session.load(*file, *parameters);
  if (!module || failed(session.prepare(*module)))
    return exitFailure;
  return runProgram(session, *module, request, [&](const RunReport &report) {
    return exploration.tell(report.steps, request.machine);
  });
}

} // namespace strata::tool

// Loads programs and shows diagnostics at their lines.
#include "Session.h"
#include "InRanks.h"
#include "Messages.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/frontend/EmitTa.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"
#include "strata/interop/ImportLinalg.h"
#include "strata/interop/ReadModule.h"
#include "strata/lower/Pipeline.h"
#include "strata/lower/analysis/FilledProducts.h"
#include "strata/lower/analysis/HeldZeros.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/page/StagePicture.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/runtime/io/FileFormats.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using llvm::SMLoc;
using llvm::SMRange;

namespace strata::tool {

static DialectRegistry allDialects() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

Session::Session() : context(allDialects(), MLIRContext::Threading::DISABLED) {
  Stopwatch watch;
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    showDiagnostic(diagnostic);
    return success();
  });
  times.context = watch.lap();
}

//===------------------------------------------------------------------------------------------===//
// Texts
//===------------------------------------------------------------------------------------------===//

std::optional<unsigned> Session::open(StringRef file) {
  auto [known, isNew] = opened.try_emplace(file, 0);
  if (isNew)
    known->second = read(file).value_or(0);
  return known->second == 0 ? std::nullopt : std::optional(known->second);
}

std::optional<unsigned> Session::read(StringRef file) {
  if (runtime::dist::Job *job = jobHere(); job && job->size() > 1 && file == "-") {
    fail("standard input comes to one rank alone", "expected the name of a file");
    return std::nullopt;
  }
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/true);
  if (!buffer) {
    fail("cannot read '" + file + "': " + buffer.getError().message());
    return std::nullopt;
  }
  return sources.AddNewSourceBuffer(std::move(*buffer), SMLoc());
}

unsigned Session::addText(StringRef text, StringRef name) {
  return sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), SMLoc());
}

//===------------------------------------------------------------------------------------------===//
// Loading
//===------------------------------------------------------------------------------------------===//

// Reports data where a program should be.
static bool isDataFile(StringRef file, StringRef content) {
  const runtime::FileFormat *format = runtime::formatShownBy(content.take_front(4096));
  if (format)
    fail("'" + file + "' is a " + format->name + " file, not a program",
         "'strata info " + file + "' tells what it holds; a program reads it: A[i, j] = read(\"" +
             file + "\");");
  return format;
}

OwningOpRef<ModuleOp> Session::load(StringRef file, const frontend::Parameters &parameters,
                                    frontend::Outputs *outputs, StringRef entry) {
  Stopwatch watch;
  std::optional<unsigned> id = open(file);
  if (!id || isDataFile(file, sources.getMemoryBuffer(*id)->getBuffer()))
    return nullptr;
  OwningOpRef<ModuleOp> module;
  if (file.ends_with(".mlir")) {
    module = loadMlir(file, entry);
  } else {
    frontend::Diagnostics diagnostics(sources);
    module = analyze(*id, parameters, diagnostics, outputs);
    show(diagnostics);
  }
  times.program += watch.lap();
  return module;
}

OwningOpRef<ModuleOp> Session::analyze(unsigned id, const frontend::Parameters &parameters,
                                       frontend::Diagnostics &diagnostics,
                                       frontend::Outputs *outputs) {
  frontend::ast::Module tree = frontend::parseProgram(id, diagnostics);
  std::optional<frontend::Program> program;
  if (!diagnostics.hasErrors())
    program =
        frontend::analyze(tree, parameters, frontend::TaFormats(&context), diagnostics, outputs);
  return program ? emit(*program, diagnostics) : nullptr;
}

bool Session::hasFunctionsAlone(StringRef file) {
  if (file.ends_with(".mlir"))
    return false;
  std::optional<unsigned> id = open(file);
  frontend::Diagnostics diagnostics(sources);
  frontend::ast::Module tree =
      id ? frontend::parseProgram(*id, diagnostics) : frontend::ast::Module();
  return !diagnostics.hasErrors() && !tree.functions.empty() &&
         llvm::none_of(tree.functions, [](const frontend::ast::Function &function) {
           return function.name.text == "main";
         });
}

std::vector<std::pair<std::string, OwningOpRef<ModuleOp>>>
Session::loadFunctions(StringRef file, const frontend::Parameters &parameters) {
  std::vector<std::pair<std::string, OwningOpRef<ModuleOp>>> functions;
  unsigned id = opened.lookup(file); // which was loaded before
  if (id == 0 || file.ends_with(".mlir"))
    return functions;
  frontend::Diagnostics parsing(sources); // which has told everything
  frontend::ast::Module tree = frontend::parseProgram(id, parsing);
  frontend::TaFormats formats(&context);
  for (const frontend::ast::Function &function : tree.functions) {
    if (function.name.text == "main" || !frontend::declaresAll(function))
      continue;
    frontend::Diagnostics diagnostics(sources);
    std::optional<frontend::Program> program =
        frontend::analyzeFunction(tree, function, parameters, formats, diagnostics);
    functions.emplace_back(function.name.text, program ? emit(*program, diagnostics) : nullptr);
    if (!functions.back().second)
      show(diagnostics);
  }
  return functions;
}

// Programs are functions of ta operations, or become such.
OwningOpRef<ModuleOp> Session::loadMlir(StringRef file, StringRef entry) {
  const llvm::MemoryBuffer &text = *sources.getMemoryBuffer(opened.lookup(file));
  OwningOpRef<ModuleOp> module = interop::readModule(text.getBuffer(), file, &context);
  if (!module)
    return nullptr;
  func::FuncOp main = interop::findEntry(*module, entry);
  if (!main || main.getNumArguments() != 0) {
    fail("'" + file + "' has no function '" + (entry.empty() ? "main" : entry) +
             "' without arguments",
         "a program is a function func.func @main() of operations of ta, or of linalg and "
         "sparse_tensor");
    return nullptr;
  }
  return succeeded(interop::makeProgram(*module, main)) ? std::move(module) : nullptr;
}

OwningOpRef<ModuleOp> Session::emit(const frontend::Program &program,
                                    frontend::Diagnostics &diagnostics) {
  return frontend::emitTa(program, &context, diagnostics);
}

// What notes call a format that has no name: by the name it has in another order of dimensions, or
// as a list. "COO in the order j, i" says more than its levels with all their properties.
static std::string formatInWords(RankedTensorType type) {
  std::string name = ta::formatName(type);
  if (!StringRef(name).contains("->") || ta::sumOf(type))
    return name;
  ta::FormatAttr format = ta::formatOf(type);
  if (format.isList())
    return "unsorted COO";
  AffineMap map = format.getDimToLvl();
  std::string sorted = map.isPermutation() ? ta::formatName(format.levelSpace()) : "->";
  if (StringRef(sorted).contains("->") || map.getNumDims() > 8)
    return name;
  for (auto [at, dim] : llvm::enumerate(map.getResults()))
    sorted += (at ? ", " : " in the order ") +
              std::string(1, char('i' + cast<AffineDimExpr>(dim).getPosition()));
  return sorted;
}

// Tells whether it is what the program does in the first of two ways, of which the notes tell the
// second.
static bool isOneOfTwo(Operation *op) {
  for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
    if (choosesWay(around) && around->getRegion(0).isAncestor(op->getParentRegion()))
      return true;
  return false;
}

static StringRef exceptionFor(ta::ConvertOp op) {
  if (op->getParentOp()->hasAttr(fewTermsAttribute))
    return "; not if the sums have so few terms that sorting these costs less";
  if (op->getParentOp()->hasAttr(fewStepsAttribute))
    return "; not if that is done so few times that it costs less";
  if (op->getParentOp()->hasAttr(fewReadsAttribute))
    return "; not if the entries are few for its size";
  return "";
}

static StringRef exceptionFor(ta::ComputeOp part) {
  if (part->getParentOp()->hasAttr(fewEntriesAttribute))
    return "; not if entries are few for the size of dense temporaries";
  if (part->getParentOp()->hasAttr(heldZerosAttribute))
    return "; as a bitmap if a factor beside it holds infinity or NaN, or a divisor a zero";
  return "";
}

std::vector<OpNote> resolutionsIn(ModuleOp module) {
  std::vector<OpNote> notes;
  auto add = [&](Operation *op, const Twine &text) { notes.push_back({op, text.str()}); };
  auto format = [](Value value) { return formatInWords(cast<RankedTensorType>(value.getType())); };
  module.walk([&](Operation *op) {
    if (auto convert = dyn_cast<ta::ConvertOp>(op); convert && convert.getReason()) {
      if (!isOneOfTwo(convert))
        add(op, "'" + nameOf(convert.getTensor()) + "' is converted from " +
                    format(convert.getTensor()) + " to " + format(convert.getResult()) + ": " +
                    *convert.getReason() + exceptionFor(convert));
    } else if (auto compute = dyn_cast<ta::ComputeOp>(op);
               compute && compute.getReason() && !isOneOfTwo(compute)) {
      add(op, "'" + nameOf(compute.getResult()) + "' is computed first: " + *compute.getReason() +
                  exceptionFor(compute));
    } else if (auto reindex = dyn_cast<ta::GatherOp>(op); reindex && reindex.getReason()) {
      add(op, "'" + nameOf(reindex.getTensor()) + "': " + *reindex.getReason());
    } else if (auto fetch = dyn_cast<ta::FetchOp>(op);
               fetch && fetch.getReason() && fetch.comesFromCells()) {
      add(op, "'" + nameOf(fetch.getTensor()) + "' is fetched: " + *fetch.getReason());
    } else if (auto overlay = dyn_cast<ta::InsertPartOp>(op); overlay && overlay.getReason()) {
      add(op, "'" + nameOf(overlay.getWhole()) + "' is made anew: " + *overlay.getReason());
    }
  });
  return notes;
}

LogicalResult Session::transform(ModuleOp module, const ProgramOptions &options) {
  Stopwatch watch;
  if (options.deterministic)
    assume(module, Assumptions::Deterministic);
  PassManager passes(&context);
  addProgramPasses(passes, options);
  if (failed(passes.run(module)))
    return failure();
  times.program += watch.lap();
  return success();
}

LogicalResult Session::prepare(ModuleOp module, const ProgramOptions &options) {
  if (failed(transform(module, options)))
    return failure();
  for (const OpNote &one : resolutionsIn(module))
    note(one.text, placeOf(one.op));
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Diagnostics
//===------------------------------------------------------------------------------------------===//

// The word that stands at a place of one of our texts.
static SMRange rangeOf(Location location, const llvm::SourceMgr &sources) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return {};
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id) {
    const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(id);
    if (buffer->getBufferIdentifier() != place.getFilename().getValue())
      continue;
    SMLoc begin = const_cast<llvm::SourceMgr &>(sources).FindLocForLineAndColumn(
        id, place.getLine(), place.getColumn());
    if (!begin.isValid())
      return {};
    const char *end = begin.getPointer();
    while (end < buffer->getBufferEnd() && (llvm::isAlnum(*end) || *end == '_'))
      ++end;
    return {begin, SMLoc::getFromPointer(end)};
  }
  return {};
}

void Session::showDiagnostic(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Remark) {
    std::string place = placeOf(diagnostic.getLocation()), text = diagnostic.str();
    if (remarked.insert(place + ": " + text).second)
      note(text, place);
    return;
  }
  frontend::Diagnostics diagnostics(sources);
  SMRange range = rangeOf(diagnostic.getLocation(), sources);
  auto report = diagnostic.getSeverity() == DiagnosticSeverity::Error
                    ? diagnostics.error(range, diagnostic.str())
                    : diagnostics.warning(range, diagnostic.str());
  for (Diagnostic &about : diagnostic.getNotes())
    report.note(about.str(), rangeOf(about.getLocation(), sources));
  show(diagnostics);
}

static std::optional<std::string> orReported(runtime::Result<std::string> text) {
  if (text)
    return std::move(*text);
  if (!text.error().shown)
    fail(text.error().sentence());
  return std::nullopt;
}

std::optional<std::string> textAt(ProgramStage stage, ModuleOp program,
                                  const StageOptions &options) {
  return orReported(programAt(stage, program, options));
}

std::optional<std::string> pictureAt(ProgramStage stage, ModuleOp program,
                                     const StageOptions &options) {
  return orReported(page::pictureAt(stage, program, options, page::Ground::Own));
}

//===------------------------------------------------------------------------------------------===//
// What operations are called
//===------------------------------------------------------------------------------------------===//

} // namespace strata::tool

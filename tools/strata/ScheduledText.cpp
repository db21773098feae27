// Puts for each statement the commands that may say what was made of it into the text, and compiles
// that: only what gives the same program and the same kernels stays.
#include "ScheduledText.h"
#include "Messages.h"
#include "StatementCommands.h"

#include "strata/compile/ChosenSchedule.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/ValuesOps.h"
#include "strata/estimate/Forecast.h"
#include "strata/explain/Explain.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/ProgramNotes.h"
#include "strata/lower/ta/ShareStatements.h"
#include "strata/lower/ta/Ways.h"

#include "mlir/IR/Matchers.h"

#include <map>

using namespace mlir;

namespace strata::tool {
namespace {

std::optional<Place> placeIn(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  return place ? std::optional(Place(place.getLine(), place.getColumn())) : std::nullopt;
}

//===------------------------------------------------------------------------------------------===//
// What runs
//===------------------------------------------------------------------------------------------===//

// The kernels of a program, told what a run would tell them.
std::optional<std::vector<ProgramKernel>> kernelsOfRun(ModuleOp prepared, unsigned width) {
  std::optional<std::vector<ProgramKernel>> kernels = kernelsOf(mainOf(prepared), {.bits = width});
  Forecast forecast({});
  forecast.follow(mainOf(prepared));
  if (kernels)
    forecast.tell(*kernels);
  return kernels;
}

// Removes the names that texts give to values, which locations carry, and what schedules were
// chosen by.
void forgetNames(ModuleOp module) {
  auto unknown = UnknownLoc::get(module.getContext());
  module->walk([&](Operation *op) {
    op->setLoc(unknown);
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      function.setName("f");
      forgetPolicies(function);
    }
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        argument.setLoc(unknown);
  });
}

class Chooser {
public:
  Chooser(Session &session, StringRef name, const frontend::Parameters &parameters,
          const ProgramOptions &options, unsigned width)
      : session(session), name(name), parameters(parameters), options(options), width(width) {}

  // The program that a text becomes, before the passes; null if there is none.
  OwningOpRef<ModuleOp> read(StringRef text) {
    frontend::Diagnostics diagnostics(session.sources);
    return session.analyze(session.addText(text, name), parameters, diagnostics);
  }

  // The program without reasons and schedules, and all its kernels; empty after an error.
  std::string whatRuns(ModuleOp prepared) {
    std::string text;
    llvm::raw_string_ostream os(text);
    std::optional<std::vector<ProgramKernel>> kernels = kernelsOfRun(prepared, width);
    if (!kernels)
      return "";
    for (ProgramKernel &kernel : *kernels) {
      if (failed(lowerWithSchedule(*kernel.module)))
        return "";
      forgetNames(*kernel.module);
      os << *kernel.module;
    }
    OwningOpRef<ModuleOp> bare(prepared.clone());
    bare->walk([](Operation *op) {
      op->removeAttr("schedule");
      op->removeAttr("reason");
      op->removeAttr("fused");
    });
    forgetNames(*bare);
    (*bare)->removeAttr(ProgramNotes::attribute);
    os << *bare;
    return text;
  }

  bool runsTheSame(StringRef text, StringRef wanted) {
    ScopedDiagnosticHandler silent(&session.context, [](Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> program = read(text);
    return program && succeeded(session.transform(*program, options)) &&
           whatRuns(*program) == wanted;
  }

  Session &session;
  StringRef name;
  const frontend::Parameters &parameters;
  const ProgramOptions &options;
  unsigned width;
};

// Why the loops as they are written would not do; empty if they would.
std::string whyNotNaive(ModuleOp kernel) {
  OwningOpRef<ModuleOp> naive(kernel.clone());
  std::string why;
  ScopedDiagnosticHandler keep(kernel.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && why.empty())
      why = diagnostic.str();
  });
  naive->walk(
      [](ta::ComputeOp op) { op.setScheduleAttr(ta::ScheduleAttr::get(op.getContext(), {})); });
  if (succeeded(lowerWithSchedule(*naive)))
    return "";
  auto [general, particular] = StringRef(why).split(": ");
  return (particular.empty() ? general : particular).str();
}

void tell(Statement &statement, StringRef text) {
  if (!llvm::is_contained(statement.comments, text))
    statement.comments.push_back(text.str());
}

// The loops of the operation that a schedule is for, and what is to be said about them.
bool explainScheduled(Statement &statement, Way &way, ProgramKernel &kernel) {
  KernelLoops loops = explainLoopsOf(*kernel.module);
  if (loops.text.empty())
    return false;
  way.loops = loops.schedule;
  way.hasLoops = StringRef(loops.text).contains("for ");
  if (way.hasLoops && !loops.sequential.empty())
    tell(statement, "on one thread: " + loops.sequential);
  if (way.hasLoops && way.made.size() == 1 && statement.ways.size() == 1)
    if (std::string why = whyNotNaive(*kernel.module); !why.empty())
      tell(statement, "not the loops as they are written: " + why);
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

Statements statementsOf(ModuleOp written) {
  Statements statements;
  std::vector<std::pair<ta::ComputeOp, Place>> earlier;
  written.walk<WalkOrder::PreOrder>([&](ta::ComputeOp op) {
    std::optional<Place> place = placeIn(op.getLoc());
    if (!place)
      return WalkResult::skip();
    Statement &statement = statements[*place];
    statement.context = op.getContext();
    ++statement.written;
    statement.sums += countIn<ta::ReduceOp>(op);
    statement.selects += countIn<ta::SelectOp>(op);
    statement.isScheduled |= op.getScheduleAttr() != nullptr;
    statement.copies |= bool(copiedBy(op));
    statement.updates |= bool(op.getInit());
    statement.fills |= !op.getCombine() && matchPattern(op.getYielded(), m_Constant());
    for (Value input : op.getInputs())
      if (auto producer = input.getDefiningOp<ta::ComputeOp>())
        if (std::optional<Place> made = placeIn(producer.getLoc()))
          statement.reads.emplace_back(ta::operandName(op, input), *made);
    for (auto &[other, at] : earlier)
      if (!statement.twin && computeTheSame(other, op))
        statement.twin = {nameOf(other.getResult()), at};
    earlier.emplace_back(op, *place);
    return WalkResult::skip();
  });
  return statements;
}

// What the passes made of the statements, and what they say about it.
class Finder {
public:
  Finder(Statements &statements, ModuleOp prepared) : statements(statements), prepared(prepared) {}

  void run() {
    prepared.walk<WalkOrder::PreOrder>([&](Operation *op) { return find(op); });
    for (auto &[place, statement] : statements) {
      const auto &[both, first, second] = found[place];
      if (statement.branch)
        statement.ways = {together(both, first), together(both, second)};
      else if (!both.made.empty())
        statement.ways = {both};
      statement.hasMoreWays |=
          llvm::any_of(statement.ways, [](const Way &way) { return way.made.empty(); });
      for (const Way &way : statement.ways)
        for (ta::ComputeOp op : way.made)
          if (std::optional<ArrayAttr> fused = op.getFused())
            for (auto one : fused->getAsRange<StringAttr>())
              tell(statement, ("computed here, too: " + one.getValue()).str());
    }
    for (const OpNote &note : resolutionsIn(prepared))
      if (Statement *statement = statementOf(note.op))
        tell(*statement, note.text);
    for (const auto &[place, text] : ProgramNotes::all(prepared))
      if (Statement *statement = placedAt(place))
        tell(*statement, text);
  }

private:
  struct Found {
    Way both, first, second; ///< what is for two ways, or for one of them
  };

  Statement *placedAt(Location location) {
    std::optional<Place> place = placeIn(location);
    auto at = place ? statements.find(*place) : statements.end();
    return at == statements.end() ? nullptr : &at->second;
  }

  // What is made for a statement stands at one of its operands.
  Statement *statementOf(Operation *op) {
    if (Statement *own = placedAt(op->getLoc()))
      return own;
    for (Operation *user : op->getUsers())
      if (auto compute = dyn_cast<ta::ComputeOp>(user))
        return placedAt(compute.getLoc());
    return nullptr;
  }

  static Way together(const Way &both, const Way &own) {
    Way way = both;
    llvm::append_range(way.made, own.made);
    llvm::append_range(way.conversions, own.conversions);
    if (own.overValues)
      way.overValues = own.overValues;
    way.extracts |= own.extracts;
    way.hasParts |= own.hasParts;
    return way;
  }

  // The way of the statement to which an operation belongs.
  Way &wayOf(Statement &statement, Operation *op) {
    auto place = llvm::find_if(statements, [&](auto &one) { return &one.second == &statement; });
    Found &own = found[place->first];
    Way *way = &own.both;
    for (Operation *around = op->getParentOp(); around; around = around->getParentOp()) {
      const WayCondition *condition = llvm::find_if(
          wayConditions, [&](const WayCondition &one) { return around->hasAttr(one.attribute); });
      if (condition == std::end(wayConditions))
        continue;
      statement.hasMoreWays |= statement.branch && statement.branch != around;
      statement.branch = around;
      statement.condition = condition;
      bool isFirst = cast<ta::IfOp>(around).getBody().isAncestor(op->getParentRegion());
      way = isFirst ? &own.first : &own.second;
    }
    return *way;
  }

  WalkResult find(Operation *op) {
    if (isa<ta::ComponentOp>(op)) { // it stands where the whole is made
      for (Operation *reader : op->getUsers())
        if (Statement *reading = placedAt(reader->getLoc()))
          wayOf(*reading, reader).hasParts = true;
      return WalkResult::advance();
    }
    Statement *statement = statementOf(op);
    if (!statement || !isa<ta::ConvertOp, ta::WithValuesOp, ta::GatherOp, ta::ComputeOp>(op))
      return WalkResult::advance();
    Way &way = wayOf(*statement, op);
    if (auto convert = dyn_cast<ta::ConvertOp>(op); convert && convert.getReason())
      way.conversions.push_back(convert);
    if (auto with = dyn_cast<ta::WithValuesOp>(op))
      way.overValues = with.getResult();
    way.extracts |= isa<ta::GatherOp>(op);
    auto compute = dyn_cast<ta::ComputeOp>(op);
    if (!compute)
      return WalkResult::advance();
    way.made.push_back(compute);
    return WalkResult::skip();
  }

  Statements &statements;
  ModuleOp prepared;
  std::map<Place, Found> found;
};

bool explainLoops(Statements &statements, ModuleOp prepared, unsigned width) {
  std::optional<std::vector<ProgramKernel>> kernels = kernelsOfRun(prepared, width);
  if (!kernels)
    return false;
  for (auto &[place, statement] : statements)
    for (Way &way : statement.ways)
      for (ProgramKernel &kernel : *kernels)
        if (!way.made.empty() && kernel.statement == way.scheduled() &&
            !explainScheduled(statement, way, kernel))
          return false;
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Text
//===------------------------------------------------------------------------------------------===//

// Where the ';' of the statement stands that begins at `begin`; nothing if there is none.
std::optional<size_t> endOfStatement(StringRef text, size_t begin) {
  bool quoted = false;
  for (size_t at = begin; at < text.size(); ++at) {
    if (text[at] == '"')
      quoted = !quoted;
    else if (!quoted && text[at] == '#')
      at = std::min(text.find('\n', at), text.size());
    else if (!quoted && text[at] == ';')
      return at;
  }
  return std::nullopt;
}

// Why a statement has no schedule in the text; empty if it has one, or needs none.
std::string whyUnsaid(const Statement &statement, const Statements &statements) {
  bool isOneNumber =
      statement.ways.size() == 1 && statement.ways[0].made.size() == 1 && !statement.hasLoops();
  if (statement.isScheduled || statement.isSaid() || isOneNumber || statement.fills)
    return "";
  if (statement.copies)
    return "a copy, whose way depends on how many entries there are";
  if (statement.written > 1)
    return "computed in several ways, as the calls around it ask for";
  if (statement.ways.empty()) {
    const Statement *other = statement.consumer;
    if (statement.twin)
      other = &statements.find(statement.twin->second)->second;
    return other && (other->isScheduled || other->isSaid() || !other->hasLoops())
               ? ""
               : "computed in the same loops as other statements";
  }
  if (statement.branch)
    return "computed in one of several ways, which the run decides";
  return "no schedule says this";
}

std::string textWith(StringRef source, const Statements &statements) {
  SmallVector<StringRef> lines;
  source.split(lines, '\n');
  std::vector<std::pair<size_t, std::string>> inserted;
  for (const auto &[place, statement] : statements) {
    auto [line, column] = place;
    if (line == 0 || line > lines.size())
      continue;
    size_t lineStart = lines[line - 1].data() - source.data(), begin = lineStart + column - 1;
    StringRef indentation = lines[line - 1].take_front(column - 1);
    if (statement.isScheduled)
      continue;
    std::vector<std::string> comments = statement.comments;
    if (std::string why = whyUnsaid(statement, statements); !why.empty())
      comments.insert(comments.begin(), why);
    std::string above;
    for (const std::string &comment : comments)
      above += indentation.str() + "# " + comment + "\n";
    if (indentation.trim().empty() && !above.empty())
      inserted.emplace_back(lineStart, above);
    std::optional<size_t> end = endOfStatement(source, begin);
    if (end && statement.isSaid())
      inserted.emplace_back(*end, " schedule { " + statement.choices[statement.choice] + "}");
  }
  llvm::sort(inserted);
  std::string text;
  size_t done = 0;
  for (const auto &[at, what] : inserted) {
    text += source.slice(done, at).str() + what;
    done = at;
  }
  return text + source.drop_front(done).str();
}

} // namespace

std::optional<std::string> scheduledText(Session &session, StringRef file,
                                         const frontend::Parameters &parameters,
                                         const ProgramOptions &options, unsigned width) {
  std::optional<unsigned> id = session.open(file);
  if (!id)
    return std::nullopt;
  StringRef source = session.sources.getMemoryBuffer(*id)->getBuffer();
  frontend::Diagnostics diagnostics(session.sources);
  OwningOpRef<ModuleOp> program = session.analyze(*id, parameters, diagnostics);
  show(diagnostics);
  Chooser chooser(session, session.sources.getMemoryBuffer(*id)->getBufferIdentifier(), parameters,
                  options, width);
  if (!program)
    return std::nullopt;
  OwningOpRef<ModuleOp> written(program->clone());
  shareNumbers(*written);
  Statements statements = statementsOf(*written);
  if (failed(session.transform(*program, options)))
    return std::nullopt;
  Finder(statements, *program).run();
  if (!explainLoops(statements, *program, width))
    return std::nullopt;
  std::string wanted = chooser.whatRuns(*program);
  for (auto &[place, statement] : statements)
    findChoices(statement, statements, options.forbidden.contains(Resolution::Packing));
  auto fits = [&] { return chooser.runsTheSame(textWith(source, statements), wanted); };
  if (fits())
    return textWith(source, statements);
  // Some statement cannot be said so: one after the other, first those that are what others are,
  // for only as long as neither is said are the two equal.
  for (auto &[place, statement] : statements)
    statement.choice = statement.choices.size();
  for (bool isEmpty : {true, false})
    for (auto &[place, statement] : statements)
      if (statement.ways.empty() == isEmpty)
        for (statement.choice = 0; statement.isSaid() && !fits(); ++statement.choice)
          ;
  return textWith(source, statements);
}

} // namespace strata::tool

// Derives for each statement the commands that say what was made of it (convert, materialize,
// separate, and those that lead to its loops), puts them into the text, and compiles that: only
// what gives the same program and the same kernels stays.
#include "ScheduledText.h"
#include "Messages.h"

#include "strata/compile/ChosenSchedule.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/dialect/ta/ValuesOps.h"
#include "strata/estimate/Forecast.h"
#include "strata/explain/Explain.h"
#include "strata/lower/analysis/HeldZeros.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/ProgramNotes.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace strata::tool {
namespace {

// Line and column: statements begin at different ones.
using Place = std::pair<unsigned, unsigned>;

std::optional<Place> placeIn(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  return place ? std::optional(Place(place.getLine(), place.getColumn())) : std::nullopt;
}

// A statement of the text, and what was made of it.
struct Statement {
  unsigned written = 0; ///< how many operations it is before the passes
  unsigned sums = 0;    ///< in these
  bool scheduled = false, copies = false;
  SmallVector<ta::ComputeOp> made; ///< the last one gives its result
  SmallVector<ta::ConvertOp> conversions;
  Value overValues; ///< the result, if it is another one's storage with new values
  bool inTwoWays = false, joins = false, hasLoops = false;
  std::vector<std::string> comments;
  std::string loops;                ///< commands that lead to the loops of the last one
  SmallVector<std::string> choices; ///< schedules that may say all, the fullest one first
  unsigned choice = 0;              ///< the one to try; behind the last: none
};

using Statements = llvm::MapVector<Place, Statement>;

//===------------------------------------------------------------------------------------------===//
// Commands
//===------------------------------------------------------------------------------------------===//

std::string commandText(MLIRContext *context, StringRef name, ArrayRef<std::string> words) {
  SmallVector<Attribute> arguments;
  for (StringRef word : words)
    arguments.push_back(StringAttr::get(context, word));
  return ta::commandText(ta::CommandAttr::get(context, name, arguments)) + "; ";
}

// A tensor that is computed before the statement.
std::string materializeText(ta::ComputeOp part) {
  Value value = part.getYielded();
  if (auto sum = value.getDefiningOp<ta::ReduceOp>())
    value = sum.getYielded();
  std::string format = ta::formatName(cast<RankedTensorType>(part.getResult().getType()));
  return commandText(part.getContext(), "materialize",
                     {ta::valueText(part, value), nameOf(part.getResult()), format});
}

// The operand that an operation reads by a conversion, or, where it reads it as it is stored, too,
// the places at which it reads the copy.
std::vector<std::string> convertedIn(ta::ComputeOp op, ta::ConvertOp convert) {
  if (!llvm::is_contained(op.getInputs(), convert.getTensor()))
    return {nameOf(convert.getTensor())};
  std::vector<std::string> places;
  op.getBody().walk([&](ta::AccessOp access) {
    std::string place = ta::valueText(op, access);
    if (access.getTensor() == convert.getResult() && !llvm::is_contained(places, place))
      places.push_back(place);
  });
  return places;
}

// The conversions of the last operation's operands and of its result.
std::string conversionsText(const Statement &statement) {
  std::string text;
  ta::ComputeOp last = statement.made.back();
  for (ta::ConvertOp convert : statement.conversions) {
    bool after = convert.getTensor() == last.getResult();
    if (!after && !llvm::is_contained(last.getInputs(), convert.getResult()))
      continue;
    Value stored = after ? convert.getTensor() : convert.getResult();
    std::string format = ta::formatName(cast<RankedTensorType>(stored.getType()));
    for (const std::string &name : convertedIn(last, convert))
      text += commandText(last.getContext(), "convert", {name, format});
  }
  return text;
}

unsigned sumsIn(ta::ComputeOp op) {
  unsigned count = 0;
  op.getBody().walk([&](ta::ReduceOp) { ++count; });
  return count;
}

// Tells whether the vector that an operation computes is the values of a storage.
bool makesValues(ta::ComputeOp op) {
  return llvm::any_of(op.getResult().getUsers(), llvm::IsaPred<ta::WithValuesOp>);
}

// `transposes` says whether contractions are computed by transposes and products of matrices.
void findChoices(Statement &statement, bool transposes) {
  bool known = statement.hasLoops && statement.written == 1 && !statement.scheduled &&
               !statement.copies && !statement.inTwoWays && !statement.joins &&
               !statement.made.empty();
  if (!known)
    return;
  MLIRContext *context = statement.made.back().getContext();
  std::string parts, rest = conversionsText(statement) + statement.loops;
  if (statement.overValues)
    rest = commandText(context, "assemble", {nameOf(statement.overValues), "Inherit"});
  else if (!statement.loops.empty())
    rest += "; ";
  unsigned sums = 0;
  for (ta::ComputeOp part : statement.made) {
    sums += sumsIn(part);
    if (part != statement.made.back() && !makesValues(part))
      parts += materializeText(part);
  }
  SmallVector<std::string> texts;
  if (!parts.empty() && transposes)
    texts.push_back(commandText(context, "ttgt", {}) + rest);
  if (!parts.empty())
    texts.push_back(parts + rest);
  texts.push_back(rest);
  for (const std::string &text : texts) {
    if (sums > statement.sums && !statement.overValues)
      statement.choices.push_back(commandText(context, "separate", {}) + text);
    statement.choices.push_back(text);
  }
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

// The loops of a statement's last operation, and what is to be said about them.
bool explainLast(Statement &statement, ProgramKernel &kernel) {
  KernelLoops loops = explainLoopsOf(*kernel.module);
  if (loops.text.empty())
    return false;
  statement.loops = loops.schedule;
  statement.hasLoops = StringRef(loops.text).contains("for ");
  if (statement.hasLoops && !loops.sequential.empty())
    statement.comments.push_back("on one thread: " + loops.sequential);
  if (statement.hasLoops && statement.made.size() == 1)
    if (std::string why = whyNotNaive(*kernel.module); !why.empty())
      statement.comments.push_back("not the loops as they are written: " + why);
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Statements
//===------------------------------------------------------------------------------------------===//

Statements statementsOf(ModuleOp written) {
  Statements statements;
  written.walk<WalkOrder::PreOrder>([&](ta::ComputeOp op) {
    if (std::optional<Place> place = placeIn(op.getLoc())) {
      Statement &statement = statements[*place];
      ++statement.written;
      statement.sums += sumsIn(op);
      statement.scheduled |= op.getScheduleAttr() != nullptr;
      statement.copies |= bool(copiedBy(op));
    }
    return WalkResult::skip();
  });
  return statements;
}

// What the passes made of the statements, and what they say about it.
void findMade(Statements &statements, ModuleOp prepared) {
  auto placedAt = [&](Location location) -> Statement * {
    std::optional<Place> place = placeIn(location);
    auto at = place ? statements.find(*place) : statements.end();
    return at == statements.end() ? nullptr : &at->second;
  };
  // What is made for a statement stands at one of its operands.
  auto statementOf = [&](Operation *op) -> Statement * {
    if (Statement *own = placedAt(op->getLoc()))
      return own;
    for (Operation *user : op->getUsers())
      if (auto compute = dyn_cast<ta::ComputeOp>(user))
        return placedAt(compute.getLoc());
    return nullptr;
  };
  // Of two ways that is the one for factors that are not finite, which schedules leave out.
  auto keepsAbsent = [](Operation *op) {
    auto branch = dyn_cast<ta::IfOp>(op->getParentOp());
    return branch && branch->hasAttr(heldZerosAttribute) &&
           branch.getBody().isAncestor(op->getParentRegion());
  };
  prepared.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ta::ComponentOp>(op)) { // it stands where the whole is made
      for (Operation *reader : op->getUsers())
        if (Statement *reading = placedAt(reader->getLoc()))
          reading->joins = true;
      return WalkResult::advance();
    }
    Statement *statement = statementOf(op);
    if (!statement)
      return WalkResult::advance();
    if (keepsAbsent(op))
      return WalkResult::skip();
    for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
      statement->inTwoWays |= around->hasAttr(fewTermsAttribute);
    if (auto convert = dyn_cast<ta::ConvertOp>(op); convert && convert.getReason())
      statement->conversions.push_back(convert);
    if (auto with = dyn_cast<ta::WithValuesOp>(op))
      statement->overValues = with.getResult();
    statement->joins |= isa<ta::GatherOp, ta::InsertPartOp>(op);
    auto compute = dyn_cast<ta::ComputeOp>(op);
    if (!compute)
      return WalkResult::advance();
    statement->made.push_back(compute);
    statement->joins |= compute.getFused().has_value();
    return WalkResult::skip();
  });
  auto tell = [](Statement *statement, StringRef text) {
    if (statement && !llvm::is_contained(statement->comments, text))
      statement->comments.push_back(text.str());
  };
  for (const OpNote &note : resolutionsIn(prepared))
    tell(statementOf(note.op), note.text);
  for (const auto &[place, text] : ProgramNotes::all(prepared))
    tell(placedAt(place), text);
}

bool explainLoops(Statements &statements, ModuleOp prepared, unsigned width) {
  std::optional<std::vector<ProgramKernel>> kernels = kernelsOfRun(prepared, width);
  if (!kernels)
    return false;
  for (auto &[place, statement] : statements)
    for (ProgramKernel &kernel : *kernels)
      if (!statement.made.empty() && kernel.statement == statement.made.back() &&
          !explainLast(statement, kernel))
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
std::string whyUnsaid(const Statement &statement) {
  bool isOneNumber = statement.made.size() == 1 && !statement.hasLoops;
  if (statement.scheduled || statement.choice < statement.choices.size() || isOneNumber)
    return "";
  if (statement.copies)
    return "a copy, whose way depends on how many entries there are";
  if (statement.written > 1)
    return "computed in several ways, as the calls around it ask for";
  if (statement.made.empty() ||
      llvm::any_of(statement.made, [](ta::ComputeOp op) { return op.getFused().has_value(); }))
    return "computed in the same loops as other statements";
  if (statement.inTwoWays)
    return "computed in one of two ways: which one is decided by how many terms there are";
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
    if (statement.scheduled)
      continue;
    std::vector<std::string> comments = statement.comments;
    if (std::string why = whyUnsaid(statement); !why.empty())
      comments.insert(comments.begin(), why);
    std::string above;
    for (const std::string &comment : comments)
      above += indentation.str() + "# " + comment + "\n";
    if (indentation.trim().empty() && !above.empty())
      inserted.emplace_back(lineStart, above);
    std::optional<size_t> end = endOfStatement(source, begin);
    if (end && statement.choice < statement.choices.size())
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
  Statements statements = statementsOf(*program);
  if (failed(session.transform(*program, options)))
    return std::nullopt;
  findMade(statements, *program);
  if (!explainLoops(statements, *program, width))
    return std::nullopt;
  std::string wanted = chooser.whatRuns(*program);
  for (auto &[place, statement] : statements)
    findChoices(statement, options.forbidden.contains(Resolution::Packing));
  auto fits = [&] { return chooser.runsTheSame(textWith(source, statements), wanted); };
  if (fits())
    return textWith(source, statements);
  // Some statement cannot be said so: one after the other.
  for (auto &[place, statement] : statements)
    statement.choice = statement.choices.size();
  for (auto &[place, statement] : statements)
    for (statement.choice = 0; statement.choice < statement.choices.size(); ++statement.choice)
      if (fits())
        break;
  return textWith(source, statements);
}

} // namespace strata::tool

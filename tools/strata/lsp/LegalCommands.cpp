// Cuts the text off behind the commands before the place, compiles it, and appends one candidate
// after the other to the schedule of its kernel: those about tensors to that of the program.
#include "lsp/LegalCommands.h"
#include "lsp/Plan.h"

#include "strata/compile/ChosenSchedule.h"
#include "strata/dialect/cin/Cin.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/frontend/Lexer.h"
#include "strata/frontend/Parser.h"
#include "strata/frontend/TaFormats.h"
#include "strata/frontend/TaSchedules.h"
#include "strata/schedule/Commands.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
namespace json = llvm::json;

namespace strata::tool {

using frontend::Token;

// A word with its offsets in the text.
struct PlacedToken : Token {
  size_t begin, end;
};

static std::vector<PlacedToken> tokensOf(StringRef text) {
  llvm::SourceMgr sources;
  unsigned id =
      sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "text"), llvm::SMLoc());
  frontend::Diagnostics silent(sources);
  StringRef copy = sources.getMemoryBuffer(id)->getBuffer();
  frontend::Lexer lexer(copy, silent);
  std::vector<PlacedToken> tokens;
  for (Token token = lexer.next(); !token.is(Token::Kind::End); token = lexer.next()) {
    size_t begin = size_t(token.text.data() - copy.data());
    token.text = text.substr(begin, token.text.size());
    tokens.push_back({token, begin, begin + token.text.size()});
  }
  return tokens;
}

// The brace that closes what stands before `first`, of a schedule that a function's end or the next
// function may leave open.
static std::optional<size_t> closingBrace(llvm::ArrayRef<PlacedToken> tokens, size_t first) {
  unsigned depth = 0;
  for (const PlacedToken &token : tokens.drop_front(first)) {
    if (token.isName("def"))
      return std::nullopt;
    if (token.is(Token::Kind::LeftBrace))
      ++depth;
    else if (token.is(Token::Kind::RightBrace) && depth-- == 0)
      return token.begin;
  }
  return std::nullopt;
}

// What is begun before `place.wordBegin`, by the words of the schedule up to there.
static void readCommand(llvm::ArrayRef<PlacedToken> tokens, SchedulePlace &place) {
  unsigned parentheses = 0, braces = 0;
  for (const PlacedToken &token : tokens) {
    if (token.is(Token::Kind::Name) && parentheses == 0) {
      place.command = token.text.str();
      place.argument = 0;
    }
    parentheses += token.is(Token::Kind::LeftParen);
    if (token.is(Token::Kind::RightParen) && parentheses > 0)
      --parentheses;
    if (parentheses == 0 && !token.is(Token::Kind::Name))
      place.command.clear();
    braces += token.is(Token::Kind::LeftBrace);
    if (token.is(Token::Kind::RightBrace) && braces > 0)
      --braces;
    if (token.is(Token::Kind::Comma) && parentheses == 1 && braces == 0)
      ++place.argument;
  }
  place.inArguments = parentheses > 0;
}

std::optional<SchedulePlace> schedulePlaceAt(StringRef text, size_t offset) {
  std::vector<PlacedToken> tokens = tokensOf(text);
  size_t next = 0; // the first word that does not end before the place
  std::optional<size_t> open;
  unsigned depth = 0;
  for (; next < tokens.size() && tokens[next].end <= offset; ++next) {
    bool opens = tokens[next].is(Token::Kind::LeftBrace);
    if (opens && !open && next > 0 && tokens[next - 1].isName("schedule")) {
      open = next;
      depth = 0;
    } else if (open && opens) {
      ++depth;
    } else if (open && tokens[next].is(Token::Kind::RightBrace) && depth-- == 0) {
      open.reset();
    }
  }
  if (!open)
    return std::nullopt;
  SchedulePlace place;
  place.open = tokens[*open].end;
  place.wordBegin = offset;
  place.close = closingBrace(tokens, next);
  size_t last = next; // behind the last word before the one that is begun
  if (next > *open + 1 && tokens[next - 1].end == offset && tokens[next - 1].is(Token::Kind::Name))
    last = next - 1;
  else if (next < tokens.size() && tokens[next].begin < offset)
    place.wordBegin = tokens[next].begin;
  if (last < next)
    place.wordBegin = tokens[last].begin;
  readCommand(llvm::ArrayRef(tokens).slice(*open + 1, last - *open - 1), place);
  return place;
}

namespace {

class Trial {
public:
  Trial(Session &session, const LineText &text, const std::string &name, const SchedulePlace &place,
        std::chrono::milliseconds limit)
      : session(session), name(name), end(std::chrono::steady_clock::now() + limit) {
    StringRef whole = text.text(), before = whole.take_front(place.wordBegin);
    // The brace that closes the schedule, or the semicolon behind it, may not be there yet.
    if (place.close) {
      StringRef rest = whole.drop_front(*place.close + 1);
      cuts = {(before + " }" + rest).str(), (before + " };" + rest).str()};
    }
    size_t end = before.size();
    while (end < whole.size() && (llvm::isAlnum(whole[end]) || whole[end] == '_'))
      ++end;
    cuts.push_back((before + " };" + whole.drop_front(end)).str());
    scheduleAt = place.open;
  }

  LegalCommands run() {
    ScopedDiagnosticHandler keep(&session.context, [&](Diagnostic &diagnostic) {
      refused |= StringRef(diagnostic.str()).contains("' is not possible: ");
      return success();
    });
    if (!llvm::any_of(cuts, [&](const std::string &cut) { return analyze(cut); }))
      return {};
    program->walk([&](ta::ComputeOp op) {
      if (isWanted(op))
        result = nameOf(op.getResult());
    });
    OwningOpRef<ModuleOp> prepared(program->clone());
    OwningOpRef<ModuleOp> kernel = kernelIn(*prepared);
    if (kernel)
      tryOnKernel(*kernel);
    tryOnProgram();
    return std::move(legal);
  }

private:
  // Finds the program, of those that a text has, with the statement of the schedule.
  bool analyze(const std::string &text) {
    frontend::Diagnostics diagnostics(session.sources);
    buffer = session.addText(text, name);
    tree = frontend::parseProgram(buffer, diagnostics);
    if (diagnostics.hasErrors())
      return false;
    for (const frontend::Program &one :
         analyzeAll(tree, parametersOf(text), frontend::TaFormats(&session.context), diagnostics)) {
      program = session.emit(one, diagnostics);
      if (std::optional<std::pair<unsigned, unsigned>> place = placeOfStatement()) {
        wanted = *place;
        return true;
      }
    }
    return false;
  }

  // Line and column of the operations of the statement whose schedule it is.
  std::optional<std::pair<unsigned, unsigned>> placeOfStatement() {
    if (!program)
      return std::nullopt;
    std::optional<std::pair<unsigned, unsigned>> found;
    const char *at = session.sources.getMemoryBuffer(buffer)->getBufferStart() + scheduleAt;
    program->walk([&](ta::ComputeOp op) {
      auto place = op.getLoc()->findInstanceOf<FileLineColLoc>();
      if (!place || !op.getScheduleAttr())
        return;
      std::pair position(place.getLine(), place.getColumn());
      llvm::SMLoc begin =
          session.sources.FindLocForLineAndColumn(buffer, position.first, position.second);
      if (begin.isValid() && begin.getPointer() <= at && (!found || position > *found))
        found = position;
    });
    return found;
  }

  bool isWanted(ta::ComputeOp op) const {
    auto place = op.getLoc()->findInstanceOf<FileLineColLoc>();
    return place && std::pair(place.getLine(), place.getColumn()) == wanted;
  }

  // The kernel of the statement in a program, which is prepared for it; null if there is none.
  OwningOpRef<ModuleOp> kernelIn(ModuleOp module) {
    if (failed(session.transform(module, {})))
      return nullptr;
    std::optional<std::vector<ProgramKernel>> kernels = kernelsOf(mainOf(module), {});
    OwningOpRef<ModuleOp> found;
    if (kernels)
      for (ProgramKernel &kernel : *kernels)
        if (isWanted(kernel.statement))
          found = std::move(kernel.module);
    return found;
  }

  static void append(ModuleOp module, ta::CommandAttr command,
                     llvm::function_ref<bool(ta::ComputeOp)> toOp) {
    module.walk([&](ta::ComputeOp op) {
      if (!toOp(op))
        return;
      SmallVector<ta::CommandAttr> commands;
      if (ta::ScheduleAttr schedule = op.getScheduleAttr())
        commands.assign(schedule.getCommands().begin(), schedule.getCommands().end());
      commands.push_back(command);
      op.setScheduleAttr(ta::ScheduleAttr::get(op.getContext(), commands));
    });
  }

  bool late() {
    if (std::chrono::steady_clock::now() < end)
      return false;
    legal.complete = false;
    return true;
  }

  // The command as it would stand in a program; null of what is none.
  ta::CommandAttr read(const std::string &text) {
    frontend::Diagnostics silent(session.sources);
    std::optional<frontend::ast::Schedule> schedule =
        frontend::parseSchedule(session.addText(text, "<candidate>"), silent);
    if (!schedule || schedule->commands.size() != 1)
      return nullptr;
    return frontend::emitSchedule(&session.context, *schedule).getCommands().front();
  }

  // The loops that there are so far.
  std::vector<std::string> loopsOf(ModuleOp kernel) {
    OwningOpRef<ModuleOp> copy(kernel.clone());
    PassManager passes(&session.context);
    addKernelPasses(passes, Stage::Cin);
    std::vector<std::string> loops;
    if (succeeded(passes.run(*copy)))
      copy->walk<WalkOrder::PreOrder>([&](cin::ForallOp loop) {
        if (!llvm::is_contained(loops, loop.getName()))
          loops.push_back(loop.getName().str());
      });
    if (loops.empty())
      kernel.walk([&](Operation *op) {
        if (auto names = op->getAttrOfType<ArrayAttr>("names"))
          for (Attribute label : names)
            if (auto text = dyn_cast<StringAttr>(label))
              loops.push_back(text.str());
      });
    return loops;
  }

  std::vector<std::string> operandsOf(ModuleOp kernel) {
    std::vector<std::string> tensors;
    kernel.walk([&](ta::ComputeOp op) {
      for (Value input : op.getInputs())
        if (std::string tensor = ta::operandName(op, input); !llvm::is_contained(tensors, tensor))
          tensors.push_back(tensor);
    });
    return tensors;
  }

  // A name that nothing has yet.
  std::string fresh(const std::string &base) const {
    std::string text = base;
    while (llvm::is_contained(taken, text))
      text += "x";
    return text;
  }

  std::vector<std::string> candidates(ModuleOp kernel) {
    std::vector<std::string> loops = loopsOf(kernel), tensors = operandsOf(kernel);
    taken = loops;
    llvm::append_range(taken, tensors);
    std::vector<std::string> list;
    auto add = [&](const Twine &text) { list.push_back(text.str()); };
    std::vector<std::string> order = loops;
    llvm::sort(order);
    if (loops.size() > 1 && loops.size() <= 4) {
      do
        if (order != loops)
          add("reorder(" + llvm::join(order, ", ") + ")");
      while (std::next_permutation(order.begin(), order.end()));
    }
    if (loops.size() > 2)
      add("contract(" + llvm::join(loops, ", ") + ")");
    for (const std::string &i : loops)
      add("parallelize(" + i + ", CPUThread, NoRaces)");
    for (const std::string &i : loops) {
      add("split(" + i + ", " + fresh(i + "o") + ", " + fresh(i + "i") + ", 32)");
      add("vectorize(" + i + ", 8)");
      add("unroll(" + i + ", 4)");
    }
    for (const std::string &i : loops)
      for (const std::string &t : tensors) {
        add("locate(" + i + ", " + t + ")");
        add("pos(" + i + ", " + fresh(i + "p") + ", " + t + ")");
      }
    for (auto [at, i] : llvm::enumerate(loops))
      if (at + 1 < loops.size()) {
        const std::string &j = loops[at + 1];
        add("collapse(" + i + ", " + j + ")");
        add("fuse(" + i + ", " + j + ", " + fresh(i + j) + ")");
        add("tile(" + i + ", " + j + ", " + fresh(i + "o") + ", " + fresh(j + "o") + ", " +
            fresh(i + "i") + ", " + fresh(j + "i") + ", 32, 32)");
      }
    for (const std::string &i : loops) {
      add("divide(" + i + ", " + fresh(i + "o") + ", " + fresh(i + "i") + ", 4)");
      add("mergeby(" + i + ", Gallop)");
      add("assume(" + i + ", 32)");
      add("bound(" + i + ", " + fresh(i + "b") + ", 32, MaxExact)");
      add("parallelize(" + i + ", CPUThread, Temporary)");
      add("parallelize(" + i + ", CPUThread, Atomics)");
      for (const std::string &t : tensors)
        add("precompute(" + t + ", {" + i + "}, {" + fresh(i + "w") + "})");
    }
    for (StringRef way : {"Append", "Insert", "Gather", "Inherit"})
      add("assemble(" + result + ", " + way + ")");
    return list;
  }

  void tryOnKernel(ModuleOp kernel) {
    refused = false;
    OwningOpRef<ModuleOp> plain(kernel.clone());
    const bool baseCompiles = succeeded(lowerWithSchedule(*plain));
    for (const std::string &text : candidates(kernel)) {
      if (late())
        return;
      ta::CommandAttr command = read(text);
      if (!command)
        continue;
      OwningOpRef<ModuleOp> copy(kernel.clone());
      append(*copy, command, [](ta::ComputeOp) { return true; });
      refused = false;
      // Where the loops so far cannot run, a command is a step towards those that can.
      if (succeeded(lowerWithSchedule(*copy)) || (!baseCompiles && !refused))
        legal.commands.push_back(text);
    }
  }

  // Commands about the tensors of a program, and the cells of its machines.
  void tryOnProgram() {
    std::vector<std::string> texts;
    std::vector<std::pair<std::string, int64_t>> tensors;
    program->walk([&](ta::ComputeOp op) {
      if (isWanted(op))
        for (Value input : op.getInputs())
          tensors.emplace_back(nameOf(input), cast<RankedTensorType>(input.getType()).getRank());
    });
    static constexpr StringRef ofMatrices[] = {"CSR", "CSC", "COO", "Dense"};
    static constexpr StringRef ofOthers[] = {"CSF", "COO", "Dense"};
    for (const auto &[tensor, order] : tensors)
      for (StringRef format : order == 2 ? ArrayRef(ofMatrices) : ArrayRef(ofOthers))
        texts.push_back("convert(" + tensor + ", " + format.str() + ")");
    for (StringRef command : {"ttgt", "separate", "fold", "extract", "accumulate"})
      texts.push_back(command.str() + "()");
    if (!tree.machines.empty())
      for (const std::string &label : taken)
        texts.push_back("distribute(" + label + ")");
    for (const std::string &text : texts) {
      if (late())
        return;
      ta::CommandAttr command = read(text);
      if (!command)
        continue;
      OwningOpRef<ModuleOp> copy(program->clone());
      append(*copy, command, [&](ta::ComputeOp op) { return isWanted(op); });
      OwningOpRef<ModuleOp> kernel = kernelIn(*copy);
      if (kernel && succeeded(lowerWithSchedule(*kernel)))
        legal.commands.push_back(text);
    }
  }

  Session &session;
  const std::string &name;
  std::chrono::steady_clock::time_point end;
  std::vector<std::string> cuts; ///< texts without what stands behind the place in the schedule
  size_t scheduleAt = 0;
  unsigned buffer = 0;
  frontend::ast::Module tree;
  OwningOpRef<ModuleOp> program;
  std::pair<unsigned, unsigned> wanted;
  std::vector<std::string> taken; ///< names of loops and tensors
  std::string result;
  bool refused = false; ///< a command, as was said
  LegalCommands legal;
};

} // namespace

std::string legalCommandsText(Session &session, const LineText &text, const std::string &name,
                              const SchedulePlace &place, std::chrono::milliseconds limit) {
  LegalCommands legal = Trial(session, text, name, place, limit).run();
  json::Array commands;
  for (const std::string &command : legal.commands)
    commands.push_back(command);
  return llvm::formatv("{0}", json::Value(json::Object{{"commands", std::move(commands)},
                                                       {"complete", legal.complete}}))
      .str();
}

LegalCommands readLegalCommands(StringRef text) {
  LegalCommands legal;
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return {{}, false};
  }
  if (const json::Object *object = value->getAsObject()) {
    legal.complete = object->getBoolean("complete").value_or(false);
    if (const json::Array *commands = object->getArray("commands"))
      for (const json::Value &command : *commands)
        legal.commands.push_back(command.getAsString().value_or("").str());
  }
  return legal;
}

} // namespace strata::tool

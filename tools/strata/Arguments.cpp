// Taking arguments apart, with what LLVM's option tables know.
#include "Arguments.h"
#include "Help.h"
#include "Messages.h"
#include "SettingOptions.h"

#include "strata/frontend/Suggest.h"
#include "strata/runtime/Variables.h"
#include "strata/tensor/Quantities.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace strata::tool {

// The option that is closest to an unknown one: by spelling, or by a word of it, as -time to
// -print-time. Empty if none is.
static std::string closestOption(const opt::OptTable &table, StringRef option, bool oneDash) {
  std::string nearest;
  if (table.findNearest(option, nearest, opt::Visibility(), /*MinimumLength=*/3) <= 2)
    return nearest;
  SmallVector<StringRef> words;
  option.ltrim('-').split('=').first.split(words, '-');
  for (StringRef word : llvm::reverse(words))
    for (unsigned id = 1; words.size() > 1 && id <= table.getNumOptions(); ++id)
      if (word.size() > 1 && table.getOptionName(id) == word)
        return ((oneDash ? "-" : "--") + word).str();
  return "";
}

// Of an option that the command does not know.
static int refuseUnknown(const Command &command, StringRef option) {
  bool statement = command.name.empty();
  StringRef word = option.ltrim('-').split('=').first;
  if (command.input == "PROGRAM" && (word == "s" || word == "schedule"))
    return refuse("'" + option +
                      "' is for a statement on the command line: the schedule of a "
                      "program's statement belongs in the program",
                  "write it behind the statement: C[i, k] = A[i, j] * B[j, k] schedule { "
                  "reorder(i, k, j); };");
  std::string closest = closestOption(command.options(), option, statement);
  std::string help =
      statement ? "strata help statement" : ("strata " + command.name + " --help").str();
  return refuse("unknown option '" + option + "'", closest.empty()
                                                       ? "'" + help + "' lists the options"
                                                       : "did you mean '" + closest + "'?");
}

// COMET's options for what Strata has not.
static bool asksForGpu(const opt::Arg &arg) {
  StringRef name = arg.getOption().getPrefixedName();
  return name == "--convert-to-triton" || name == "--emit-triton" ||
         (name == "--target=" && StringRef(arg.getValue()) != "CPU");
}

// `-f -i=A:m.mtx`: what was meant to be another option is no value.
static bool takesOptionAsValue(const opt::Arg &arg, ArrayRef<const char *> arguments) {
  unsigned next = arg.getIndex() + 1;
  if (arg.getNumValues() != 1 || next >= arguments.size() || arg.getValue() != arguments[next])
    return false;
  StringRef value = arg.getValue();
  return value.size() > 1 && value[0] == '-' && (isAlpha(value[1]) || value[1] == '-');
}

Arguments parseArguments(const Command &command, ArrayRef<const char *> typed) {
  unsigned missingIndex = 0, missingCount = 0;
  std::vector<const char *> arguments =
      settingArguments(command, command.options().ParseArgs(typed, missingIndex, missingCount));
  llvm::append_range(arguments, typed);
  Arguments result{command.options().ParseArgs(arguments, missingIndex, missingCount), {}};
  for (const opt::Arg *arg : result.list) {
    StringRef name = arg->getOption().getPrefixedName();
    if (name == "--help")
      result.exitCode = printHelp(command);
    else if (name == "--version")
      result.exitCode = printVersion();
    else if (name == "--cpu=" && StringRef(arg->getValue()) == "help")
      result.exitCode = printProcessors();
    else if (name == "--color=" && !setColours(arg->getValue()))
      result.exitCode = exitMisuse;
    else if (asksForGpu(*arg))
      result.exitCode =
          refuse("kernels for GPUs are not supported yet",
                 "without '" + arg->getAsString(result.list) + "' they run on all cores");
    else if (name == "--quiet")
      turnNotesOff();
    if (result.exitCode)
      return result;
  }
  for (const opt::Arg *arg : result.list)
    if (arg->getOption().getKind() == opt::Option::UnknownClass) {
      result.exitCode = refuseUnknown(command, arg->getSpelling());
      return result;
    } else if (takesOptionAsValue(*arg, arguments)) {
      result.exitCode = refuse("'" + arg->getSpelling() + "' needs a value, and '" +
                               StringRef(arg->getValue()) + "' is another option");
      return result;
    }
  if (missingCount > 0)
    result.exitCode = refuse("'" + Twine(arguments[missingIndex]) + "' needs a value");
  return result;
}

std::optional<std::string> Arguments::onlyInput(StringRef command, StringRef what) {
  std::vector<std::string> inputs;
  for (const opt::Arg *arg : list)
    if (arg->getOption().getKind() == opt::Option::InputClass)
      inputs.push_back(arg->getValue());
  if (inputs.size() == 1)
    return inputs.front();
  std::string call = command.empty() ? "strata" : ("strata " + command).str();
  exitCode =
      refuse(inputs.empty() ? call + " needs " + what.str()
                            : call + " takes " + what.str() + ", not also '" + inputs[1] + "'",
             "'" + call + " --help' shows how to call it");
  return std::nullopt;
}

std::optional<NamedValue> parseNamedValue(const opt::Arg &argument, StringRef usage) {
  StringRef text = argument.getValue();
  size_t at = text.find_first_of("=:");
  if (at == StringRef::npos || at == 0 || at + 1 == text.size()) {
    refuse("'" + argument.getSpelling() + " " + text + "' should be " + usage);
    return std::nullopt;
  }
  return NamedValue{text.take_front(at).trim().str(), text.drop_front(at + 1).str()};
}

std::optional<int64_t> parseCount(const opt::Arg &argument, int64_t least) {
  int64_t count;
  if (!StringRef(argument.getValue()).getAsInteger(10, count) && count >= least)
    return count;
  refuse("'" + argument.getSpelling() + argument.getValue() + "' should give an integer from " +
         Twine(least));
  return std::nullopt;
}

std::optional<frontend::Parameters> parseParameters(const opt::InputArgList &list,
                                                    opt::OptSpecifier define) {
  frontend::Parameters parameters;
  for (const opt::Arg *arg : list.filtered(define)) {
    std::optional<NamedValue> pair = parseNamedValue(*arg, "-D NAME=VALUE");
    if (!pair)
      return std::nullopt;
    parameters[pair->name] = pair->value;
  }
  return parameters;
}

std::optional<unsigned> parseWidths(const opt::InputArgList &list, opt::OptSpecifier widths,
                                    unsigned otherwise) {
  const opt::Arg *arg = list.getLastArg(widths);
  if (!arg)
    return otherwise;
  unsigned bits;
  StringRef text = arg->getValue();
  if (!text.getAsInteger(10, bits) && llvm::is_contained({8u, 16u, 32u, 64u}, bits))
    return bits;
  refuse("positions and coordinates have 8, 16, 32 or 64 bits, not '" + text + "'");
  return std::nullopt;
}

std::optional<int64_t> parseMemory(const opt::InputArgList &list, opt::OptSpecifier memory) {
  const opt::Arg *arg = list.getLastArg(memory);
  if (!arg)
    return -1;
  std::optional<int64_t> bytes = parseBytes(arg->getValue());
  if (!bytes)
    refuse("'" + StringRef(arg->getValue()) + "' is not a size of memory",
           "for example 500000, 64K or 1.5G");
  return bytes;
}

bool findMachine(const opt::InputArgList &list, opt::OptSpecifier option,
                 std::optional<machine::Machine> &machine) {
  const opt::Arg *given = list.getLastArg(option);
  std::string file = given ? given->getValue() : machine::machineFile();
  if (!given && (file.empty() || !llvm::sys::fs::exists(file)))
    return true;
  runtime::Result<machine::Machine> found = machine::readMachine(file);
  if (found)
    machine = *found;
  else if (given)
    refuse(found.error().sentence());
  else
    warn(found.error().sentence());
  return bool(found) || !given;
}

std::optional<Processor> parseProcessor(const opt::InputArgList &list, opt::OptSpecifier cpu) {
  const opt::Arg *arg = list.getLastArg(cpu);
  runtime::Result<Processor> processor =
      arg ? Processor::named(arg->getValue()) : Processor::fromEnvironment();
  if (processor)
    return std::move(*processor);
  const char *name = arg ? arg->getValue() : runtime::variable("STRATA_CPU");
  std::string hint = frontend::didYouMean(name, Processor::names());
  refuse(processor.error().message + processor.error().mark(),
         hint.empty() ? "'--cpu=help' lists the processors" : hint);
  return std::nullopt;
}

// --opt-X=false forbids something, and so does --convert-tc-to-ttgt. The last one of a name counts.
static bool addChoicesOfComet(const opt::InputArgList &list, Resolutions &forbidden) {
  static const std::pair<StringLiteral, Resolution> choices[] = {
      {"opt-multiop-factorize", Resolution::Grouping},
      {"opt-bestperm-ttgt", Resolution::Permutation},
      {"opt-matmul-tiling", Resolution::Blocks},
      {"opt-matmul-mkernel", Resolution::Microkernel},
      {"opt-dense-transpose", Resolution::Transposes},
      {"opt-comp-workspace", Resolution::Workspace},
      {"opt-fusion", Resolution::Fusion},
      {"convert-tc-to-ttgt", Resolution::Packing}};
  for (const auto &[name, resolution] : choices) {
    bool isMissing = true, isOn = false;
    for (const opt::Arg *arg : list) {
      auto [word, equals] = arg->getOption().getName().split('=');
      if (word != name)
        continue;
      StringRef value = arg->getNumValues() ? arg->getValue() : "true";
      if (value != "true" && value != "false") {
        refuse("'" + arg->getSpelling() + value + "' should give true or false");
        return false;
      }
      isMissing = false;
      isOn = value == "true";
    }
    if (!isMissing && isOn == (resolution == Resolution::Packing))
      forbidden.insert(resolution);
  }
  return true;
}

std::optional<Resolutions> parseForbidden(const opt::InputArgList &list, opt::OptSpecifier forbid) {
  Resolutions forbidden;
  for (const std::string &word : list.getAllArgValues(forbid)) {
    std::optional<Resolution> one = findResolution(word);
    if (!one && word != "all") {
      refuse("'" + word + "' cannot be forbidden",
             "valid words are " + resolutionWords() + ", and all");
      return std::nullopt;
    }
    for (Resolution resolution : allResolutions)
      if (one ? resolution == *one
              : resolution != Resolution::Order && !isOfDenseTensors(resolution))
        forbidden.insert(resolution);
  }
  if (!addChoicesOfComet(list, forbidden))
    return std::nullopt;
  return forbidden;
}

} // namespace strata::tool

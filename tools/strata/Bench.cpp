// strata bench: a statement or a program in several ways, measured in turns.
#include "Arguments.h"
#include "Commands.h"
#include "ContestFigures.h"
#include "Messages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

#include <map>

using llvm::StringRef;

namespace strata::tool {

namespace bench {
#define STRATA_OPTIONS "BenchOptions.inc"
#include "OptionTable.def"
} // namespace bench

const Command benchDescription{"bench", R"(
strata bench measures a statement, or the statements of a program, in several ways, which take
turns: with the options that it is given, and with each set of options that --against adds to these.

  strata bench 'y(i) = A(i,j) * x(j)' -i=A:m.mtx -g=x:d -f=A:CSR --against=-f=A:CSC
                                  two formats
  strata bench 'y(i) = A(i,j) * x(j)' -i=A:m.mtx -g=x:d -f=A:CSR --threads=1,2,4
                                  several numbers of threads
  strata bench program.ta -D file=m.mtx
                                  each statement of a program, and their sum
  strata bench program.ta -D file=m.mtx --json > before.json
  strata bench program.ta -D file=m.mtx --against=before.json
                                  ... now, by what it was before

Each turn is a process of its own, in an order that every round draws. It reads its operands, and
runs the statement for about a tenth of a second. The results of all must be equal before anything is
measured. Of each contestant the median of its turns is printed, the least of them, their standard
deviation, how far half of them are apart, its time by that of the first (the median over rounds,
with its 95 % interval) and by that of an earlier run, how many operations it does and how many bytes
of operands and result it goes through in a second, and how much of its time the machine would need at
least ('strata machine').
)",
                               bench::table, "STATEMENT|PROGRAM",
                               "measure a statement or a program in several ways, in turns"};

namespace {

// Tells whether a blank behind the word, in front of the next one, belongs to it: between the
// commands of a schedule, and within one.
bool goesOn(StringRef word, StringRef next) {
  return word.ends_with(",") || word.ends_with(";") || next.starts_with(",") ||
         next.starts_with(";") || word.count('(') > word.count(')');
}

// As a shell would take them apart, but for blanks in schedules.
std::vector<std::string> wordsOf(StringRef options) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(options, saver, words);
  std::vector<std::string> whole;
  for (StringRef word : words)
    if (!whole.empty() && goesOn(whole.back(), word))
      whole.back() += " " + word.str();
    else
      whole.push_back(word.str());
  return whole;
}

// Says what an option is about: "-f=A" of "-f=A:CSR", "-threads" of "-threads=2".
StringRef subjectOf(StringRef option) {
  size_t value = option.find('=');
  size_t colon = value == StringRef::npos ? StringRef::npos : option.find(':', value);
  return option.take_front(std::min(colon != StringRef::npos ? colon : value, option.size()));
}

// Returns the options that all have, but for those that others replace, and these.
std::vector<std::string> replaced(const std::vector<std::string> &common,
                                  const std::vector<std::string> &own) {
  std::vector<std::string> all;
  for (const std::string &option : common)
    if (llvm::none_of(
            own, [&](const std::string &other) { return subjectOf(other) == subjectOf(option); }))
      all.push_back(option);
  llvm::append_range(all, own);
  return all;
}

/// The arguments of bench, taken apart.
struct Parts {
  std::vector<const char *> own; ///< options of bench itself
  std::vector<std::string> common;
  std::string target; ///< empty: there is none
  bool isProgram = false;
};

// The options of bench itself, and whether each has a value.
const std::map<StringRef, bool> ownOptions = {
    {"against", true}, {"rounds", true},   {"repeat", true}, {"warmup", true},
    {"threads", true}, {"json", false},    {"csv", false},   {"help", false},
    {"h", false},      {"version", false}, {"color", true}};

Parts partsOf(llvm::ArrayRef<const char *> arguments) {
  Parts parts;
  for (size_t at = 0; at < arguments.size(); ++at) {
    StringRef argument = arguments[at];
    auto own = argument.starts_with("-") ? ownOptions.find(argument.ltrim('-').split('=').first)
                                         : ownOptions.end();
    if (own != ownOptions.end()) {
      parts.own.push_back(arguments[at]);
      if (own->second && !argument.contains('=') && at + 1 < arguments.size())
        parts.own.push_back(arguments[++at]);
    } else if (parts.target.empty() && !argument.starts_with("-") &&
               (argument.ends_with(".ta") || argument.ends_with(".mlir"))) {
      parts.target = argument.str();
      parts.isProgram = true;
    } else if (parts.target.empty() && hasStatement(argument.data())) {
      parts.target = argument.str();
    } else {
      parts.common.push_back(argument.str());
    }
  }
  return parts;
}

// Adds a contestant for each of --threads=1,2,4. False after a mistake, which was reported.
bool addContestants(Contest &contest, const Parts &parts, const llvm::opt::InputArgList &list,
                    llvm::ArrayRef<std::string> against) {
  llvm::SmallVector<StringRef> threads;
  if (const llvm::opt::Arg *arg = list.getLastArg(bench::OPT_threads)) {
    StringRef(arg->getValue()).split(threads, ',');
    int64_t count;
    for (StringRef one : threads)
      if (one.getAsInteger(10, count) || count < 1) {
        refuse("'" + one + "' is no number of threads", "--threads=1,2,4");
        return false;
      }
  }
  std::vector<std::string> common = parts.common;
  if (!threads.empty())
    common = replaced(common, {("-threads=" + threads.front()).str()});
  contest.contestants.push_back(
      {threads.size() > 1 ? ("-threads=" + threads.front()).str() : "as given", common});
  for (StringRef one : llvm::drop_begin(threads, threads.empty() ? 0 : 1)) {
    std::string option = ("-threads=" + one).str();
    contest.contestants.push_back({option, replaced(common, {option})});
  }
  for (const std::string &options : against)
    contest.contestants.push_back({options, replaced(common, wordsOf(options))});
  return true;
}

// Takes an option that counts; false after a mistake, which was reported.
template <typename Number>
bool readCount(const llvm::opt::InputArgList &list, llvm::opt::OptSpecifier option, int64_t least,
               Number &value) {
  const llvm::opt::Arg *arg = list.getLastArg(option);
  if (!arg)
    return true;
  std::optional<int64_t> count = parseCount(*arg, least);
  if (count)
    value = std::min<int64_t>(*count, 1000000);
  return count.has_value();
}

} // namespace

int benchCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace bench;
  Parts parts = partsOf(arguments);
  Arguments args = parseArguments(benchDescription, parts.own);
  if (args.exitCode)
    return *args.exitCode;
  if (parts.target.empty())
    return refuse("bench needs a statement or a program",
                  "strata bench 'y(i) = A(i,j) * x(j)' -i=A:m.mtx -g=x:d");
  if (args.list.hasArg(OPT_json) && args.list.hasArg(OPT_csv))
    return refuse("--json and --csv contradict each other", "one of them");
  Contest::Rules rules;
  if (!readCount(args.list, OPT_rounds, 1, rules.rounds) ||
      !readCount(args.list, OPT_repeat, 1, rules.repeat) ||
      !readCount(args.list, OPT_warmup, 0, rules.warmUp))
    return exitMisuse;
  std::optional<EarlierTimes> earlier;
  std::vector<std::string> against;
  for (const std::string &value : args.list.getAllArgValues(OPT_against))
    if (!StringRef(value).ends_with(".json") || StringRef(value).starts_with("-"))
      against.push_back(value);
    else if (!(earlier = EarlierTimes::read(value)))
      return exitFailure;
  if (earlier && earlier->machine != machineText())
    warn("the earlier times are of another machine: " + earlier->machine);
  Contest contest(parts.target, parts.isProgram, rules);
  if (!addContestants(contest, parts, args.list, against))
    return exitMisuse;
  if (!contest.run())
    return contest.exitCode();
  const EarlierTimes *before = earlier ? &*earlier : nullptr;
  if (args.list.hasArg(OPT_json))
    printFigures(contest, before);
  else if (args.list.hasArg(OPT_csv))
    printSeparated(contest, before);
  else
    printTable(contest, before);
  return exitSuccess;
}

} // namespace strata::tool

// Help that teaches by example, and the version.
#include "Help.h"
#include "Messages.h"
#include "ShownOptions.h"

#include "strata/Version.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/schedule/Commands.h"
#include "strata/target/cpu/HostFeatures.h"

#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace strata::tool {

const char generalHelp[] = R"(
Strata compiles tensor algebra: what you write in index notation, for tensors stored as you say.

  strata 'y(i) = A(i,j) * x(j)' -f=A:CSR -i=A:m.mtx -g=x:d -o=y:y.mtx
                                  one statement: A from a file in CSR, x random, y to a file
  strata run program.ta           run a program
  strata run program.ta --time    ... and tell where the time went
  strata bench 'y(i) = ...' ...   measure a statement in several ways: formats, schedules, threads
  strata explore program.ta --accelerator=gemm64.toml --over='size=16,64;count=1,2'
                                  what accelerators for matrix products would gain, and take
  strata explain program.ta       tell which loops and conversions a program becomes
  strata emit --stage=asm program.ta
                                  write a program as it looks at one stage of the compiler
  strata compile program.ta -o program
                                  an executable, or a library, that does what the program says
  strata info m.mtx               statistics of a matrix or tensor that help to choose its format
  strata check m.mtx              verify that a file keeps what its format promises
  strata convert m.mtx m.tns      a tensor from one file to another, via any format
  strata reorder m.mtx -o r.mtx --by=rcm
                                  its rows and columns in an order that brings entries together
  strata spy m.mtx -o m.png       a picture of its pattern
  strata dump m.mtx --format=CSR  how a tensor is stored in a format, level by level
  strata cache                    the compiled kernels that are kept in the cache
  strata config                   the settings that hold, and where each comes from
  strata machine                  measure the machine, for what 'explain' and 'bench' expect of it
  strata format program.ta        lay out the text of a program
  strata lsp                      answer an editor's questions about programs
  strata serve                    look at statements, plans and code in a browser, on this machine
  mpirun -n 4 strata ranks        which MPI carries messages between ranks, and how fast
  strata completion bash          what a shell needs to complete commands and options
  strata manual                   the manual page

A statement's options are
  -f=A:FORMAT                     how A is stored; dense where not given
  -i=A:FILE, -g=A:FILL, -D a=2    values: of a file, generated, of a scalar
  -d=i:SIZE, -t=A:TYPE            sizes and types, where no file says them
  -o=y:FILE, -print, -json        what becomes of the result
  -time=N, -check, -verbose       times, a comparison with the definition, what was done
  -explain, -print-loops          the loops; also where no values are given
  -s=COMMANDS                     how the loops run
and more, which 'strata help statement' lists. 'strata COMMAND --help' tells more about a command,
'strata help formats' about storage formats, 'strata help scheduling' about the order of loops.
--version gives the versions of Strata and of LLVM.

Strata returns 0 if all went well, 1 if a program or its data is wrong or a check failed, 2 if the
command line is wrong, and 85 if a rank did not answer in time.
)";

int printGeneralHelp() {
  outs() << StringRef(generalHelp).drop_front();
  return exitSuccess;
}

static const char formats[] = R"(
The named formats, what each stores, and its levels from the root down (for one order where there
are several). Numbers behind a name are the sizes of its blocks: BCSR is BCSR:4x4, BCSR:2x3 has
blocks of 2 x 3. A format can also be given level by level; docs/Formats.md tells how.

)";

static int printFormatHelp() {
  outs() << StringRef(formats).drop_front() << ta::formatHelp();
  return exitSuccess;
}

int printProcessors() {
  outs() << "native (this machine's, " << hostName() << ")\n";
  for (StringRef name : Processor::names())
    if (name != "native" && name != "host")
      outs() << name << "\n";
  return exitSuccess;
}

static const char schedules[] = R"(
A schedule says how the loops of a statement run, not what they compute. Without one, Strata
chooses. The commands are applied one after the other to the loops as the statement gives them: the
labels of its left side, then those that it sums over. A command that would change what is computed,
other than by rounding, is refused.

)";

static const char scheduleExample[] = R"(
A schedule stands behind a statement of a program, or beside a statement on the command line:

  C[i, k] = A[i, j] * B[j, k] schedule { reorder(i, j, k); };

  strata 'C(i,k) = A(i,j) * B(j,k)' -f=A:CSR -s='reorder(i,j,k)' -explain

The statement gives the loops i, k, j: one element of C after the other, for each of which j goes
through a row of A. Reordered, j goes through that row once, and k runs along a row of B and one of
C. docs/Schedules.md shows each command's loops before and after it.
)";

static int printScheduleHelp() {
  outs() << StringRef(schedules).drop_front();
  for (const schedule::Command &command : schedule::commands())
    outs() << "  " << command.usage << "\n      " << command.summary << "\n";
  outs() << scheduleExample;
  return exitSuccess;
}

int printTopic(StringRef topic) {
  if (topic == "formats")
    return printFormatHelp();
  if (topic.starts_with("schedul"))
    return printScheduleHelp();
  return refuse(
      "there is no help on '" + topic + "'",
      "'strata --help' lists the commands; statement, formats and scheduling are topics, too");
}

int printVersion() {
  outs() << "strata " STRATA_VERSION "\nLLVM " STRATA_LLVM_VERSION ", " << sys::getProcessTriple()
         << ", built as " STRATA_BUILD_TYPE "\n";
  return exitSuccess;
}

// The text in lines of at most 100 columns, beginning at column `indent`.
static void printWrapped(StringRef text, unsigned indent) {
  unsigned column = indent;
  while (!text.empty()) {
    auto [word, rest] = text.split(' ');
    if (column + word.size() > 100) {
      outs() << "\n" << std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      outs() << ' ';
      ++column;
    }
    outs() << word;
    column += word.size();
    text = rest;
  }
  outs() << "\n";
}

int printHelp(const Command &command) {
  constexpr unsigned textColumn = 22;
  outs() << command.help.ltrim('\n') << "\nOptions:\n";
  for (const ShownOption &option : shownOptions(command)) {
    outs() << "  " << left_justify(option.call, textColumn - 3) << " ";
    if (option.call.size() > textColumn - 3)
      outs() << "\n" << std::string(textColumn, ' ');
    printWrapped(option.help, textColumn);
  }
  return exitSuccess;
}

} // namespace strata::tool

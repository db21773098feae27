// strata compile: a whole program as a program or an object file of its own.
#include "Arguments.h"
#include "Commands.h"
#include "Messages.h"
#include "OutputFile.h"
#include "Session.h"

#include "strata/dialect/ta/ParameterOp.h"
#include "strata/translate/CompiledProgram.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"

namespace strata::tool {

namespace compile {
#define STRATA_OPTIONS "CompileOptions.inc"
#include "OptionTable.def"
} // namespace compile

using llvm::StringRef;

const Command compileDescription{"compile", R"(
strata compile makes a program that runs without the compiler: its statements are machine code, and
what happens around them (files, loops, conversions, output) is data for Strata's runtime library.

  strata compile pagerank.ta -o pagerank      a program, linked by the C compiler (CC, else cc)
  ./pagerank -D graph=graph.mtx               ... which takes the names of its files
  strata compile pagerank.ta -o pagerank.o    an object file with the function pagerank_run, which
                                              pagerank.h declares
  cc main.c pagerank.o -lstrata_program

An object file also has a function pagerank_NAME for each def NAME of the program whose parameters
say their element types and formats. It takes storages and returns one. A program without main has
these alone.

Formats, conversions and loops are chosen without knowing sizes, which a run knows. Positions that a
format leaves open have 64 bits. Parameters that -D gives here are part of the program. Numbers,
sizes and names of files that it does not give are given when the program runs.
)",
                                 compile::table, "PROGRAM",
                                 "make a program or an object file of a whole program"};

// "cp_als" of "dir/cp-als.ta".
static std::string identifierOf(StringRef file) {
  std::string name = llvm::sys::path::stem(file).str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name.empty() || llvm::isDigit(name.front()) ? "program_" + name : name;
}

// The folder of the library of compiled programs: beside the folder of this program.
static std::optional<std::string> libraryFolder() {
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  StringRef root = llvm::sys::path::parent_path(llvm::sys::path::parent_path(self));
  for (StringRef folder : {StringRef("lib"), StringRef(STRATA_LIBRARY_FOLDER)}) {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, folder);
    if (llvm::sys::fs::exists(path + "/libstrata_program.so"))
      return path.str().str();
  }
  return std::nullopt;
}

// Links an object file, which may call functions of SLEEF's.
static int linkProgram(StringRef object, bool callsSleef, StringRef output) {
  const char *chosen = std::getenv("CC");
  llvm::SmallVector<StringRef> words;
  StringRef(chosen && *chosen ? chosen : "cc").split(words, ' ', -1, /*KeepEmpty=*/false);
  llvm::ErrorOr<std::string> linker = llvm::sys::findProgramByName(words.front());
  constexpr const char *instead = "an object file needs no linker: -o FILE.o";
  if (!linker)
    return fail("there is no C compiler '" + words.front() + "' to link with", instead);
  std::optional<std::string> folder = libraryFolder();
  if (!folder)
    return fail("libstrata_program.so is not beside this program's folder", instead);
  std::string search = "-L" + *folder, find = "-Wl,-rpath," + *folder;
  // The archive has functions of compiler-rt, for half precision.
  words.append({object, "-o", output, search, "-lstrata_program", "-lstrata_runtime", find, "-lm"});
  if (callsSleef)
    words.push_back("-lsleef");
  std::string message;
  if (llvm::sys::ExecuteAndWait(*linker, words, std::nullopt, {}, 0, 0, &message) == 0)
    return exitSuccess;
  return fail("'" + *linker + "' could not link the program" +
              (message.empty() ? "" : ": " + message));
}

// A program, through an object file that is removed again.
static int writeProgram(StringRef bytes, StringRef output) {
  llvm::SmallString<128> object;
  int descriptor;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("strata", "o", descriptor, object))
    return fail("cannot write an object file to link: " + error.message());
  llvm::FileRemover remove(object);
  llvm::sys::RemoveFileOnSignal(object);
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream << bytes;
  stream.close();
  if (stream.has_error())
    return fail("cannot write '" + object + "': " + stream.error().message());
  return linkProgram(object, bytes.contains("Sleef_"), output);
}

// A number or a size that is given when the program runs; empty without one.
static std::string openParameterOf(mlir::ModuleOp module) {
  std::string name;
  module.walk([&](ta::ParameterOp op) { name = op.getName().str(); });
  return name;
}

namespace {

// Compiles the programs of one file: `main`, and each function that C can call.
class FileCompiler {
public:
  /// The C functions begin with `name`.
  FileCompiler(std::string file, std::string name, frontend::Parameters parameters, unsigned width,
               const ProgramOptions &options)
      : file(std::move(file)), name(std::move(name)), parameters(std::move(parameters)),
        width(width), options(options) {}

  /// False after an error, which was reported.
  bool compile(bool isObject) {
    if (session.hasFunctionsAlone(file))
      return isObject ? addFunctions() && hasEntries() : refuseToLink();
    mlir::OwningOpRef<mlir::ModuleOp> module = session.load(file, parameters);
    return module && add(*module, name, Caller::Process) && (!isObject || addFunctions());
  }

  const std::string &programName() const { return name; }
  std::vector<CompiledProgram> programs;

private:
  bool add(mlir::ModuleOp module, const std::string &entry, Caller caller) {
    if (failed(session.prepare(module, options)))
      return false;
    std::optional<CompiledProgram> compiled = compileProgram(mainOf(module), entry, width, caller);
    if (compiled)
      programs.push_back(std::move(*compiled));
    return compiled.has_value();
  }

  bool addFunctions() {
    for (auto &[function, body] : session.loadFunctions(file, parameters)) {
      if (std::string open = body ? openParameterOf(*body) : ""; !open.empty())
        note("the function '" + function + "' has no entry, since it uses the parameter '" + open +
             "'; with -D " + open + "=VALUE it has one");
      else if (!body || !add(*body, name + "_" + function, Caller::Code))
        return false;
    }
    return true;
  }

  bool hasEntries() const {
    if (programs.empty())
      fail("'" + file + "' has neither a function 'main' nor one that C can call",
           "parameters that declare their element types and formats: "
           "def f(Tensor<double> A([i, j], CSR)) { ... }");
    return !programs.empty();
  }

  bool refuseToLink() const {
    fail("'" + file + "' has no function 'main', so there is nothing to run",
         "an object file has the functions for C: -o FILE.o");
    return false;
  }

  std::string file, name;
  frontend::Parameters parameters;
  unsigned width;
  const ProgramOptions &options;
  Session session;
};

} // namespace

int compileCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace compile;
  Arguments args = parseArguments(compileDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::optional<std::string> file = args.onlyInput("compile", "one program");
  std::optional<frontend::Parameters> parameters = parseParameters(args.list, OPT_define);
  std::optional<unsigned> width = parseWidths(args.list, OPT_widths, 32);
  std::optional<Resolutions> forbidden = parseForbidden(args.list, OPT_forbid);
  std::optional<Processor> processor = parseProcessor(args.list, OPT_cpu);
  if (!file || !parameters || !width || !forbidden || !processor)
    return exitMisuse;
  parameters->stayOpen = true;
  std::string stem = llvm::sys::path::stem(*file).str();
  StringRef output = args.list.getLastArgValue(OPT_output, stem);
  bool isObject = output.ends_with(".o");
  const bool isStream = *file == "-";
  if (isStream && !args.list.hasArg(OPT_output))
    return refuse("a program from standard input has no name", "give it one: -o FILE");
  llvm::SmallString<128> header(output); // beside an object file
  llvm::sys::path::replace_extension(header, "h");
  if (isInput(output, *file) || (isObject && isInput(header, *file)))
    return exitMisuse;

  if (!isObject && !processor->isOfThisArchitecture())
    return fail("'" + processor->name() +
                    "' is a processor of another architecture, for which "
                    "nothing is linked here",
                "an object file needs no linker: -o FILE.o");

  const ProgramOptions options{.forbidden = *forbidden,
                               .deterministic = args.list.hasArg(OPT_deterministic)};
  FileCompiler compiler(*file, identifierOf(isStream ? output : StringRef(*file)),
                        std::move(*parameters), *width, options);
  if (!compiler.compile(isObject))
    return exitFailure;
  std::string declarations = headerOf(compiler.programName(), compiler.programs);
  runtime::Result<std::string> object =
      objectOf(std::move(compiler.programs), *processor, !isObject);
  if (!object)
    return object.error().shown ? exitFailure : fail(object.error().sentence());
  if (!isObject)
    return writeProgram(*object, output);
  if (int code = writeTo(output, *object))
    return code;
  return writeTo(header, declarations);
}

} // namespace strata::tool

// strata convert: a tensor from one file to another, via any format.
#include "Arguments.h"
#include "Cache.h"
#include "Commands.h"
#include "DataFile.h"
#include "FormatArgument.h"
#include "Interrupts.h"
#include "Messages.h"
#include "Report.h"
#include "Session.h"
#include "Threads.h"

#include "strata/conversion/Conversion.h"
#include "strata/conversion/FileLevels.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/frontend/TaFormats.h"
#include "strata/run/Output.h"
#include "strata/runtime/Counted.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/runtime/io/InputFile.h"
#include "strata/runtime/io/TensorFile.h"
#include "strata/tensor/ElementTypes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace strata::tool {

namespace convert {
#define STRATA_OPTIONS "ConvertOptions.inc"
#include "OptionTable.def"
} // namespace convert

const Command convertDescription{"convert", R"(
strata convert reads a matrix or tensor from one file and writes it to another, in the file format
that the ending names. On the way it is stored in any format; where a file can express that, the file
keeps it.

  strata convert m.mtx m.tns                      from one kind of file to another
  strata convert m.mtx m.mtx.gz                   compressed, if the ending says so
  strata convert m.mtx blocks.mtx --format=BCSR   stored in blocks, whose padding is then dropped
  strata convert m.mtx m.mtx --type=float         with other values
  strata convert t.tns t.ttx --sizes=100,200,?    of sizes that the file does not say
  curl ... | strata convert - - --to=tns | gzip   from standard input to standard output

The file to write appears whole or not at all; it may be the one that is read.
)",
                                 convert::table, "IN OUT",
                                 "a tensor from one file to another, via any format"};

namespace {

// The times and sizes of a conversion.
struct Outcome {
  double read = 0, write = 0;
  PackTimes pack = {};
  int64_t entries = 0;
  std::optional<TensorReport> tensor = {};
};

class Converter {
public:
  Converter(const llvm::opt::InputArgList &list, Processor processor)
      : list(list), processor(std::move(processor)) {}

  int run(const std::string &from, const std::string &to) {
    toStandardOutput = runtime::isStandardStream(to);
    int code = convertFile(from, to);
    if (list.hasArg(convert::OPT_json))
      printJson(from, to, code == exitSuccess);
    return code;
  }

private:
  int convertFile(const std::string &from, const std::string &to) {
    Stopwatch watch;
    runtime::Result<runtime::TensorFileContent> content = read(from);
    if (!content)
      return misused ? exitMisuse : fail(content.error().sentence());
    report.read = watch.lap();
    if (!adopted && !typeFor(unsigned(content->list.order()), content->list.valueType()))
      return exitMisuse;
    std::optional<Attribute> fill = takeFill(*content, type);
    if (!fill)
      return exitMisuse;
    report.entries = adopted ? adopted->storedCount() : content->list.count();
    KernelCompiler compiler(&session.context);
    compiler.compileFor(processor);
    if (!list.hasArg(convert::OPT_no_cache))
      useCache(compiler);
    bool force = list.hasArg(convert::OPT_force);
    if (list.hasArg(convert::OPT_verbose) && !list.hasArg(convert::OPT_json))
      adopted ? describe(*adopted, force) : describe(content->list);
    if (runtime::Status dropped = adopted ? runtime::Status() : dropFills(*content, type);
        !dropped.ok())
      return fail(dropped.error().sentence());
    runtime::Result<TensorValue> stored =
        !adopted ? pack(compiler, std::move(content->list), type, &report.pack, force, *fill)
        : isSame(*adopted) ? std::move(*adopted)
                           : strata::convert(compiler, *adopted, type, &report.pack, force);
    adopted.reset();
    if (!stored)
      return fail(stored.error().sentence());
    watch.lap();
    if (runtime::Status written = writeTensor(compiler, *stored, to, indexBase); !written.ok())
      return fail(written.error().sentence());
    report.write = watch.lap();
    if (list.hasArg(convert::OPT_json))
      report.tensor.emplace(TensorReport{"", stored->sizes(), stored->storedCount(),
                                         elementTypeWord(stored->type.getElementType()).str(),
                                         ta::formatName(stored->type), stored->bytes()});
    else if (list.hasArg(convert::OPT_time))
      print(*stored);
    return exitSuccess;
  }

  runtime::Result<runtime::TensorFileContent> read(const std::string &file) {
    runtime::TensorFileOptions options;
    std::optional<int64_t> base = parseBase(list, convert::OPT_base);
    misused = !base;
    options.base = indexBase = base.value_or(1);
    if (const llvm::opt::Arg *sizes = list.getLastArg(convert::OPT_sizes)) {
      options.sizes = parseSizes(*sizes);
      misused |= !options.sizes;
    }
    if (misused)
      return runtime::Error::alreadyShown("wrong arguments");
    options.valueType = runtime::valueTypeOfFile(file);
    if (const llvm::opt::Arg *type = list.getLastArg(convert::OPT_type)) {
      std::optional<frontend::ElementType> element = frontend::findElementType(type->getValue());
      if (!element) {
        misused = true;
        refuse("unknown type '" + llvm::Twine(type->getValue()) + "'",
               "valid types are " + llvm::join(frontend::elementTypeNames(), ", "));
        return runtime::Error::alreadyShown("no type");
      }
      options.valueType = runtimeType(frontend::emitElementType(&session.context, *element));
    }
    if (options.valueType)
      options.take = [this, element = *options.valueType](const runtime::LevelArrays &arrays) {
        if (typeFor(unsigned(arrays.sizes.size()), element))
          adopted = adopt(arrays, type, list.hasArg(convert::OPT_force));
        return adopted.has_value();
      };
    runtime::Result<runtime::TensorFileContent> content = readData(file, options);
    if (content && options.sizes)
      if (runtime::Status fits =
              checkSizes(file, adopted ? adopted->sizes() : content->list.sizes(), *options.sizes);
          !fits.ok())
        return fits;
    return content;
  }

  // Decides the type once the order is known. False after a mistake, which was reported.
  bool typeFor(unsigned order, strata_type element) {
    if (misused || type)
      return !misused;
    if (order == 0) { // which has no format
      type = RankedTensorType::get({}, compilerType(&session.context, element));
      return true;
    }
    std::optional<FormatArgument> format =
        parseFormatArgument(session, list.getLastArg(convert::OPT_format), order);
    misused = !format;
    if (format)
      type = RankedTensorType::get(SmallVector<int64_t>(order, ShapedType::kDynamic),
                                   compilerType(&session.context, element), format->stored);
    return !misused;
  }

  // Standard output may be what is written.
  raw_ostream &out() const { return toStandardOutput ? llvm::errs() : llvm::outs(); }

  void describe(const runtime::Coordinates &entries) const {
    double beside = double(packingNeeds(type, entries.sizes(), entries.count())) / (1 << 20);
    out() << "read into a list of coordinates, " << counted(entries.count(), "entry") << "\n"
          << "stored as " << ta::formatName(ta::formatOf(type)) << " via that list; at most "
          << llvm::format("%.1f MiB beside the tensor\n", beside);
  }

  void describe(const TensorValue &read, bool force) const {
    out() << "read in the file's own format, as " << ta::formatName(read.format()) << ", "
          << counted(read.storedCount(), "entry") << "\n"
          << "stored as " << ta::formatName(ta::formatOf(type));
    if (isSame(read))
      out() << ", without conversion\n";
    else
      out() << " " << strata::describe(planConversion(read, type, force)) << "\n";
  }

  // Is what was read the tensor in the format that was asked for?
  bool isSame(const TensorValue &read) const {
    return read.type == withDecidedWidths(type, read.sizes(), read.storedCount());
  }

  void printJson(const std::string &from, const std::string &to, bool ok) const {
    llvm::json::OStream json(out(), /*IndentSize=*/2);
    json.object([&] {
      json.attribute("from", llvm::json::fixUTF8(from));
      json.attribute("to", llvm::json::fixUTF8(to));
      json.attribute("ok", ok);
      writeErrors(json);
      if (!report.tensor)
        return;
      json.attribute("entries", report.entries);
      writeTensor(json, *report.tensor);
      json.attributeObject("seconds", [&] {
        json.attribute("read", report.read);
        json.attribute("sort", report.pack.sort);
        json.attribute("compile", report.pack.compile);
        json.attribute("pack", report.pack.fill);
        json.attribute("write", report.write);
      });
    });
    out() << "\n";
  }

  void print(const TensorValue &tensor) const {
    auto row = [this](llvm::StringRef what, double seconds) {
      out() << "  " << llvm::left_justify(what, 10) << llvm::format("%10.3f ms\n", 1e3 * seconds);
    };
    out() << ta::formatName(tensor.type) << ": " << counted(report.entries, "entry") << ", "
          << counted(tensor.storedCount(), "value") << " stored, "
          << counted(tensor.bytes(), "byte") << "\n";
    row("read", report.read);
    row("sort", report.pack.sort);
    row("compile", report.pack.compile);
    row("pack", report.pack.fill);
    row("write", report.write);
  }

  const llvm::opt::InputArgList &list;
  Processor processor;
  Session session;
  Outcome report;
  RankedTensorType type = {};         // of what is stored; null until the order is known
  std::optional<TensorValue> adopted; // what a file's own arrays are
  int64_t indexBase = 1;              // of FROSTT files, on both sides
  bool misused = false, toStandardOutput = false;
};

} // namespace

int convertCommand(llvm::ArrayRef<const char *> arguments) {
  using namespace convert;
  Arguments args = parseArguments(convertDescription, arguments);
  if (args.exitCode)
    return *args.exitCode;
  std::vector<std::string> files = args.list.getAllArgValues(OPT_INPUT);
  if (files.size() != 2)
    return refuse("'strata convert' takes a file to read and a file to write",
                  "strata convert m.mtx m.tns");
  if (std::string ending = args.list.getLastArgValue(OPT_to).str(); !ending.empty()) {
    if (files[1] != "-")
      return refuse("--to says the format of standard output, '-', and '" + files[1] +
                        "' is the name of a file",
                    "strata convert m.mtx - --to=" + ending);
    files[1] += "." + ending;
  } else if (files[1] == "-") {
    return refuse("nothing says which format to write to standard output",
                  "give its ending: strata convert " + files[0] + " - --to=mtx");
  }
  watchInterrupts();
  ThreadLimit threads;
  if (!threads.set(args.list.getLastArg(OPT_threads)))
    return exitMisuse;
  std::optional<Processor> processor = parseProcessor(args.list, OPT_cpu);
  if (!processor)
    return exitMisuse;
  if (runtime::Status runs = processor->runsHere(); !runs.ok())
    return fail(runs.error().message + runs.error().mark(), cannotRunHint);
  return Converter(args.list, std::move(*processor)).run(files[0], files[1]);
}

} // namespace strata::tool

// Turns requests of the page into command lines, and what they give into parts of the page.
#include "serve/Views.h"
#include "Commands.h"
#include "DataFile.h"
#include "Messages.h"
#include "OneLiner.h"
#include "Threads.h"
#include "serve/FormatWays.h"
#include "serve/ViewRequest.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/page/CodeText.h"
#include "strata/page/FormatDrawing.h"
#include "strata/page/Markup.h"
#include "strata/page/PlanHtml.h"
#include "strata/page/StagePicture.h"
#include "strata/runtime/Stopwatch.h"
#include "strata/runtime/io/PatternPicture.h"
#include "strata/runtime/io/PngWriter.h"
#include "strata/runtime/storage/Generate.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;
using strata::runtime::Coordinates;
using strata::runtime::Result;

namespace strata::tool {
namespace {

// Standard output and error of the process, taken into memory.
class Capture {
public:
  explicit Capture(int descriptor) : memory(memfd_create("strata", MFD_CLOEXEC)) {
    dup2(memory, descriptor);
  }

  std::string take() const {
    llvm::outs().flush();
    std::string text;
    char buffer[65536];
    for (off_t at = 0;; at = off_t(text.size())) {
      ssize_t count = pread(memory, buffer, sizeof buffer, at);
      if (count <= 0)
        break;
      text.append(buffer, size_t(count));
    }
    if (ftruncate(memory, 0) == 0)
      lseek(memory, 0, SEEK_SET);
    return text;
  }

private:
  int memory;
};

class View {
public:
  View(const ViewRequest &request, Capture &output, Capture &errors, int64_t memoryBytes)
      : request(request), output(output), errors(errors), memoryBytes(memoryBytes) {}

  /// The process's exit code, as a command has it.
  int run() {
    const std::pair<StringRef, int (View::*)()> views[] = {
        {"plan", &View::plan},   {"compare", &View::compare}, {"loops", &View::loops},
        {"graph", &View::graph}, {"lattice", &View::lattice}, {"formats", &View::formats},
        {"cin", &View::cin},     {"c", &View::cSource},       {"assembly", &View::assembly},
        {"time", &View::time},   {"spy", &View::spy}};
    for (auto [name, view] : views)
      if (name == request.view)
        return (this->*view)();
    return refuse("there is no view '" + request.view + "'");
  }

  std::string html;
  std::string log;                           ///< what was said so far, of what was tried since
  std::optional<size_t> said = std::nullopt; ///< and how many mistakes

private:
  enum class Values { None, Expected, Real };

  // The command line that the request stands for; reports what cannot be read.
  bool arguments(Values values) {
    texts = {request.statement};
    add("-f=", request.formats);
    add("-t=", request.types);
    if (!StringRef(request.schedule).trim().empty())
      texts.push_back("-s=" + request.schedule);
    texts.push_back("-no-cache");
    texts.push_back("-max-memory=" + std::to_string(memoryBytes / 2));
    if (values == Values::None)
      return true;
    add("-d=", request.sizes);
    add("-g=", request.data);
    if (values == Values::Real) {
      add("-i=", request.files);
      return true;
    }
    for (const auto &[tensor, file] : request.files) {
      Result<runtime::TensorFileContent> content = readData(file, {});
      if (!content)
        return fail(content.error().sentence()), false;
      double places = 1;
      std::string sizes;
      for (int64_t size : content->list.sizes()) {
        places *= double(size);
        sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
      }
      double density = places > 0 ? std::min(1.0, double(content->list.count()) / places) : 0;
      texts.push_back(llvm::formatv("-g={0}:s:{1:F9}", tensor, density).str());
      texts.push_back("-d=" + tensor + ":" + sizes);
    }
    return true;
  }

  void add(StringRef option, const std::map<std::string, std::string> &given) {
    for (const auto &[name, value] : given)
      texts.push_back((option + name + ":" + value).str());
  }

  std::vector<const char *> pointers() const {
    std::vector<const char *> list;
    for (const std::string &text : texts)
      list.push_back(text.c_str());
    return list;
  }

  int with(Values values, llvm::function_ref<int(ModuleOp, const Processor &)> use) {
    return arguments(values) ? withStatement(pointers(), use) : int(exitFailure);
  }

  int shown(Result<std::string> text, llvm::function_ref<std::string(StringRef)> toHtml) {
    if (!text)
      return text.error().shown ? exitFailure : fail(text.error().sentence());
    html += toHtml(*text);
    return exitSuccess;
  }

  int stage(ProgramStage stage, llvm::function_ref<std::string(StringRef)> toHtml) {
    return with(Values::None, [&](ModuleOp program, const Processor &processor) {
      return shown(programAt(stage, program, {.processor = processor}), toHtml);
    });
  }

  int picture(ProgramStage stage) {
    return with(Values::None, [&](ModuleOp program, const Processor &processor) {
      return shown(page::pictureAt(stage, program, {.processor = processor}, page::Ground::Page),
                   [](StringRef svg) { return "<div class=\"picture\">" + svg.str() + "</div>"; });
    });
  }

  int graph() { return picture(ProgramStage::Graph); }
  int lattice() { return picture(ProgramStage::Lattice); }
  int cin() { return stage(ProgramStage::Cin, page::plainHtml); }
  int cSource() { return stage(ProgramStage::C, page::cHtml); }
  int assembly() {
    return stage(ProgramStage::Assembly,
                 [](StringRef text) { return page::assemblyHtml(text, "shown"); });
  }

  int explained(ExplainOptions options, llvm::function_ref<void(const Explanation &)> show) {
    // Operands without values are no mistake here: then nothing is expected.
    Values values = request.data.empty() && request.files.empty() ? Values::None : Values::Expected;
    return with(values, [&](ModuleOp program, const Processor &) {
      Result<machine::Machine> machine = machine::readMachine(machine::machineFile());
      options.machine = machine ? &*machine : nullptr;
      options.threads = threadsInUse();
      std::optional<Explanation> explanation = explanationOf(program, options);
      if (!explanation)
        return exitFailure;
      for (const auto &[place, text] : explanation->notes)
        html += "<p class=\"soft\">" + page::escaped(text) + "</p>";
      show(*explanation);
      return exitSuccess;
    });
  }

  void title(const Explanation &explanation, const ExplainedStatement &statement) {
    if (explanation.statements.size() > 1)
      html += "<h2><code>" + page::escaped(statement.statement) + "</code></h2>";
  }

  // What the statement takes with each operand in other formats.
  int compare() {
    int code = explained({}, [&](const Explanation &explanation) {
      for (const ExplainedStatement &one : explanation.statements) {
        title(explanation, one);
        html += page::planHtml(one, explanation.machine);
      }
    });
    log = errors.take();
    said = errorsShown().size();
    if (code != exitSuccess)
      return code;
    Result<machine::Machine> machine = machine::readMachine(machine::machineFile());
    for (const auto &[tensor, format] : request.formats)
      if (request.data.count(tensor) || request.files.count(tensor))
        if (std::string table =
                formatWaysHtml(formatWays(texts, tensor, format, machine ? &*machine : nullptr));
            !table.empty())
          html += "<h3>Formats of " + page::escaped(tensor) + "</h3>" + table;
    errors.take();
    html += "<p class=\"soft\">Steps are those of the loops, for these sizes and numbers of "
            "entries; what is "
            "converted takes time besides.</p>";
    return code;
  }

  int plan() {
    return explained({.orders = true}, [&](const Explanation &explanation) {
      for (const ExplainedStatement &one : explanation.statements) {
        title(explanation, one);
        html += page::planHtml(one, explanation.machine);
        if (!one.orders.empty())
          html += "<h3>Orders of the loops</h3>" + page::ordersHtml(one.orders);
        html += "<h3>Tensors</h3>" + page::tensorsHtml(one);
      }
    });
  }

  int loops() {
    return explained({.steps = true}, [&](const Explanation &explanation) {
      for (const ExplainedStatement &one : explanation.statements) {
        title(explanation, one);
        if (one.converts)
          html += page::planHtml(one, nullptr);
        else
          html += page::loopsHtml(one);
        if (one.steps.size() > 2)
          html += page::stepsHtml(one);
      }
    });
  }

  // How each tensor's format stores it: the file that it comes from, or an example.
  int formats() {
    return with(Values::None, [&](ModuleOp program, const Processor &processor) -> int {
      KernelCompiler compiler(program.getContext());
      compiler.compileFor(processor);
      std::optional<std::vector<ProgramKernel>> kernels = kernelsOf(mainOf(program), {});
      if (!kernels)
        return exitFailure;
      std::vector<std::string> drawn;
      for (ProgramKernel &kernel : *kernels) {
        auto function = *kernel.module->getOps<func::FuncOp>().begin();
        draw(compiler, ta::nameOf(kernel.statement.getResult()),
             cast<RankedTensorType>(function.getResultTypes().front()), drawn);
        for (auto [tensor, type] : llvm::zip(kernel.arguments.tensors, function.getArgumentTypes()))
          draw(compiler, ta::nameOf(tensor), cast<RankedTensorType>(type), drawn);
      }
      return exitSuccess;
    });
  }

  void draw(KernelCompiler &compiler, const std::string &name, RankedTensorType type,
            std::vector<std::string> &drawn) {
    if (type.getRank() == 0 || llvm::is_contained(drawn, name))
      return;
    drawn.push_back(name);
    std::string format = ta::formatName(type);
    html += "<h3>" + page::escaped(name + ": " + format) + "</h3>";
    std::optional<Coordinates> entries;
    if (auto file = request.files.find(name); file != request.files.end())
      if (Result<runtime::TensorFileContent> content = readData(file->second, {});
          content && content->list.order() == type.getRank())
        entries = std::move(content->list);
    Result<std::string> one = page::formatDrawing(compiler, type, name, std::move(entries));
    html += one ? *one : "<p class=\"soft\">" + page::escaped(one.error().sentence()) + "</p>";
  }

  // A statement may name files itself, y(i) = read("f"), which the page does not choose.
  int refuseFiles(ModuleOp program) {
    bool refused = false;
    program.walk([&](Operation *op) {
      auto read = dyn_cast<ta::ReadOp>(op);
      bool chosen = read && llvm::any_of(request.files, [&](const auto &file) {
                      return file.second == read.getFile();
                    });
      refused |= isa<ta::WriteOp>(op) || (read && !chosen);
    });
    return refused ? refuse("a statement of this page names no files",
                            "write file:NAME as the data of a tensor")
                   : int(exitSuccess);
  }

  int time() {
    if (int code = with(Values::Real,
                        [&](ModuleOp program, const Processor &) { return refuseFiles(program); }))
      return code;
    errors.take(); // notes, which come again
    texts.push_back("-time=5");
    std::vector<const char *> list = pointers();
    int code = statementCommand(list);
    std::string report = output.take();
    // The last line is about a process of its own, which this is not.
    if (size_t last = report.find("\nprocess: "); last != std::string::npos)
      report.resize(last + 1);
    if (!report.empty())
      html += page::plainHtml(report);
    return code;
  }

  // Patterns of the tensors that have data: from files, or made as a run makes them.
  int spy() {
    html += "<div class=\"spies\">";
    for (const auto &[name, file] : request.files) {
      Result<runtime::TensorFileContent> content = readData(file, {});
      if (!content)
        return fail(content.error().sentence());
      pattern(name, content->list);
    }
    int code = with(Values::Real, [&](ModuleOp program, const Processor &) {
      program.walk([&](ta::RandomOp op) { generated(op); });
      return exitSuccess;
    });
    html += "</div>";
    return code;
  }

  // A tensor of random values, if its sizes are known.
  void generated(ta::RandomOp op) {
    runtime::RandomTensor what{
        .sizes = {}, .density = op.getDensity().convertToDouble(), .seed = uint64_t(op.getSeed())};
    auto type = cast<RankedTensorType>(op.getResult().getType());
    auto given = op.getSizes().begin();
    double places = 1;
    for (int64_t size : type.getShape()) {
      APInt value;
      if (ShapedType::isDynamic(size) && !matchPattern(*given++, m_ConstantInt(&value)))
        return;
      what.sizes.push_back(ShapedType::isDynamic(size) ? value.getSExtValue() : size);
      places *= double(what.sizes.back());
    }
    if (what.sizes.size() < 2 || places * what.density > 2e7)
      return;
    if (Result<Coordinates> list = runtime::generateRandom(what))
      pattern(ta::nameOf(op.getResult()), *list);
  }

  void pattern(const std::string &name, const Coordinates &list) {
    if (list.order() < 2)
      return;
    runtime::PatternPicture picture = runtime::drawPattern(list, {0, 1}, runtime::usualPixels);
    output.take();
    runtime::Status written =
        runtime::writePng("-.png", picture.pixels, picture.width, picture.height);
    std::string png = output.take();
    std::string sizes;
    for (int64_t size : list.sizes())
      sizes += (sizes.empty() ? "" : " × ") + std::to_string(size);
    html += "<figure><img alt=\"pattern of " + page::escaped(name) +
            "\" src=\"data:image/png;base64," + llvm::encodeBase64(png) + "\"><figcaption><code>" +
            page::escaped(name) + "</code> " + sizes + ", " + std::to_string(list.count()) +
            " entries</figcaption></figure>";
  }

  const ViewRequest &request;
  Capture &output, &errors;
  int64_t memoryBytes;
  std::vector<std::string> texts;
};

} // namespace

// Where a message points, as the page counts: its own texts from line 1 and column 1.
static void writeMessage(llvm::json::OStream &json, const Said &said) {
  json.object([&] {
    json.attribute("message", llvm::json::fixUTF8(said.message));
    StringRef source = said.file == "<statement>"  ? "statement"
                       : said.file == "<schedule>" ? "schedule"
                                                   : "";
    json.attribute("source", source);
    json.attribute("line", int64_t(said.place.line));
    json.attribute("column", int64_t(said.place.column));
  });
}

static std::string filesAnswer(const std::string &folder) {
  constexpr size_t most = 300;
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream json(out);
  json.object([&] {
    json.attribute("ok", true);
    json.attributeArray("files", [&] {
      for (const std::string &name : dataFilesBelow(folder, most))
        json.value(llvm::json::fixUTF8(name));
    });
  });
  return text;
}

std::string viewAnswer(StringRef text, const std::string &folder, int64_t memoryBytes) {
  Stopwatch watch;
  Capture output(STDOUT_FILENO), errors(STDERR_FILENO);
  int code = exitFailure;
  std::string html, log;
  llvm::ArrayRef<Said> mistakes;
  Result<ViewRequest> request = readViewRequest(text, folder);
  if (!request) {
    fail(request.error().message + request.error().mark(), request.error().expected);
    mistakes = errorsShown();
  } else if (request->view == "files") {
    return filesAnswer(folder);
  } else {
    View view(*request, output, errors, memoryBytes);
    code = view.run();
    html = std::move(view.html);
    log = std::move(view.log);
    mistakes = errorsShown().take_front(view.said.value_or(errorsShown().size()));
  }
  std::string answer;
  llvm::raw_string_ostream out(answer);
  llvm::json::OStream json(out);
  json.object([&] {
    json.attribute("ok", code == exitSuccess);
    json.attribute("html", llvm::json::fixUTF8(html));
    json.attributeArray("messages", [&] {
      for (const Said &said : mistakes)
        writeMessage(json, said);
    });
    json.attribute("log", llvm::json::fixUTF8(log + errors.take()));
    json.attribute("milliseconds", int64_t(watch.lap() * 1000));
  });
  return answer;
}

} // namespace strata::tool

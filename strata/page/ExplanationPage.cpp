// Puts together what is told of each statement.
#include "strata/page/ExplanationPage.h"

#include "strata/Version.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/dialect/ta/Sums.h"
#include "strata/explain/ProgramStage.h"
#include "strata/page/CodeText.h"
#include "strata/page/FormatDrawing.h"
#include "strata/page/Markup.h"
#include "strata/page/PlanHtml.h"
#include "strata/page/StagePicture.h"

#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using strata::runtime::Result;

namespace strata::page {

static const char style[] =
#include "Page.css.inc"
    ;

StringRef styleSheet() { return style; }

namespace {

/// The kernels of a program at the stages that are shown, in the order of its statements.
struct KernelTexts {
  std::string graph, lattice, cin, c, assembly;
};

class PageWriter {
public:
  PageWriter(ModuleOp program, const PageRequest &request) : program(program), request(request) {}

  Result<std::string> articles() {
    ExplainOptions asked = request.explain;
    asked.orders = true;
    std::optional<Explanation> explanation = explanationOf(program, asked);
    std::optional<std::vector<ProgramKernel>> kernels =
        kernelsOf(mainOf(program), request.explain.widths);
    if (!explanation || !kernels)
      return runtime::Error::alreadyShown("the program cannot be explained");
    std::string html;
    for (const auto &[place, text] : explanation->notes)
      html += "<p class=\"soft\">" + escaped(place + ": " + text) + "</p>\n";
    size_t kernel = 0;
    for (auto [number, statement] : llvm::enumerate(explanation->statements)) {
      Result<std::string> one =
          article(statement, unsigned(number), statement.converts ? nullptr : &(*kernels)[kernel]);
      if (!one)
        return one;
      html += *one;
      kernel += !statement.converts;
    }
    if (explanation->statements.empty())
      html += "<p>Nothing is computed.</p>\n";
    return html;
  }

private:
  static std::string section(StringRef title, const std::string &html) {
    return "<h3>" + escaped(title) + "</h3>\n" + html;
  }

  static std::string folded(StringRef title, const std::string &html) {
    return "<details><summary>" + escaped(title) + "</summary>\n" + html + "</details>\n";
  }

  static std::string picture(const std::string &svg) {
    return "<div class=\"picture\">" + svg + "</div>\n";
  }

  Result<std::string> article(const ExplainedStatement &statement, unsigned number,
                              ProgramKernel *kernel) {
    std::string html = "<article>\n";
    if (statement.statement != request.title)
      html += "<h2><code>" + escaped(statement.statement) + "</code></h2>\n";
    if (!StringRef(statement.place).starts_with("<statement>"))
      html += "<p class=\"soft\">" + escaped(statement.place) + "</p>\n";
    html += section("Tensors", tensorsHtml(statement)) + placements(statement) + drawings(kernel);
    html += section("Plan", planHtml(statement, request.explain.machine));
    if (!kernel)
      return html + "</article>\n";
    if (!statement.orders.empty())
      html += section("Orders of the loops", ordersHtml(statement.orders));
    html += section("Loops", loopsHtml(statement));
    if (statement.steps.size() > 2)
      html += folded("The loops after each command of the schedule", stepsHtml(statement));
    ProgramKernel *const one = kernel;
    for (auto [stage, title] : {std::pair(ProgramStage::Graph, "Iteration graph"),
                                std::pair(ProgramStage::Lattice, "Merge lattices")}) {
      Result<std::string> svg = pictureAt(stage, *one, program.getContext(), Ground::Page);
      if (!svg)
        return svg;
      html += section(title, picture(*svg));
    }
    Result<std::string> code = codes(*kernel, number);
    if (!code)
      return code;
    return html + section("Code", *code) + "</article>\n";
  }

  // How the formats of a kernel's tensors store an example; what cannot be drawn is left out.
  std::string drawings(ProgramKernel *kernel) {
    if (!kernel || !request.compiler)
      return "";
    auto function = *kernel->module->getOps<func::FuncOp>().begin();
    std::string html;
    auto draw = [&](Type type, const std::string &name) {
      auto tensor = cast<RankedTensorType>(type);
      std::string format = ta::formatName(tensor);
      if (tensor.getRank() == 0 || llvm::is_contained(drawn, format))
        return;
      ScopedDiagnosticHandler quiet(program.getContext(), [](Diagnostic &) { return success(); });
      if (Result<std::string> one = formatDrawing(*request.compiler, tensor, format)) {
        html += folded(format + ", as of " + name, *one);
        drawn.push_back(format);
      }
    };
    draw(function.getResultTypes().front(), ta::nameOf(kernel->statement.getResult()));
    for (auto [tensor, type] : llvm::zip(kernel->arguments.tensors, function.getArgumentTypes()))
      draw(type, ta::nameOf(tensor));
    return html;
  }

  // Which cells have what of the example, for the placements of a statement's tensors.
  std::string placements(const ExplainedStatement &statement) {
    std::string html;
    auto draw = [&](const ExplainedTensor &tensor) {
      ta::PlacementAttr placement;
      if (tensor.placed && tensor.placed.getRank() > 0)
        placement = ta::placementOf(tensor.placed);
      if (!placement || !request.compiler)
        return;
      const std::string name = ta::formatName(tensor.placed);
      if (llvm::is_contained(drawn, name))
        return;
      const std::string title = name + ", as of " + tensor.name;
      if (Result<std::string> svg = placementDrawing(*request.compiler, tensor.placed, title)) {
        html += folded(title, picture(*svg));
        drawn.push_back(name);
      }
    };
    draw(statement.result);
    llvm::for_each(statement.operands, draw);
    return html;
  }

  Result<std::string> codes(ProgramKernel &kernel, unsigned number) {
    Result<std::string> loops = textAt(ProgramStage::Cin, kernel);
    if (!loops)
      return loops;
    std::string html =
        folded("Loops over index variables (cin)", plainHtml(*loops)) + folded("C", cCode(kernel));
    Result<std::string> assembly = textAt(ProgramStage::Assembly, kernel);
    if (!assembly)
      return assembly;
    return html + folded("Assembly", assemblyHtml(*assembly, std::to_string(number)));
  }

  // The kernel in C, or why it cannot be written so: C99 has no half precision.
  std::string cCode(ProgramKernel &kernel) {
    std::string why;
    ScopedDiagnosticHandler handler(program.getContext(), [&](Diagnostic &diagnostic) {
      why += (why.empty() ? "" : "; ") + diagnostic.str();
      return success();
    });
    Result<std::string> text = textAt(ProgramStage::C, kernel);
    return text ? cHtml(*text) : "<p class=\"soft\">" + escaped(why) + "</p>";
  }

  Result<std::string> textAt(ProgramStage stage, ProgramKernel &kernel) {
    return kernelsAt(stage, copyOf(kernel), program.getContext(), {.processor = request.processor});
  }

  // A kernel of its own, since stages rewrite what they are given.
  MutableArrayRef<ProgramKernel> copyOf(ProgramKernel &kernel) {
    copies.clear();
    copies.push_back({kernel.statement, kernel.name, kernel.phase,
                      OwningOpRef<ModuleOp>(kernel.module->clone()), kernel.arguments});
    return copies;
  }

  ModuleOp program;
  const PageRequest &request;
  std::vector<std::string> drawn; ///< formats that were drawn before
  std::vector<ProgramKernel> copies;
};

} // namespace

Result<std::string> explanationPart(ModuleOp program, const PageRequest &request) {
  Result<std::string> articles = PageWriter(program, request).articles();
  if (!articles)
    return articles;
  return "<style>" + styleSheet().str() + "</style>\n<div class=\"strata\">\n" + *articles +
         "</div>\n";
}

Result<std::string> explanationPage(ModuleOp program, const PageRequest &request) {
  Result<std::string> articles = PageWriter(program, request).articles();
  if (!articles)
    return articles;
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'\">\n<title>" +
                     escaped(request.title) + "</title>\n<style>" + styleSheet().str() +
                     "</style>\n</head>\n<body class=\"strata\">\n<div class=\"sheet\">\n<header>"
                     "<h1>" +
                     escaped(request.title) +
                     "</h1>\n<p class=\"soft\">Explained by Strata " STRATA_VERSION
                     "</p></header>\n";
  if (!request.text.empty())
    html += "<h3>Program</h3>\n" + plainHtml(request.text);
  return html + *articles + "</div>\n</body>\n</html>\n";
}

} // namespace strata::page

// A text that an editor has open, and what the front end says of it.
#ifndef STRATA_TOOLS_LSP_DOCUMENT_H
#define STRATA_TOOLS_LSP_DOCUMENT_H

#include "strata/frontend/NameUses.h"
#include "strata/frontend/Sema.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/LSP/Protocol.h"

#include <memory>

namespace strata::tool {

/// A text, by lines. Positions of the protocol count units of UTF-16; here bytes are counted.
class LineText {
public:
  explicit LineText(std::string text);

  llvm::StringRef text() const { return content; }
  /// Outside of the text: its end, or the end of the line.
  size_t offsetOf(llvm::lsp::Position position) const;
  llvm::lsp::Position positionOf(size_t offset) const;
  llvm::lsp::Range rangeOf(size_t begin, size_t end) const;
  /// The offset of a line and a column in bytes, both from 1.
  size_t offsetOf(unsigned line, unsigned column) const;

private:
  std::string content;
  std::vector<size_t> starts; ///< of lines
};

/// The syntax, the names and, without errors, the program of a text.
struct Analysis {
  explicit Analysis(const LineText &text, const std::string &name, mlir::MLIRContext &context);

  llvm::StringRef text() const { return sources.getMemoryBuffer(buffer)->getBuffer(); }
  size_t offsetOf(llvm::SMLoc place) const { return size_t(place.getPointer() - text().data()); }
  llvm::SMLoc placeAt(size_t offset) const {
    return llvm::SMLoc::getFromPointer(text().data() + offset);
  }
  /// What analysis knows of a tensor or scalar that is declared there; null if it knows nothing.
  const frontend::Tensor *tensorDeclaredAt(llvm::SMRange name) const;

  llvm::SourceMgr sources;
  unsigned buffer;
  frontend::Diagnostics diagnostics;
  frontend::ast::Module tree;
  bool parsed = false; ///< without errors
  frontend::NameUses names;
  std::vector<frontend::Program> programs; ///< main, or the functions that say what they take
};

class Document {
public:
  Document(std::string name, std::string text, int64_t version)
      : name(std::move(name)), version(version), lines(std::move(text)) {}

  /// Changes of the whole text, or of a range of it.
  void change(llvm::ArrayRef<llvm::lsp::TextDocumentContentChangeEvent> changes, int64_t version);
  /// What the front end says, which is kept until the text changes.
  const Analysis &analysis(mlir::MLIRContext &context);
  const LineText &text() const { return lines; }

  std::string name; ///< for messages
  int64_t version;

private:
  LineText lines;
  std::unique_ptr<Analysis> analyzed;
};

/// The values of parameters that the first comments of a text give, where they tell how the program
/// is called: `# strata run a.ta -D n=4`. Others stay open.
frontend::Parameters parametersOf(llvm::StringRef text);

/// Analyzes a module: its `main`, or where it has none the functions that say what they take.
std::vector<frontend::Program> analyzeAll(const frontend::ast::Module &module,
                                          const frontend::Parameters &parameters,
                                          const frontend::FormatVocabulary &formats,
                                          frontend::Diagnostics &diagnostics);

} // namespace strata::tool

#endif // STRATA_TOOLS_LSP_DOCUMENT_H

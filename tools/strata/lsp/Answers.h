// What editors ask of a text, answered from the front end's analysis and from the plan.
#ifndef STRATA_TOOLS_LSP_ANSWERS_H
#define STRATA_TOOLS_LSP_ANSWERS_H

#include "lsp/LegalCommands.h"
#include "lsp/Plan.h"

namespace strata::tool {

/// The messages of the front end, and of the plan if there is one, as `publishDiagnostics` has
/// them.
llvm::json::Value diagnosticsJson(const llvm::lsp::URIForFile &uri, Document &document,
                                  mlir::MLIRContext &context, const Plan *plan);

/// What stands at a place: nothing where nothing is known. `plan` may be null.
std::optional<llvm::lsp::Hover> hoverAt(Document &document, mlir::MLIRContext &context,
                                        const Plan *plan, llvm::lsp::Position position);

/// Names and words that may stand at a place which is not that of a scheduling command.
llvm::lsp::CompletionList completionsAt(Document &document, mlir::MLIRContext &context,
                                        llvm::lsp::Position position);
/// The commands that are legal at a place of a schedule, in place of the word that is begun there.
llvm::lsp::CompletionList commandCompletions(const LineText &text, const SchedulePlace &place,
                                             size_t offset, const LegalCommands &legal);

std::vector<llvm::lsp::DocumentSymbol> symbolsOf(Document &document, mlir::MLIRContext &context);

/// Where the name at a place is declared, and everywhere where it stands; empty of no name.
std::vector<llvm::lsp::Location> definitionAt(const llvm::lsp::URIForFile &uri, Document &document,
                                              mlir::MLIRContext &context,
                                              llvm::lsp::Position position);
std::vector<llvm::lsp::Location> referencesAt(const llvm::lsp::URIForFile &uri, Document &document,
                                              mlir::MLIRContext &context,
                                              llvm::lsp::Position position, bool withDeclaration);
/// The range of a name that can be renamed.
llvm::Expected<llvm::lsp::Range> renamable(Document &document, mlir::MLIRContext &context,
                                           llvm::lsp::Position position);
llvm::Expected<std::vector<llvm::lsp::TextEdit>> renameAt(Document &document,
                                                          mlir::MLIRContext &context,
                                                          llvm::lsp::Position position,
                                                          const std::string &name);

/// The usage of the scheduling command or the function whose arguments stand at a place.
llvm::lsp::SignatureHelp signatureAt(const LineText &text, llvm::lsp::Position position);

/// The text laid out anew, as one edit; none if it is laid out, or is not to be.
std::vector<llvm::lsp::TextEdit> layoutEdits(const LineText &text);

} // namespace strata::tool

#endif // STRATA_TOOLS_LSP_ANSWERS_H

// From text to syntax trees. docs/Language.md has the grammar; each rule there is a function of
// the parser with the rule's name.
#ifndef STRATA_FRONTEND_PARSER_H
#define STRATA_FRONTEND_PARSER_H

#include "strata/frontend/Ast.h"
#include "strata/frontend/Diagnostics.h"

namespace strata::frontend {

/// Parses the program file in buffer `id` of the diagnostics' source manager. What could not be
/// parsed is reported and left out, so after errors the tree serves for nothing but printing.
ast::Module parseProgram(unsigned id, Diagnostics &diagnostics);

/// Parses one statement, `y(i) = A(i,j) * x(j)`; null after an error.
std::unique_ptr<ast::AssignStmt> parseOneLiner(unsigned id, Diagnostics &diagnostics);

/// Parses a format that stands alone (an argument of the command line); nothing after an error.
std::optional<ast::Format> parseFormat(unsigned id, Diagnostics &diagnostics);

/// Parses scheduling commands that stand alone, without braces (-s, or a file of --schedule): at
/// least one, separated by ';' or ','. Nothing after an error.
std::optional<ast::Schedule> parseSchedule(unsigned id, Diagnostics &diagnostics);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_PARSER_H

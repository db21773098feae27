// Gradients as handles: the statements that the front end writes, with their formats.
#include "strata/api/Analysis.h"

#include "strata/frontend/Differentiate.h"
#include "strata/tensor/ElementTypes.h"

using namespace strata;
using namespace strata::api;

struct strata_gradient : Counted {
  Handle<strata_session> session;
  frontend::Gradients gradients;
  std::vector<Handle<strata_format>> formats; ///< of each statement; null: any
};

static mlir::Type elementsOf(frontend::ElementType type, mlir::MLIRContext &context) {
  for (int32_t one = 0; one <= STRATA_C64; ++one)
    if (mlir::Type found = compilerType(&context, strata_type(one));
        frontend::findElementType(elementTypeWord(found)) == type)
      return found;
  return nullptr;
}

// The format of a statement's result: that of an operand, for the elements that it has.
static Handle<strata_format> formatFor(strata_session &session,
                                       const frontend::GradientStatement &statement,
                                       llvm::ArrayRef<strata_operand> operands) {
  for (const strata_operand &operand : operands)
    if (statement.like == operand.name) {
      mlir::RankedTensorType type = operand.format->type();
      return formatOf(session, mlir::RankedTensorType::get(
                                   type.getShape(), elementsOf(statement.type, session.context),
                                   type.getEncoding()));
    }
  return {};
}

strata_error *strata_gradient_create(strata_session *session, const char *text,
                                     const strata_operand *operands, int32_t count,
                                     const char *const *by, int32_t by_count,
                                     strata_gradient **gradient) {
  Turn turn(session->turn);
  llvm::ArrayRef<strata_operand> given(operands, size_t(std::max(count, 0)));
  Analysis analysis(*session, /*unscheduled=*/true);
  if (strata_error *error = analysis.parse(text, given, {}))
    return error;
  for (const strata_operand &operand : given)
    if (strata_error *error =
            analysis.describe(operand.name, operand.format->type(), /*given=*/true))
      return error;
  auto made = Handle<strata_gradient>::adopt(new strata_gradient);
  made->session = Handle<strata_session>(session);
  std::vector<std::string> names(by, by + std::max(by_count, 0));
  if (strata_error *error = analysis.differentiate(names, made->gradients))
    return error;
  for (const frontend::GradientStatement &statement : made->gradients.statements)
    made->formats.push_back(formatFor(*session, statement, given));
  *gradient = made.release();
  return nullptr;
}

strata_gradient *strata_gradient_retain(strata_gradient *gradient) {
  gradient->retain();
  return gradient;
}

void strata_gradient_release(strata_gradient *gradient) {
  if (gradient)
    gradient->release();
}

template <typename T> static const T *at(const std::vector<T> &list, int32_t index) {
  return index >= 0 && size_t(index) < list.size() ? &list[size_t(index)] : nullptr;
}

const char *strata_gradient_cotangent(const strata_gradient *gradient) {
  return gradient->gradients.cotangent.c_str();
}

const char *strata_gradient_name(const strata_gradient *gradient, int32_t index) {
  const std::string *name = at(gradient->gradients.results, index);
  return name ? name->c_str() : nullptr;
}

const char *strata_gradient_statement(const strata_gradient *gradient, int32_t index) {
  const frontend::GradientStatement *statement = at(gradient->gradients.statements, index);
  return statement ? statement->text.c_str() : nullptr;
}

const char *strata_gradient_result(const strata_gradient *gradient, int32_t index) {
  const frontend::GradientStatement *statement = at(gradient->gradients.statements, index);
  return statement ? statement->result.c_str() : nullptr;
}

const strata_format *strata_gradient_format(const strata_gradient *gradient, int32_t index) {
  const Handle<strata_format> *format = at(gradient->formats, index);
  return format ? format->get() : nullptr;
}

const char *strata_gradient_operand(const strata_gradient *gradient, int32_t index,
                                    int32_t operand) {
  const frontend::GradientStatement *statement = at(gradient->gradients.statements, index);
  const std::string *name = statement ? at(statement->operands, operand) : nullptr;
  return name ? name->c_str() : nullptr;
}

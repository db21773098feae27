// From the syntax of scheduling commands to their attributes.
#include "strata/frontend/TaSchedules.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace strata::frontend {

static SmallVector<Attribute> emitArguments(Builder &b,
                                            llvm::ArrayRef<ast::CommandArgument> arguments) {
  SmallVector<Attribute> attributes;
  for (const ast::CommandArgument &argument : arguments)
    switch (argument.kind) {
    case ast::CommandArgument::Kind::Name:
      attributes.push_back(b.getStringAttr(argument.name));
      break;
    case ast::CommandArgument::Kind::Number:
      attributes.push_back(b.getI64IntegerAttr(argument.number));
      break;
    case ast::CommandArgument::Kind::List:
      attributes.push_back(b.getArrayAttr(emitArguments(b, argument.list)));
      break;
    }
  return attributes;
}

ta::ScheduleAttr emitSchedule(MLIRContext *context, const ast::Schedule &schedule) {
  Builder b(context);
  SmallVector<ta::CommandAttr> commands;
  for (const ast::Command &command : schedule.commands)
    commands.push_back(
        ta::CommandAttr::get(context, command.name.text, emitArguments(b, command.arguments)));
  return ta::ScheduleAttr::get(context, commands);
}

} // namespace strata::frontend

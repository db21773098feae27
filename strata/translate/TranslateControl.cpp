// Output, sizes, loops and branches.
#include "strata/translate/Translator.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/tensor/StorageDump.h"
#include "strata/tensor/StoredFormats.h"

using namespace mlir;

namespace strata {

using host::SizeId, host::TensorId, host::TypeId, host::KernelId;

void Translator::translate(ta::WriteOp op) {
  auto type = cast<RankedTensorType>(op.getTensor().getType());
  host::Write write{tensor(op.getTensor()), fileOf(op, op.getFile()), -1, -1};
  if (!ta::placementOf(type)) {
    listed(op.getTensor());
  } else {
    RankedTensorType whole = ta::withPlacement(type, {});
    write.whole = newTensor(ta::quotedNameOf(op.getTensor()));
    write.wholeType = types.number(decided(whole));
    movePieces(op.getTensor(), whole, hasZeroFill(op.getTensor()));
    if (ahead)
      ahead->listed(whole);
  }
  add(op, std::move(write));
}

void Translator::translate(ta::PrintOp op) {
  if (op.getStorage()) {
    host::PrintStorage print{tensor(op.getTensor()), op.getName().str(), {}};
    for (RankedTensorType part : types.parts(typeId(op.getTensor())))
      print.parts.push_back(storageTextOf(part));
    return add(op, std::move(print));
  }
  add(op, host::Print{listed(op.getTensor()), op.getName().str(), op.getBare()});
}

void Translator::translate(ta::PrintTextOp op) { add(op, host::PrintText{op.getText().str()}); }

void Translator::translate(ta::CheckpointOp op) {
  add(op, host::Checkpoint{tensor(op.getTensor()), int64_t(op.getNumber())});
}

void Translator::translate(ta::TimeOp op) {
  add(op, host::Time{tensor(op.getResult()), typeId(op.getResult())});
}

void Translator::translate(ta::PrintElapsedOp op) {
  add(op, host::PrintElapsed{tensor(op.getStart()), tensor(op.getEnd())});
}

void Translator::translate(ta::ReleaseOp op) { add(op, host::Release{tensorsOf(op.getTensors())}); }

void Translator::translate(ta::DimOp op) {
  add(op, host::Dim{size(op.getSize()), tensor(op.getTensor()), int64_t(op.getDim())});
}

void Translator::translate(ta::CellsOp op) {
  auto named = [&](const host::Machine &machine) { return machine.name == op.getMachine(); };
  add(op, host::Cells{size(op.getCells()),
                      llvm::find_if(program.machines, named) - program.machines.begin(),
                      int64_t(op.getAxis())});
}

void Translator::translate(ta::SameSizeOp op) {
  std::vector<std::string> uses;
  for (Attribute use : op.getUses())
    uses.push_back(cast<StringAttr>(use).str());
  add(op, host::SameSize{size(op.getSize()), op.getLabel().str(), sizesOf(op.getSizes()),
                         std::move(uses)});
}

void Translator::translate(ta::FitOp op) {
  add(op, host::Fit{size(op.getSize()), affineOf(op.getMap()), sizesOf(op.getSizes())});
}

void Translator::translate(ta::HoldsOp op) {
  add(op, host::Holds{size(op.getResult()), relationOf(op.getRelation()), tensor(op.getLhs()),
                      tensor(op.getRhs())});
}

void Translator::translate(arith::AndIOp op) {
  add(op, host::Logic{size(op.getResult()), true, size(op.getLhs()), size(op.getRhs())});
}

void Translator::translate(arith::OrIOp op) {
  add(op, host::Logic{size(op.getResult()), false, size(op.getLhs()), size(op.getRhs())});
}

template <typename LoopOp> host::Rounds Translator::roundsOf(LoopOp loop) {
  OperandRange inits = loop.getInits();
  host::Rounds rounds;
  rounds.inits = tensorsOf(inits);
  for (BlockArgument argument : loop.getCarried()) {
    auto named = dyn_cast<NameLoc>(argument.getLoc());
    rounds.carried.push_back(tensor(argument));
    rounds.names.push_back(named ? "'" + named.getName().str() + "'" : "a carried tensor");
  }
  rounds.results = tensorsOf(loop->getResults());
  for (int64_t number : loop.getMoved())
    rounds.ended.push_back(tensor(inits[size_t(number)]));
  rounds.body = translate(loop.getBlock());
  return rounds;
}

void Translator::translate(ta::ForOp op) {
  TypeId type = typeId(op.getCounter());
  add(op, host::For{tensor(op.getLower()), tensor(op.getUpper()), tensor(op.getStep()),
                    tensor(op.getCounter()), type, roundsOf(op)});
}

void Translator::translate(ta::LoopOp op) {
  add(op, host::Loop{int64_t(op.getLimit()), roundsOf(op)});
}

void Translator::translate(ta::IfOp op) {
  host::If branch{size(op.getCondition()), tensorsOf(op.getResults()),
                  translate(op.getBody().front()), translate(op.getOtherwise().front())};
  add(op, std::move(branch));
}

host::CellRounds Translator::cellRoundsOf(ta::DistributeOp op) {
  host::CellRounds rounds;
  rounds.parts = op.getParts() ? size(op.getParts()) : -1;
  rounds.chunk = op.getChunk().value_or(0);
  rounds.dims = op.getWindows()->vec();
  if (op.getRotated())
    rounds.rotated = op.getRotated()->vec();
  for (unsigned operand = 0; operand < rounds.dims.size(); ++operand) {
    rounds.types.push_back(types.number(decided(op.typeOnCells(operand))));
    if (rounds.dims[operand] >= 0)
      movePieces(op.getTensors()[operand], op.typeOnCells(operand),
                 hasZeroFill(op.getTensors()[operand]));
  }
  return rounds;
}

void Translator::translate(ta::DistributeOp op) {
  host::Distribute cells{
      tensor(op.getResult()),
      typeId(op.getResult()),
      resultSizes(op, cast<RankedTensorType>(op.getResult().getType()), op.getSizes()),
      tensorsOf(op.getTensors()),
      {},
      {},
      {}};
  for (BlockArgument argument : op.getBlock().getArguments())
    cells.pieces.push_back(tensor(argument));
  if (op.hasRounds())
    cells.rounds = cellRoundsOf(op);
  cells.body = translate(op.getBlock());
  add(op, std::move(cells));
}

void Translator::translate(ta::NextOp op) {
  add(op, host::Next{tensorsOf(op.getValues()), handedOn(op)});
}

void Translator::translate(ta::BreakOp op) {
  add(op, host::Break{tensorsOf(op.getValues()), handedOn(op)});
}

void Translator::translate(func::ReturnOp op) {
  for (Value operand : op.getOperands()) {
    if (ahead && ahead->caller() == Caller::Code)
      ahead->describe(typeId(operand), "the result");
    else
      listed(operand);
    program.results.push_back(tensor(operand));
  }
}

} // namespace strata

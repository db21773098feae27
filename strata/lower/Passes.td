// All passes, in the order in which lower/Pipeline.cpp runs them. Each says what it requires and what
// it leaves: programs or kernels, and in which dialect. Kernels "in scf" are written in upstream
// dialects, and those "in llvm" in LLVM's. test/check/pass_order.py compares both with the pipeline
// and with what the passes themselves ask for.
#ifndef STRATA_LOWER_PASSES_TD
#define STRATA_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

//===------------------------------------------------------------------------------------------===//
// On programs: what statements say
//===------------------------------------------------------------------------------------------===//

def ForgetStorage : Pass<"ta-forget-storage", "::mlir::ModuleOp"> {
  let summary = "undo what ta-place-storage decided";
  let description = [{
    A program that `strata emit --stage=ta` printed can be read again, and all passes run again. So they
    begin without `ta.release`, `in_place` and `moved`, whoever has written these.

    Requires: programs in ta, of the front end or printed by `strata emit --stage=ta`.

    Leaves: programs in ta without `ta.release`, `in_place` and `moved`.

    Example: test/lower/ta/forget-storage.mlir.
  }];
}

def DistributeStatements : Pass<"ta-distribute-statements", "::mlir::ModuleOp"> {
  let summary = "let each cell of a machine compute a part of a statement";
  let description = [{
    Where a schedule has `divide(i, io, ii, M.x); distribute(io)`, the cells along axis x of machine M
    take intervals of the values of i. Each operand is brought to the placement in which a cell has
    what its part needs, by a conversion: of a tensor that is read at i in some dimension the same
    interval of that, else all. Where nothing is summed at values of a label at which the cell's
    pieces of an operand store nothing, a cell needs the others only: `ta.needs` lists them, and
    `ta.fetch` brings what they reach of the other operands, if these lie in pieces. Where the label
    is a coordinate only with a constant added, or takes a part of a dimension, as in
    y(i) = x(i - 1) + x(i + 1), `ta.reach` lists for intervals of the result what cells need, and
    `ta.scatter` puts what they compute into what the result was. Then
    `ta.distribute` executes the statement on the pieces, with what else the schedule says, and its
    result, which is placed by i, is brought to where it belongs. `communicate` names tensors that
    are brought where the loops over cells begin, as all are.

    Where i is summed, the parts that cells have of the sum are a tensor with a dimension more, the
    number of the cell, whose values a second statement adds up in their order. A sum inside of a
    larger expression becomes a statement of its own.

    After `fuse(i, j, f); pos(f, p, A)`, `divide(p, po, pi, M.x); distribute(po)` give cells as many
    entries of A each, if there is nothing to compute where A stores nothing. The coordinates of
    these are lists, of which each cell has its own; what a cell computes at them, `ta.scatter` puts
    at its coordinates, as a part of a sum over the cells.

    A statement whose schedule says nothing of cells is distributed as an operand is placed that is
    cut by its entries, so that these stay where they are; if that is not possible, as its result is,
    if that is cut by coordinates, else as the operand of most dimensions is that is cut so. Where
    that is not possible either, it is left to ta-gather-pieces.

    Requires: programs in ta.

    Leaves: programs in ta whose schedules are about one cell, or about no machine.

    Example: test/lower/ta/distribute-statements.mlir.
  }];
  let dependentDialects = ["::strata::ta::TaDialect", "::mlir::arith::ArithDialect"];
}

def GatherPieces : Pass<"ta-gather-pieces", "::mlir::ModuleOp"> {
  let summary = "make distributed tensors whole where an operation needs all of them";
  let description = [{
    An operation that knows no pieces gets its operands whole, by a conversion whose reason is told
    but for what prints, writes or returns them, and makes its result whole, of which each cell then
    keeps its piece. Loops and branches hand pieces on as they are. A copy of a whole tensor between
    placements becomes a conversion.

    Requires: programs in ta.

    Leaves: programs in ta in which only conversions, loops and branches read or write a distributed
    tensor.

    Example: `y(i) = A(i,j) * x(j)` with x on M(j) becomes a conversion of x, and a statement on it.

    Test: test/lower/ta/gather-pieces.mlir.
  }];
  let options = [Option<"returnsPieces", "returns-pieces", "bool", "false",
                        "what functions return stays in pieces">];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

def LowerMasks : Pass<"ta-lower-masks", "::mlir::ModuleOp"> {
  let summary = "turn masks into operations of a statement's region";
  let description = [{
    Takes `mask` and `empty` from every `ta.compute`, so that the passes behind need not know them.
    `ta.masked`, `ta.unmasked` and `ta.filter` let values pass where places take part. Where the
    value is a sum, they stand at its terms, so that what the mask drops is not computed; with
    `pull`, and where a place without terms is worth something else than one without a value, around
    it. What takes no part stays as it is, by an update in place of a result that has a place for
    everything, and else by the union of the new values and the old ones where the mask excludes
    them. What an update cannot say becomes a statement that comes first: emptying the places that
    take part, or all but them (`replace` of an update). Its attribute `reason` says so; the
    user is told. An `empty` is left only where a part of a sparse tensor is written.

    Requires: programs in ta.

    Leaves: programs in ta of which no statement has a `mask`, and `empty` only where a part of a
    sparse tensor is written.

    Example: `C<M> = A * B` of a dense C becomes `C<M> = 0`, and `C += A * B` of the terms that M
    lets pass; test/lower/ta/lower-masks.mlir.
  }];
  let dependentDialects = ["::strata::ta::TaDialect", "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect"];
}

def ScheduleTensors : Pass<"ta-schedule-tensors", "::mlir::ModuleOp"> {
  let summary = "give statements the tensors that their schedules ask for";
  let description = [{
    `convert(A, CSR)` of a schedule becomes a `ta.convert` of the operand before the statement, or of
    the result after it; `materialize(A(i,k) * B(k,j), t, CSR)` a statement of its own, before, that
    computes this part of the right side as a tensor. `separate()`, `fold()`, `extract()`,
    `accumulate()`, `inline(T)` and `share(B)` do what passes behind do to statements without a
    schedule, whatever it costs; `specialize(FewSteps)` keeps two ways in a `ta.if`. The commands that
    are about loops stay.

    Requires: programs in ta without masks.

    Leaves: programs in ta whose schedules have none of these commands.

    Example: test/lower/ta/schedule-tensors.mlir.
  }];
}

def ExpandSums : Pass<"ta-expand-sums", "::mlir::ModuleOp"> {
  let summary = "turn statements over sums of storages into statements over their parts";
  let description = [{
    Where a statement's value is linear in an access to a tensor stored as a sum and its result has a
    place for everything, it becomes one statement for each part, of which all but the first update
    the result; each part is then walked as it is stored. Elsewhere the access becomes the sum of
    accesses to the parts, which the loops merge; where more than four sparse storages would be merged
    so, it is converted to one. A multiple of a sum that is stored as this gets multiples of the
    values of its parts (`ta.with_values`); any other result that is a sum is computed as one
    storage and converted. A copy of a whole tensor stays: it is a conversion.

    Requires: programs in ta without masks.

    Leaves: programs in ta in which only copies of whole tensors read or write a sum of storages.

    Example: `y(i) = b(i) - A(i,j) * x(j)` with A in HYB becomes `y(i) = b(i) - A_ELL(i,j) * x(j)`
    and `y(i) += 0 - A_COO(i,j) * x(j)`.

    Test: test/lower/ta/expand-sums.mlir.
  }];
  let dependentDialects = ["::strata::ta::TaDialect", "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect"];
}

def ShareStatements : Pass<"ta-share-statements", "::mlir::ModuleOp"> {
  let summary = "compute once what statements say twice";
  let description = [{
    A statement that computes what another has computed before, of the same values, gets that
    result. Nothing moves from one side of a `ta.time` to the other. What was done is noted on the
    module (`strata.notes`).

    Requires: programs in ta.

    Leaves: programs in ta in which no two statements between two `ta.time` compute the same.

    Example: test/lower/ta/share-statements.mlir.
  }];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

def ForbidResolutions : Pass<"ta-forbid-resolutions", "::mlir::ModuleOp"> {
  let summary = "keep the compiler from resolving conflicts in some ways";
  let description = [{
    Marks every statement (`strata.forbidden`) with what the passes behind may not do for it:
    `fusion` (it becomes a part of another), `split` (a part becomes a statement), `grouping` (factors of a
    product are multiplied in another order than they are written), `order` (its loops
    run in another order than its labels are written, those of the left side first), `workspace`
    (rows are gathered), `conversion` (of an operand or the result), `sort` (the result is assembled as
    unsorted COO, then sorted, and duplicates are summed), `gather` (`ta.gather`). A statement that cannot be computed
    without is refused, and the message says which of them would do.

    Others are about dense tensors, and no statement is refused without: `packing` (labels of a
    contraction are permuted while blocks of operands are packed, so that no tensor is transposed as
    a whole), `permutation` (of the transposes those that move the fewest elements), `blocks`
    (contractions run in blocks), `microkernel` (a tile of the result stays in registers),
    `transposes` (these run in blocks). The kernel's function keeps them.

    Requires: programs in ta.

    Leaves: programs in ta, of which the statements have `strata.forbidden`, and are what they were.

    Example: `--ta-forbid-resolutions="what=conversion,sort"`; test/lower/ta/forbid-resolutions.mlir.
  }];
  let options = [ListOption<"what", "what", "std::string", "what is forbidden">];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

//===------------------------------------------------------------------------------------------===//
// On programs: which statements there are
//===------------------------------------------------------------------------------------------===//

def FuseStatements : Pass<"ta-fuse-statements", "::mlir::ModuleOp"> {
  let summary = "compute a tensor where it is read, instead of storing it";
  let description = [{
    A statement whose result one other statement of the same block reads, at one place, becomes a
    part of that statement where this costs no more work: where each value is used once; where it is
    wanted only at the places of a sparse operand (SDDMM written in two statements); where its rows
    can be made one at a time (a sparse matrix times a dense one, times another: the inner sum then
    carries `workspace`); or where it costs no more than loading it. Not a contraction that would run in
    blocks, unless the products of both statements can be ordered such that less is left. The result is
    never stored. The attribute `fused` of the statement names what it swallowed, and why.

    Requires: programs in ta without masks.

    Leaves: programs in ta with as many statements or fewer; `fused` names what each has swallowed.

    docs/rationale/Fusion.md tells what is not fused. Example: test/lower/ta/fuse-statements.mlir.
  }];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

def OrderProducts : Pass<"ta-order-products", "::mlir::ModuleOp"> {
  let summary = "multiply several tensors in the best order, dense ones two at a time";
  let description = [{
    A sum of a product of three or more dense tensors becomes sums of products of two, each but the last a
    statement of its own into a dense temporary. The order is that of the fewest operations, by the
    sizes of labels (64 where they are not known): of all orders of up to 12 factors, and of more the
    one that is found by joining the cheapest pair again and again. A factor with labels that neither
    another factor nor the result has is summed first. Nothing is done where more than four fifths of
    the operations of one nest of loops over all labels would remain, or for fewer than 4,096. A sum of
    a product of two is taken apart where one of them has labels that are summed first.

    Before that, contractions of dense tensors that one sum adds up get sums of their own: `sum(k, A[i,k]
    * B[k,j] - A[j,k] * B[k,i])` becomes two sums, each of which runs in blocks and in its own order of
    loops. What is no product of two tensors with a label each that the other lacks, or of more, stays
    together (test/lower/ta/separate-sums.mlir).

    Before all, a factor of a contraction of dense tensors that is more than a tensor's element (`(A[i,k]
    + B[i,k]) * C[k,j]`, `exp(A[i,k]) * B[k,j]`) becomes a statement of its own if one of its operands has
    all of its labels; the contraction then runs in blocks (test/lower/ta/split-products.mlir).

    A sparse factor and dense ones whose sum is wanted at its entries alone become a statement whose
    result stores as much as that factor, where two fifths of the operations remain: `S[i,j] * A[i,k] *
    B[j,k] * C[j,l]` becomes `t[i,j] = S[i,j] * sum(k, A[i,k] * B[j,k])` and `t[i,j] * C[j,l]`
    (test/lower/ta/split-sampled.mlir).

    Where some factors are sparse, these are multiplied last, all at once with what the dense ones become:
    of all groups of the dense factors (up to 8) those are multiplied before that leave the fewest
    operations. A level that stores only some coordinates counts as 8 coordinates below each position,
    since the entries are not known yet, and a tensor of blocks, diagonals or sorted rows as 8 entries
    for each coordinate of its first dimension; two fifths of the operations of one nest must be enough
    then.
    Labels that a sparse factor alone has are summed first where that leaves two fifths of the operations;
    the sum stores what has terms, and a vector as long as a dense factor is a bitmap. For such sums, a
    list of entries counts as 8 for each coordinate of its first dimension. A sum to a scalar stays a
    part of its statement, which then tells whether it has terms. No other temporary of these has a sparse factor, but for sampled
    products. So what a sparse tensor does not store is absent as before, also beside infinity and NaN.

    A sum of a product of one sparse and several dense tensors, into a dense result, may be computed by
    products of two, all of them dense. Where all sizes are known, and these would take a quarter of the
    steps if the sparse tensor stored all of its elements, both ways are kept, as the regions of a
    `ta.if` with `strata.few_entries`: a run takes the second if the entries are many enough, and dense
    operands finite (test/lower/ta/filled-products.mlir).

    Where `grouping` is forbidden, products of dense factors are multiplied from left to right, and
    products with sparse ones all at once; where `split` is, or the statement has a schedule, all are.
    With `max-memory`, the search leaves out orders whose temporaries do not fit into so many bytes
    beside the dense factors and the product, if all sizes are known. The attribute `reason` of the first temporary says what the order
    costs; the user is told.

    Requires: programs in ta without masks.

    Leaves: programs in ta whose products of dense tensors have two factors each where that costs
    less.

    Example: test/lower/ta/order-products.mlir.
  }];
  let options = [
    Option<"maxMemory", "max-memory", "int64_t", "-1",
           "what tensors may take, in bytes; negative: whatever there is">,
  ];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

def TransposeContractions : Pass<"ta-transpose-contractions", "::mlir::ModuleOp"> {
  let summary = "write contractions as transposes and a product of matrices (TTGT)";
  let description = [{
    A sum of a product of two dense tensors becomes a product of matrices, where `packing` is forbidden
    or the schedule of the statement has the command `ttgt`, which is taken out. The labels of each
    tensor are grouped: those of all three tensors come first, then those of the rows of a matrix, then
    those of its columns. A tensor whose labels are not in this order is transposed by a statement
    of its own: an operand into a temporary before the product, the result from a temporary that holds
    the product. The order of the labels in each group, whether a matrix is stored by rows or by
    columns, and which operand has the rows, are those that move the fewest elements, and of such
    those in which the fewest elements get other neighbours. Where `permutation` is forbidden, the
    order is that of the left operand, and all matrices are stored by rows.

    Products of which a label occurs in one tensor only, or twice in one, are left alone, and a
    statement with the command but without a product of two dense tensors is an error.

    Requires: programs in ta without masks.

    Leaves: programs in ta without the command `ttgt`.

    Example: test/lower/ta/transpose-contractions.mlir.
  }];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

def SplitStatements : Pass<"ta-split-statements", "::mlir::ModuleOp"> {
  let summary = "take out of statements what fused loops would compute again and again";
  let description = [{
    A sum of sparse operands that a product with another sparse operand would merge again and again,
    two factors of a chain of sparse products (first a matrix times a vector or rows that are stored
    whole, whose product is rows again), and a sum of products that a sparse result would ask for at
    every place become statements of their own, into temporaries that store what occurs. A sum
    of products of sparse operands that is a part of a dense result (`sum(k, A[k,i] * A[k,j]) - x[i] *
    x[j]`) becomes one into a dense temporary: inside the loops of the other terms each of its values
    would be a sum by itself, of two sparse rows (test/lower/ta/split-products.mlir). So does a sum
    whose terms are added up as a sparse operand is stored (`z[i] - sum(j, A[j,i] * x[j])`), where the
    loops of other terms would need that operand converted; in a loop of the program it is converted.
    Where an absent sum makes something else of the statement than a zero, the temporary is a bitmap;
    if what dense operands hold decides, both ways are kept, as the regions of a `ta.if` with
    `strata.held_zeros`: a run takes the second, with the dense temporary, if these are finite.
    The first or last term of a sum into a dense result, of one sparse operand that would have to be
    converted to be merged with the others, is added to the result in a statement of its own
    (`R[i,j] = A[i,j] + B[j,i]`). So are sums over operands that no order of loops walks as they are stored
    (`y[i] = sum(j, A[i,j] * x[j] + A[j,i] * x[j])`), each by itself.
    What another operand samples (`C[i,j] * A[i,k] * B[k,j]` with C sparse) stays fused. Masks around
    a part go with it, if they have no other labels. The attribute `reason` of the new statement says
    why; the user is told.

    A reduction whose terms are the same wherever its sparse operands store nothing, and not what the
    operator leaves others unchanged with, would visit all places: the maximum of a sparse matrix, a
    product, a sum of exponentials. It becomes a reduction of the stored terms and a count of them;
    where the count is less than the number of places, the term of what is absent is combined with the
    result: once, and of sums and products as a multiple and a power. Both are statements of their own
    where the reduction has no free variables, or where no loops compute it inside its statement. A
    statement with a schedule stays as it is. Example: test/lower/ta/fold-fills.mlir.

    Requires: programs in ta without masks.

    Leaves: programs in ta of which no statement computes one value again and again for others.

    Example: `D = A * B * C` with sparse matrices becomes `t0 = A * B` and `D = t0 * C`.

    Test: test/lower/ta/split-statements.mlir.
  }];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

//===------------------------------------------------------------------------------------------===//
// On programs: every statement has an order of loops
//===------------------------------------------------------------------------------------------===//

def ResolveConflicts : Pass<"ta-resolve-conflicts", "::mlir::ModuleOp"> {
  let summary = "convert operands and results whose level order conflicts with the others'";
  let description = [{
    For each statement looks for an order of its loops in which every operand can be walked and
    the result built. Where there is none, the fewest operands are converted to a format whose
    levels follow the order of the others, or the result is computed in a format that can be
    appended to and converted. Each conversion carries its reason, which the user is told.
    Where no order helps, accesses to diagonals, strided rows and the like are brought into the
    plain form by `ta.gather`. A result that stores what the only sparse operand does, at the same
    places and in the same format (`A *= s`, `A = sqrt(A)`), needs no loops over coordinates: the
    statement becomes one over the vector of the operand's values (`ta.values`), with which the result
    has the operand's levels (`ta.with_values`). An argument of a function is left to a kernel, where
    that has loops. An update of a result without a place for everything makes it anew, of a
    part of it by `ta.insert_part`.

    An order in which a loop inside others takes all values of a variable, although the operands
    store few of them, comes after all conversions, and so does one in which a walk of an operand
    begins again and again, in vain where another has nothing. Where operands can be walked so, both
    ways are kept, as a `ta.if` with the attribute `strata.few_steps`, whose first region converts
    nothing; a sampled result takes that where the operands are not known. Walks of all rows for each
    column that is looked up in them are such walks. Of as many conversions those are better with which
    a result without sums takes its entries in the order of the loops; of a union, one more is.
    A result that is no larger than its operands counts as one of them. A sum of products whose terms could also be
    listed and sorted is kept in both ways, as a `ta.if` with the attribute `strata.few_terms`: its
    first region sorts, its second converts operands. The executor takes the first if the operands
    turn out to have few entries; the condition, false, is the choice where they are not known.

    Dense operands of a statement over sparse ones whose rows run along a label of these, while loops
    can end with that over another label that both the operand and the rows of the result have, or
    that is summed, are turned: `R[i,k] = S[i,j] * B[k,j]` reads B with k as its rows. Both ways are kept
    as a `ta.if` with the attribute `strata.few_reads`, but in a loop that does not change the operand. Likewise
    a dense result of sums whose rows run along such a label is computed with other rows and turned.

    A value that is computed from dense operands by functions, divisions or from several of them, and
    lacks a label of a sparse operand, is computed first, for all of its labels: `S[i,j] * tanh(B[j,k])`. Both ways
    are kept as a `ta.if` with the attribute `strata.few_uses`.

    Operands with padding (BCSR) that are walked again for each value of another sparse operand's variable
    are converted to formats that store entries alone: both ways are kept as a `ta.if` with the attribute
    `strata.few_steps`, whose condition is true.

    Requires: programs in ta without masks, whose statements read and write no sums of storages.

    Leaves: programs in ta of which each statement has an order of loops, in which its operands can
    be walked and its result built.

    Example: in `C = A + B` with A in CSR and B in CSC, B becomes CSR:

    ```mlir
    %0 = ta.convert %B {reason = "..."} : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>
    ```

    Test: test/lower/ta/resolve-conflicts.mlir.
  }];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

def HoistConversions : Pass<"ta-hoist-conversions", "::mlir::ModuleOp"> {
  let summary = "convert what a loop does not change once, before the loop";
  let description = [{
    A conversion or a statement that the compiler inserted into a loop, of tensors from outside, moves
    in front of the loop, out of as many loops as possible; several conversions of the same tensor to
    the same format become one. Its reason says so. What stands in a branch stays: it may never be
    needed. So do lists of what cells need, and what is made of sizes alone (`ta.inside`,
    `ta.reach`): those of tensors that a loop carries, or makes, are known in front of it.

    Requires: programs in ta.

    Leaves: programs in ta whose inserted conversions and statements stand outside all loops that do
    not change what they read.

    Example: A is not carried by the loop, so its conversion need not be repeated:

    ```mlir
    %0 = ta.convert %A {reason = "...; once, before the loop"} : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>
    %r = ta.loop limit 10 carry(%x : tensor<?xf64>) -> tensor<?xf64> { ... }
    ```

    Test: test/lower/ta/hoist-conversions.mlir.
  }];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

//===------------------------------------------------------------------------------------------===//
// On programs: whose memory there is
//===------------------------------------------------------------------------------------------===//

def PlaceStorage : Pass<"ta-place-storage", "::mlir::ModuleOp"> {
  let summary = "decide which storages results take over, and when the others are given back";
  let description = [{
    Behind the last use of a tensor in its block stands a `ta.release` of it. A statement that updates a
    tensor which nothing needs afterwards writes into its storage (`in_place`), unless it also reads
    it; a loop takes over what it carries and nothing else needs (`moved`), `ta.with_values` its operands;
    what a region hands on at its end is its receiver's. A use within a loop or a branch is one by the loop or the branch.

    Requires: programs in ta without `ta.release`, `in_place` and `moved`.

    Leaves: programs in ta in which each storage is released once, or handed on.

    Example, of a program in which only `y` is needed again:

    ```mlir
    %1 = ta.compute [%i = %n] ins(%A, %x : ...) init(%y : tensor<?xf64>) combine add -> tensor<?xf64>
                    out [%i] attributes {in_place} { ... }
    ta.release %A, %x : tensor<?x?xf64, #CSR>, tensor<?xf64>
    ```

    test/lower/ta/place-storage.mlir.
  }];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

//===------------------------------------------------------------------------------------------===//
// On kernels: how, in loops over index variables
//===------------------------------------------------------------------------------------------===//

def InheritPatterns : Pass<"strata-inherit-patterns", "::mlir::ModuleOp"> {
  let summary = "compute all values at once where an operand has the result's pattern";
  let description = [{
    The result of `A[i, j] = sum(k, B[i, j, k] * c[k])` has an entry wherever B has one below its
    first two levels. A kernel of such a statement gets a second one, `NAME.values`, of the same
    statement on storages whose first dimension is the number of an entry (i, j): `a[p] = sum(k,
    b[p, k] * c[k])`, where `a` are the values of A, and `b` the levels of B behind the first two. It
    is compiled like any other: a tensor times a vector as a matrix times a vector, a tensor times a
    matrix as a matrix times a matrix, `2 * B[i, j]` as a loop over values.

    `strata.inherits` on the kernel says which levels of which operand are the result's
    (strata_inheritance of runtime/assembly.h), `strata.values` names the second kernel. The runtime
    copies these levels and calls that one where nothing that B stores there is empty; else the
    kernel does all the work.

    It is done where no other operand is sparse, the operand's labels of these levels occur nowhere
    else, and all levels are dense or compressed; of a statement with a schedule, where that says
    `assemble(A, Inherit)`. The second kernel has the loops that the compiler chooses.

    Requires: kernels in ta.

    Leaves: kernels in ta, of which some have `strata.inherits` and a kernel `NAME.values` beside
    them.

    Example: test/lower/ta/inherit-patterns.mlir.
  }];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

def TaToCin : Pass<"convert-ta-to-cin", "::mlir::ModuleOp"> {
  let summary = "turn kernels of one statement into the naive nest of loops";
  let description = [{
    A kernel is a function marked `strata.kernel` that returns one `ta.compute` of its arguments.
    Its tensors become storages, the result first; the statement becomes `cin.forall` loops over the
    labels of the left side, then over those of each reduction where it stands. The reduction that is
    the whole right side is accumulated in the result, if it can be; every other is a `cin.where`
    over a scalar. Labels that come again get a number behind their name.

    Nothing is decided. How the nest is to be rewritten stands on the kernel, as `strata.schedule`:
    the statement's schedule, or the compiler's own choice, in which blocks of rows are as large as the
    first cache suggests.

    Attributes of the kernel say what it relies on (`strata.assumptions`), which phase of the work it
    does (`strata.phase`), and what estimates of its operands speak for (`strata.policy`): `counted`
    is tried first where it is possible, `table` is the kind of workspace that entries are gathered
    in. Any other attribute `strata.*` of a kernel is refused.

    Requires: kernels in ta, of one statement without a mask that has an order of loops.

    Leaves: kernels in cin: the naive nest, with the commands that are to change it in
    `strata.schedule`.

    Example: test/lower/cin/ta-to-cin.mlir.
  }];
  let options = [Option<"firstCache", "first-cache", "int64_t", /*default=*/"32 << 10",
                        "bytes of the first data cache">];
  let dependentDialects = ["::strata::ta::TaDialect", "::strata::cin::CinDialect"];
}

def ApplySchedules : Pass<"cin-apply-schedules", "::mlir::ModuleOp"> {
  let summary = "rewrite the loops of kernels as their schedules say";
  let description = [{
    Applies the commands of `strata.schedule` in turn (strata/schedule/). A command that is not
    possible is an error, and no command is passed over. Where the result keeps something for each
    block of a variable's values (a row of blocks in BCSR), the loop over it runs in blocks.

    Then the schedule is completed by `contract(...)` for each nest of loops that is a contraction of
    dense tensors, unless blocks are forbidden, sums keep their order, or known sizes are too small.

    Requires: kernels in cin, as `convert-ta-to-cin` makes them.

    Leaves: kernels in cin whose loops run as the schedule says, or an error at the command that is
    not possible.

    Example: test/lower/cin/apply-schedules.mlir, test/lower/cin/contract.mlir.
  }];
}

def PromoteSums : Pass<"cin-promote-sums", "::mlir::ModuleOp"> {
  let summary = "keep sums in scalars until they are whole";
  let description = [{
    Where the loops of a sum that the result accumulates are the innermost ones, a scalar accumulates
    it and the result is assigned once. Not where loops over tuples, or over entries whose
    coordinates come again, reach a place of the result several times.

    Requires: kernels in cin, whose schedules have been applied.

    Leaves: kernels in cin in which the innermost sums are kept in scalars.

    Example: test/lower/cin/promote-sums.mlir.
  }];
}

def HoistProducers : Pass<"cin-hoist-producers", "::mlir::ModuleOp"> {
  let summary = "compute temporaries as soon as the labels that they need have values";
  let description = [{
    A `cin.where` leaves the loops whose variables its producer does not use, and the consumers of
    temporaries that it does not read; it stays inside what it is a producer for, and inside the
    loops with which its own take the values of a chunk.

    Requires: kernels in cin.

    Leaves: kernels in cin in which each producer stands as far out as its labels allow.

    Example: test/lower/cin/hoist-producers.mlir.
  }];
}

def JoinLists : Pass<"cin-join-lists", "::mlir::ModuleOp"> {
  let summary = "join loops in which nothing but lists of coordinates is merged";
  let description = [{
    Where several operands list tuples of coordinates in order (COO), what else is read can be
    located, and nothing is to be done without them, the loops become one over tuples: each
    `accumulates`, and all but the innermost are `collapsed`.

    Requires: kernels in cin.

    Leaves: kernels in cin in which loops over several lists are `collapsed` into one.

    Example: test/lower/cin/join-lists.mlir.
  }];
}

def AcceptDuplicates : Pass<"cin-accept-duplicates", "::mlir::ModuleOp"> {
  let summary = "let loops take the entries of one coordinate one after the other";
  let description = [{
    Where one operand alone drives a loop, stores coordinates again for each entry below them, and
    the result takes values in any order, the body runs once for each: the loop `accumulates`.

    Requires: kernels in cin.

    Leaves: kernels in cin in which loops over entries that come again are marked as `accumulates`.

    Example: test/lower/cin/accept-duplicates.mlir.
  }];
}

def WidenSums : Pass<"cin-widen-sums", "::mlir::ModuleOp"> {
  let summary = "add up terms of 32 bits in 64 where the result is one number";
  let description = [{
    In a kernel whose result is one number, the scalars that hold sums of real or complex numbers of
    32 bits hold 64, and are rounded where they are read. A result that accumulates terms itself gets
    such a scalar. Where threads take parts of the loops, each part is rounded once. Terms are computed
    as before. Scalars cost no memory, and a processor converts as fast as it loads; a result of
    several numbers, whose rows are added up in vectors and blocks, keeps its type.

    Requires: kernels in cin, of which `cin-accept-duplicates` has marked the loops.

    Leaves: kernels in cin in which no scalar adds up terms of 32 bits for a result of one number.

    Example: test/lower/cin/widen-sums.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect"];
}

def ParallelizeLoops : Pass<"cin-parallelize-loops", "::mlir::ModuleOp"> {
  let summary = "share the values of outermost loops among threads";
  let description = [{
    Writes the last commands of the compiler's own schedule, `parallelize(i, CPUThread, NoRaces)`, and
    applies them, in kernels with `strata.policy = #ta.policy<threads>`: those whose statement has no
    schedule of its own. All outermost loops that have no mark are marked with which the kernel can
    become walks: each value writes to places of its own, or the entries of a sparse result can be
    counted or appended in pieces. If one of several loops that follow each other cannot be shared,
    none is, but for loops that compute scalars. `convert-cin-to-lvl` refuses the same of a
    schedule's commands.

    Requires: kernels in cin, after the passes above.

    Leaves: kernels in cin in which a loop without a mark takes its values one after the other, and
    without the policy `threads`.

    Example: test/lower/lvl/parallelize-loops.mlir.
  }];
  let dependentDialects = ["::strata::lvl::LvlDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::complex::ComplexDialect"];
}

//===------------------------------------------------------------------------------------------===//
// On kernels: where, in walks over levels
//===------------------------------------------------------------------------------------------===//

def CinToLvl : Pass<"convert-cin-to-lvl", "::mlir::ModuleOp"> {
  let summary = "turn loops over index variables into walks over coordinate hierarchies";
  let description = [{
    At each `cin.forall` the merge lattice of the statement below decides which cases of presence
    matter (004 sections 4.1 and 4.2): a case is dropped where the statement, with absent operands
    replaced by their fills, has no effect. What is full is located, the rest iterated and merged
    by `lvl.coiterate`. Results are built through `lvl.insert`, `lvl.close` and `lvl.store`. Where the
    pattern alone is made, nothing is put; where the values alone are, nothing is built (`lvl.refill`).

    Each case has a body of its own, and each loop inside it cases of its own: three operands under
    three loops over all values have 512. So the code that will come of the cases is counted while
    they are made, and where it is too much, the outermost loops get one body for all cases, which
    asks at run time what is there (`predicates` of `lvl.coiterate`); if it still is, so do the loops
    inside these, and so on. With all of them the code grows with the operands, not with the cases.

    Loops that are `contracted` become `lvl.contract` where there is much to do; else they run as they
    are: where all together have fewer than 40,000 products (of complex numbers 1,024), 8 columns (as
    many as a vector has, at least 4) or 4 summed values; inside other loops, fewer than 4,096 products,
    8 columns or 8 summed values. Where the result is a sum of contractions and other terms
    (`C = D - A * B`), loops store the other terms first, and each contraction adds to them.

    A comparison of labels, marked as `strata.of_labels`, that leaves nothing to do where it does not
    hold (or does) bounds the loop over the last of its labels, if it is linear in them: labels are
    operands whose kernel argument says `strata.iota`. The loop is `strata.bounded` then. Comparisons
    that no loop keeps to are asked before a sparse result or a sum gets a value.

    Requires: kernels in cin, after the passes above.

    Leaves: kernels in lvl.

    Example: test/lower/lvl/contract-loops.mlir, test/lower/lvl/contract-loops-refused.mlir, test/lower/lvl/cin-to-lvl.mlir, test/lower/lvl/label-bounds.mlir, test/lower/lvl/phases.mlir, test/lower/lvl/shared-cases.mlir.
  }];
  let options = [Option<"mostCode", "most-code", "unsigned", /*default=*/"1600",
                        "code of a kernel with a body for each case, in operations">,
                 Option<"contractions", "contractions", "bool", /*default=*/"true",
                        "make operations of loops that are marked as contractions">,
                 Option<"vectorBytes", "vector-bytes", "int64_t", /*default=*/"32",
                        "how many bytes the processor's vectors have">];
  let dependentDialects = ["::strata::lvl::LvlDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::complex::ComplexDialect"];
}

def AdmitMasks : Pass<"strata-admit-masks", "::mlir::ModuleOp"> {
  let summary = "let masks say once which coordinates a workspace admits";
  let description = [{
    A masked product that is gathered row by row, `C[i,k]<M> = A[i,j] * B[j,k]`, would merge the mask's
    row with a row of B for each `j`. Instead the mask's row is marked in the workspace before the loop
    over `j` (`lvl.admit`), each row of B is walked alone, what is not marked is dropped, and behind
    the loop the mask's row says in order what has come (`lvl.dismiss`). Where the mask has far less
    left than the row of B, it is searched for as before.

    Where only constants are put that differ from what entries hold at first, and sums of them do, too, the
    values say what has come (`shown`).

    It needs a dense workspace, a mask whose value does not matter, and whose row is known before the
    loop; and nothing in the innermost loop that may fail. Coordinates that the mask repeats are marked
    once; what is passed over as padding may be asked in the innermost loop.

    Requires: kernels in lvl.

    Leaves: kernels in lvl, in which masks of workspaces are marked before loops instead of merged
    in them.

    Example: test/lower/lvl/admit-masks.mlir.
  }];
  let dependentDialects = ["::strata::lvl::LvlDialect"];
}

def PlaceFills : Pass<"strata-place-fills", "::mlir::ModuleOp"> {
  let summary = "give a result's places the fill where loops come to them, or not at all";
  let description = [{
    A result with a place for every coordinate is filled in advance, all of it by one thread. Where loops
    over all coordinates insert the places of some level once each, those below are filled there instead
    (`lvl.insert ... filling`): the loops that add to them find them in the cache, and threads share the
    work. Where each place is stored, whatever the data are, none is filled. Where loops over all values
    alone come to each place several times, as to those of a dense contraction, the result is marked as
    `covered`. A contraction in blocks stores its first sums in place of the fill; the loops beside it
    have theirs, or begin with one (`lvl.fill`).

    Requires: kernels in lvl.

    Leaves: kernels in lvl, in which some `lvl.insert` are `filling`, or the result is `covered`, or
    loops beside a contraction begin with `lvl.fill`.

    Example: test/lower/lvl/place-fills.mlir.
  }];
  let dependentDialects = ["::strata::lvl::LvlDialect", "::mlir::arith::ArithDialect"];
}

//===------------------------------------------------------------------------------------------===//
// On kernels: loops over positions
//===------------------------------------------------------------------------------------------===//

def LvlToScf : Pass<"convert-lvl-to-scf", "::mlir::ModuleOp"> {
  let summary = "ask each level's format for its functions and make the loops";
  let description = [{
    Storages become their buffers (`memref`s without aliases), iterators and builders the SSA
    values that their levels declare, `lvl.coiterate` the loops of its merge lattice: counted
    loops where nothing merges, else one `scf.while` for each set of iterators that can remain.

    With `serial` no loop is cut in pieces, and coordinates get the names of their variables: for
    code that is to be read.

    Requires: kernels in lvl.

    Leaves: kernels in scf, with `scf.parallel` where threads share the work; `strata.ascends` on
    coordinates that ascend, and `strata.fill` on loops that fill.

    Example: test/lower/scf/lvl-to-scf.mlir.
  }];
  let options = [Option<"serial", "serial", "bool", /*default=*/"false",
                        "loops without pieces, coordinates with names">];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::func::FuncDialect", "::mlir::complex::ComplexDialect"];
}

def KeepBlocks : Pass<"strata-keep-blocks", "::mlir::ModuleOp"> {
  let summary = "keep the few values that a loop adds to again and again in registers";
  let description = [{
    A loop over the blocks of a row of blocks (BCSR) adds to as many values as a block has rows, by
    short loops with constant bounds. These values are read before the loop, kept in scalars, and
    stored behind it; the short loops are unrolled. Before that, what is asked in each step of a loop
    though the answer is known (whether a block is whole) is asked around the loop, of which there
    are then two.

    Requires: kernels in scf, canonical.

    Leaves: kernels in scf without the short loops that it unrolled.

    Example: test/lower/scf/keep-blocks.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def FullParts : Pass<"strata-full-parts", "::mlir::ModuleOp"> {
  let summary = "give loops over parts of labels the number of steps of a full part";
  let description = [{
    Loops inside each other over parts of labels (`split`, blocks of BCSR) take as many values as are
    left, and at most so many as a part has. Where all of them have full parts, a copy of the nest has
    these numbers as constants, so that rows of it are kept in registers without masks and
    short loops are unrolled; where a part is not full, the loops run as they were. So do those of more
    than 4,096 steps together, which may be contractions.

    In both copies `row + (first + i)` becomes `(row + first) + i`, so that a loop over a part goes
    through the elements of a row that begins where the part does.

    Requires: kernels in scf.

    Leaves: kernels in scf, with copies of loops that have constant bounds.

    Example: test/lower/scf/full-parts.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FlattenLoops : Pass<"strata-flatten-loops", "::mlir::ModuleOp"> {
  let summary = "make one loop of two that go through a dense block";
  let description = [{
    Two loops inside each other with numbers of steps that are constants, as those over a block of BCSR,
    go through a part of memory as a whole where all that they use of their indices is the place
    `(base + i) * steps + j`, `steps` being those of the inner loop. One loop goes there in their stead: a row of a
    small block would be unrolled, and what is left vectorized across rows. A copy of up to 512 bytes becomes
    vectors, from its beginning to its end.

    Requires: kernels in scf with blocks of constant size.

    Leaves: kernels in scf with one loop for each such block.

    Example: test/lower/scf/flatten-loops.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def Prefetch : Pass<"strata-prefetch", "::mlir::ModuleOp"> {
  let summary = "ask for the lines that scattered stores and scattered rows need before their turn comes";
  let description = [{
    Where a loop stores at places that it finds by a chain of loads (a coordinate, then the counter
    of its parent), processors commit the stores in their order and wait for the line of each. For a
    step further on the same chain is followed and its place prefetched.

    Where a loop's coordinates lead to rows that an inner loop then walks (the rows of B in A*B), each
    short row is a chain of two misses, and its unforeseen end keeps the processor from beginning
    the next. The position of the row of a step far ahead is prefetched, and for a step half as far
    the beginning of what the row holds; but not where all rows fit into a core's cache.

    Each index on the way is clamped to its buffer, as that step may not be one of the loop's.
    Nothing else changes.

    Requires: kernels in scf.

    Leaves: kernels in scf with `memref.prefetch`, by which `strata-scatter-rows` knows loops that
    wait for memory.

    Example: test/lower/scf/prefetch.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def FoldFlags : Pass<"strata-fold-flags", "::mlir::ModuleOp"> {
  let summary = "take flags out of loops of which each step would set them alike";
  let description = [{
    A flag that a loop carries (has this fibre of the result got an entry?) and that each of its steps
    sets to the same value, or does if something holds that no step changes, is known without the
    loop: it is set if there is a step. The loop carries it no longer. Inner loops come first. A sum of
    ones, in one loop or several, is the product of the numbers of steps.

    Requires: kernels in scf.

    Leaves: kernels in scf whose loops carry fewer flags, so that the passes below find loops that
    carry nothing else but sums.

    Example: test/lower/scf/fold-flags.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def RelaxArithmetic : Pass<"strata-relax-arithmetic", "::mlir::ModuleOp"> {
  let summary = "say which liberties LLVM may take with floating-point numbers";
  let description = [{
    A product and a sum may become a fused multiply-add (`contract`). Of a kernel that assumes
    `deterministic` everything is computed as it stands, and sums in their order: what reductions
    allow (`reassoc`) is taken back.

    Requires: kernels in scf.

    Leaves: kernels in scf whose floating-point operations have `contract`, or none of the flags
    where the kernel is `deterministic`.

    Example: test/lower/scf/relax-arithmetic.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

//===------------------------------------------------------------------------------------------===//
// On kernels: dense contractions and transposes
//===------------------------------------------------------------------------------------------===//

def CallGemm : Pass<"strata-call-gemm", "::mlir::ModuleOp"> {
  let summary = "let a library multiply matrices";
  let description = [{
    Before each `lvl.contract` of real or complex numbers that stands in no other loops, a library is
    asked to compute it (`strata_kernel_gemm`), which is given the sizes and strides of the labels. What
    it cannot do is left to the operation: labels of one role that are no dimension of a matrix, since they do not
    lie one behind the other, and matrices of which no dimension is contiguous.

    Requires: kernels in scf, with the `lvl.contract` that are to be asked for.

    Leaves: kernels in scf; each `lvl.contract` stands where the library did not do the work.

    Example: test/lower/scf/call-gemm.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::complex::ComplexDialect", "::mlir::scf::SCFDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

def BlockContractions : Pass<"strata-block-contractions", "::mlir::ModuleOp"> {
  let summary = "run dense contractions in blocks that stay in the caches";
  let description = [{
    `lvl.contract` runs in blocks: parts of both operands are packed into buffers, in which a tile of
    the result, kept in registers, finds its factors one after the other. The labels of each kind are
    one dimension, whose offsets in a tensor come from a table, so that operands are permuted on their
    way into the buffers, by vectors or by squares that are transposed in registers where values lie
    next to each other.

    The blocks of a contraction that threads may share are a function of their own, marked
    `strata.shared`, which is given sizes, strides and tables, and so is the same for contractions of
    many kernels. Others stand where the operation stood.

    Blocks are as large as the caches allow, of which the options tell what one thread has for itself:
    a block of one operand stays in the third, one of the other in the second, a panel of the former in
    the first. Each element adds up its terms in the same order for any number of threads.

    Requires: kernels in scf.

    Leaves: kernels in scf without `lvl.contract`, and functions marked `strata.shared`.

    Example: test/lower/scf/block-contractions.mlir; of columns that are cut into runs
    test/lower/scf/block-contractions-in-runs.mlir; of complex numbers, semirings and differences
    test/lower/scf/block-contractions-of-others.mlir.
  }];
  let options = [Option<"vectorBytes", "vector-bytes", "int64_t", /*default=*/"32",
                        "how many bytes the processor's vectors have">,
                 Option<"vectorRegisters", "vector-registers", "int64_t", /*default=*/"16",
                        "how many registers it has for them">,
                 Option<"firstCache", "first-cache", "int64_t", /*default=*/"32 << 10",
                        "bytes of a core's first cache">,
                 Option<"secondCache", "second-cache", "int64_t", /*default=*/"512 << 10",
                        "bytes of its second cache">,
                 Option<"thirdCache", "third-cache", "int64_t", /*default=*/"16 << 20",
                        "bytes of its part of the third">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::complex::ComplexDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect", "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def BlockTransposes : Pass<"strata-block-transposes", "::mlir::ModuleOp"> {
  let summary = "run transposes in blocks of whole lines";
  let description = [{
    Loops that are nothing but a transpose (`B[j, k, i] = A[i, j, k]`, of any number of labels) run in
    blocks: squares of vectors are transposed in registers into a buffer that stays in the second
    cache, from which runs of B are stored. The last labels of B become one dimension, and so do the
    last labels of A, so that a block has long runs of both where labels have few values. Where both
    have their last labels in common, runs of these are copied as they lie. What is done with an
    element on its way (`C[i, j] = 2 * A[j, i] - C[i, j]`) is done with vectors of a run.

    A result that is larger than the third cache is stored past the caches, whole lines at a time: what
    a run has of the line that it ends in is kept for the next one. Meanwhile the lines of A that come
    next are asked for, and likewise those that the next squares need. Whether each label goes
    through its whole dimension, and there is enough to do, is asked before; else the loops run as they
    were. Elements have 32 or 64 bits, or are complex numbers of such parts that are copied as they are.

    Requires: kernels in scf.

    Leaves: kernels in scf, in which transposes run in blocks.

    Example: test/lower/scf/block-transposes.mlir.
  }];
  let options = [Option<"vectorBytes", "vector-bytes", "int64_t", /*default=*/"32",
                        "how many bytes the processor's vectors have">,
                 Option<"secondCache", "second-cache", "int64_t", /*default=*/"512 << 10",
                        "bytes of a core's second cache">,
                 Option<"thirdCache", "third-cache", "int64_t", /*default=*/"16 << 20",
                        "bytes of its part of the third">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

//===------------------------------------------------------------------------------------------===//
// On kernels: sums, scattered stores and rows
//===------------------------------------------------------------------------------------------===//

def KeepSums : Pass<"strata-keep-sums", "::mlir::ModuleOp"> {
  let summary = "keep the sum of a place in a register while entries that lead there follow each other";
  let description = [{
    A loop over the entries of a list (a COO matrix times a vector) loads the place of the result that an
    entry leads to, adds to it and stores it. Entries of one row wait for each other so: for what was
    stored last, and is loaded next. Where the coordinates ascend, and the kernel has filled the result
    before, the sum is carried from one step to the next, and each step stores it. The terms are added in
    the same order.

    Requires: kernels in scf, with `strata.ascends` of `convert-lvl-to-scf`.

    Leaves: kernels in scf, in which loops over lists carry the sum of a place.

    Example: test/lower/scf/keep-sums.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def SumShortRows : Pass<"strata-sum-short-rows", "::mlir::ModuleOp"> {
  let summary = "add up short rows one by one, or several at once under masks";
  let description = [{
    A loop over the entries of a row ends with a branch that a processor cannot foresee where rows are
    short and of different lengths. The runtime tells from a sample, once when the kernel begins, how rows
    are best added up (`strata_kernel_short_rows`):

    - by masks: the terms of a block of 128 rows are made by vectors, one behind the other, and the runtime
      adds up those of each row, several rows at a time (`strata_kernel_add_rows`). Blocks with more
      than 1024 entries run as before;
    - one by one: in a copy of the loop, of which the passes that follow make no vectors;
    - in one loop: likewise, without copies that LLVM makes; rows of 24 entries and more as before. With
      `masks`, by gathered vectors, the last one of a row under a mask;
    - as before.

    It looks for a loop over rows that are sums as `strata-vectorize-loops` takes them, from one position to the
    next: of doubles or, with `masks`, of floats.

    Requires: kernels in scf.

    Leaves: kernels in scf, with several forms of a loop over rows, of which the runtime chooses
    one.

    Example: test/lower/scf/sum-short-rows.mlir.
  }];
  let options = [Option<"gathers", "gathers", "bool", /*default=*/"false",
                        "gather what is looked up by one instruction">,
                 Option<"masks", "masks", "bool", /*default=*/"false",
                        "make the last vector of a row under a mask">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

def ScatterSingly : Pass<"strata-scatter-singly", "::mlir::ModuleOp"> {
  let summary = "take one step at a time in loops that store where entries lead";
  let description = [{
    Of a loop over the entries of a row that stores where their coordinates lead (a matrix by columns
    times a vector), LLVM makes eight copies and a loop for what is left. Where ends of rows are not
    foreseen, or what is stored to is in none of the core's own caches, one step at a time is faster. So
    there is a second loop that LLVM leaves as it is. Which of the two runs is asked once, when the kernel
    begins (`strata_kernel_scatters_singly`).

    Requires: kernels in scf.

    Leaves: kernels in scf, with two forms of a loop that scatters, of which the runtime chooses
    one.

    Example: test/lower/scf/scatter-singly.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def PrefetchGathers : Pass<"strata-prefetch-gathers", "::mlir::ModuleOp"> {
  let summary = "ask for what loops read at coordinates before its turn comes";
  let description = [{
    Where a loop reads an operand at coordinates that another buffer lists (`x[crd[p]]`), a processor
    has as many lines under way as it can see entries ahead; where the lines come from memory, and the
    next ones are not near, it waits for most of the time. So there is a second loop that prefetches
    `x[crd[p + ahead]]`. Which of the two runs, and how far ahead it looks, is asked once, when the kernel
    begins: the runtime compares the operand with the caches and looks at a sample of the coordinates
    (`strata_kernel_lookahead`). Where nothing is listed so far ahead, it looks at the entry itself.

    Requires: kernels in scf.

    Leaves: kernels in scf, with two forms of a loop that gathers, of which the runtime chooses one.

    Example: test/lower/scf/prefetch-gathers.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

def KeepRows : Pass<"strata-keep-rows", "::mlir::ModuleOp"> {
  let summary = "keep rows that a loop adds to again and again in vector registers";
  let description = [{
    Where a loop (over the entries of a row of A) has nothing in it but another (over the columns of
    B), or loops with such others in them (over the fibres of a slice), which all add to the same
    elements of one buffer in each of their steps, these are cut into tiles: of four vectors of 64
    bytes, and what is left of two, of one, and of a part of one, which is masked, so that nothing
    beyond the row is touched. A tile is read before the loop, kept in registers, and stored behind
    it; the loop runs once for each. Rows of more than 256 elements are left to the loops as they
    were. Every element adds up the same terms in the same order as before.

    With `little-code`, and for loops that ask for what they will read, rows of any length are cut
    into tiles of four vectors, and what is left is done one vector at a time under masks: the loops
    between have two copies then, not five, and run more often for long rows.

    A loop for which a schedule asks for vectors or unrolling is left alone.

    Requires: kernels in scf, with `strata.fill` of `convert-lvl-to-scf`.

    Leaves: kernels in scf, with tiles of rows in vectors.

    Example: test/lower/scf/keep-rows.mlir.
  }];
  let options = [
    Option<"littleCode", "little-code", "bool", "false",
           "fewer kinds of tiles, since compiling takes longer than running">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def ScatterRows : Pass<"strata-scatter-rows", "::mlir::ModuleOp"> {
  let summary = "add to rows where entries lead by vectors whose number is known";
  let description = [{
    Where a loop (over the entries of a column of A, or over a list of entries) has nothing in it but another that
    adds to the elements of a row, another one in each step, the row is cut into tiles as by
    `strata-keep-rows`, and the loop runs once for each. A tile is kept in registers until a step has another
    row. Where the steps read the same row of an operand (a column of A times a row of B), that is kept
    instead, and each step reads and stores its tile. Rows of more than 256 elements, in the latter case
    64, are left to the loops as they were, and so are loops that ask for what they will read, which wait
    for memory. Rows must not overlap; every element adds up the same terms in the same order as before.

    A loop for which a schedule asks for vectors or unrolling is left alone.

    Requires: kernels in scf.

    Leaves: kernels in scf, with tiles of rows in vectors.

    Example: test/lower/scf/scatter-rows.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def SumSideBySide : Pass<"strata-sum-side-by-side", "::mlir::ModuleOp"> {
  let summary = "add up four sums of the same length at once";
  let description = [{
    Where each step of a loop adds up equally many terms, whose operands lie next to each other (the
    dot products of SDDMM), four steps make their sums together: what they have in common is loaded
    once, and four vectors are added across at once. The last terms are made under a mask. What a step
    does with its sum follows in the order of the steps; it must not store where terms are read.

    A loop for which a schedule asks for vectors or unrolling is left alone, and so are sums whose order
    is fixed.

    Requires: kernels in scf.

    Leaves: kernels in scf, in which four sums are added up by vectors.

    Example: test/lower/scf/sum-side-by-side.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def VectorizeLoops : Pass<"strata-vectorize-loops", "::mlir::ModuleOp"> {
  let summary = "take steps of loops several at a time, in vectors";
  let description = [{
    Makes vectors of the steps of loops for which a schedule asks for them, whatever they combine or
    store: sums, products, least and greatest values and bitwise operations over any type. Complex
    numbers have their parts in turns. Where that is not possible, it says why in an error.

    Of other loops it does so with sums that may be added in another order and look up an operand of
    their terms at places that they load (x in the product of a sparse matrix and a vector), and with
    least and greatest values of floating-point numbers: LLVM would gather the ones, and take the
    others one by one. What lies next to each other is loaded as a vector, what is looked up element by
    element, or gathered where the machine does that faster. The rest of the steps are the loop as it
    was, which LLVM is told not to vectorize. Where `masks` are at hand and all can be made under one,
    the rest is one more vector, under a mask.

    A loop for which a schedule asks for unrolling is left alone.

    Requires: kernels in scf.

    Leaves: kernels in scf, of which some loops are over vectors.

    Example: test/lower/scf/vectorize-loops.mlir.
  }];
  let options = [Option<"gathers", "gathers", "bool", /*default=*/"false",
                        "gather what is looked up by one instruction">,
                 Option<"masks", "masks", "bool", /*default=*/"false",
                        "where it can, make the last vector under a mask">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

//===------------------------------------------------------------------------------------------===//
// On kernels: functions, interrupts and entry points
//===------------------------------------------------------------------------------------------===//

def OutlinePieces : Pass<"strata-outline-pieces", "::mlir::ModuleOp"> {
  let summary = "give the pieces of parallel loops a function of their own";
  let description = [{
    The body of each `scf.parallel` of a kernel becomes a function of the context, the number of the
    piece and what it uses from around it; the loop becomes a call that runs it for all pieces, whose
    definition EmitEntryPoints adds.

    Requires: kernels in scf.

    Leaves: kernels in scf without `scf.parallel`, and functions of the pieces.

    Example: test/lower/scf/outline-pieces.mlir.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

def PollInterrupts : Pass<"strata-poll-interrupts", "::mlir::ModuleOp"> {
  let summary = "ask in loops whether the caller wants the kernel to stop";
  let description = [{
    A kernel looks at the interrupt flag of its context at the beginning of each step of a loop that
    has two levels of loops inside, and of an outer loop with one level of loops whose bounds do not
    depend on its step; a call that runs pieces counts as a loop. A loop does not look at
    the flag if each of its steps comes to a loop that does, whose bounds do not depend on the step of
    the outer one, and to no other nest of loops. If the flag is set the kernel ends
    with `STRATA_INTERRUPTED`, as a failed allocation would end it. Other loops take no longer than
    it takes to read what is stored.

    Requires: kernels in scf.

    Leaves: kernels in scf that end early where their caller asks for it.

    Example: test/lower/scf/poll-interrupts.mlir.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

def AnnotateLoops : Pass<"strata-annotate-loops", "::mlir::ModuleOp"> {
  let summary = "tell LLVM what schedules ask of loops";
  let description = [{
    Runs on the LLVM dialect. A loop that a schedule unrolls or vectorizes carries an
    `llvm.loop_annotation`, which the conversion to branches keeps as an attribute of another name than
    the branch's own.

    Requires: kernels in llvm.

    Leaves: kernels in llvm whose branches have the annotations of their loops.

    Example: test/lower/entry/annotate-loops.mlir.
  }];
}

def MaskHalves : Pass<"strata-mask-halves", "::mlir::ModuleOp"> {
  let summary = "load and store masked vectors of 16-bit floats as integers";
  let description = [{
    Runs on the LLVM dialect. Processors have masked loads and stores of 16-bit integers; those of
    `bf16` and `f16` vectors LLVM takes apart into branches, and rounds each `bf16` by a call to
    `__truncsfbf2`. The bits are the same.

    Requires: kernels in llvm.

    Leaves: kernels in llvm without masked accesses to vectors of 16-bit floats.

    Example: test/lower/entry/mask-halves.mlir.
  }];
}

def EmitEntryPoints : Pass<"strata-emit-entry-points", "::mlir::ModuleOp"> {
  let summary = "give each kernel its C entry point";
  let description = [{
    Runs on the LLVM dialect. Each kernel becomes `NAME.body`, and `NAME` a function of the
    context, the storages and the extents that loads the body's arguments from them and calls it
    through `strata_invoke`, which turns failures inside into a status (runtime/abi.h). A kernel whose
    result may have the pattern of an operand is called through `strata_kernel_inherit`. What runs
    the pieces of a loop hands their arguments to the runtime's threads.

    Requires: kernels in llvm, with `strata.arguments` of `convert-lvl-to-scf`.

    Leaves: kernels in llvm: `NAME.body` and an entry point `NAME` of each.

    Example: test/lower/entry/emit-entry-points.mlir.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // STRATA_LOWER_PASSES_TD

"""Writes functions of JAX as modules that amp compiles: linalg, tensor, arith, math and scf, by the lowering of StableHLO that jaxlib brings."""
import jax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import scf, stablehlo
from jaxlib.mlir.passmanager import PassManager

stablehlo.register_stablehlo_passes()


def to_linalg(function, *arguments):
    """The text of a module whose function `main` computes `function`.

    `arguments` are arrays, or trees of them, or jax.ShapeDtypeStruct: only their shapes and types count. `main` takes and gives all arrays in
    the order of jax.tree.leaves. Raises ValueError where an op has no form in linalg, such as a sort or a scatter.
    """
    lowered = jax.jit(function, keep_unused=True).lower(*arguments).compiler_ir("stablehlo")
    with lowered.context, ir.Location.unknown():
        # A copy: JAX keeps what it has lowered.
        module = ir.Module.parse(str(lowered))
        for passes in ("inline", "func.func(chlo-legalize-to-stablehlo)", "stablehlo-legalize-to-linalg"):
            PassManager.parse(f"builtin.module({passes})").run(module.operation)
        lower_control_flow(module.operation)
        PassManager.parse("builtin.module(canonicalize,cse)").run(module.operation)
        left = sorted(find_ops(module.operation, "stablehlo.") - {"stablehlo.return"})
        if left:
            raise ValueError(f"expected ops that have a form in linalg, found {', '.join(left)}; write them another way, or compute them outside")
        return str(module)


def find_ops(op, prefix):
    """The names of the ops in `op` that begin with `prefix`."""
    return {name for region in op.regions for block in region for nested in block.operations
            for name in ({nested.operation.name} | find_ops(nested.operation, prefix)) if name.startswith(prefix)}


def lower_control_flow(op):
    """Makes scf.while of stablehlo.while, and scf.index_switch of stablehlo.case, whose last branch is taken beyond the others."""
    for region in op.regions:
        for block in region:
            for nested in list(block.operations):
                lower_control_flow(nested.operation)
                if nested.operation.name == "stablehlo.while":
                    lower_while(nested.operation)
                elif nested.operation.name == "stablehlo.case":
                    lower_case(nested.operation)


def extract_scalar(tensor):
    return ir.Operation.create("tensor.extract", results=[ir.RankedTensorType(tensor.type).element_type], operands=[tensor]).result


def end_with(block, make):
    """Replaces the terminator of `block` by what `make` makes of its operands."""
    last = block.operations[len(block.operations) - 1].operation
    with ir.InsertionPoint(last), last.location:
        make(list(last.operands))
    last.erase()


def replace(op, new):
    for old, result in zip(op.results, new.results):
        old.replace_all_uses_with(result)
    op.erase()


def lower_while(op):
    loop = scf.WhileOp([result.type for result in op.results], list(op.operands), ip=ir.InsertionPoint(op), loc=op.location)
    for old, new in zip(op.regions, loop.regions):
        old.blocks[0].append_to(new)
    before, after = (region.blocks[0] for region in loop.regions)
    end_with(before, lambda operands: scf.ConditionOp(extract_scalar(operands[0]), list(before.arguments)))
    end_with(after, scf.YieldOp)
    replace(op, loop)


def lower_case(op):
    *others, last = (region.blocks[0] for region in op.regions)
    with ir.InsertionPoint(op), op.location:
        number = ir.Operation.create("arith.index_cast", results=[ir.IndexType.get()], operands=[extract_scalar(op.operands[0])]).result
        switch = ir.Operation.create("scf.index_switch", results=[result.type for result in op.results], operands=[number], regions=len(others) + 1,
                                     attributes={"cases": ir.DenseI64ArrayAttr.get(list(range(len(others))))})
    for block, region in zip((last, *others), switch.regions):
        block.append_to(region)
        end_with(region.blocks[0], scf.YieldOp)
    replace(op, switch)

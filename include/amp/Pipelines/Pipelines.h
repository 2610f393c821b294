//===- Pipelines.h - amp's pass pipelines -----------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_PIPELINES_PIPELINES_H
#define AMP_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::amp {

/// Options of `amp-autocast`.
struct AutocastPipelineOptions
    : public PassPipelineOptions<AutocastPipelineOptions> {
  PassOptions::Option<std::string> scope{
      *this, "scope",
      llvm::cl::desc("What autocast applies to: region (amp.autocast regions) "
                     "or function (whole functions)"),
      llvm::cl::init("region")};
  PassOptions::Option<std::string> device{
      *this, "device",
      llvm::cl::desc("Device of whole functions: cuda, cpu, xpu or mps"),
      llvm::cl::init("cuda")};
  PassOptions::Option<std::string> dtype{
      *this, "dtype",
      llvm::cl::desc("Lower-precision type for whole functions: f16 or bf16; "
                     "by default bf16 for cpu and f16 for the others"),
      llvm::cl::init("")};
  PassOptions::Option<std::string> results{
      *this, "results",
      llvm::cl::desc("Whether whole functions preserve or propagate the types "
                     "of their results"),
      llvm::cl::init("preserve")};
  PassOptions::Option<std::string> policyFile{
      *this, "policy-file",
      llvm::cl::desc("File of amp.policy_set ops, beside those of the module"),
      llvm::cl::init("")};
  PassOptions::ListOption<std::string> policy{
      *this, "policy",
      llvm::cl::desc("Policy sets, one for each device, of scopes that name "
                     "none")};
  PassOptions::Option<std::string> unknownOp{
      *this, "unknown-op",
      llvm::cl::desc("What happens to an op that nobody knows: keep, error or "
                     "follow; by default what the policy set says"),
      llvm::cl::init("")};
  PassOptions::Option<unsigned> versionLimit{
      *this, "version-limit",
      llvm::cl::desc("Largest number of versions of one op, where scopes are "
                     "under run-time flags"),
      llvm::cl::init(16)};
  PassOptions::Option<std::string> atVersionLimit{
      *this, "at-version-limit",
      llvm::cl::desc("What becomes of a scope that would need more versions: "
                     "'error' or 'split'"),
      llvm::cl::init("error")};
  PassOptions::Option<std::string> indirectCalls{
      *this, "indirect-calls",
      llvm::cl::desc("What becomes of indirect calls in enabled scopes: error, "
                     "version (branches with direct calls) or keep"),
      llvm::cl::init("error")};
  PassOptions::Option<bool> strict{
      *this, "strict",
      llvm::cl::desc("Raise an error where eager torch does, for operands that "
                     "an op or a promotion does not take"),
      llvm::cl::init(false)};
  PassOptions::Option<std::string> profile{
      *this, "profile",
      llvm::cl::desc("File with the ranges of the program's values, as amp-run "
                     "--calibrate writes it"),
      llvm::cl::init("")};
  PassOptions::Option<std::string> staleProfile{
      *this, "stale-profile",
      llvm::cl::desc("What becomes of a profile that is not of this program: "
                     "error, or warn (what fits is used)"),
      llvm::cl::init("error")};
  PassOptions::Option<bool> promoteTypes{
      *this, "promote-types",
      llvm::cl::desc(
          "Make the implicit promotions of ATen ops explicit, in and "
          "outside of scopes"),
      llvm::cl::init(false)};
  // The rules of the classifier, as amp-decide-precision has them.
  PassOptions::Option<bool> classifier{
      *this, "classifier",
      llvm::cl::desc("Let the rules of the classifier decide alone in the "
                     "scopes that scope=function makes; each of the options "
                     "below turns it on"),
      llvm::cl::init(false)};
  PassOptions::Option<std::string> lowPrecisionType{
      *this, "low-precision-type",
      llvm::cl::desc("The same as dtype, by the peers' name"),
      llvm::cl::init("")};
  PassOptions::ListOption<std::string> nodesToExclude{
      *this, "nodes-to-exclude",
      llvm::cl::desc("Regular expressions of the names of ops that stay in "
                     "f32")};
  PassOptions::ListOption<std::string> nodesToInclude{
      *this, "nodes-to-include",
      llvm::cl::desc("The same for ops that run in the lower-precision type")};
  PassOptions::ListOption<std::string> targetsToExclude{
      *this, "targets-to-exclude",
      llvm::cl::desc("Names of ops, such as aten.mm, that stay in f32")};
  PassOptions::ListOption<std::string> targetsToInclude{
      *this, "targets-to-include",
      llvm::cl::desc("Names of ops that run in the lower-precision type")};
  PassOptions::Option<double> dataMax{
      *this, "data-max",
      llvm::cl::desc("Magnitude beyond which no value of an op may have been "
                     "seen; -1: by the lower-precision type and data-ulp"),
      llvm::cl::init(-1)};
  PassOptions::Option<double> dataULP{
      *this, "data-ulp",
      llvm::cl::desc("Distance of neighbours in the lower-precision type at "
                     "which data-max lies by default"),
      llvm::cl::init(0.5)};
  PassOptions::Option<double> initMax{
      *this, "init-max",
      llvm::cl::desc("Magnitude beyond which no number of a constant may be; "
                     "-1: the largest of the lower-precision type"),
      llvm::cl::init(-1)};
  PassOptions::Option<int64_t> maxDepth{
      *this, "max-depth-of-reduction",
      llvm::cl::desc("Number of elements beyond which no reduction of an op "
                     "may go; -1: no limit"),
      llvm::cl::init(-1)};
  PassOptions::Option<double> maxUnderflow{
      *this, "max-underflow",
      llvm::cl::desc("Share of the numbers of a value that may be below the "
                     "normal numbers of the lower-precision type"),
      llvm::cl::init(0.5)};
  PassOptions::Option<bool> sensitivity{
      *this, "sensitivity",
      llvm::cl::desc("Keep ops in f32 that are part of a pattern that loses "
                     "precision"),
      llvm::cl::init(true)};
  PassOptions::Option<bool> performance{
      *this, "performance",
      llvm::cl::desc("Keep ops in f32 that are slower in 16 bits"),
      llvm::cl::init(true)};
  PassOptions::Option<std::string> weightOverflow{
      *this, "weight-overflow",
      llvm::cl::desc("What becomes of constants beyond the range of the "
                     "lower-precision type: keep-f32, error or saturate"),
      llvm::cl::init("keep-f32")};
  PassOptions::Option<std::string> compat{
      *this, "compat",
      llvm::cl::desc("Whose answers the rules give: none (amp's own), "
                     "modelopt or torch-trt"),
      llvm::cl::init("none")};
  PassOptions::Option<bool> shareCasts{
      *this, "share-casts", llvm::cl::desc("Cast a value to a type once"),
      llvm::cl::init(true)};
  PassOptions::Option<std::string> rounding{
      *this, "rounding",
      llvm::cl::desc("Whether casts of policies are elidable (later stages may "
                     "keep the wider value) or exact (they round always)"),
      llvm::cl::init("elidable")};
  PassOptions::Option<bool> report{
      *this, "report",
      llvm::cl::desc("Leave what was done to each op in the attribute "
                     "'amp.report' of the module"),
      llvm::cl::init(false)};
};

/// Adds the passes that turn scopes of all forms into regions, decide and apply
/// autocast, and resolve promotions. What
/// is left of amp afterwards is amp.cast and amp.out_dtype, which amp-to-linalg
/// lowers. Anchor: builtin.module.
void buildAutocastPipeline(OpPassManager &pm,
                           const AutocastPipelineOptions &options);

/// Registers `amp-autocast`.
void registerAutocastPipeline();

/// Options of `amp-lower-to-linalg`.
struct LinalgPipelineOptions
    : public PassPipelineOptions<LinalgPipelineOptions> {
  PassOptions::Option<std::string> target{
      *this, "target",
      llvm::cl::desc("Target whose types amp-legalize-dtypes makes all ops "
                     "have: cpu, sim, or such as sm_90a; empty: leave them"),
      llvm::cl::init("")};
};

/// Adds the passes from what amp-autocast leaves to upstream's linalg, tensor,
/// arith, math and scf: calls are inlined (but of functions that are marked
/// `no_inline`), casts of constants and pairs of casts fold, ops on
/// types that the target lacks are bracketed, tosa goes through upstream's
/// lowering, and what is left of amp becomes linalg with its rounding kept.
/// Anchor: builtin.module.
void buildLinalgLoweringPipeline(OpPassManager &pm,
                                 const LinalgPipelineOptions &options);

/// Registers `amp-lower-to-linalg`.
void registerLinalgPipeline();

/// Options of `amp-lower-to-cpu`.
struct CPUPipelineOptions : public PassPipelineOptions<CPUPipelineOptions> {
  PassOptions::Option<std::string> triple{
      *this, "triple",
      llvm::cl::desc("The system to compile for, of x86-64 or AArch64; empty: "
                     "this one"),
      llvm::cl::init("")};
  PassOptions::Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("Processor to schedule for: host, generic, or an LLVM "
                     "name"),
      llvm::cl::init("host")};
  PassOptions::Option<std::string> features{
      *this, "features",
      llvm::cl::desc("LLVM features to add or remove, such as +avx2,-fma"),
      llvm::cl::init("")};
  PassOptions::Option<unsigned> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("Vector width in bits; 0: as wide as the processor has"),
      llvm::cl::init(0)};
  PassOptions::Option<bool> noScalarFallback{
      *this, "no-scalar-fallback",
      llvm::cl::desc("Whether a loop that goes element by element is an error"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> prepareWeights{
      *this, "prepare-weights",
      llvm::cl::desc("Whether work on arguments marked amp.weight becomes a "
                     "function of its own, <function>_init, whose results the "
                     "function takes as more arguments; see amp-split-init"),
      llvm::cl::init(false)};
};

/// Adds the passes from linalg, tensor, arith, math, scf and func on tensors
/// to the LLVM dialect, ready for mlir::ExecutionEngine. Anchor:
/// builtin.module.
///
/// The compiled module's calling convention, for a public function `f`:
/// - `_mlir_ciface_f(result *, arg0 *, arg1 *, ...)`, where an argument of
///   tensor type is a pointer to its memref descriptor (contiguous, row-major:
///   the function assumes strides of the identity layout) and scalars are
///   passed by value. With one result that is a tensor, `result` points to
///   its descriptor; with several, to a struct of descriptors and scalars in
///   order; a single scalar is returned by value and there is no `result`.
/// - Arguments are never written.
/// - Every tensor result is a buffer of its own, which the caller owns and
///   frees with `amp_free(descriptor.allocated)` (amp/Runtime/Runtime.h).
///   No result shares memory with an argument, a constant or another result.
/// - Temporaries are freed before the function returns.
///
/// The code needs `libamp_runtime.so` and the C library's math functions at
/// run time. Code generation must be given the same processor: a vector width
/// that the back end does not have is correct but slow.
void buildCPULoweringPipeline(OpPassManager &pm,
                              const CPUPipelineOptions &options);

/// Registers `amp-lower-to-cpu`.
void registerCPUPipelines();

/// Options of `amp-lower-gpu-to-nvvm`.
struct NVVMPipelineOptions : public PassPipelineOptions<NVVMPipelineOptions> {
  PassOptions::Option<std::string> target{
      *this, "target", llvm::cl::desc("Device to compile for, such as sm_90a"),
      llvm::cl::init("sm_80")};
  PassOptions::Option<std::string> ptxas{
      *this, "ptxas", llvm::cl::desc("The program ptxas; empty: look for it"),
      llvm::cl::init("")};
  PassOptions::Option<std::string> toolkit{
      *this, "toolkit",
      llvm::cl::desc("Folder of a CUDA toolkit; empty: look for it"),
      llvm::cl::init("")};
  PassOptions::Option<std::string> format{
      *this, "format",
      llvm::cl::desc("What to embed: auto (cubin, or PTX where there is no "
                     "ptxas), ptx, cubin or fatbin"),
      llvm::cl::init("auto")};
  PassOptions::Option<unsigned> optLevel{
      *this, "opt-level",
      llvm::cl::desc("Optimization level of LLVM and ptxas, 0 to 3"),
      llvm::cl::init(3)};
  PassOptions::Option<bool> strict{
      *this, "strict",
      llvm::cl::desc("Make warnings of ptxas and spilled registers errors"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> verbose{
      *this, "verbose",
      llvm::cl::desc("Remark on the resources of each kernel, and print PTX"),
      llvm::cl::init(false)};
};

/// Adds the passes that turn every gpu.module directly in a module into a
/// gpu.binary. Kernels take memrefs as their descriptor's fields (allocated
/// pointer, aligned pointer, offset, sizes, strides), scalars by value, in the
/// order of their arguments: what gpu.launch_func passes after lowering.
/// Anchor: builtin.module.
void buildNVVMLoweringPipeline(OpPassManager &pm,
                               const NVVMPipelineOptions &options);

/// Registers `amp-lower-gpu-to-nvvm`.
void registerNVVMPipelines();

/// Options of `amp-lower-to-cuda` and `amp-lower-cuda-host`.
struct CUDAPipelineOptions : public PassPipelineOptions<CUDAPipelineOptions> {
  PassOptions::Option<std::string> target{
      *this, "target",
      llvm::cl::desc("Device to compile for, such as sm_90a, or sim: the "
                     "simulator on this machine"),
      llvm::cl::init("sm_80")};
  PassOptions::Option<std::string> name{
      *this, "name",
      llvm::cl::desc("Name of the model: its description is the symbol "
                     "<name>_model; empty: that of the module, or main"),
      llvm::cl::init("")};
  PassOptions::Option<std::string> ptxas{
      *this, "ptxas", llvm::cl::desc("The program ptxas; empty: look for it"),
      llvm::cl::init("")};
  PassOptions::Option<std::string> toolkit{
      *this, "toolkit",
      llvm::cl::desc("Folder of a CUDA toolkit; empty: look for it"),
      llvm::cl::init("")};
  PassOptions::Option<std::string> format{
      *this, "format",
      llvm::cl::desc("What to embed: auto (cubin, or PTX where there is no "
                     "ptxas), ptx, cubin or fatbin"),
      llvm::cl::init("auto")};
  PassOptions::Option<bool> allowTF32{
      *this, "allow-tf32",
      llvm::cl::desc("Let contractions of f32 round their operands to tf32, "
                     "for the tensor cores"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> fastF8{
      *this, "fast-f8",
      llvm::cl::desc("Let the tensor cores of sm_90a add up products of 8-bit "
                     "floats alone, with about 14 bits"),
      llvm::cl::init(false)};
  PassOptions::Option<int64_t> mapBlocks{
      *this, "map-blocks",
      llvm::cl::desc("The most blocks of a kernel of schedule map (grid "
                     "stride); 0: a block for each tile"),
      llvm::cl::init(0)};
  PassOptions::Option<std::string> tuningFile{
      *this, "tuning-file",
      llvm::cl::desc("File of amp-tune that says which schedules were the "
                     "fastest"),
      llvm::cl::init("")};
  PassOptions::Option<std::string> tuningDevice{
      *this, "tuning-device",
      llvm::cl::desc("Name of the device whose entries of the tuning file "
                     "count; empty: that of the only one for the target"),
      llvm::cl::init("")};
  PassOptions::Option<bool> noteCandidates{
      *this, "note-candidates",
      llvm::cl::desc("Note what tuning files call kernels, and which schedules "
                     "could be measured"),
      llvm::cl::init(false)};
};

/// Adds the passes from host functions on device buffers, with launches of
/// kernels in gpu.binary ops, to the LLVM dialect. The module then has the
/// symbol `<name>_model`, an ampCudaModelDesc (amp/Runtime/CUDA.h), for
/// ampModelLoad; everything else is internal. The code needs the functions of
/// libamp_cuda_runtime.so. Anchor: builtin.module.
void buildCUDAHostPipeline(OpPassManager &pm,
                           const CUDAPipelineOptions &options);

/// Adds the passes from linalg on tensors to host functions on device buffers
/// and kernels as schedules make them, in gpu.modules. Anchor: builtin.module.
void buildCUDAKernelPipeline(OpPassManager &pm,
                             const CUDAPipelineOptions &options);

/// Adds the passes that compile the kernels, for the device or for the
/// simulator, to gpu.binary. Anchor: builtin.module.
void buildCUDADevicePipeline(OpPassManager &pm,
                             const CUDAPipelineOptions &options);

/// Adds all three: from linalg, tensor, arith, math, scf and func on tensors to
/// the LLVM dialect, with the device code inside. Anchor: builtin.module.
void buildCUDALoweringPipeline(OpPassManager &pm,
                               const CUDAPipelineOptions &options);

/// Registers `amp-lower-to-cuda` and `amp-lower-cuda-host`.
void registerCUDAPipelines();

} // namespace mlir::amp

#endif // AMP_PIPELINES_PIPELINES_H

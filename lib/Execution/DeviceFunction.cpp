//===- DeviceFunction.cpp - a function on a CUDA device -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Execution/DeviceFunction.h"

#include "Engine.h"
#include "amp/Codegen/GPU/Target.h"
#include "amp/Execution/Elements.h"
#include "amp/Runtime/Model.h"
#include "amp/Simulator/Image.h"
#include "amp/Support/Errors.h"
#include "amp/Support/RuntimeFiles.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/DynamicLibrary.h"
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

/// The symbol of the description of a model.
static constexpr const char *kModelSymbol = "main_model";

/// The text of a failed call of the runtime.
static Error toError(ampStatus status) {
  if (status == AMP_OK)
    return Error::success();
  return makeError(StringRef(ampLastError()).rtrim("\n"));
}

/// The newest code that a device of this compute capability runs: with what
/// only its architecture has, where amp makes use of it, else that of the
/// newest one before it of the same major version. Empty where amp knows of
/// none.
static std::string getTarget(const ampDeviceInfo &info) {
  for (int minor = info.minor; minor >= 0; --minor) {
    std::string chip =
        "sm_" + std::to_string(info.major) + std::to_string(minor);
    std::string message;
    if (minor == info.minor && info.major < 12 &&
        succeeded(amp::gpu::GPUTarget::get(chip + "a", message)))
      return chip + "a";
    if (succeeded(amp::gpu::GPUTarget::get(chip, message)))
      return chip;
  }
  return "";
}

/// Makes the functions of the driver known to code that is compiled later:
/// that for the simulator calls them.
static Error exposeDriver() {
  const char *path = std::getenv("AMP_CUDA_DRIVER");
  std::string message;
  if (llvm::sys::DynamicLibrary::LoadLibraryPermanently(
          path && *path ? path : "libcuda.so.1", &message))
    return makeError("the simulator cannot be loaded: " + message);
  return Error::success();
}

/// The device, whose target may be empty.
static Expected<Device> queryDevice(int ordinal, ampDeviceInfo &info) {
  if (Error error = toError(ampDeviceQuery(ordinal, &info)))
    return std::move(error);
  Device device;
  device.ordinal = ordinal;
  device.name = info.name;
  device.target = getTarget(info);
  device.isSimulated = StringRef(info.name).starts_with(AMP_SIM_DEVICE_NAME);
  device.peaks = getPeakRates(info.major, info.minor, info.multiprocessors,
                              /*clockHertz=*/1e3 * info.clockKHz);
  if (!device.isSimulated)
    return device;
  if (!device.target.empty())
    device.target = "sim:" + device.target;
  if (Error error = exposeDriver())
    return std::move(error);
  return device;
}

Expected<Device> mlir::amp::findDevice(int ordinal) {
  ampDeviceInfo info;
  Expected<Device> device = queryDevice(ordinal, info);
  if (device && device->target.empty())
    return makeError("there is no code for CUDA device " + Twine(ordinal) +
                     ", '" + device->name + "', of compute capability " +
                     Twine(info.major) + "." + Twine(info.minor));
  return device;
}

Expected<Device> mlir::amp::openSimulator() {
  Expected<std::string> path = findRuntimeFile("libamp_cuda_simulator.so");
  if (!path)
    return path.takeError();
  setenv("AMP_CUDA_DRIVER", path->c_str(), /*replace=*/0);
  ampDeviceInfo info;
  Expected<Device> device = queryDevice(0, info);
  if (!device)
    return device;
  if (!device->isSimulated)
    return makeError("AMP_CUDA_DRIVER names another driver than the "
                     "simulator's: '" +
                     Twine(std::getenv("AMP_CUDA_DRIVER")) + "'");
  device->target = "sim";
  return device;
}

Expected<std::unique_ptr<DeviceFunction>>
DeviceFunction::create(ModuleOp module, StringRef name, Signature signature,
                       const Device &device) {
  Expected<std::unique_ptr<ExecutionEngine>> engine = createEngine(
      module, device.isSimulated ? llvm::CodeGenOptLevel::None
                                 : llvm::CodeGenOptLevel::Aggressive);
  if (!engine)
    return engine.takeError();
  Expected<void *> description = (*engine)->lookup(kModelSymbol);
  if (!description)
    return description.takeError();
  std::unique_ptr<DeviceFunction> result(
      new DeviceFunction(std::move(signature)));
  result->engine = std::move(*engine);
  if (Error error =
          toError(ampModelLoad(*description, device.ordinal, &result->model)))
    return std::move(error);
  result->function = ampModelFindFunction(*description, name.str().c_str());
  if (result->function < 0)
    return makeError("the model has no function '" + name + "'");
  return result;
}

DeviceFunction::~DeviceFunction() { ampModelUnload(model); }

namespace {
/// Arguments and results of a call, in memory of the host or of the device.
class CallFrame {
public:
  CallFrame(ampModel *model, const Signature &signature)
      : model(model), signature(signature) {}
  ~CallFrame() {
    for (ampTensor &argument : arguments)
      if (argument.onDevice)
        (void)ampModelRelease(model, argument.data, nullptr);
    for (auto [result, type] : llvm::zip(results, signature.results))
      if (isa<RankedTensorType>(type))
        (void)ampModelFree(model, &result, nullptr);
  }

  /// Makes the tensors of a call; results are for the runtime to allocate.
  Error fill(ArrayRef<const NumpyArray *> inputs, bool onDevice) {
    shapes.reserve(inputs.size() + signature.results.size());
    for (auto [input, type] : llvm::zip_equal(inputs, signature.arguments)) {
      ampTensor tensor = makeTensor(type, input->getShape());
      tensor.data = const_cast<char *>(input->getData().data());
      arguments.push_back(tensor);
      if (onDevice && isa<RankedTensorType>(type))
        if (Error error = upload(arguments.back(), input->getNumBytes()))
          return error;
    }
    scalars.reserve(signature.results.size());
    for (Type type : signature.results) {
      auto tensorType = dyn_cast<RankedTensorType>(type);
      SmallVector<int64_t> shape(tensorType ? tensorType.getRank() : 0);
      results.push_back(makeTensor(type, shape));
      results.back().onDevice = onDevice && tensorType;
      scalars.push_back(0);
      if (!tensorType)
        results.back().data = &scalars.back();
    }
    return Error::success();
  }

  ArrayRef<ampTensor> getArguments() const { return arguments; }
  MutableArrayRef<ampTensor> getResults() { return results; }

private:
  ampTensor makeTensor(Type type, ArrayRef<int64_t> shape) {
    shapes.emplace_back(shape);
    ampTensor tensor = {};
    tensor.dtype = getRuntimeDtype(getElementTypeOrSelf(type));
    tensor.rank = static_cast<int32_t>(shape.size());
    tensor.shape = shapes.back().data();
    return tensor;
  }

  /// Replaces the data by a copy on the device.
  Error upload(ampTensor &tensor, size_t numBytes) {
    void *host = tensor.data;
    void *copy = nullptr;
    if (Error error = toError(
            ampModelAllocate(model, std::max<size_t>(numBytes, 1), &copy,
                             /*stream=*/nullptr)))
      return error;
    tensor.data = copy;
    tensor.onDevice = 1;
    return toError(ampModelUpload(model, copy, host, numBytes, nullptr));
  }

  ampModel *model;
  const Signature &signature;
  // Neither grows beyond what is reserved: tensors point into them.
  std::vector<SmallVector<int64_t, 4>> shapes;
  std::vector<uint64_t> scalars;
  SmallVector<ampTensor> arguments, results;
};
} // namespace

Expected<std::vector<NumpyArray>>
DeviceFunction::run(ArrayRef<const NumpyArray *> inputs) {
  CallFrame frame(model, signature);
  if (Error error = frame.fill(inputs, /*onDevice=*/false))
    return std::move(error);
  if (Error error = toError(
          ampModelRun(model, function, frame.getArguments().data(),
                      frame.getArguments().size(), frame.getResults().data(),
                      frame.getResults().size(), /*stream=*/nullptr)))
    return std::move(error);
  std::vector<NumpyArray> arrays;
  for (auto [tensor, type] :
       llvm::zip_equal(frame.getResults(), signature.results)) {
    Expected<NumpyArray> array =
        NumpyArray::create(*getNumpyType(getElementTypeOrSelf(type)),
                           {tensor.shape, static_cast<size_t>(tensor.rank)});
    if (!array)
      return inContext("a result of the function", array.takeError());
    if (array->getNumBytes())
      std::memcpy(array->getMutableData().data(), tensor.data,
                  array->getNumBytes());
    arrays.push_back(std::move(*array));
  }
  return arrays;
}

Expected<std::vector<double>>
DeviceFunction::time(ArrayRef<const NumpyArray *> inputs, unsigned numWarmUps,
                     unsigned numRuns) {
  void *stream = nullptr;
  ampEvent *begin = nullptr, *end = nullptr;
  llvm::scope_exit release([&] {
    ampEventDestroy(begin);
    ampEventDestroy(end);
    if (stream)
      (void)ampStreamDestroy(model, stream);
  });
  CallFrame frame(model, signature);
  if (Error error = toError(ampStreamCreate(model, &stream)))
    return std::move(error);
  if (Error error = toError(ampEventCreate(model, &begin)))
    return std::move(error);
  if (Error error = toError(ampEventCreate(model, &end)))
    return std::move(error);
  if (Error error = frame.fill(inputs, /*onDevice=*/true))
    return std::move(error);
  std::vector<double> times;
  for (unsigned i = 0; i < numWarmUps + numRuns; ++i) {
    double microseconds = 0;
    // From the second call on, results go where those of the first went.
    ampStatus status = ampEventRecord(begin, stream);
    if (status == AMP_OK)
      status =
          ampModelRun(model, function, frame.getArguments().data(),
                      frame.getArguments().size(), frame.getResults().data(),
                      frame.getResults().size(), stream);
    if (status == AMP_OK)
      status = ampEventRecord(end, stream);
    if (status == AMP_OK)
      status = ampEventElapsed(begin, end, &microseconds);
    if (Error error = toError(status))
      return std::move(error);
    if (i >= numWarmUps)
      times.push_back(microseconds * 1e-6);
  }
  if (Error error = toError(ampModelSynchronize(model, stream)))
    return std::move(error);
  return times;
}

Expected<std::vector<KernelTime>>
DeviceFunction::profile(ArrayRef<const NumpyArray *> inputs) {
  CallFrame frame(model, signature);
  if (Error error = frame.fill(inputs, /*onDevice=*/true))
    return std::move(error);
  std::vector<ampKernelTime> launches;
  size_t count = 0;
  // The first run warms up and tells how many launches there are. The number
  // may depend on the data only, so it is that of the second.
  for (int i = 0; i < 2; ++i) {
    launches.resize(count);
    if (Error error = toError(ampModelProfile(
            model, function, frame.getArguments().data(),
            frame.getArguments().size(), frame.getResults().data(),
            frame.getResults().size(), /*stream=*/nullptr, launches.data(),
            launches.size(), &count)))
      return std::move(error);
  }
  launches.resize(std::min(count, launches.size()));
  llvm::MapVector<StringRef, KernelTime> kernels;
  for (const ampKernelTime &launch : launches) {
    KernelTime &kernel = kernels[launch.kernel];
    kernel.kernel = launch.kernel;
    kernel.location = launch.location ? launch.location : "";
    kernel.numLaunches += 1;
    kernel.seconds += launch.microseconds * 1e-6;
  }
  std::vector<KernelTime> times;
  for (auto &[name, kernel] : kernels)
    times.push_back(std::move(kernel));
  return times;
}

Expected<double> DeviceFunction::measureCopyRate() {
  double rate = 0;
  if (Error error = toError(ampModelCopyRate(model, &rate)))
    return std::move(error);
  return rate;
}

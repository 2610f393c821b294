# Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models and their functions."""

import ctypes
import json
import os
import struct
import tempfile
import threading
from typing import NamedTuple, Optional, Tuple

from . import _abi, _dtypes, _inputs
from ._errors import ArgumentError, ModelError, from_status
from ._results import Array


class Value(NamedTuple):
    """An argument or a result of a function."""

    name: str
    #: MLIR's name of the element type.
    dtype: str
    #: None where a size is not fixed.
    shape: Tuple[Optional[int], ...]
    is_scalar: bool
    is_weight: bool

    def __str__(self):
        sizes = ", ".join("?" if size is None else str(size) for size in self.shape)
        return self.dtype if self.is_scalar else f"{self.dtype} [{sizes}]"


def _make_value(info):
    shape = tuple(None if size == _abi.DYNAMIC else size for size in info.shape[: info.rank])
    return Value(
        info.name.decode(),
        _dtypes.from_code(info.dtype).name,
        shape,
        bool(info.flags & _abi.SCALAR),
        bool(info.flags & _abi.WEIGHT),
    )


class _Handle:
    """A loaded model; unloaded when neither it nor a result is left."""

    def __init__(self, library, description, device):
        self.library = library
        self.description = description
        self.device = device
        self.model = None
        #: On the CPU no stream exists.
        self.is_cuda = ctypes.string_at(description, 7) == b"AMPCUDA"
        model = ctypes.c_void_p()
        self.check(library.ampModelLoad(description, device, ctypes.byref(model)))
        self.model = model

    def check(self, status):
        if status:
            raise from_status(status, self.library.ampLastError().decode(errors="replace"))

    def __del__(self):
        if self.model:
            self.library.ampModelUnload(self.model)
            self.model = None


def _stream_pointer(stream):
    """The address of a stream: of a number, or of torch's or CuPy's objects."""
    if stream is None:
        return None
    for name in ("cuda_stream", "ptr"):
        value = getattr(stream, name, None)
        if isinstance(value, int):
            return value or None
    if hasattr(stream, "__cuda_stream__"):
        return stream.__cuda_stream__()[1] or None
    if isinstance(stream, int) and not isinstance(stream, bool):
        return stream or None
    raise ArgumentError(
        f"stream: expected an address, or a stream of torch or CuPy, found {type(stream).__name__}"
    )


class _Weights:
    """Keeps the arrays whose contents a function may have prepared. The runtime tells them apart by their addresses, so that the memory of
    none may go to another array before the function has prepared others."""

    def __init__(self):
        self._lock = threading.Lock()
        #: What keeps the memory of each place alive.
        self._owners = {}
        self._calls = 0
        self._is_shared = False

    def begin(self, owners):
        with self._lock:
            self._is_shared = self._calls > 0
            self._calls += 1
            for place, owner in owners.items():
                self._owners.setdefault(place, owner)

    def end(self, owners, succeeded):
        """Of calls at the same time nobody knows which one prepared last, and of one that failed whether it did."""
        with self._lock:
            self._calls -= 1
            if succeeded and not self._is_shared:
                self._owners = {place: self._owners[place] for place in owners}

    def forget(self):
        with self._lock:
            if not self._calls:
                self._owners = {}


class Function:
    """A function of a model."""

    def __init__(self, handle, index, info):
        self._handle = handle
        self._index = index
        self.name = info.name.decode()
        self.arguments = tuple(_make_value(info.arguments[i]) for i in range(info.num_arguments))
        self.results = tuple(_make_value(info.results[i]) for i in range(info.num_results))
        self._argument_types = [_dtypes.from_code(info.arguments[i].dtype) for i in range(info.num_arguments)]
        self._result_types = [_dtypes.from_code(info.results[i].dtype) for i in range(info.num_results)]
        #: Bytes of scratch memory of a call; None where they depend on the sizes.
        self.workspace_bytes = info.workspace_bytes if info.workspace_bytes >= 0 else None
        self._weights = _Weights()
        self._names = [value.name for value in self.arguments]
        #: The numbers of the arguments whose contents may be prepared.
        self._weight_numbers = [i for i, info in enumerate(self.arguments) if info.is_weight and not info.is_scalar]

    def __repr__(self):
        arguments = ", ".join(f"{value.name}: {value}" for value in self.arguments)
        results = ", ".join(f"{value.name}: {value}" for value in self.results)
        return f"<amp_runtime.Function {self.name}({arguments}) -> ({results})>"

    def __call__(self, *args, stream=None, out=None, **kwargs):
        """Runs the function.

        `stream`: the CUDA stream, an address or an object of torch or CuPy;
        none is the default stream. `out`: arrays that get the results, one or
        as many as results, None where the runtime is to allocate; they are what
        is returned. Returns one result, or a tuple of them, or None.
        """
        stream = _stream_pointer(stream)
        if stream is not None and not self._handle.is_cuda:
            raise ArgumentError(f"{self.name}: a model for the CPU has no streams")
        keep = []
        arguments, count = self._set_arguments(args, kwargs, stream, keep)
        outs = self._bind_out(out)
        results = (_abi.Tensor * max(1, len(outs)))()
        for info, dtype, value, tensor in zip(self.results, self._result_types, outs, results):
            self._set_result(info, dtype, value, tensor, stream, keep)
        handle = self._handle
        weights = {(number, arguments[number].data): keep[number] for number in self._weight_numbers}
        succeeded = False
        self._weights.begin(weights)
        try:
            handle.check(
                handle.library.ampModelRun(
                    handle.model, self._index, arguments, count, results, len(outs), stream
                )
            )
            succeeded = True
        finally:
            self._weights.end(weights, succeeded)
        found = [
            self._get_result(info, dtype, value, tensor, stream)
            for info, dtype, value, tensor in zip(self.results, self._result_types, outs, results)
        ]
        if len(found) == 1:
            return found[0]
        return tuple(found) if found else None

    def _bind(self, args, kwargs):
        """The arguments in order."""
        names = self._names
        if len(args) == len(names) and not kwargs:
            return args
        if len(args) > len(names):
            raise ArgumentError(f"{self.name}: expected {len(names)} arguments, found {len(args)}")
        values = dict(zip(names, args))
        for name, value in kwargs.items():
            if name not in names:
                raise ArgumentError(f"{self.name}: no argument is called '{name}'; there are: {', '.join(names)}")
            if name in values:
                raise ArgumentError(f"{self.name}: argument '{name}' is given twice")
            values[name] = value
        missing = [name for name in names if name not in values]
        if missing:
            raise ArgumentError(f"{self.name}: arguments are missing: {', '.join(missing)}")
        return [values[name] for name in names]

    def _set_arguments(self, args, kwargs, stream, keep):
        """The ampTensors of the arguments, and how many."""
        values = self._bind(args, kwargs)
        arguments = (_abi.Tensor * max(1, len(values)))()
        for info, dtype, value, tensor in zip(self.arguments, self._argument_types, values, arguments):
            self._set(f"argument '{info.name}'", info, dtype, value, tensor, stream, keep, is_written=False)
        return arguments, len(values)

    def reload_weights(self):
        """Says that the contents of arguments of this function that are weights have changed."""
        handle = self._handle
        handle.check(handle.library.ampModelReloadWeights(handle.model, self._index))
        self._weights.forget()

    def workspace_bytes_for(self, *args, **kwargs):
        """Bytes of scratch memory that a call with these arguments takes; nothing runs on the device. None where that
        depends on what the arrays hold, and for the CPU."""
        keep, found, handle = [], ctypes.c_int64(), self._handle
        arguments, count = self._set_arguments(args, kwargs, None, keep)
        handle.check(
            handle.library.ampModelWorkspaceBytes(handle.description, self._index, arguments, count, ctypes.byref(found))
        )
        return found.value if found.value >= 0 else None

    def _bind_out(self, out):
        count = len(self.results)
        if out is None:
            return [None] * count
        outs = list(out) if isinstance(out, (tuple, list)) else [out]
        if len(outs) != count:
            raise ArgumentError(f"{self.name}: out: expected {count} arrays, found {len(outs)}")
        return outs

    def _set(self, what, info, dtype, value, tensor, stream, keep, is_written):
        """Fills in the ampTensor of an array or a number."""
        what = f"{self.name}: {what}"
        tensor.dtype = dtype.code
        if info.is_scalar:
            keep.append(_pack(what, dtype, value))
            tensor.data = ctypes.addressof(keep[-1])
            return
        try:
            view = _inputs.view(value, dtype, stream)
        except ArgumentError as error:
            raise ArgumentError(f"{what} of type {info}: {error}") from None
        if view.on_device and not self._handle.is_cuda:
            raise ArgumentError(f"{what}: expected an array of the CPU, found one on a CUDA device")
        if view.device is not None and view.device != self._handle.device:
            raise ArgumentError(
                f"{what}: expected an array on device {self._handle.device}, found one on device {view.device}"
            )
        if is_written and view.read_only:
            raise ArgumentError(f"{what}: the array is read-only")
        found = _dtypes.as_wanted(view.dtype, dtype)
        if found.code != dtype.code or len(view.shape) != len(info.shape):
            raise ArgumentError(f"{what}: expected {info}, found {found.name} {list(view.shape)}")
        shape = _abi.sizes(view.shape)
        strides = None if view.strides is None else _abi.sizes(view.strides)
        keep.append((view.owner, shape, strides))
        tensor.data = view.pointer or None
        tensor.rank = len(view.shape)
        tensor.shape = shape
        if strides is not None:
            tensor.strides = strides
        tensor.on_device = view.on_device

    def _set_result(self, info, dtype, value, tensor, stream, keep):
        what = f"result '{info.name}'"
        if value is not None:
            if info.is_scalar:
                raise ArgumentError(f"{self.name}: {what} is a number: it is returned, not written to out")
            self._set(what, info, dtype, value, tensor, stream, keep, is_written=True)
            return
        tensor.dtype = dtype.code
        tensor.rank = len(info.shape)
        shape = _abi.sizes([0] * len(info.shape))
        keep.append(shape)
        tensor.shape = shape
        if info.is_scalar:
            number = (ctypes.c_char * dtype.size)()
            keep.append(number)
            tensor.data = ctypes.addressof(number)
            return
        tensor.on_device = self._handle.is_cuda

    def _get_result(self, info, dtype, value, tensor, stream):
        if info.is_scalar:
            return _dtypes.unpack_scalar(dtype, ctypes.string_at(tensor.data, dtype.size))
        if value is not None:
            return value
        # The elements of an array of structures do not own themselves.
        own = _abi.Tensor()
        ctypes.pointer(own)[0] = tensor
        own.shape = _abi.sizes(tensor.shape[: tensor.rank])
        result = Array(self._handle, dtype, own, stream)
        if self._handle.is_cuda:
            return result
        try:
            return result.numpy()
        except ImportError:
            return result


def _pack(what, dtype, value):
    """A number in memory."""
    try:
        if hasattr(value, "item") and not isinstance(value, (int, float)):
            value = value.item()
        data = _dtypes.pack_scalar(dtype, value)
    except ImportError:
        raise ArgumentError(
            f"{what}: a number of type {dtype.name} needs the package ml_dtypes, or one byte of type bytes"
        ) from None
    except (AttributeError, TypeError, ValueError, OverflowError, struct.error) as error:
        raise ArgumentError(f"{what}: expected a number of type {dtype.name}, found {value!r} ({error})") from None
    return ctypes.create_string_buffer(data, max(1, len(data)))


#: The file that each name stood for when it was loaded, and what each file was like. The system gives a name that it has loaded again
#: as it was, whatever file is there by now.
_files = {}
_versions = {}
_files_lock = threading.Lock()


def _open(path):
    """Loads the library `path` as it is now."""
    # A name without a folder would be looked up among the system's.
    path = os.path.abspath(path)
    status = os.stat(path)
    file, version = (status.st_dev, status.st_ino), (status.st_mtime_ns, status.st_size)
    with _files_lock:
        if _versions.get(file, version) != version:
            raise ModelError(
                f"'{path}' was written over after it had been loaded; expected another file in its place, as amp-compile leaves: load it"
                " in a new process"
            )
        if _files.get(path, file) == file:
            library = ctypes.CDLL(path)
            _files[path] = file
        else:
            with tempfile.TemporaryDirectory() as folder:
                name = os.path.join(folder, os.path.basename(path))
                os.symlink(path, name)
                library = ctypes.CDLL(name)
        _versions[file] = version
    return library


class Model:
    """A compiled model, loaded on its device. Its functions are attributes."""

    def __init__(self, path, device=0):
        if not os.path.exists(path):
            raise FileNotFoundError(f"there is no file '{path}'")
        try:
            library = _open(path)
        except ModelError:
            raise
        except OSError as error:
            raise ModelError(f"'{path}' cannot be loaded: {error}") from None
        try:
            description = ctypes.addressof(ctypes.c_char.in_dll(library, "amp_model"))
            _abi.declare(library)
        except (ValueError, AttributeError):
            raise ModelError(f"'{path}' is no model made by amp-compile: it has no symbol 'amp_model'") from None
        self.path = path
        self._handle = _Handle(library, description, device)
        manifest = library.ampModelManifest(description)
        #: What the compiler says of the model; see docs/amp-compile.md.
        self.manifest = json.loads(manifest) if manifest else {}
        #: The functions by name.
        self.functions = {}
        for index in range(library.ampModelNumFunctions(description)):
            info = _abi.FunctionInfo()
            self._handle.check(library.ampModelFunction(description, index, ctypes.byref(info)))
            function = Function(self._handle, index, info)
            self.functions[function.name] = function

    def __getattr__(self, name):
        functions = self.__dict__.get("functions", {})
        if name in functions:
            return functions[name]
        raise AttributeError(f"the model has no function '{name}'; it has: {', '.join(functions)}")

    def __call__(self, *args, **kwargs):
        """Runs the only function, or "main"."""
        functions = self.functions
        if len(functions) == 1:
            return next(iter(functions.values()))(*args, **kwargs)
        if "main" in functions:
            return functions["main"](*args, **kwargs)
        raise ArgumentError(f"no function is called 'main'; call one of: {', '.join(functions)}")

    def reload_weights(self):
        """Says that the contents of arguments that are weights have changed, of all functions; `model.NAME.reload_weights()` says it of one."""
        handle = self._handle
        handle.check(handle.library.ampModelReloadWeights(handle.model, -1))
        for function in self.functions.values():
            function._weights.forget()

    def upload(self, array, out=None, stream=None):
        """Copies an array of the CPU, without gaps, to the model's device.

        `out`: an array of the device of the same type and shape, such as this
        function returns, that gets the elements. Without it a new one is
        allocated. Returns the array on the device.
        """
        handle, stream = self._handle, _stream_pointer(stream)
        view = _inputs.view(array, _dtypes.ANY, stream)
        if view.on_device or _inputs.has_gaps(view):
            raise ArgumentError("upload: expected an array of the CPU, without gaps")
        bytes_ = view.dtype.size
        for size in view.shape:
            bytes_ *= size
        if out is None:
            tensor = _abi.Tensor(dtype=view.dtype.code, rank=len(view.shape), on_device=handle.is_cuda)
            tensor.shape = _abi.sizes(view.shape)
            pointer = ctypes.c_void_p()
            handle.check(handle.library.ampModelAllocate(handle.model, bytes_, ctypes.byref(pointer), stream))
            tensor.data = pointer
            out = Array(handle, view.dtype, tensor, stream)
        target = _inputs.view(out, view.dtype, stream)
        if target.on_device != handle.is_cuda or _inputs.has_gaps(target) or target.read_only:
            raise ArgumentError("upload: out: expected an array of the model's device that can be written, without gaps")
        if (target.dtype, target.shape) != (view.dtype, view.shape):
            raise ArgumentError(
                f"upload: out: expected {view.dtype.name} {list(view.shape)}, found {target.dtype.name} {list(target.shape)}"
            )
        handle.check(handle.library.ampModelUpload(handle.model, target.pointer, view.pointer, bytes_, stream))
        return out

    def stats(self):
        """What the model holds and did, by name: bytes of constants, of prepared weights and of memory for calls; runs
        launch by launch and as a graph; graphs built and parameters replaced in them; preparations of weights. A model
        for the CPU counts its runs, preparations and prepared bytes alone."""
        stats = _abi.ModelStats()
        self._handle.check(self._handle.library.ampModelGetStats(self._handle.model, ctypes.byref(stats)))
        return {name: getattr(stats, name) for name, _ in stats._fields_}

    def synchronize(self, stream=None):
        """Waits for the work on a stream; faults of kernels show here."""
        handle = self._handle
        handle.check(handle.library.ampModelSynchronize(handle.model, _stream_pointer(stream)))

    @property
    def device(self):
        """The number of the CUDA device; None for the CPU."""
        return self._handle.device if self._handle.is_cuda else None

    @property
    def level(self):
        """The level of instruction sets whose code runs, such as "x86-64-v3", of a model for the CPU; None on a device."""
        level = self._handle.library.ampModelLevel(self._handle.model)
        return level.decode() if level else None

    def __repr__(self):
        return f"<amp_runtime.Model '{self.path}' with {', '.join(self.functions)}>"


def load(path, device=0):
    """Loads the model in the file `path`, on a CUDA device if it is for one."""
    return Model(os.fspath(path), device)

"""Streams, events and graphs."""
import contextlib
import ctypes
import os

from . import _driver as _d

_current = None


def is_available():
    return os.environ.get("AMP_FAKE_TORCH") != "no-cuda"


def get_device_name():
    return "simulator"


def synchronize():
    _d.call("cuCtxSynchronize")


def empty_cache():
    pass


class Stream:
    def __init__(self):
        self.cuda_stream = _d.make("cuStreamCreate", 1).value


class _Default:
    cuda_stream = 0


def current_stream():
    return _current or _Default()


@contextlib.contextmanager
def stream(other):
    global _current
    _current, before = other, _current
    try:
        yield
    finally:
        _current = before


class CUDAGraph:
    def replay(self):
        _d.call("cuGraphLaunch", self.exec, ctypes.c_void_p(current_stream().cuda_stream))


@contextlib.contextmanager
def graph(captured, stream):
    global _current
    _current, before = stream, _current
    handle = ctypes.c_void_p(stream.cuda_stream)
    _d.call("cuStreamBeginCapture_v2", handle, 0)
    try:
        yield
    finally:
        _current = before
        whole = ctypes.c_void_p()
        _d.call("cuStreamEndCapture", handle, ctypes.byref(whole))
    captured.exec = _d.make("cuGraphInstantiateWithFlags", whole, ctypes.c_ulonglong(0))


class Event:
    def __init__(self, enable_timing):
        self.handle = _d.make("cuEventCreate", 0)

    def record(self):
        _d.call("cuEventRecord", self.handle, ctypes.c_void_p(current_stream().cuda_stream))

    def synchronize(self):
        _d.call("cuEventSynchronize", self.handle)

    def elapsed_time(self, end):
        milliseconds = ctypes.c_float()
        _d.call("cuEventElapsedTime", ctypes.byref(milliseconds), self.handle, end.handle)
        return milliseconds.value

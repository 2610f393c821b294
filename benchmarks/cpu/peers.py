"""The libraries that kernels.py compares amp with, and their numbers of threads."""
import ctypes
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {"f32": 0, "bf16": 1, "f16": 2, "i8": 3}
CHAINS = {"gelu": 0, "silu": 1, "tanh": 2}
_POINTER, _SIZE, _FLAG = ctypes.c_void_p, ctypes.c_int64, ctypes.c_bool


def set_blas_threads(threads):
    """Of every OpenBLAS that this process has loaded."""
    with open("/proc/self/maps", encoding="utf-8") as file:
        paths = sorted({line.split()[-1] for line in file if re.search(r"/[^/]*openblas[^/]*\.so", line)})
    for path in paths:
        library = ctypes.CDLL(path)
        for prefix in ("", "scipy_"):
            for suffix in ("", "64_"):
                function = getattr(library, f"{prefix}openblas_set_num_threads{suffix}", None)
                if function:
                    function(threads)


class OneDNN:
    """oneDNN of a package (Debian, Ubuntu: libdnnl-dev) through onednn.cpp, which is compiled here.

    Each method returns a callable that computes into `out`, or None where oneDNN has no
    such kernel. Arrays are kept by what is returned.
    """

    @staticmethod
    def load(prefix=None):
        """None, and a line on standard error, without the library; `prefix` has its include and lib."""
        folder = tempfile.TemporaryDirectory()
        target = os.path.join(folder.name, "libonednn_peer.so")
        places = [f"-I{prefix}/include", f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib"] if prefix else []
        command = [os.environ.get("CXX", "c++"), "-std=c++17", "-O2", "-shared", "-fPIC", *places,
                   os.path.join(HERE, "onednn.cpp"), "-o", target, "-ldnnl"]
        try:
            built = subprocess.run(command, capture_output=True, text=True)
            why = built.stderr.strip().splitlines()[0] if built.returncode else ""
            library = None if why else ctypes.CDLL(target)
        except OSError as error:
            why = str(error)
        if why:
            print(f"kernels.py: no oneDNN ({why}); on Debian and Ubuntu: apt-get install libdnnl-dev", file=sys.stderr)
            return None
        peer = OneDNN()
        peer.library, peer.folder = library, folder
        peer.set_threads(1)
        for name, types in (("Matmul", [ctypes.c_int, *[_SIZE] * 3, *[_FLAG] * 2, *[_POINTER] * 3]),
                            ("Convolution", [*[_SIZE] * 7, *[_FLAG] * 2, *[_POINTER] * 3]),
                            ("Softmax", [ctypes.c_int, *[_SIZE] * 2, *[_POINTER] * 2]),
                            ("LayerNorm", [ctypes.c_int, *[_SIZE] * 2, *[_POINTER] * 2]),
                            ("Chain", [ctypes.c_int, ctypes.c_int, *[_SIZE] * 2, *[_POINTER] * 2])):
            function = getattr(peer.library, "peer" + name)
            function.argtypes, function.restype = types, _POINTER
        peer.library.peerRun.argtypes, peer.library.peerRun.restype = [_POINTER], None
        peer.library.peerVersion.restype = ctypes.c_char_p
        return peer

    @property
    def version(self):
        return self.library.peerVersion().decode()

    def set_threads(self, threads):
        # Found in the OpenMP library that oneDNN is linked to.
        self.threads = threads
        getattr(self.library, "omp_set_num_threads", lambda _: None)(threads)

    def _call(self, name, *arguments):
        """`arguments` are numbers and arrays, which stay alive with what is returned."""
        make, run = getattr(self.library, "peer" + name), self.library.peerRun
        handles = {}

        def call():
            # A primitive keeps the number of threads that it was made under.
            if self.threads not in handles:
                handles[self.threads] = make(*(a.ctypes.data if hasattr(a, "ctypes") else a for a in arguments))
            if handles[self.threads]:
                run(handles[self.threads])
            return handles[self.threads]
        return call if call() else None

    def matmul(self, kind, a, b, out, transposed=False, prepacked=False):
        """a [m][k] by b [k][n], or [n][k] if `transposed`."""
        (m, n), k = out.shape, a.shape[1]
        return self._call("Matmul", TYPES[kind], m, n, k, transposed, prepacked, a, b, out)

    def convolution(self, x, w, out, stride, pad, first=False, prepacked=False):
        """x [n][h][h][c] by w [size][size][c][f], or where channels are `first` x [n][c][h][h] by w [f][c][size][size]; f32."""
        n, h, c = x.shape[0], x.shape[2], x.shape[1 if first else 3]
        size, f = w.shape[2 if first else 0], w.shape[0 if first else 3]
        return self._call("Convolution", n, h, c, f, size, stride, pad, first, prepacked, x, w, out)

    def rows(self, function, kind, x, out):
        """`function` is Softmax or LayerNorm, of the rows of x."""
        return self._call(function, TYPES[kind], *x.shape, x, out) if kind in TYPES else None

    def chain(self, chain, kind, x, out):
        return self._call("Chain", CHAINS[chain], TYPES[kind], *x.shape, x, out) if chain in CHAINS else None

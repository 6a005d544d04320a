#!/usr/bin/env python3
"""check.py FILE...: what `linchpin check` says of each, through the C interface. Other languages do the same."""
import ctypes
import sys

library = ctypes.CDLL("liblinchpin_c.so.0")
for name, result, arguments in [
    ("linchpin_history_read", ctypes.c_void_p, [ctypes.c_char_p] * 3 + [ctypes.c_void_p]),
    ("linchpin_check", ctypes.c_void_p, [ctypes.c_void_p] * 3),
    ("linchpin_verdict_kind", ctypes.c_int, [ctypes.c_void_p]),
    ("linchpin_object_sentence", ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
    ("linchpin_error_message", ctypes.c_char_p, [ctypes.c_void_p]),
    ("linchpin_error_free", None, [ctypes.c_void_p]),
    ("linchpin_verdict_free", None, [ctypes.c_void_p]),
    ("linchpin_history_free", None, [ctypes.c_void_p]),
]:
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments


def check(path):
    """Prints the verdict; the exit code that it stands for."""
    error = ctypes.c_void_p()
    history = library.linchpin_history_read(path.encode(), None, None, ctypes.byref(error))
    verdict = library.linchpin_check(history, None, ctypes.byref(error)) if history else None
    if not verdict:
        print(f"{path}: {library.linchpin_error_message(error).decode()}")
        library.linchpin_error_free(error)
        library.linchpin_history_free(history)
        return 2
    kind = library.linchpin_verdict_kind(verdict)
    print(f"{path}: {('linearizable', 'violation', 'unknown')[kind]}")
    if kind == 1:
        print(f"  {library.linchpin_object_sentence(verdict, 0).decode()}")
    library.linchpin_verdict_free(verdict)
    library.linchpin_history_free(history)
    return 1 if kind == 1 else 0


sys.exit(max((check(path) for path in sys.argv[1:]), default=2))

"""Linchpin: is a recorded concurrent history linearizable? With evidence for either answer.

    import linchpin

    verdict = linchpin.check([
        # process, call, return, method, arguments, result
        ("a", 0, 3, "enqueue", 1, None),
        ("b", 4, 5, "enqueue", 2, None),
        ("a", 6, 7, "dequeue", (), 2),
    ], type="queue")
    print(verdict)             # not linearizable, why, and the operations that show it
    verdict.core               # [0, 1, 2]

Histories also come from files (`linchpin.read`), from arrays (`linchpin.from_arrays`), from mappings with these names, or operation by operation
(`linchpin.History`). A model of your own is a class (`linchpin.Model`).
"""

from linchpin.columns import PENDING, from_arrays
from linchpin.history import NONE, UNKNOWN, History, parse, read
from linchpin.library import Error, version
from linchpin.model import Model
from linchpin.stop import Stop
from linchpin.verdict import Verdict, check

__all__ = ["NONE", "PENDING", "UNKNOWN", "Error", "History", "Model", "Stop", "Verdict", "check", "from_arrays", "parse",
           "read", "version"]
__version__ = version()

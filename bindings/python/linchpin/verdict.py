"""Verdicts with their evidence."""

import ctypes
import html
import json
import os
import tempfile

from linchpin.history import history_of
from linchpin.library import NONE, Error, Options, as_count, as_name, as_path, checked, library, text_of
from linchpin.model import Model, Running
from linchpin.stop import as_stop, interruptible

KINDS = ("linearizable", "violation", "unknown")


class Verdict:
    """What was decided of a history. Operations are numbered in the order in which they were added or read."""

    def __init__(self, handle, history, running=None):
        self._handle, self._history, self._running = handle, history, running

    def __del__(self):
        if getattr(self, "_handle", None):
            library.verdict_free(self._handle)

    def __bool__(self):
        """Whether it is linearizable; an unknown one is not said to be."""
        return self.kind == "linearizable"

    @property
    def kind(self):
        """"linearizable", "violation" or "unknown"."""
        return KINDS[library.verdict_kind(self._handle)]

    @property
    def reason(self):
        """Of an unknown one: "time", "memory", "cancelled"; else empty."""
        return library.verdict_reason(self._handle).decode()

    @property
    def sentence(self):
        """Of a violation, in the type's own words; else empty."""
        return self._of_object("sentence")

    @property
    def decider(self):
        return self._of_object("decider")

    @property
    def core(self):
        """Of a violation: operations that are not linearizable on their own."""
        return self._operations("core")

    @property
    def context(self):
        """Operations beside the core that show why one of it is impossible."""
        return self._operations("context")

    @property
    def witness(self):
        """Of a linearizable history of one object: its operations in an order in which they may have taken effect;
        pending ones that are not among them did not."""
        return self._operations("witness")

    @property
    def blocked(self):
        """Of a violation: the operation that has no place left; None: there is none to name."""
        blocked = library.object_blocked(self._handle, self._object())
        return None if blocked == NONE else blocked

    @property
    def verified(self):
        """Whether the evidence was checked by independent code, and held; False: it was not checked."""
        return library.object_verified(self._handle, self._object()) == 1

    def report(self, path, label="", limit=None):
        """Writes one HTML file with the history, the verdict and the evidence, to be opened in a browser. `limit`: at most
        so many operations: the core, what is near it, and counts of the rest."""
        most = NONE if limit is None else as_count(limit, "limit")
        checked(library.verdict_report_within, self._handle, self._history.handle(), as_path(path), as_name(label), most)

    def json(self):
        """The verdict with its evidence and explanation, as `linchpin check --json` prints it, as a dict."""
        return json.loads(text_of(checked(library.verdict_json, self._handle, self._history.handle())))

    def __str__(self):
        return text_of(checked(library.verdict_text, self._handle, self._history.handle()))

    def __repr__(self):
        return f"<linchpin.Verdict {self.kind}>"

    def _repr_html_(self):
        """For notebooks: the report, with its timeline, of a long history with the core and what is near it."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.html")
            self.report(path, limit=10_000)
            with open(path, encoding="utf-8") as file:
                page = file.read()
        return f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 640px; border: 0"></iframe>'

    def _object(self):
        """The object that is spoken of: the first that is as the whole."""
        kind = library.verdict_kind(self._handle)
        objects = range(library.verdict_objects(self._handle))
        return next((i for i in objects if library.object_kind(self._handle, i) == kind), 0)

    def _of_object(self, what):
        if library.verdict_objects(self._handle) == 0:
            return ""
        return getattr(library, f"object_{what}")(self._handle, self._object()).decode(errors="replace")

    def _operations(self, what):
        if library.verdict_objects(self._handle) == 0:
            return []
        count = ctypes.c_size_t()
        pointer = getattr(library, f"object_{what}")(self._handle, self._object(), ctypes.byref(count))
        return pointer[: count.value]


_MOST_THREADS = (1 << 32) - 1
# So many operations have at most 3,628,800 orders, which are tried before anybody interrupts that. Of more, another thread
# calls the library, which takes some 50 microseconds: deciding eleven takes 20, and adding them 200.
_SMALL = 10


def _seconds(limit):
    try:
        seconds = limit.__float__()
    except (AttributeError, TypeError, OverflowError):
        seconds = -1
    if not seconds >= 0:
        raise Error("bad_option", f"time_limit is {limit!r}", "seconds, a number from 0, where 0 is no limit")
    return seconds


def check(history, type=None, *, model=None, time_limit=None, memory_limit=None, decider=None, threads=0,
          witness=True, all=False, response_first=False, verify=None, stop=None):
    """Decides a history: records, a History, or what `read` gives. By a type that `linchpin types` lists, or by a
    model of your own, a Model.

    time_limit: seconds; memory_limit: bytes resident in the process. Past them the verdict is unknown.
    stop: a Stop, whose request ends the check; then the verdict is unknown, too.
    verify: True: check the evidence as long as it takes; False: not at all; None: for a small part of the time.
    Raises Error where the input, an option or the model is wrong, and what the model raises."""
    options = Options()
    options.time_limit = 0 if time_limit is None else _seconds(time_limit)
    options.memory_limit = 0 if memory_limit is None else as_count(memory_limit, "memory_limit")
    options.threads = as_count(threads, "threads", _MOST_THREADS)
    options.no_witness, options.all, options.response_first = not witness, all, response_first
    options.verify, options.no_verify = verify is True, verify is False
    options.decider = None if decider is None else as_name(decider)
    stop = as_stop(stop)
    if model is not None:
        if isinstance(model, Model.__class__) and issubclass(model, Model):
            model = model()
        if not isinstance(model, Model):
            raise Error("bad_option", f"model is {model!r}, no linchpin.Model", "derive a class from linchpin.Model")
        if type is not None:
            raise Error("bad_option", "a history is of a type or of a model, not of both", "leave out type or model")
        running = Running(model, history)
        options.stop = None if stop is None else stop._handle
        return Verdict(running.check(options), running.history, running)
    history = history_of(history, type)
    options.type = None if type is None else as_name(type)
    small = library.history_size(history.handle()) <= _SMALL

    def decide(stop):
        options.stop = None if stop is None else stop._handle
        return Verdict(checked(library.check, history.handle(), ctypes.byref(options)), history)

    return decide(stop) if small else interruptible(decide, stop)

"""Ending a check before it is decided: by a Stop from elsewhere, by Ctrl-C in the main thread."""

import os
import threading
from _thread import allocate_lock, get_ident, start_new_thread

from linchpin.library import Error, library


class Stop:
    """Ends checks that are given it, from another thread or a signal's handler: their verdict is then unknown, the reason
    "cancelled". Those that begin later end at once.

        stop = linchpin.Stop()
        threading.Timer(5, stop.request).start()
        linchpin.check(history, stop=stop)
    """

    def __init__(self):
        self._inner = set()  # that are requested with this one
        self._requested = False
        self._handle = library.stop_new()
        if self._handle is None:
            raise MemoryError

    def __del__(self):
        if getattr(self, "_handle", None):
            library.stop_free(self._handle)

    def request(self):
        """May be called several times."""
        # No locks, since a signal's handler may come between any two lines: either this sees what is added, or who adds
        # it sees that this was requested.
        self._requested = True
        library.stop_request(self._handle)
        for inner in self._inner.copy():
            inner.request()

    def _add(self, inner):
        self._inner.add(inner)
        if self._requested:
            inner.request()

    def _remove(self, inner):
        self._inner.discard(inner)


def as_stop(value):
    """A Stop, or None."""
    if not isinstance(value, (Stop, type(None))):
        raise Error("bad_option", f"stop is {value!r}, no linchpin.Stop", "make one: linchpin.Stop()")
    return value


def interruptible(call, stop):
    """What `call` returns, a function that is given a Stop, or None, and is in the library most of the time. What it
    returns frees itself where nobody takes it.

    Python hears signals in its main thread only, and only while that is in no foreign function. So the main thread lets
    another one call, and waits: what a signal's handler raises meanwhile, as Ctrl-C does, ends the check, and goes on from
    here when that has ended. Other threads call directly."""
    if get_ident() != threading.main_thread().ident:
        return call(stop)
    try:
        worker = _idle.pop()
    except IndexError:
        try:
            worker = _Worker()
        except RuntimeError:  # no thread can be started, as at the interpreter's end
            return call(stop)
    # One of its own, since an interrupt is not for the other checks that have the caller's.
    inner = Stop()
    outcome, over = [], allocate_lock()
    over.acquire()

    def run():
        try:
            came = call(inner), None
        except BaseException as error:  # noqa: B902: it is raised where the result is wanted
            came = None, error
        _idle.append(worker)  # before the caller goes on, whose next check takes it
        outcome.append(came)
        over.release()

    given = [run]
    if stop is not None:
        stop._add(inner)
    try:
        try:
            worker.begin(given)
            while not outcome:
                over.acquire(timeout=_DEAF_SECONDS)
        except BaseException:
            if not worker.takes_back(given):
                _end(inner, outcome, over)
            raise
    finally:
        if stop is not None:
            stop._remove(inner)
    result, error = outcome.pop()
    if error is not None:
        try:
            raise error
        finally:
            error = None  # which would hold this frame, and be held by it
    return result


def _end(stop, outcome, over):
    """Waits until the check has ended, which uses what the caller may change then; whatever else is raised meanwhile."""
    while not outcome:
        try:
            stop.request()
            over.acquire()
        except BaseException:  # noqa: B902: the first one is raised
            pass


# A thread is kept for the next check, for a second: starting one takes several times as long as a small check, handing over
# to one that waits about twice as long. It is not kept for ever since a process that has threads is no good to fork.
_KEPT_SECONDS = 1
# A signal may be any thread's. Where it is another's than the main thread's, that is not woken up, and hears of it when it
# wakes up by itself.
_DEAF_SECONDS = 0.1
_idle = []
os.register_at_fork(after_in_child=_idle.clear)  # threads are not forked


class _Worker:
    """A thread that does what it is given. There may be several: a signal's handler may check while a check is waited for."""

    def __init__(self):
        self._given = allocate_lock()
        self._given.acquire()
        self._work = []
        start_new_thread(self._serve, ())

    def begin(self, work):
        """Calls the function in the list `work`, which is empty from then on."""
        self._work = work
        self._given.release()

    def takes_back(self, work):
        """Whether it has not begun, and never will: what is raised in the middle of `begin` may leave it either way."""
        try:
            work.pop()
        except IndexError:
            return False
        try:
            self._given.release()  # there is nothing to do any more, so the thread ends
        except RuntimeError:
            pass  # begin did so, too
        return True

    def _serve(self):
        while True:
            if not self._given.acquire(timeout=_KEPT_SECONDS):
                try:
                    _idle.remove(self)
                except ValueError:
                    self._given.acquire()  # it was taken just now
                else:
                    return
            try:
                run = self._work.pop()
            except IndexError:
                return
            run()
            del run  # and what it holds, which may be large

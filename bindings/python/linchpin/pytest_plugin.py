"""For pytest: a fixture that fails a test with the evidence.

    def test_queue(assert_linearizable):
        assert_linearizable(recorded, type="queue")
"""

import pytest

from linchpin.verdict import check


@pytest.fixture
def assert_linearizable():
    """A function with the arguments of linchpin.check; what is unknown fails, too."""

    def assert_linearizable(history, type=None, **options):
        __tracebackhide__ = True
        verdict = check(history, type, **options)
        if not verdict:
            pytest.fail(str(verdict), pytrace=False)
        return verdict

    return assert_linearizable

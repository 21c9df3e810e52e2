"""Signals that wait until they may come, and handlers that are put back."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from types import FrameType

import pytest

from cardbattle.cli.app import run
from cardbattle.files.signals import HELD, signals_deferred

NUMBERS = pytest.mark.parametrize("number", HELD, ids=lambda number: signal.Signals(number).name)


class Heard(Exception):
    """A signal came through."""


@pytest.fixture(autouse=True)
def hearing() -> Iterator[None]:
    """Let every signal that may be held back raise Heard; put the handlers back."""

    def hear(number: int, frame: FrameType | None) -> None:
        raise Heard(number)

    before = {number: signal.signal(number, hear) for number in HELD}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@NUMBERS
def test_a_signal_waits_until_the_block_is_left(number: signal.Signals) -> None:
    """Nothing in the block is cut short, and the handler of before hears of it once."""
    done = []
    with pytest.raises(Heard, match=str(int(number))), signals_deferred():  # noqa: PT012
        signal.raise_signal(number)
        signal.raise_signal(number)
        done.append("all of it")
    assert done == ["all of it"]


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signal masks here")
@NUMBERS
def test_a_process_started_meanwhile_hears_of_no_signal(number: signal.Signals) -> None:
    """It inherits the mask in which they are blocked; afterwards the mask is as before."""
    with pytest.raises(Heard), signals_deferred():  # noqa: PT012
        assert set(HELD) <= signal.pthread_sigmask(signal.SIG_BLOCK, [])
        signal.raise_signal(number)
        assert signal.sigpending() == {number}
    assert not set(HELD) & signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert not signal.sigpending()


@NUMBERS
def test_a_signal_that_reaches_another_thread_waits_too(number: signal.Signals) -> None:
    """The system hands a signal to any thread that takes it; Python's handler runs in the main one."""
    go, gone = threading.Event(), threading.Event()

    def work() -> None:
        go.wait()
        signal.raise_signal(number)
        gone.set()

    thread = threading.Thread(target=work)
    thread.start()
    done = []
    with pytest.raises(Heard), signals_deferred():  # noqa: PT012
        go.set()
        gone.wait()
        done.append("all of it")
    thread.join()
    assert done == ["all of it"]


def test_an_error_in_the_block_is_told_and_the_signal_dropped() -> None:
    """The program ends by its error then."""
    with pytest.raises(ValueError, match="why"), signals_deferred():  # noqa: PT012
        signal.raise_signal(signal.SIGTERM)
        raise ValueError("why")


def test_blocks_may_stand_in_blocks() -> None:
    """A signal comes through the outermost."""
    done = []
    with pytest.raises(Heard), signals_deferred():  # noqa: PT012
        with signals_deferred():
            signal.raise_signal(signal.SIGINT)
        done.append("the rest of the outer block")
    assert done == ["the rest of the outer block"]


def test_in_another_thread_the_block_is_carried_out() -> None:
    """Python lets only the main thread change handlers."""
    done = []

    def work() -> None:
        with signals_deferred():
            done.append("all of it")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == ["all of it"]


@pytest.mark.parametrize("arguments", [["commanders"], ["no-such-command"]])
def test_a_command_puts_the_handler_of_a_caller_back(arguments: list[str]) -> None:
    """A caller that runs a command as a function keeps its SIGTERM handler, however the command ends."""
    before = signal.getsignal(signal.SIGTERM)
    run(arguments)
    assert signal.getsignal(signal.SIGTERM) is before

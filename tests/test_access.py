"""Whatever a store raises denies, but Ctrl-C and the end of the program."""

from __future__ import annotations

import asyncio
import logging

import pytest

from groundedgen import access, ask, render
from groundedgen.errors import InputError

PASSAGES = [{"id": "a", "text": "Fire is covered by this policy."}]
SECRET = "memo-4711"


class Raises:
    def __init__(self, error):
        self.error = error

    def get(self, ids, reader):
        raise self.error


class RaisesAwaited(Raises):
    get = None

    async def aget(self, ids, reader):
        raise self.error


@pytest.mark.parametrize("store", [Raises, RaisesAwaited])
@pytest.mark.parametrize(
    "error", [SystemExit(SECRET), OSError(SECRET), InputError(SECRET), GeneratorExit(SECRET)]
)
def test_what_a_store_raises_denies_and_is_not_told(store, error, caplog):
    with caplog.at_level(logging.DEBUG):
        granted = asyncio.run(access.agranted(store(error), ["a"], "ann", None))
    assert {} == granted
    assert SECRET not in caplog.text


def test_an_end_of_the_program_that_a_store_raises_in_a_worker_denies():
    store = Raises(SystemExit(SECRET))
    assert () == ask("Is fire covered?", PASSAGES, store=store, reader="ann").statements
    answer = ask("Is fire covered?", PASSAGES)
    page = render(answer, store=store, reader="ann", format="text", timeout=5)
    assert "There is nothing here that can be shown to you." == page


def test_an_end_of_the_program_in_the_calling_thread_ends_it():
    """A signal that ends the program is heard there, whatever is being called."""
    answer = ask("Is fire covered?", PASSAGES)
    with pytest.raises(SystemExit):
        render(answer, store=Raises(SystemExit(1)), reader="ann")


@pytest.mark.parametrize("timeout", [None, 5])
def test_an_interrupt_goes_on(timeout):
    with pytest.raises(KeyboardInterrupt):
        access.granted(Raises(KeyboardInterrupt()), ["a"], "ann", timeout)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(access.agranted(Raises(KeyboardInterrupt()), ["a"], "ann", timeout))


def test_what_can_be_asked_in_neither_way_is_refused():
    with pytest.raises(InputError, match="dict"):
        asyncio.run(access.agranted({"a": 1}, ["a"], "ann", None))

"""The functions of the library that can take long, for programs that use asyncio.

They run in a thread, or in processes with `jobs` or `executor`. Cancelling the task stops them: counting ends
after at most a tenth of a second, and battles that have not begun are not fought. `import cardbattle.aio`
loads this module.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from threading import Event
from typing import Any, TypeVar

from cardbattle import library
from cardbattle.battles.records.record import Record
from cardbattle.core.errors import CardbattleError
from cardbattle.library import AnyBattle
from cardbattle.simulation.odds import Odds

__all__ = ["growing_odds", "odds", "resolve", "resolve_many"]
Item = TypeVar("Item")


class Cancelled(CardbattleError):
    """The task that waits for the odds was cancelled."""


async def resolve(battle: AnyBattle, **arguments: Any) -> Record:
    """Fight one battle and return its record; see `cardbattle.resolve`.

    A battle that has begun is fought to its end, even if the task is cancelled.
    """
    return await asyncio.to_thread(library.resolve, battle, **arguments)


async def odds(
    battle: AnyBattle, *, progress: Callable[[int, int], None] | None = None, **arguments: Any
) -> Odds:
    """Fight a battle many times, and return the chances; see `cardbattle.odds`.

    `progress` is called in another thread.
    """
    is_cancelled = Event()

    def hear(battles: int, end: int) -> None:
        if is_cancelled.is_set():
            raise Cancelled
        if progress is not None:
            progress(battles, end)

    try:
        return await asyncio.to_thread(library.odds, battle, progress=hear, **arguments)
    finally:
        is_cancelled.set()


async def growing_odds(battle: AnyBattle, **arguments: Any) -> AsyncIterator[Odds]:
    """Fight a battle many times, and yield intermediate chances; see `cardbattle.growing_odds`."""
    async for chances in in_thread(library.growing_odds(battle, **arguments)):
        yield chances


async def resolve_many(battles: Iterable[AnyBattle], **arguments: Any) -> AsyncIterator[Record]:
    """Fight many battles, and yield their records in order; see `cardbattle.resolve_many`."""
    async for record in in_thread(library.resolve_many(battles, **arguments)):
        yield record


async def in_thread(items: Iterator[Item]) -> AsyncIterator[Item]:
    """Yield the items of a generator, each computed in a thread; close it at the end or when cancelled."""
    end = object()
    step: asyncio.Future[object] | None = None
    try:
        while True:
            step = asyncio.ensure_future(asyncio.to_thread(next, items, end))
            item = await asyncio.shield(step)
            if item is end:
                return
            yield item  # type: ignore[misc]
    finally:
        if step is not None and not step.done():
            await asyncio.wait([step])
        await asyncio.to_thread(items.close)  # type: ignore[attr-defined]

"""Asynchronous versions of the slow library functions, for programs that use asyncio.

Each function runs in a thread, or in several processes if `jobs` or `executor` is given. If the task is
cancelled, a simulation stops within a tenth of a second, and battles that have not begun are not fought. To
load this module, write `import cardbattle.aio`.
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
    """The error that stops a simulation when the task that awaits it is cancelled."""


async def resolve(battle: AnyBattle, **arguments: Any) -> Record:
    """Fight one battle and return its record, as `cardbattle.resolve` does.

    If the task is cancelled, a battle that has already begun is still fought to its end.
    """
    return await asyncio.to_thread(library.resolve, battle, **arguments)


async def odds(
    battle: AnyBattle, *, progress: Callable[[int, int], None] | None = None, **arguments: Any
) -> Odds:
    """Fight a battle many times and return each side's chance of winning, as `cardbattle.odds` does.

    The function `progress` is called in another thread.
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
    """Fight a battle many times and yield each side's chance of winning at regular intervals.

    The function does the same as `cardbattle.growing_odds`.
    """
    async for chances in in_thread(library.growing_odds(battle, **arguments)):
        yield chances


async def resolve_many(battles: Iterable[AnyBattle], **arguments: Any) -> AsyncIterator[Record]:
    """Fight many battles and yield their records in order, as `cardbattle.resolve_many` does."""
    async for record in in_thread(library.resolve_many(battles, **arguments)):
        yield record


async def in_thread(items: Iterator[Item]) -> AsyncIterator[Item]:
    """Yield the items of a generator. Each item is computed in a thread.

    The generator is closed when it ends or when the task is cancelled.
    """
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

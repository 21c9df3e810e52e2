"""What an umpire does to campaign.toml in an editor: values, comments, lines and battles moved about."""

from __future__ import annotations

from tests.stress import page
from tests.stress.story import BATTLES


def edited(text: str, words: tuple[str, ...], numbers: tuple[int, ...]) -> str:
    """Return the text as the umpire leaves it."""
    what, key, value, _ = words
    one, two = numbers
    lines = text.splitlines(keepends=True)
    if what == "set":
        return page.with_value(text, key, int(value) if value.isdigit() else value)
    if what == "comment":
        lines.insert(one % (len(lines) + 1), f"# note {two}\n")
    elif what == "blank":
        lines.insert(one % (len(lines) + 1), "\n")
    elif what == "uncomment":
        comments = [place for place, line in enumerate(lines) if line.startswith("#")]
        if comments:
            del lines[comments[one % len(comments)]]
    elif what == "end":
        return text.rstrip("\n") + "\n" * (one % 3)
    elif what == "spoil":
        return text + "\n[broken\n"
    elif what == "move":
        return moved(text, one, two)
    else:
        return with_battles(text, words, one)
    return "".join(lines)


def moved(text: str, one: int, two: int) -> str:
    """Return the text with one of its tables elsewhere, comments and all."""
    lines = text.splitlines(keepends=True)
    starts = [place for place, line in enumerate(lines) if line.startswith("[")]
    starts = [above(lines, place) for place in starts]
    chunks = ["".join(lines[start:end]) for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
    if not chunks or not text.endswith("\n"):
        return text
    chunk = chunks.pop(one % len(chunks))
    chunks.insert(two % (len(chunks) + 1), chunk)
    return "".join([*lines[: starts[0]], *chunks])


def above(lines: list[str], place: int) -> int:
    """Return where the comments right above a line begin."""
    while place and lines[place - 1].startswith("#"):
        place -= 1
    return place


def with_battles(text: str, words: tuple[str, ...], number: int) -> str:
    """Return the text with a pending battle added, removed or changed, or the text unchanged."""
    what, _, _, battle = words
    names = page.pending(text)
    if what == "add" and battle not in names:
        lines = f'# planned {number % 100}\n[[pending]]\nid = "{battle}"\nsides = {list(BATTLES[battle])}\n'
        lines = lines.replace("'", '"') + "\n" * (number % 2)
        return page.with_lines(text if text.endswith("\n") else text + "\n", lines, number % 4)
    if battle in names and what == "take":
        return page.without(text, battle)
    if battle in names and what in ("note", "own"):
        line = f'note = "by {number % 9}"\n' if what == "note" else f'x_page{number % 99} = "{number % 9}"\n'
        head, mark, tail = text.partition(f'id = "{battle}"\n')
        if what == "note":
            place = tail.find('note = "')
            block_end = tail.find("[")
            if 0 <= place < block_end:
                return head + mark + tail[:place] + line + tail[tail.index("\n", place) + 1 :]
        return text if line in text else head + mark + line + tail
    return text

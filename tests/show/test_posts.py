"""Reports to paste into Discord, a forum or a vault of notes: every name stays a name."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardbattle.battles.records.battle_file import read_battle
from cardbattle.battles.records.reader_view import report_of
from cardbattle.battles.resolve import fight_battle
from cardbattle.core.telling import TALE
from cardbattle.show.battle_text import LONGEST_POST, post_length
from cardbattle.show.document import (
    KEYED,
    STRONG,
    Bar,
    BattleReport,
    Book,
    Chart,
    Content,
    Curve,
    Document,
    Item,
    Items,
    Listing,
    Paragraph,
    Section,
    Side,
    Table,
    Title,
)
from cardbattle.show.writers.formats import render
from cardbattle.show.writers.posts import messages
from tests.campaign.test_samples import PLAYED
from tests.cli.test_cli import ROOT, Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.show.test_hostile_names_in_output import TAKEN, acting, marks

POSTS = ("discord", "bbcode", "obsidian")
MESSAGE = re.compile(r"^------ message (\d+) of (\d+) ------$", re.MULTILINE)
TAG = re.compile(r"\[(/?(?:\w+|\*))(?:=\w+)?\]")
LINK = re.compile(r"\[\[([^\]|]+)(\\?\|[^\]]+)?\]\]")


def told_battle(names: list[str]) -> BattleReport:
    """Return a battle between sides of these names."""
    sides = {"york": {"name": names[0]}, "lancaster": {"name": names[1], "commander": "green"}}
    record, referee = fight_battle(read_battle({"rules": "field-of-honour", "seed": 7, "sides": sides}))
    return BattleReport(report_of(record, referee), TALE)


def document(names: list[str]) -> Document:
    """Return a document that has every kind of block, with these names in each."""
    one, two = names
    chart = Chart([Curve(Side(one, "york"), [(0, 0.5), (1, 1.0)])], "chances")
    blocks: list[Content] = [
        Title(one),
        Paragraph(f"{one} against {two}", STRONG),
        Section(two),
        Paragraph(two),
        Items([Item("t1", f"{one}, {two}", [two]), Item("", one)], KEYED),
        Table(
            ["", "side", "points", "", "note"], [["1.", one, "3", Bar(3), two], ["2.", two, "", Bar(1), ""]]
        ),
        chart,
        told_battle(names),
        Listing(["a = 1", "b = 2"]),
        Book("A rule."),
        Items([]),
    ]
    return Document(one, blocks, {}, subjects={"forces": [one, two], "places": []})


PLAIN = {form: render(document(["York", "Lancaster"]), form) for form in POSTS}


def test_every_block_is_written_in_every_post() -> None:
    assert PLAIN["discord"].startswith("# York\n**York against Lancaster**\n## Lancaster\nLancaster\n")
    assert "- **t1** York, Lancaster\n  - Lancaster\n- York\n" in PLAIN["discord"]
    assert "- **1\\. York**: points 3, note Lancaster\n- **2\\. Lancaster**\n" in PLAIN["discord"]
    assert "```toml\na = 1\nb = 2\n```\n" in PLAIN["discord"]
    assert "[list]\n[*][b]t1[/b] York, Lancaster\n[i]Lancaster[/i]\n[*]York\n[/list]" in PLAIN["bbcode"]
    assert "[*][b]1. York[/b]: points 3, note Lancaster" in PLAIN["bbcode"]
    assert PLAIN["obsidian"].startswith(
        '---\ntitle: "York"\nforces:\n  - "[[York]]"\n  - "[[Lancaster]]"\n---\n\n# York\n'
    )
    assert "| 1. | [[York]] | 3 | [[Lancaster]] |" in PLAIN["obsidian"]
    for text in PLAIN.values():
        assert "♠" in text
        assert "losses" in text.casefold()
        assert "Lancaster" in text
        assert "{}" not in text


@pytest.mark.slow
@pytest.mark.parametrize("at", range(0, len(TAKEN) - 1, 2))
def test_a_hostile_name_stays_a_name_in_a_post(at: int) -> None:
    names = [TAKEN[at], TAKEN[at + 1]]
    told = {form: render(document(names), form) for form in POSTS}
    assert [acting(text) for text in told.values()] == [set()] * 3
    assert chat_marks(told["discord"]) == chat_marks(PLAIN["discord"])
    assert not re.search(r"@|(?<!\\)(?::\w|<|\|\||://)", MESSAGE.sub("", told["discord"]))
    assert Counter(TAG.findall(told["bbcode"])) == Counter(TAG.findall(PLAIN["bbcode"]))
    assert not re.search(r"://|www\.", told["bbcode"])
    assert note_marks(told["obsidian"]) == note_marks(PLAIN["obsidian"])


def chat_marks(text: str) -> Counter[str]:
    """Return how many there are of each mark in the messages of a text; lists may be cut in two."""
    found = marks(MESSAGE.sub("", text))
    parts = ("bullet_list", "list_item", "paragraph", "inline")
    return Counter({mark: count for mark, count in found.items() if not mark.startswith(parts)})


def note_marks(text: str) -> Counter[str]:
    """Return how many there are of each mark in a note, its links aside; its properties are sound."""
    begin, properties, body = text.split("---\n", 2)
    assert begin == ""
    for line in properties.splitlines():
        value = line.removeprefix("title: ").removeprefix("  - ")
        assert line in ("forces:",) or isinstance(json.loads(value), str)
    return marks(LINK.sub("York", body))


@given(
    st.lists(st.lists(st.text(alphabet="ab #*\U0001f600", max_size=2500), min_size=1, max_size=4), max_size=6)
)
def test_messages_are_short_enough_and_lose_nothing(paragraphs: list[list[str]]) -> None:
    found = messages(paragraphs)
    assert all(post_length([text]) <= LONGEST_POST < 2000 for text in found)
    assert len("".join(found).encode("utf-16-le")) // 2 <= sum(post_length([text]) for text in found) + len(
        found
    )
    said = "".join("".join(lines) for lines in paragraphs)
    assert "".join("".join(found).split()) == "".join(said.split())


def test_code_is_closed_and_opened_again_where_a_message_ends() -> None:
    lines = ["```toml", *(f"line = {n}" for n in range(400)), "```"]
    found = messages([lines])
    assert len(found) == 3
    for text in found:
        assert text.startswith("```toml\n")
        assert text.endswith("\n```")
        assert text.count("```") == 2


def test_a_samples_report_is_messages_each_to_be_pasted(sh: Shell) -> None:
    folder = next(folder for folder in PLAYED if folder.name == "the-marches-1403")
    said = sh("campaign", "-C", str(folder), "report", "--for", "umpire", "--format", "discord")
    assert (said.code, said.err) == (0, "")
    heads = [(int(number), int(most)) for number, most in MESSAGE.findall(said.out)]
    assert heads == [(number, len(heads)) for number in range(1, len(heads) + 1)]
    texts = MESSAGE.split(said.out)[3::3]
    assert all(len(text.strip()) < 2000 for text in texts)
    assert all(text.strip().startswith(("#", "-")) for text in texts)
    assert "\n|" not in said.out


def test_the_message_among_the_examples_is_what_the_program_prints(sh: Shell) -> None:
    folder = next(folder for folder in PLAYED if folder.name == "four-noons")
    said = sh("campaign", "-C", str(folder), "report", "--format", "discord")
    assert said.out == (ROOT / "examples" / "message-for-discord.txt").read_text(encoding="utf-8")


def test_a_note_links_what_the_campaign_names(sh: Shell) -> None:
    folder = next(folder for folder in PLAYED if folder.name == "the-marches-1403")
    said = sh("campaign", "-C", str(folder), "report", "--format", "obsidian")
    assert '  - "[[Owain Glyndŵr]]"\n' in said.out
    assert re.search(r"\[\[The ([^]|]+)\|the \1\]\]", said.out)
    assert "| [[Prince Henry]] | [[The Crown]] |" in said.out
    assert "# The Marches, 1403: turn 4\n" in said.out

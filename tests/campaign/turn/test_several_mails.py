"""Mails of several players in one file, and orders that a player only quotes."""

from __future__ import annotations

import json
import textwrap
from itertools import product
from pathlib import Path

import pytest

from tests.campaign.turn.test_turn_by_messages import do, take
from tests.campaign.turn.test_turn_by_messages import valley as valley  # the same campaign
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell

HEADERS = [
    ("From: Anna", "From: Bob"),
    (
        "From: Anna <anna@x.org>\nSubject: AW: Red: orders\n",
        "From: Bob <bob@y.org>\nSubject: AW: Blue: orders\n",
    ),
    (
        "From anna@x.org Mon Nov 29 12:08:34 2027\nFrom: Anna <anna@x.org>\nDate: Mon, 29 Nov 2027\n",
        "From bob@y.org Mon Nov 29 12:09:51 2027\nFrom: Bob <bob@y.org>\nDate: Mon, 29 Nov 2027\n",
    ),
    ("Von: Anna\nGesendet: Montag\nBetreff: Zug\n", "Von: Bob\nGesendet: Montag\nBetreff: Zug\n"),
]
ANNAS = [
    "red@1: vanguard: march to bridge",
    "red@1:\nvanguard: march to Rome",
    "We shall win!",
    "vanguard: hold",
]
BOBS = [
    "> valley/blue@1:\n> garrison: march to bridge\n> guard: hold\nsorry about that",
    "blue@1: garrison: march to bridge",
    "> valley/blue@1:\n> garrison: go to Rome\n",
    "garrison: march to bridge\nguard: hold\n\n> valley/blue@1:\n> garrison:\n",
]


def orders_in(sh: Shell) -> object:
    """Return the orders that are recorded."""
    return json.loads(sh("campaign", "orders", "show", "--json").out)


@pytest.mark.slow
@pytest.mark.parametrize("headers", HEADERS, ids=range(len(HEADERS)))
def test_mails_in_one_file_are_read_like_mails_in_several(
    sh: Shell, valley: Path, headers: tuple[str, str]
) -> None:
    before = (valley / "campaign.toml").read_text("utf-8")
    for mails in product(ANNAS, BOBS):
        found = []
        texts = [f"{header}\n{mail}\n" for header, mail in zip(headers, mails, strict=True)]
        for files in (["\n".join(texts)], texts):
            sh.write("campaign.toml", before)
            (valley / "history.toml").unlink(missing_ok=True)
            names = [sh.write(f"{n}.txt", text) for n, text in enumerate(files)]
            said = sh("campaign", "orders", "take", *names)
            found.append((said.code, said.out, orders_in(sh)))
        assert found[0] == found[1], mails


def test_an_order_that_another_player_quotes_is_reported_to_both(sh: Shell, valley: Path) -> None:
    quote = "> valley/blue@1:\n> garrison: march to bridge"
    for own, code in (("red@1: vanguard: hold", 0), ("red@1: vanguard: fly", 3)):
        said = take(sh, f"{own}\n\nBob wrote:\n{quote}", code=code)
        assert "line 5: ignored, because another player quotes it: garrison: march to bridge" in said.err
        assert "To blue, turn 1, not taken" in said.out
        assert 'garrison: "march to bridge" was only quoted in the mail of another player' in said.out
        assert ("To red, turn 1, not taken" in said.out) == (code == 3)
    take(sh, "blue@1: garrison: march to bridge")
    assert "To blue" not in take(sh, f"red@1: vanguard: march to bridge\n\nBob wrote:\n{quote}").out


@pytest.mark.parametrize("date", ["", "Date: today\n", "Subject: orders\nTo: Umpire\n"], ids=range(3))
def test_a_mail_without_an_address_is_read_below_another_mail(sh: Shell, valley: Path, date: str) -> None:
    anna = "From: Anna\n\nvalley/red@1:\nvanguard: march to bridge\n\n"
    bob = f"From: Bob <bob@y.org>\n{date}\ngarrison: march to bridge\nthe guard: march to Rome and burn it\n"
    said = take(sh, anna + bob, code=3)
    assert "Garrison Fort march to Bridge" in " ".join(sh("campaign", "orders", "show").out.split())
    assert "To blue, turn 1, not taken" in said.out
    assert "To red" not in said.out


@pytest.mark.parametrize(
    "header",
    [
        "From: Ann <vanguard@bridge.example>\nTo: The Guard <umpire@bridge.example>\nSubject: Re: orders\n",
        "From: Ann Vanguard of Bridge\n",
        "Von: Ann Vanguard of Bridge\nGesendet: Montag\n",
        "Hello!\n\nFrom: Ann <vanguard@bridge.example>\n",
    ],
    ids=range(4),
)
def test_the_sender_in_a_header_is_no_order(sh: Shell, valley: Path, header: str) -> None:
    said = take(sh, f"{header}\narchers: hold\n")
    assert (said.err.count("is not an order"), said.out.count("not taken")) == (0, 0)
    take(sh, f"{header}\nthe vanguard will go to the bridge soon\n", code=3)


@pytest.mark.parametrize("words", ["We go on as agreed.", "Here they come!\nBob"])
def test_a_mail_without_an_address_and_an_order_is_reported_beside_others(
    sh: Shell, valley: Path, words: str
) -> None:
    bob = f"From: Bob <bob@y.org>\n\n{words}\n"
    anna = "From: Anna\n\nred@1:\nvanguard: hold\n"
    said = take(sh, f"{anna}\n{bob}")
    assert "Vanguard: hold" in said.out
    assert "mail.txt:8: this mail has no address, and nothing in it is read" in said.err
    assert "no address" not in take(sh, f"{words}\n\n{anna}{bob}\n> blue@1:\n> guard:\n", code=3).err


def test_a_known_sender_without_an_order_reads_it_beside_other_mails_too(sh: Shell, valley: Path) -> None:
    do(sh, "set", "factions.blue.mail+=bob@y.org", "factions.red.mail+=anna@x.org", code=0)
    bob = "From: Bob <bob@y.org>\nDate: Wed, 16 Dec 2026 12:30:00 +0000\n\nGood luck to all!\n"
    anna = "From: Anna <anna@x.org>\nDate: Wed, 16 Dec 2026 10:30:00 +0000\n\nvanguard: hold\n\n"
    for text in (bob, anna + bob):
        said = take(sh, text, code=3)
        assert "no address" not in said.err and "contains no new order" in said.err
        assert "To blue, turn 1, not taken" in said.out


@pytest.mark.parametrize("address", ["", "blue@1:\n"])
def test_a_player_who_takes_back_the_first_of_two_mails_reads_that_it_counts(
    sh: Shell, valley: Path, address: str
) -> None:
    """The sender in the header is the same, so that the second mail needs no address."""
    first = "From: Bob <bob@y.org>\n\ngarrison: march to bridge\nguard: hold\n\n"
    second = f"From: Bob <bob@y.org>\n\n{address}Forget my last mail. The garrison holds, I am not mad.\n"
    said = take(sh, first + second, code=3)
    assert "the earlier order still counts: garrison: march to bridge" in said.err
    assert "- still counts: garrison: march to bridge" in said.out
    assert " ".join(said.out.split()).endswith("valley/blue@1: garrison:")
    other = take(sh, first + second.replace("Bob", "Bill").replace(address, ""), code=3)
    assert "To blue" not in other.out


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("hold\n" * 5001, "mail.txt: it has more than 5,000 lines or 200,000 characters of text"),
        ("a;" * 5000, "mail.txt: it has more than 5,000 lines or 200,000 characters of text"),
        ("word\n" + "word " * 5000, "mail.txt:2: the line has more than 20,000 characters"),
    ],
)
def test_a_text_that_is_too_long_is_refused(sh: Shell, valley: Path, text: str, error: str) -> None:
    assert error in take(sh, text, code=3).err


def test_a_mail_below_a_text_without_a_header_is_reported(sh: Shell, valley: Path) -> None:
    """It can be a quotation. Without an address, only the umpire reads it."""
    bob = (
        "From: Bob <bob@y.org>\nSubject: orders\n\ngarrison: march to bridge\nguard: go to Rome and burn it\n"
    )
    for own, code in (("vanguard: hold", 0), ("vanguard: fly", 3)):
        said = take(sh, f"valley/red@1:\n{own}\n\n{bob}", code=code)
        for line in ("line 7: ignored, because another player", "line 8: ignored, because another player"):
            assert line in said.err
        assert "To blue" not in said.out and "Rome" not in said.out
        assert ("To red, turn 1" in said.out) == (code == 3)


def test_the_message_to_a_player_quotes_the_line_that_is_no_order(sh: Shell, valley: Path) -> None:
    said = take(sh, "valley/red@1:\n\nthe vanguard will go to the bridge soon\n", code=3)
    assert '- not taken: "the vanguard will go to the bridge soon" names vanguard, but' in said.out
    assert "mail.txt:3: this line names vanguard, but is not an order" in said.err
    assert "next: " in said.err.partition("no order is recorded")[2]


@pytest.mark.parametrize("remark", [", they are tired", " - raise 3 good men", " (what a fight!)"])
@pytest.mark.parametrize("other", ["", "\nvanguard: fly", "\nPlease pay the vanguard 3 coins"])
def test_the_player_reads_the_text_behind_an_order_that_is_not_read(
    sh: Shell, valley: Path, remark: str, other: str
) -> None:
    """The message quotes it, and is no order when it is sent back."""
    mail = f"blue@1:\ngarrison: march to bridge{remark}{other.replace('vanguard', 'guard')}"
    said = sh("campaign", "orders", "take", sh.write("mail.txt", mail))
    line = f'- read as: garrison: march to bridge; not read: "{remark.strip(" ,-!()")}"'
    assert line in said.out and said.out.count("To blue, turn 1") == 1, said.out
    message = said.out.partition("To blue")[2].partition("\n")[2]
    before = (valley / "campaign.toml").read_text("utf-8")
    for mark in ("", "> "):
        sh("campaign", "orders", "take", sh.write("mail.txt", textwrap.indent(message, mark)))
        assert (valley / "campaign.toml").read_text("utf-8") == before
    again = sh("campaign", "orders", "take", sh.write("mail.txt", mail.replace(remark, "")))
    assert "read as" not in again.out


@pytest.mark.parametrize("visibility", ["", "[visibility]\nlocation = 'own'\n"])
@pytest.mark.parametrize(
    "line", ["garison: march to bridge", "garrison: march to brige", "all: fly", "We like it here."]
)
def test_the_umpire_reads_how_to_name_an_unknown_sender(
    sh: Shell, valley: Path, line: str, visibility: str
) -> None:
    sh.write("campaign.toml", (valley / "campaign.toml").read_text("utf-8") + visibility)
    said = take(sh, line, code=3)
    assert (
        "name the faction with --for FACTION: more lines can then be read" in said.err
        and "To blue" not in said.out
    )
    assert "garison" not in line or 'did you mean "garrison"?' in said.err
    said = do(sh, "orders", "take", sh.write("mail.txt", line), "--for", "blue", code=3)
    assert "--for FACTION" not in said.err and "To blue, turn 1, not taken" in said.out
    assert "--for FACTION" not in take(sh, f"blue@1:\nguard: hold\n{line}\nguard: fly", code=3).err


@pytest.mark.parametrize("header", ["", "From: Ann <ann@x.org>\n\n"])
def test_no_player_reads_a_line_of_an_unknown_sender(sh: Shell, valley: Path, header: str) -> None:
    """Red writes about a force of Blue. Blue can read only lines below an address of Blue."""
    line = "The guard will march to the mill and I will ambush it with everything.\n"
    said = take(sh, f"{header}{line}", code=3)
    assert "this line names guard, but is not an order" in said.err and not said.out
    said = take(sh, f"{header}valley/blue@1:\n{line}", code=3)
    assert "To blue, turn 1, not taken" in said.out and "ambush" in said.out


def test_a_mail_of_an_unknown_sender_beside_others_can_be_taken_alone(sh: Shell, valley: Path) -> None:
    """The reason does not ask for lines of their own, which the lines of a list are already."""
    bob = "From: Bob <bob@y.org>\n\n1. The guard holds.\n2. The garrison goes to the bridge, please.\n"
    said = take(sh, f"From: Anna\n\nred@1:\nvanguard: hold\n\n{bob}", code=3)
    assert "mail.txt:8: this mail does not show who sent it; take it alone with --for FACTION" in said.err
    assert "names guard, but is not an order; write guard: ORDER" in said.err
    said = do(sh, "orders", "take", sh.write("mail.txt", bob), "--for", "blue")
    assert "Guard: hold" in said.out

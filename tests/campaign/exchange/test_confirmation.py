"""Results that both sides confirm: they count when all say the same, in whichever order they report."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardbattle.campaign.exchange.confirmation import (
    do_agree,
    is_repeated,
    plan_report,
    read_labelled,
    read_report,
    reports_of,
    winner_contradiction,
)
from cardbattle.campaign.exchange.report_text import is_like_report, quoted_reports, report_lines
from cardbattle.campaign.exchange.unaddressed_reports import (
    claims_beside,
    unaddressed_reports,
    unread_replies,
)
from cardbattle.campaign.ledger import value_edits
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER as EMPTY
from cardbattle.campaign.storage import store
from cardbattle.campaign.turn.hints.state_hints import state_hints
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.core.errors import InvalidInput
from tests.campaign.ledger.test_umpire_changes import umpire_of
from tests.campaign.ledger.test_undo import Umpire
from tests.cli.test_cli import Shell
from tests.cli.test_cli import sh as sh  # the same shell
from tests.support.marches import MARCHES, books, folder_with
from tests.support.schemas import fits

TEXT = MARCHES + '\n[results]\nconfirm = "both" # fair\n'
AGREED = "percy won, percy lost 1/4, stafford lost 1/2"
OTHER = "Harry Percy won; Harry Percy lost 1/4; stafford lost all"


def tell(umpire: Umpire, text: str) -> list[str]:
    """Take a report, and return the notes."""
    campaign, ledger = umpire.books.campaign, umpire.seen
    [line] = report_lines(campaign, text)
    operations = plan_report(umpire.books, ledger, read_report(campaign, ledger, line))
    umpire.do(*operations)
    return [note for operation in operations for note in operation.notes]


def without_revision(text: str) -> str:
    return re.sub(r"revision = \d+", "revision = ?", text)


def state_of(umpire: Umpire) -> object:
    """Return the campaign's data without its revision."""
    return {key: value for key, value in umpire.books.campaign.data.items() if key != "revision"}


@pytest.mark.slow
def test_the_order_of_reports_makes_no_difference(tmp_path: Path) -> None:
    states = []
    for number, order in enumerate(permutations(["percy", "stafford"])):
        umpire = umpire_of(tmp_path / str(number), TEXT)
        for side in order:
            assert umpire.ledger.find("bridge") is None
            tell(umpire, f"bridge/{side}: {AGREED}")
        assert umpire.ledger.find("bridge") is not None
        states.append(state_of(umpire))
    assert states[0] == states[1]
    assert "reported" not in states[0]  # type: ignore[operator]


@pytest.mark.parametrize(
    "words",
    [
        "draw!! we lost a half, they lost half",
        "a draw... we lost 1/2, they lost half",
        "it was a draw, we lost 1/2, they lost half",
        "The battle ended in a draw. We lost 1/2 and they lost half",
        "we lost a half, they lost half, there was no winner",
        "A draw. We lost half of our men and they lost 1/2 of their strength.",
        "a draw, we lost half our army, they lost 5 of 10 men",
    ],
)
def test_losses_can_be_words_and_a_draw_can_be_a_sentence(words: str) -> None:
    campaign = books(TEXT).campaign
    [line] = report_lines(campaign, f"bridge/percy: {words}")
    report = read_report(campaign, EMPTY, line)
    assert dict(report.losses) == dict.fromkeys(["percy", "stafford"], Fraction(1, 2)) and not report.winners


@pytest.mark.parametrize(
    "words",
    ["I won, I lost 1/4, they lost 1/2", "I've won and lost 1 of 4. They have lost half of their men.",
     "My side won. I have lost 10 of 40, Stafford has lost 1/2",
     "I won, I lost 1 of my 4 spaces, they lost 2 of 4 cards",
     "Yes I won. I lost 1/4 and alas Stafford lost 1/2. Grr.",
     "I won, I lost one of four, Stafford's men lost two of their four"],
)  # fmt: skip
def test_a_single_player_can_write_i_and_have(words: str) -> None:
    campaign = books(TEXT).campaign
    [line] = report_lines(campaign, f"bridge/percy: {words}")
    report = read_report(campaign, EMPTY, line)
    assert (report.winners, dict(report.losses)) == (
        ["percy"], {"percy": Fraction(1, 4), "stafford": Fraction(1, 2)},
    )  # fmt: skip


@pytest.mark.parametrize(
    "mail",
    [
        "{}\n\n> bridge/percy:",
        "Sigh. Bridge: {}\n\n> bridge/percy:",
        "Oh well, the bridge - {}\n\n> bridge/percy:",
        "Sigh. Percy: {}\n\n> bridge/percy:",
        "north@4:\nSigh. Bridge: {}",
    ],
)
def test_the_name_of_the_battle_can_stand_behind_a_remark(mail: str) -> None:
    campaign = books(TEXT).campaign
    text = mail.replace("north", campaign.forces["percy"].faction)
    text = text.format("they won, we lost 1/2, they lost none")
    found = report_lines(campaign, text)
    [line] = [*found, *unaddressed_reports(campaign, "mail.txt", text, found)]
    assert read_report(campaign, EMPTY, line).winners == ["stafford"]


def test_another_name_behind_a_remark_is_named_in_the_error() -> None:
    campaign = books(TEXT).campaign
    text = "Sigh. Rome: they won, we lost 1/2, they lost none\n\n> bridge/percy:"
    [line] = unaddressed_reports(campaign, "mail.txt", text, [])
    with pytest.raises(InvalidInput, match='"Rome" is neither this battle nor the side that reports'):
        read_report(campaign, EMPTY, line)


def test_a_long_line_with_many_sentences_is_read_quickly() -> None:
    campaign, start = books(TEXT).campaign, process_time()
    text = "no way. " * 2_400
    assert not report_lines(campaign, text) and not [*unaddressed_reports(campaign, "mail.txt", text, [])]
    assert process_time() - start < 1


@pytest.mark.parametrize(
    "words",
    ["He won, 7 to 5. We lost 7/13, he lost 5/13.", "She won seven to four, we lost 7/13, she lost 5 of 13",
     "Lost again, seven to four. So: they won, we lost 7/13, they lost 5/13.",
     "Result: they won, we lost 7/13, they lost 5/13.",
     "Stafford's player is right, I forgot one: they won, we lost 7/13, they lost 5/13.",
     "Sorry, I miscounted: he won, we lost 7/13, he lost 5/13",
     "They won, 104 - 90, we lost badly, we lost 7/13 of them and they lost 5/13"],
)  # fmt: skip
def test_a_report_can_be_in_the_words_of_a_player(words: str) -> None:
    campaign = books(TEXT).campaign
    [line] = report_lines(campaign, f"bridge/percy: {words}")
    report = read_report(campaign, EMPTY, line)
    assert (report.winners, dict(report.losses)) == (
        ["stafford"], {"percy": Fraction(7, 13), "stafford": Fraction(5, 13)},
    )  # fmt: skip


def test_a_player_can_be_named() -> None:
    text = TEXT.replace("[factions.york]", '[factions.york]\nplayer = "Gwen"')
    text = text.replace("[factions.lancaster]", '[factions.lancaster]\nplayer = "Owen"')
    campaign = books(text).campaign
    [line] = report_lines(campaign, "bridge/percy: Owen won, 7 to 5, I lost 1/4, she lost 1/2")
    report = read_report(campaign, EMPTY, line)
    assert (report.winners, report.losses["percy"]) == (["stafford"], Fraction(1, 4))


def test_no_error_proposes_the_name_of_another_player() -> None:
    text = TEXT.replace("[factions.lancaster]", '[factions.lancaster]\nplayer = "Owen"')
    campaign = books(text).campaign
    [line] = report_lines(campaign, "bridge/percy: Owenn won, we lost 1/4, they lost 1/2")
    with pytest.raises(InvalidInput, match=r'"Owenn" is not one of the sides: (?s:(?!"Owen").)*$'):
        read_report(campaign, EMPTY, line)


@pytest.mark.slow
def test_a_player_reads_the_true_reason_beside_the_name_of_another(sh: Shell) -> None:
    text = TEXT.replace("[factions.lancaster]", '[factions.lancaster]\nplayer = "Owen"')
    folder = folder_with(sh.folder / "war", text)
    file = sh.write("mail.txt", "bridge/percy: Owen won, we lost many, he lost 1/2\n")
    said = sh("campaign", "orders", "take", file, "-C", folder)
    assert said.code == 3 and '"Owen" is not' not in said.out + said.err
    assert "many" in said.out and "many" in said.err


def test_both_sides_can_lose_the_same() -> None:
    campaign = books(TEXT).campaign
    [line] = report_lines(campaign, "bridge/percy: a draw, we both lost half, 104 to 104")
    assert {*read_report(campaign, EMPTY, line).losses.values()} == {Fraction(1, 2)}


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("they won, we lost many, they lost 5/13", "many"),
        ("Kingsbrigde: we won, we lost 1/4, they lost 1/2", "is neither this battle nor the side"),
        ("we won. Staford: they won, we lost 1/4, they lost 1/2", "is not one of the sides"),
        ("percy won. they won, we lost 1/4, they lost 1/2", "cannot be won by all its sides"),
        ("we won. We lost again, we lost 1/4, they lost 1/2", "cannot both win and lose"),
        ("Percy is right, Stafford counted: we won, we lost 1/4, they lost 1/2", "is neither this battle"),
        ("Gwen won, we lost 1/4, they lost 1/2", r"or stafford; write something"),
    ],
)
def test_words_that_can_mean_something_else_are_refused(words: str, error: str) -> None:
    place = '[locations.kingsbridge]\nowner = "york"\n'
    campaign = books(TEXT.replace("[locations.shrewsbury]", f"{place}[locations.shrewsbury]")).campaign
    [line] = report_lines(campaign, f"bridge/percy: {words}")
    with pytest.raises(InvalidInput, match=error):
        read_report(campaign, EMPTY, line)


ONE_BATTLE = TEXT[: TEXT.index('[[pending]]\nid = "wood"')] + TEXT[TEXT.index("[[assert]]") :]


@pytest.mark.parametrize(
    ("remark", "is_same"),
    [
        ("Played tonight at Tom's kitchen table: we won, 7 to 5, we lost 1/4, can you believe it.", True),
        ("What a day, we won!", True),
        ("Played tonight: they won, 7 to 5.", False),
        ("We lost again.", False),
        ("We won, they lost all.", False),
    ],
)
def test_a_chatty_line_beside_a_report_counts_only_if_it_says_something_else(
    sh: Shell, remark: str, is_same: bool
) -> None:
    folder = folder_with(sh.folder / "war", ONE_BATTLE)
    file = sh.write("mail.txt", f"{remark}\n\nbridge/percy: {AGREED}\n")
    said = sh("campaign", "confirm", "--file", file, "-C", folder)
    assert said.code == (0 if is_same else 3)
    assert ("waits for the report of Stafford" in said.err) == is_same
    assert ("says something else; send one result" in said.err) != is_same


@pytest.mark.parametrize("text", [TEXT, ONE_BATTLE])
@pytest.mark.parametrize("below", ["no wait, stafford lost 1/4", "Just kidding!", "Ignore my report."])
def test_a_report_does_not_count_if_a_line_below_corrects_it(sh: Shell, text: str, below: str) -> None:
    folder = folder_with(sh.folder / "war", text)
    file = sh.write("mail.txt", f"bridge/percy: {AGREED}\n{below}\n")
    said = sh("campaign", "confirm", "--file", file, "-C", folder)
    assert said.code == 3
    assert f'"{below}" says something else; send one result' in said.err


@pytest.mark.parametrize("remark", ["Just kidding!", "Not really.", "Or did they?", "Right?", "(I lied)"])
def test_a_report_does_not_count_if_a_remark_behind_it_takes_it_back(tmp_path: Path, remark: str) -> None:
    with pytest.raises(InvalidInput, match="takes the report back; write only the result"):
        tell(umpire_of(tmp_path, TEXT), f"bridge/percy: {AGREED}. {remark}")


def test_a_chatty_line_can_be_about_another_battle_of_the_faction() -> None:
    mail = f"Well, we lost.\n\nbridge/percy: {AGREED}\n"
    reports = report_lines(books(TEXT).campaign, mail)
    assert not claims_beside(books(TEXT).campaign, "mail.txt", mail, reports)
    assert claims_beside(books(ONE_BATTLE).campaign, "mail.txt", mail, reports)


@pytest.mark.parametrize("mail", ["bridge/percy: {}", "bridge/percy:\n{}", "{}\n\n> bridge/percy:"])
def test_a_report_can_be_wrapped_between_any_two_words(mail: str) -> None:
    campaign = books(TEXT).campaign
    words = "we won, we lost 1 of 4 and they lost a third of their men"
    for space in re.finditer(" ", words):
        text = mail.format(f"{words[: space.start()]}\n{words[space.end() :]}")
        found = report_lines(campaign, text)
        [line] = [*found, *unaddressed_reports(campaign, "mail.txt", text, found)]
        report = read_report(campaign, EMPTY, line)
        assert (report.winners, report.losses["percy"], report.losses["stafford"]) == (
            ["percy"], Fraction(1, 4), Fraction(1, 3),
        ), text  # fmt: skip


@pytest.mark.parametrize("below", ["Yours, Ann", "We lost half the evening over it.", "of course"])
def test_other_text_below_a_report_is_no_part_of_it(below: str) -> None:
    campaign = books(TEXT).campaign
    for end in ("", "."):
        [line] = report_lines(campaign, f"bridge/percy: {AGREED}{end}\n{below}")
        assert line.words == f"{AGREED}{end}"


@pytest.mark.slow
def test_notes_name_all_forces_of_a_side(tmp_path: Path) -> None:
    text = TEXT.replace('sides = ["percy", "stafford"]', 'sides = [["percy", "mortimer"], "stafford"]')
    umpire = umpire_of(tmp_path, text)
    read, waits = tell(umpire, f"bridge/stafford: {AGREED}")
    assert (
        read == "read as: Harry Percy and Mortimer won; Harry Percy and Mortimer lost 1/4, Stafford lost 1/2"
    )
    assert waits == "battle bridge waits for the report of Harry Percy and Mortimer"


def test_reports_that_differ_are_both_shown_and_record_nothing(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    before = umpire.file.read_bytes()
    read, waits = tell(umpire, f"bridge/percy: {AGREED}")
    assert read == "read as: Harry Percy won; Harry Percy lost 1/4, Stafford lost 1/2"
    assert waits == "battle bridge waits for the report of Stafford"
    notes = tell(umpire, f"bridge/stafford: {OTHER}")
    assert notes[0] == "battle bridge: the reports differ"
    assert notes[1].startswith("Harry Percy reports: ") and notes[2].startswith("Stafford reports: ")
    assert "campaign override bridge" in notes[3]
    assert umpire.ledger.find("bridge") is None and umpire.books.campaign.battle("bridge") is not None
    [again] = report_lines(umpire.books.campaign, f"bridge/percy: {AGREED}")
    assert is_repeated(umpire.books.campaign, read_report(umpire.books.campaign, umpire.seen, again))
    tell(umpire, f"bridge/stafford: {AGREED}")  # they have talked it over
    assert umpire.ledger.find("bridge") is not None
    for _ in range(3):
        umpire.undo()
    assert re.sub(rb"revision = \d+", b"revision = 0", umpire.file.read_bytes()) == before


def test_who_has_a_substitute_need_not_confirm(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    umpire.do(value_edits.plan_substitute(umpire.books, "House York", "regular", None))
    tell(umpire, f"bridge/stafford: {AGREED}")
    assert umpire.ledger.find("bridge") is not None


def test_a_report_is_hidden_from_the_other_side(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    tell(umpire, f"bridge/percy: {AGREED}")
    for reader in (None, "lancaster"):
        visible = visible_to(umpire.books.campaign, umpire.seen, reader)
        assert "reported" not in visible.table() and visible.entries == []


HIDDEN = [("confirm", f"bridge/percy: {AGREED}"), ("edit", "bridge", "--set", "note=x"), ("cancel", "bridge")]


@pytest.mark.parametrize("command", HIDDEN, ids=lambda command: str(command[0]))
def test_a_public_reason_does_not_reveal_a_hidden_battle(sh: Shell, command: tuple[str, ...]) -> None:
    folder = folder_with(sh.folder / "war", f'{TEXT}[visibility]\npending = "own"\n[factions.scots]\n')
    at = ("-C", folder)
    assert sh("campaign", *command, "--reason", "we heard guns", "--public", *at).code == 0
    for undo in (False, True):
        if undo:
            assert sh("campaign", "undo", "--reason", "an error", "--public", *at).code == 0
        for reader in ("public", "scots"):
            for more in ((), ("--json",)):
                said = sh("campaign", "history", "--for", reader, *more, *at).out
                assert "we heard guns" in said and "bridge" not in said
        assert "bridge" in sh("campaign", "history", *at).out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bridge/percy: percy lost 1/4, stafford lost 1/2", "the winner is missing"),
        ("bridge/percy: percy won, percy lost 1/4", "the losses of stafford are missing"),
        ("bridge/percy: percy won easily", "stafford"),
        ("bridge/percy: pursy won", '"pursy"'),
        ("bridge/percy: percy won, percy lost much, stafford lost all", "much"),
        ("bridge/percy: we won, lost 1/4, lost 1/3, they lost 1/2", "the losses of percy are given twice"),
        ("bridge/percy: they won, they lost, we lost 1/4", "stafford cannot both win and lose"),
        ("bridge/percy: well fought", '"well fought" is not clear'),
        ("brigde/percy: percy won", 'did you mean "bridge"?'),
    ],
)
def test_an_unclear_report_is_refused_with_an_example(tmp_path: Path, text: str, words: str) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    with pytest.raises(InvalidInput) as refused:
        tell(umpire, text)
    assert words in str(refused.value)
    assert "brigde" in text or "write something like bridge/percy: percy won, percy lost 1/4, " in str(
        refused.value
    )


@pytest.mark.parametrize(
    "words",
    [
        "we declined",
        "we decline, too many of them",
        "We decline. Not worth it.",
        "We decline, not today!",
        "declined",
        "We refuse to fight!",
        "we declined the battle (sorry)",
        "no, no. Four against a forest! We decline.",
        "And after all those coins! We decline, the wine is theirs.",
        "Four of Percy's men against that lot? No thanks, we decline.",
        "Harry Percy against all of them? We decline.",
        "Three against one? Not with my horsemen. We decline!",
    ],
)
def test_a_side_that_declines_can_say_so_in_several_ways(tmp_path: Path, words: str) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    with pytest.raises(InvalidInput, match="is not clear"):
        tell(umpire, "bridge/stafford: they declined, or not")
    tell(umpire, f"york@3 / bridge: {words}")
    entry = umpire.ledger.find("bridge")
    assert entry is not None and entry.result is not None
    assert (entry.kind, entry.result.winners) == ("declined", ["stafford"])


@pytest.mark.parametrize(
    "remark", ["haha we smashed them.", "Well fought!", "Sorry for the delay. What a day!"]
)
def test_a_report_can_follow_a_remark_in_the_same_line(tmp_path: Path, remark: str) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    tell(umpire, f"bridge/percy: {remark} we won, we lost 1/4, they lost 1/2")
    tell(umpire, "bridge/stafford: Percy won, percy lost 1/4, stafford lost 1/2")
    entry = umpire.ledger.find("bridge")
    assert entry is not None and entry.result is not None and entry.result.winners == ["percy"]


@pytest.mark.parametrize("remark", ["haha we smashed them.", "Percy! Really!", "Only if they come."])
def test_a_decline_behind_a_remark_that_can_change_it_is_refused(tmp_path: Path, remark: str) -> None:
    with pytest.raises(InvalidInput, match=f'"{remark}" can change what follows; write only: we decline'):
        tell(umpire_of(tmp_path, TEXT), f"wood/percy: {remark} we decline")


@pytest.mark.parametrize(
    "greeting",
    ["no way!", "Hi Ann,", "Sorry for the delay. What a day...", "Correction:", "Sorry, correction:",
     "I counted again:", "Oops, I was wrong:", "Here is my result:", "Sorry, I've miscounted. My new count:"],
)  # fmt: skip
def test_a_report_can_follow_a_greeting_before_its_address(greeting: str) -> None:
    campaign = books(TEXT).campaign
    [line] = report_lines(campaign, f"{greeting} bridge/percy: we decline")
    assert (line.battle, line.side, line.words) == ("bridge", "percy", "we decline")


@pytest.mark.parametrize(
    "begin",
    ["We lost!", "Please ignore this:", "Only if they come.", "wood:", "> no way!", "3, 2,", "Ugh! the",
     "Maybe I counted wrong:", "Stafford is wrong:", "Ann wrote:", "I was wrong, we lost:",
     "Never believe my count:", "He sent me his report, wrong here:", "He sent me his report,",
     "Don't trust my count."],
)  # fmt: skip
def test_a_report_behind_text_that_can_change_it_is_not_read(begin: str) -> None:
    campaign = books(TEXT).campaign
    assert not report_lines(campaign, f"{begin} bridge/percy: we decline")


def test_the_example_is_of_the_battle_and_the_side_that_reports(sh: Shell) -> None:
    folder = folder_with(sh.folder / "war", TEXT)
    said = sh("campaign", "confirm", "wood/stafford: well fought", "-C", folder)
    assert said.code == 3
    error, step = said.err.splitlines()
    assert error.endswith(
        "; write something like wood/stafford: percy won, percy lost 1/4, stafford lost 1/2"
    )
    assert step.startswith("correct the rejected reports and repeat the command, or decide with: ")
    assert "campaign decline" not in step
    said = sh("campaign", "confirm", "hello", "-C", folder)
    assert said.err.endswith("; write bridge/percy: percy won, percy lost 1/4, stafford lost 1/2\n")
    example = said.err.strip().partition("; write ")[2]
    assert sh("campaign", "confirm", example, "-C", folder).code == 0


def test_the_example_is_of_the_side_of_the_sender() -> None:
    campaign = books(TEXT).campaign
    text = "Three of them, so: bridge/stafford: percy won, we lost 1/2, they lost 1/4"
    [line] = unaddressed_reports(campaign, "mail.txt", text, [], campaign.forces["stafford"].faction)
    with pytest.raises(InvalidInput, match="the address is not clear; write bridge/stafford: "):
        read_report(campaign, EMPTY, line)


def test_a_rejected_report_that_declines_names_the_command(sh: Shell) -> None:
    folder = folder_with(sh.folder / "war", TEXT)
    for battle in ("wood", "the wood", "Battle of the Wood"):
        text = f"{battle}/stafford: We are only five. Well, we decline."
        said = sh("campaign", "confirm", text, "-C", folder)
        assert said.code == 3 and said.err.rstrip().endswith(
            "; or: cardbattle campaign decline wood stafford"
        )
    said = sh("campaign", "confirm", "wood/stafford: If they come, decline or not.", "-C", folder)
    assert said.code == 3 and said.err.rstrip().endswith("; or: cardbattle campaign decline wood SIDE")


@pytest.mark.slow
def test_a_report_that_lacks_only_its_address_has_a_command(sh: Shell) -> None:
    text = TEXT.replace("[factions.york]", '[factions.york]\nmail = ["ann@example.org"]')
    folder = folder_with(sh.folder / "war", text)
    report = "Good game! We won, we lost a quarter, they lost two thirds."
    file = sh.write("a.eml", f"From: Ann <ann@example.org>\nSubject: result\n\n{report}\n")
    said = sh("campaign", "orders", "take", file, "-C", folder)
    assert said.code == 3 and "campaign confirm" not in said.err + said.out  # york has two battles
    sh("campaign", "cancel", "wood", "--reason", "snow", "-C", folder)
    for more in (" Or did we?", "\nJust kidding!", "\n\nWe lost, we lost 1/2, they lost 1/4."):
        doubtful = sh.write("b.eml", f"From: Ann <ann@example.org>\nSubject: result\n\n{report}{more}\n")
        said = sh("campaign", "orders", "take", doubtful, "-C", folder)
        assert said.code == 3 and "campaign confirm" not in said.err + said.out
    said = sh("campaign", "orders", "take", file, "-C", folder)
    assert said.code == 3 and "campaign confirm" not in said.out
    command = said.err.partition("take the report with: cardbattle ")[2]
    assert sh(*shlex.split(command), "-C", folder).code == 0


@pytest.mark.parametrize(
    ("text", "is_report"),
    [
        ("Sorry. We decline.", True),
        ("We lost 1/4, they lost 1/2", True),
        ("We lost 1/4 of the map", False),
        ("Bob asked for peace. We decline.", False),
    ],
)
def test_a_line_is_like_a_report(text: str, is_report: bool) -> None:
    campaign = books(TEXT).campaign
    assert bool([*unaddressed_reports(campaign, "mail.txt", text, [], "york")]) == is_report


def test_all_reports_of_a_mail_count_though_one_is_quoted_and_one_unclear(sh: Shell) -> None:
    folder = folder_with(sh.folder / "war", TEXT)
    reports = [f"percy: {AGREED}", f"stafford: {AGREED}"]
    quoted = "From: Bea\nSent: Friday\n\n" + "\n".join(f"bridge/{report}" for report in reports)
    mail = f"bridge/{reports[0]}\nwood/percy: well fought\n\n{quoted}"
    said = sh("campaign", "confirm", "--file", sh.write("mail.txt", mail), "-C", folder)
    assert (said.code, "bridge is no longer pending" in said.out) == (3, True)
    assert 'cardbattle: mail.txt:2: wood/percy: "well fought" is not clear' in said.err


@pytest.mark.parametrize(
    "report",
    [
        "bridge/percy: the Lancaster won, york lost 1/4, lancaster lost 1/2",
        "Bridge / Harry Percy: the Lancaster won, harry lost 1/4, Stafford lost 1/2",
        "bridge/the house york: lancaster won, percy lost 1/4,\nstafford lost 1/2\nHarry",
        "bridge/percy: Stafford won, percy lost\n1/4, stafford lost 1/2",
        "bridge/percy: we lost. We lost 1/4 and they lost 1/2.",
        "bridge/percy: they won\nwe lost 1/4\nthey lost 1/2\nBob lost all",
        "york@3:\nbridge - they won (oh well) and lost 1/2, we lost 1/4, a sad day",
    ],
)
def test_sides_are_named_as_players_name_them(tmp_path: Path, report: str) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    [line] = report_lines(umpire.books.campaign, report)
    read = read_report(umpire.books.campaign, umpire.seen, line)
    assert (read.side, read.winners, read.losses) == (
        "percy",
        ["stafford"],
        {"percy": Fraction(1, 4), "stafford": Fraction(1, 2)},
    )


def test_a_result_without_a_valid_address_is_reported_with_its_line(sh: Shell) -> None:
    folder = folder_with(sh.folder / "war", TEXT)
    mail = f"Well, we lost.\nwood percy: stafford declined\nbridge/percy: {AGREED}\n"
    file = sh.write("mail.txt", mail)
    said = sh("campaign", "confirm", "--file", file, "-C", folder)
    assert said.code == 3 and "bridge waits for the report of Stafford" in said.out + said.err
    examples = "wood/percy: percy declined or wood/percy: stafford declined"
    assert f"{file}:2: the address is not clear; write {examples}" in said.err
    said = sh("campaign", "confirm", "wood/lancaster: they ran! the York declined", "-C", folder)
    assert (
        "write something like wood/stafford: percy declined or wood/stafford: stafford declined" in said.err
    )


@pytest.mark.parametrize("order", ["", "percy: hold", f"wood/percy: {AGREED}"])
@pytest.mark.parametrize(
    ("line", "address"),
    [
        ("bridge: we won, we lost 1/4, they lost 1/2", "bridge/percy: or bridge/stafford:"),
        ("Battle of the bridge - a draw, we both lost a third", "bridge/percy: or bridge/stafford:"),
        ("We won! We lost 20%, they lost 60%", "BATTLE/SIDE:"),
        ("Hi, us two: it was a draw, both lost about half", "BATTLE/SIDE:"),
    ],
)
def test_a_report_without_an_address_is_an_error_beside_every_other_line(
    order: str, line: str, address: str
) -> None:
    campaign = books(TEXT).campaign
    text = (
        f"{order}\n{line}\n- percy won, percy lost 1/4, stafford lost none\npercy: hold, we lost 1/4 and won"
    )
    [report] = unaddressed_reports(campaign, "mail.txt", text, report_lines(campaign, text))
    with pytest.raises(InvalidInput) as refused:
        read_report(campaign, EMPTY, report)
    [error] = refused.value.errors
    assert str(error) == f"mail.txt:2: the address of this report is missing; write {address} before it"
    assert getattr(error, "source", "") == line


@pytest.mark.parametrize("mark", ["", "> "])
def test_a_report_above_the_only_empty_address_is_that_of_its_side(mark: str) -> None:
    """Not every mail program marks the lines that it quotes."""
    campaign = books(TEXT).campaign
    text = f"Well fought!\nWe won, we lost 1/4, they lost 1/2\n\n{mark}bridge/stafford:\n"
    [report] = unaddressed_reports(campaign, "mail.txt", text, report_lines(campaign, text))
    assert (report.battle, report.side, report.line) == ("bridge", "stafford", 2)
    assert read_report(campaign, EMPTY, report).winners == ["stafford"]
    [unread] = unread_replies(campaign, [("mail.txt", text.replace("We won, we", "They had no luck. We"))])
    assert unread.side == "stafford" and "bridge/" not in unread.words
    text += f"{mark}bridge/percy:\n"
    [report] = unaddressed_reports(campaign, "mail.txt", text, report_lines(campaign, text))
    assert report.side == ""


@pytest.mark.parametrize(
    "decline", ["Stafford won't fight, they decline.", "Stafford's men stay home and refuse to fight."]
)
def test_a_decline_in_prose_that_is_not_read_is_reported_to_its_player(sh: Shell, decline: str) -> None:
    """The quoted addresses show who sent it, and the names in the sentence which battle is meant."""
    folder = folder_with(sh.folder / "war", TEXT)
    won = "wood: we won, we lost 1/4, they lost 1/2"
    forms = "".join(
        f"> Lancaster: result of {battle}\n> {battle}/stafford:\n" for battle in ("wood", "bridge")
    )
    for mail in (f"{decline}\n\n{forms}", f"{decline}\n{won}\n\n{forms}"):
        said = sh("campaign", "orders", "take", sh.write("mail.txt", mail), "-C", folder)
        assert said.code == 3 and "mail.txt:1: the address of this report is missing" in said.err
        assert "campaign decline BATTLE SIDE" in said.err  # Stafford fights both battles
        assert "To lancaster, turn" in said.out and "- not taken: " in said.out
        assert ("wood waits for the report" in said.out + said.err) == (won in mail)
    assert is_like_report(books(TEXT).campaign, decline)
    assert not is_like_report(books(TEXT).campaign, "The king was asked for help and declined.")


@pytest.mark.parametrize("text", ["lost. them 1/5 me 3/5", "me: 3 of 5, they: 20%", "us 10 %, the enemy 1/2"])
def test_losses_of_two_sides_without_a_verb_are_meant_as_a_report(text: str) -> None:
    assert is_like_report(books(TEXT).campaign, text)
    assert not is_like_report(books(TEXT).campaign, "They have 5 and we 6 men; 1/2 of them run.")


def test_a_heading_below_an_empty_address_is_no_report() -> None:
    text = "> wood/percy:\n> To york, turn 3, result of bridge\n> bridge/percy:\n"
    assert report_lines(books(TEXT).campaign, text) == []


def test_the_sender_of_a_mail_counts_as_the_address_of_its_reports(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    campaign = umpire.books.campaign
    for text in ("bridge: we won, we lost 1/4, they lost 1/2", "Battle at the bridge - we won, lost 1/4,"):
        [line] = report_lines(campaign, text, faction="lancaster")
        assert (line.battle.lower().endswith("bridge"), line.side, line.faction) == (True, *["lancaster"] * 2)
        assert not [*unaddressed_reports(campaign, "", text, [line], "lancaster")]
    [line] = report_lines(campaign, "bridge: we won, we lost 1/4, they lost 1/2", faction="lancaster")
    assert read_report(campaign, umpire.seen, line).winners == ["stafford"]
    for other in ("We won, and percy: hold, they lost some", "Battle ford: Percy won, Percy lost 1/4."):
        assert not [*unaddressed_reports(campaign, "", other, [])]


@pytest.mark.parametrize(
    "own", ["bridge/percy: {}", "york@4: bridge: {}", "york@4:\nall: hold", "percy: hold"]
)
def test_a_quoted_report_of_another_faction_does_not_count(own: str) -> None:
    campaign = books(TEXT).campaign
    quote = f"\n\nBob wrote:\n> bridge/stafford: {AGREED}\n"
    mail = own.format(AGREED) + quote
    assert [*{line.faction or line.side for line in report_lines(campaign, mail)} - {"york", "percy"}] == []
    assert [line.side for line in quoted_reports(campaign, mail)] == ["stafford"]
    assert [line.side for line in report_lines(campaign, f"Well?{quote}")] == ["stafford"]


def test_reports_that_differ_about_a_declined_battle_can_be_decided_by_decline(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    tell(umpire, "bridge/percy: stafford declined")
    assert tell(umpire, f"bridge/stafford: {AGREED}")[-1].endswith(
        "; or: cardbattle campaign decline bridge SIDE"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["decline", "bridge", "stafford"],
        ["override", "bridge", "--winner", "percy", "--losses", "stafford=1/2", "--reason", "x"],
        ["import", "bridge.toml"],
        pytest.param(["fight", "bridge"], marks=pytest.mark.slow),
        ["cancel", "bridge"],
    ],
    ids=lambda command: str(command[0]),
)
def test_reports_end_with_their_battle_and_an_undo_restores_every_byte(sh: Shell, command: list[str]) -> None:
    """Otherwise they would count for a later battle with the same id."""
    folder = folder_with(sh.folder / "war", TEXT)
    file, at = Path(folder, "campaign.toml"), ("-C", folder)
    (sh.folder / "bridge.toml").write_text('[[result]]\nid = "bridge"\ndeclined = "stafford"\n')
    for report in (f"bridge/percy: {AGREED}", f"bridge/stafford: {OTHER}", "wood/percy: stafford declined"):
        assert sh("campaign", "confirm", report, *at).code == 0
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("[[reported]]", "[[reported]]  # by pigeon", 1), encoding="utf-8")
    before = file.read_text(encoding="utf-8")
    said = sh("campaign", *command, *at)
    assert said.code == 0, said.err
    after = file.read_text(encoding="utf-8")
    assert [report["battle"] for report in tomllib.loads(after)["reported"]] == ["wood"]
    assert "reported" not in sh("campaign", "check", *at).err
    for one, text in (("undo", before), ("redo", after)):
        assert sh("campaign", one, *at).code == 0
        assert without_revision(file.read_text(encoding="utf-8")) == without_revision(text)


def test_the_computer_does_not_fight_a_battle_that_a_side_has_reported(sh: Shell) -> None:
    """Unless the umpire names the battle."""
    folder = folder_with(sh.folder / "war", TEXT)
    at = ("-C", folder)
    assert sh("campaign", "confirm", f"bridge/percy: {AGREED}", *at).code == 0
    said = sh("campaign", "fight", "--all", *at)
    assert (
        said.code == 4 and "battle bridge was played at the table, as Harry Percy reported; take" in said.err
    )
    waits = sh("campaign", "advance", "--fight", "--format", "plain", *at)
    assert waits.code == 4
    assert "waits: bridge is played at the table, but not confirmed by all sides\n" in waits.out
    assert "with: cardbattle campaign orders take FILE" in waits.err
    assert "bridge" in {battle.id for battle in store.load(folder).campaign.pending}


@pytest.mark.slow
def test_a_new_battle_with_the_same_id_has_no_reports(sh: Shell) -> None:
    folder = folder_with(sh.folder / "war", TEXT)
    file, at = Path(folder, "campaign.toml"), ("-C", folder)
    add = ("campaign", "add", "battle", "ford", "--side", "percy", "--side", "stafford", *at)
    report = ("campaign", "confirm", f"ford/percy: {AGREED}", *at)
    for end in (("undo", "1"), ("cancel", "ford")):
        assert sh(*add).code == sh(*report).code == 0
        assert sh("campaign", *end, *at).code == 0
        assert "[[reported]]" not in file.read_text(encoding="utf-8")
    assert sh(*add).code == 0
    text = file.read_text(encoding="utf-8")
    assert (
        sh(*report).code
        == sh("campaign", "undo", *at).code
        == sh("campaign", "cancel", "ford", *at).code
        == 0
    )
    assert sh("campaign", "redo", *at).code == 0  # the report, but its battle is cancelled
    assert "[[reported]]" not in file.read_text(encoding="utf-8")
    assert sh(*add).code == 0
    assert without_revision(file.read_text(encoding="utf-8")) == without_revision(text)
    assert sh(*report).code == sh("campaign", "cancel", "ford", *at).code == 0
    number = str(tomllib.loads(file.read_text(encoding="utf-8"))["revision"])
    other = ("campaign", "add", "battle", "ford", "--side", "mortimer", "--side", "stafford", *at)
    assert sh(*other).code == 0
    assert sh("campaign", "undo", number, "--force", "--reason", "x", *at).code == 0  # the battle is another
    assert "[[reported]]" not in file.read_text(encoding="utf-8")


def test_without_the_setting_the_umpire_enters_results(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="campaign set results"):
        tell(umpire_of(tmp_path, MARCHES), f"bridge/percy: {AGREED}")


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(words=st.text(alphabet="percy stafford won lost 1/2,;draw.", max_size=50))
def test_any_report_is_read_or_refused(words: str) -> None:
    campaign = books(TEXT).campaign
    for line in report_lines(campaign, f"bridge/percy: {words}"):
        try:
            report = read_report(campaign, EMPTY, line)
        except InvalidInput:
            continue
        assert {*report.losses} == {"percy", "stafford"} and {*report.winners} <= {*report.losses}


def test_reports_are_by_battle_and_side(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    tell(umpire, f"bridge/percy: {AGREED}")
    tell(umpire, "wood/percy: a draw, percy lost nothing, stafford lost nothing")
    assert [*reports_of(umpire.books.campaign, "bridge")] == ["percy"]
    assert reports_of(umpire.books.campaign, "wood")["percy"].winners == []


def test_a_side_that_no_longer_fights_has_no_say(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    tell(umpire, f"bridge/stafford: {AGREED}")
    umpire.type('sides = ["percy", "stafford"]', 'sides = ["percy", "mortimer"]')
    [hint] = [str(hint) for hint in state_hints(umpire.books.campaign) if "report" in str(hint)]
    assert hint == "reported.1.side: stafford does not fight in battle bridge; remove this report"
    for side in ("percy", "mortimer"):
        assert umpire.ledger.find("bridge") is None
        tell(umpire, f"bridge/{side}: percy won, percy lost 1/4, mortimer lost 1/2")
    assert umpire.ledger.find("bridge") is not None and "reported" not in umpire.books.campaign.data


UNITS = TEXT.replace("strength = 14   # men-at-arms", "units = { Archers = 8, Spears = 6 }")


@pytest.mark.parametrize("first", ["percy", "stafford"])
def test_a_side_can_name_the_losses_of_units(tmp_path: Path, first: str) -> None:
    """The reports agree unless both name a unit with different losses; each can add its units later."""
    umpire = umpire_of(tmp_path, UNITS)
    other = "stafford" if first == "percy" else "percy"
    said = "stafford won, percy lost 1/2, stafford lost 1/4"
    tell(umpire, f"bridge/{first}: {said}")
    tell(umpire, f"bridge/{first}: {said}, archers lost 3")
    notes = tell(umpire, f"bridge/{other}: {said}, Archers lost 2")
    assert notes[0] == "battle bridge: the reports differ" and "(Harry Percy: Archers 2)" in "".join(notes)
    assert umpire.ledger.find("bridge") is None
    with pytest.raises(InvalidInput, match="Archers had 8 and cannot have lost 9"):
        tell(umpire, f"bridge/{other}: {said}, Archers lost 9")
    tell(umpire, f"bridge/{other}: {said}, Archers lost 3, spears lost 0")
    before = {"Archers": 8, "Spears": 6}
    after = umpire.books.campaign.forces["percy"].units
    assert umpire.ledger.find("bridge") is not None
    assert after["Spears"] == before["Spears"] and after["Archers"] < before["Archers"]


def test_a_new_report_replaces_the_units_of_the_earlier_one(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, UNITS)
    tell(umpire, "bridge/stafford: stafford won, percy lost 1/2, stafford lost 1/4")
    tell(umpire, "bridge/percy: stafford won, percy lost 1/4, stafford lost 1/4, Archers lost 3")
    tell(umpire, "bridge/percy: stafford won, percy lost 1/2, stafford lost 1/4, Spears lost 6")
    assert umpire.ledger.find("bridge") is not None
    assert umpire.books.campaign.forces["percy"].units["Archers"] == 8


ALLIES = (
    UNITS.replace("Spears = 6", "Gunners = 6")
    .replace("strength = 3\n", "units = { Gunners = 6, wood = 2, mortimer = 4 }\n")
    .replace("strength = 8\n", "units = { percy = 4, Stafford = 4 }\n")
)


@pytest.mark.parametrize(
    ("words", "lost"),
    [
        ("percy.Gunners lost 6", ("percy", "Gunners")),
        ("MORTIMER.gunners lost 6", ("mortimer", "Gunners")),
        ("mortimer lost 4", ("mortimer", "mortimer")),
        ("stafford lost 4", ("stafford", "Stafford")),
        ("stafford.percy lost 4", ("stafford", "percy")),
        ("percy lost 4", ("stafford", "percy")),
    ],
)
def test_losses_reach_the_unit_of_the_right_force(tmp_path: Path, words: str, lost: tuple[str, str]) -> None:
    """Also if allied forces have units of one name, or a unit has the name of a force or a side."""
    umpire = umpire_of(tmp_path, ALLIES.replace("destroyed_below = 2", "destroyed_below = 0"))
    before = umpire.books.campaign.forces
    for side in ("percy", "stafford"):
        tell(umpire, f"wood/{side}: a draw, percy lost 1/2, stafford lost 1/2, {words}")
    after = umpire.books.campaign.forces
    gone = {
        key: {name: n - after[key].units[name] for name, n in force.units.items()}
        for key, force in before.items()
    }
    force, unit = lost
    assert {name for name, n in gone[force].items() if n} == {unit}
    for other in {*before} - {force}:
        assert len([n for n in gone[other].values() if n]) != 1


def test_a_unit_that_several_forces_have_needs_its_force(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, ALLIES)
    said = "wood/percy: percy won, percy lost 1/4, stafford lost 1/2"
    with pytest.raises(
        InvalidInput, match=r'several forces have "Gunners"; write percy\.Gunners or mortimer\.Gunners'
    ):
        tell(umpire, f"{said}, Gunners lost 1")
    with pytest.raises(InvalidInput, match=r"mortimer\.Gunners had 6 and cannot have lost 7"):
        tell(umpire, f"{said}, mortimer.Gunners lost 7")
    tell(umpire, "wood/percy: percy won, percy lost 0, stafford lost 0")  # a side and a unit have this name
    report = reports_of(umpire.books.campaign, "wood")["percy"]
    assert {*report.losses.values()} == {Fraction(0)}


def test_reports_agree_only_if_every_two_of_them_agree() -> None:
    campaign = books(UNITS).campaign
    said = "stafford won, percy lost 1/2, stafford lost 1/4"
    texts = (said, f"{said}, Archers lost 3", f"{said}, Archers lost 2")
    lines = [line for text in texts for line in report_lines(campaign, f"bridge/percy: {text}")]
    reports = [read_report(campaign, EMPTY, line) for line in lines]
    assert [do_agree([*order]) for order in permutations(reports)] == [False] * 6
    assert do_agree(reports[:2])


def test_both_sides_can_confirm_that_one_declined(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    for text in ("percy declined, percy lost 1/2", "percy declined, stafford declined"):
        with pytest.raises(InvalidInput, match="name only the side that declined"):
            tell(umpire, f"bridge/percy: {text}")
    tell(umpire, "bridge/stafford: Harry Percy declined")
    assert "Harry Percy declined" in "".join(tell(umpire, f"bridge/percy: {AGREED}"))
    assert umpire.ledger.find("bridge") is None
    tell(umpire, "bridge/percy: we declined.")
    entry = umpire.ledger.find("bridge")
    assert entry is not None and entry.kind == "declined" and entry.result is not None
    assert entry.result.winners == ["stafford"]


def test_a_side_that_declines_needs_no_confirmation(sh: Shell) -> None:
    at = ("-C", folder_with(sh.folder / "war", TEXT))
    said = sh("campaign", "confirm", "bridge/percy: we decline", *at)
    assert "Harry Percy declines battle bridge; no other side needs to confirm this" in said.err
    assert "ask" not in said.err
    battle = json.loads(sh("campaign", "show", "--json", *at).out)
    assert "bridge" not in str(battle["pending"])
    late = sh("campaign", "confirm", f"bridge/stafford: {AGREED}", *at)
    hint = "battle bridge was declined; if it was fought, write: cardbattle campaign undo bridge"
    assert late.code == 3
    assert hint in late.err


@pytest.mark.parametrize(
    ("words", "broken"),
    [
        ("percy won, percy lost 1/4, Archers lost 3, stafford lost 0", {"units": {"percy": {"Archers": -3}}}),
        ("stafford declined", {"declined": "stafford"}),
    ],
)
def test_the_schema_takes_every_report_and_refuses_broken_ones(
    sh: Shell, words: str, broken: dict[str, object]
) -> None:
    units = TEXT.replace("strength = 14 ", "units = { Archers = 6, Spears = 8 }")
    folder = folder_with(sh.folder / "war", units)
    assert sh("campaign", "confirm", f"bridge/percy: {words}", "-C", folder).code == 0
    data = tomllib.loads(Path(folder, "campaign.toml").read_text(encoding="utf-8"))
    schema = json.loads(sh("campaign", "schema").out)
    assert data["reported"][0].keys() & broken.keys()
    assert fits(data, schema, schema)
    data["reported"][0] |= broken
    assert not fits(data, schema, schema)


@pytest.mark.parametrize(
    ("reports", "said"),
    [
        ([], ""),
        (
            ["percy: percy won, percy lost 1/4, stafford lost 1/2"],
            "Harry Percy reported that Harry Percy won",
        ),
        (
            [
                "percy: percy won, percy lost 1/4, stafford lost 1/2",
                "stafford: percy won, percy lost 1/3, stafford lost 1/2",
            ],
            "Harry Percy and Stafford reported that Harry Percy won",
        ),
        (["percy: a draw, percy lost 1/4, stafford lost 1/2"], "Harry Percy reported a draw"),
        (
            [
                "percy: percy won, percy lost 1/4, stafford lost 1/2",
                "stafford: a draw, percy lost 1/3, stafford lost 1/2",
            ],
            "",
        ),
    ],
)
def test_a_ruling_against_all_reports_has_a_note(reports: list[str], said: str, tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, TEXT)
    for report in reports:
        tell(umpire, f"bridge/{report}")
    campaign = umpire.books.campaign
    undo = "; if this is right, use: cardbattle campaign undo"
    expected = [f"battle bridge: {said}{undo}"] if said else []
    assert winner_contradiction(campaign, "bridge", ["stafford"]) == expected
    if said and "draw" not in said:
        assert winner_contradiction(campaign, "bridge", ["percy"]) == []


@pytest.mark.parametrize(
    "label", ["", "Correction: ", "Sorry, correction - ", "my new report, ", "revised -- "]
)
@pytest.mark.parametrize("winner", ["new-guard", "revised-guard", "guard"])
def test_a_word_for_a_correction_is_not_the_beginning_of_the_name_of_a_side(label: str, winner: str) -> None:
    sides = {key: [key] for key in ("new-guard", "revised-guard", "guard")}
    text = f"{label}{winner} won, {', '.join(f'{key} lost none' for key in sides)}"
    assert read_labelled("mill", "guard", text, sides, {}).winners == [winner]


@pytest.mark.parametrize("text", [". ", "and "])
def test_a_long_report_is_read_in_a_moment(text: str) -> None:
    begin = process_time()
    with pytest.raises(ValueError, match=r"is missing|is not clear"):
        read_labelled("mill", "guard", text * (20_000 // len(text)), {"guard": ["guard"]}, {})
    assert process_time() - begin < 1  # it took 36 and 10 seconds


def test_each_quoted_report_that_a_newer_line_can_correct_is_named(sh: Shell) -> None:
    folder = folder_with(sh.folder / "war", TEXT)
    quoted = {"bridge": AGREED, "wood": "percy won, percy lost 1/4, stafford lost none"}
    for battles in (["bridge"], ["bridge", "wood"]):
        lines = [f"{battle}/percy: {quoted[battle]}" for battle in battles]
        mail = sh.write("mail.txt", "\n> ".join(["Correction: we won, we lost 1/4\n", *lines]))
        said = sh("campaign", "orders", "take", mail, "--dry-run", "-C", folder)
        for number, line in enumerate(lines, 3):
            assert f"mail.txt:{number}: ignored, because a newer line can correct it: {line}" in said.err

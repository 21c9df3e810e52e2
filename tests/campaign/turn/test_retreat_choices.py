"""Retreats that players choose: they are asked by message, and their answers are read from their mails."""

from __future__ import annotations

import json
import re
import textwrap
import tomllib
from pathlib import Path

import pytest

from cardbattle.show.pages.campaign.messages.fought_battles import PART_IS_LASTING
from tests.campaign.phases.test_aftermath import WAR
from tests.cli.test_cli import Said, Shell
from tests.cli.test_cli import sh as sh  # the same shell

GREEN = """\
[factions.green]
[forces.archers]
name = "The Moor Archers"
faction = "green"
strength = 3
location = "keep"
[locations.fen]
[visibility]
location = "own"
pending = "own"
"""
CHOOSE = WAR.replace('"nearest-own"', '"choose"').replace("[scoring]", "[movement]\n[scoring]") + GREEN
MOVED = CHOOSE + '[results]\nconfirm = "both"\n'
LATE = ("--now", "2027-01-01")
RULES = "[movement]\nallowance = 2"
ASK = "cardbattle campaign orders ask"


@pytest.fixture
def war(sh: Shell) -> Path:
    """Write a campaign in which Boyd has lost a battle and must retreat."""
    lose(sh, CHOOSE)
    return sh.folder


def lose(sh: Shell, text: str) -> None:
    """Write a campaign, and let Boyd lose the battle at the ford after the movement."""
    sh.write("campaign.toml", text)
    for path in sh.folder.glob("history.toml"):
        path.unlink()
    beaten = ("ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    assert sh("campaign", "override", *beaten).code == 0


def move(sh: Shell) -> None:
    """Write a campaign in which the forces have moved in this turn, and players report the battle."""
    sh.write("campaign.toml", MOVED)
    do(sh, "orders", "give", "boyd", "hold")
    do(sh, "advance", "--phase", "movement", "--no-wait")


def do(sh: Shell, *words: str, code: int = 0) -> Said:
    """Run a command of the campaign, which must end with this exit code."""
    said = sh("campaign", *words)
    assert said.code == code, said.err
    return Said(said.code, " ".join(said.out.split()), " ".join(said.err.split()))


def take(sh: Shell, text: str, code: int = 0) -> Said:
    """Take a mail."""
    return do(sh, "orders", "take", sh.write("mail.txt", text), code=code)


def without_revision(war: Path) -> str:
    """Return campaign.toml without its revision."""
    return re.sub(r"revision = \d+", "", (war / "campaign.toml").read_text("utf-8"))


def place_of(sh: Shell, force: str) -> str:
    """Return the place of a force."""
    return str(json.loads(sh("campaign", "show", "--no-odds", "--json").out)["forces"][force]["location"])


@pytest.mark.slow
def test_a_retreat_that_is_chosen_too_late_runs_no_turn(sh: Shell, war: Path) -> None:
    do(sh, "advance", "--no-wait", "--leave", "--retreat", "boyd=moor")
    before = (war / "campaign.toml").read_bytes()
    for more in ((), ("--dry-run",)):
        refused = do(sh, "advance", "--no-wait", "--retreat", "boyd=moor", *more, code=2)
        assert "--retreat boyd: Boyd has not fought in turn 4; leave it out" in refused.err
    assert (war / "campaign.toml").read_bytes() == before


@pytest.mark.slow
def test_a_player_is_asked_for_a_retreat_and_answers_by_mail(sh: Shell, war: Path) -> None:
    waiting = do(sh, "waiting")
    assert "Blue orders for turn 3" in waiting.out and "choose where Boyd retreats" in waiting.out
    assert ASK in waiting.err
    assert "choose where Boyd retreats" in do(sh, "waiting", "--for", "blue").out
    for reader in ("red", "public"):
        assert "retreat" not in do(sh, "waiting", "--for", reader).out
    stopped = do(sh, "advance", "--phase", "aftermath", code=4).out
    assert "Boyd must retreat to Hill, Moor or Camp; choose for its player with: " in stopped
    wrote = do(sh, "orders", "ask", "--dir", "mails")
    assert "turn-3-blue-retreat.txt" in wrote.err and "red-retreat" not in wrote.err
    message = (war / "mails" / "turn-3-blue-retreat.txt").read_text("utf-8")
    assert "- battle at Ford: Rufus won; Rufus lost nothing, Boyd lost a quarter.\n" in message
    assert "Boyd (strength 6) must retreat from Ford." in message
    orders = do(sh, "orders", "ask", "--for", "blue").out
    assert "beaten in the battle at Ford: it must retreat, and can only hold until then" in orders
    assert "- hold Add" in orders and "- march to" not in orders
    before = without_revision(war)
    taken = take(sh, f"{message.rstrip()} the moor\n\nRegards\n> boyd: retreat to")
    assert "Boyd: retreat to Moor" in taken.out
    assert "the-crossing/blue@3" not in taken.err
    assert "retreat" not in do(sh, "waiting").out
    assert "already accepted" in take(sh, "blue@3: boyd: retreat to moor\nboyd: hold").err
    assert "Boyd: retreat to Hill" in take(sh, "boyd: falls back to the hill").out
    assert "retreat" not in do(sh, "history", "--for", "red").out
    assert "retreat to Hill" in do(sh, "history", "--for", "blue").out
    for _ in range(3):
        do(sh, "undo")
    assert without_revision(war) == before
    take(sh, "boyd: retreat to moor")
    said = do(sh, "advance", "--phase", "aftermath", "--retreat", "rufus=moor")
    assert "hint: --retreat rufus=moor has no effect: Rufus does not retreat now" in said.err
    assert "location Ford -> Moor" in said.out and "Boyd: retreat" not in said.out
    assert place_of(sh, "boyd") == "moor"
    assert "it has no retreat to choose" not in take(sh, "boyd: hold").err


@pytest.mark.slow
def test_a_place_for_a_retreat_is_shown_with_the_forces_of_the_player(sh: Shell) -> None:
    guard = '[forces.guard]\nfaction = "blue"\nstrength = 1\nlocation = "moor"\n'
    lose(sh, CHOOSE + guard)
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert "- retreat to moor (Moor, free, where Guard is)" in asked and "to hill (Hill, free)" in asked


@pytest.mark.slow
def test_the_list_of_orders_has_the_chosen_retreats(sh: Shell, war: Path) -> None:
    take(sh, "boyd: retreat to moor")
    for reader in ((), ("--for", "blue")):
        assert "Boyd Ford retreat to Moor" in do(sh, "orders", "show", *reader).out
    assert "moor" not in do(sh, "orders", "show", "--for", "red").out.casefold()
    assert "moor" not in do(sh, "orders", "show", "--for", "red", "--json").out
    take(sh, "boyd: hold")
    assert "retreat to Moor; then hold" in do(sh, "orders", "show").out


@pytest.mark.slow
def test_the_umpire_chooses_the_retreat_for_a_substitute(sh: Shell, war: Path) -> None:
    """No command then says to ask the player, because no message would be written."""
    do(sh, "substitute", "blue", "regular")
    choose = "choose with: cardbattle campaign advance --retreat boyd=hill"
    assert choose in do(sh, "advance", code=4).out
    for said in (do(sh, "orders", "ask"), do(sh, "waiting"), do(sh, "advance", code=4)):
        assert "its player" not in said.out + said.err and "ask where" not in said.err
    step = "next: choose where Boyd must retreat with: cardbattle campaign advance --retreat boyd=hill"
    assert step in do(sh, "orders", "status").err
    do(sh, "advance", "--retreat", "boyd=hill")
    assert place_of(sh, "boyd") == "hill"


def test_the_umpire_enters_a_retreat_by_hand(sh: Shell, war: Path) -> None:
    assert "Boyd: retreat to Moor" in do(sh, "orders", "give", "boyd", "retreat to the moor").out
    assert "it cannot retreat to keep" in do(sh, "orders", "give", "boyd", "retreat to keep", code=3).err
    do(sh, "advance", "--phase", "aftermath")
    assert place_of(sh, "boyd") == "moor"


def test_a_place_that_an_enemy_leaves_in_the_same_turn_is_offered(sh: Shell) -> None:
    """Before the retreat, an earlier battle has driven the enemy from the hill."""
    sh.write(
        "campaign.toml",
        CHOOSE.replace('location = "own"', 'location = "all"')
        + '[forces.rover]\nfaction = "red"\nstrength = 4\nlocation = "hill"\n'
        '[forces.bowes]\nfaction = "blue"\nstrength = 4\nlocation = "hill"\n'
        '[[pending]]\nid = "a-hill"\nsides = ["rover", "bowes"]\nstakes = "hill"\n',
    )
    do(sh, "override", "a-hill", "--winner", "bowes", "--reason", "x")
    do(sh, "override", "ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    stopped = do(sh, "advance", "--phase", "aftermath", code=4)
    assert "Boyd must retreat to Hill" in stopped.out
    assert "retreat to hill" in do(sh, "orders", "ask", "--for", "blue").out


REFUSED = [
    ("blue@3: boyd: retreat to keep", "it cannot retreat to keep, which is not one road away; write boyd:"),
    ("boyd: retreat to ford", "it cannot retreat to ford, which is where it is; write boyd: retreat to hill"),
    ("boyd: retreat to Rome", 'unknown place "Rome"'),
    ("boyd: retreat", "the place is missing; write boyd: retreat to hill, boyd: retreat to moor or"),
    ("blue@2: boyd: retreat to moor", "turn 2 has been played; the address for this turn is blue@3"),
    ("red@3: boyd: retreat to moor", 'unknown force of Red: "boyd"; write rufus'),
    (
        "boyd: march to camp",
        "it has lost a battle in this turn and must retreat; write boyd: retreat to hill",
    ),
    ("boyd: retreat to moor\nboyd: retreat to hill", "boyd has another retreat in line 1; leave one"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED, ids=range(len(REFUSED)))
def test_a_retreat_that_is_not_possible_is_refused_with_the_line_and_what_to_write(
    sh: Shell, war: Path, text: str, words: str
) -> None:
    before = without_revision(war)
    refused = take(sh, text, code=3).err
    assert words in refused and "mail.txt:" in refused and "correct the rejected ones" in refused
    assert "for a retreat: cardbattle campaign advance --retreat FORCE=PLACE" in refused
    assert without_revision(war) == before


@pytest.mark.parametrize(
    ("text", "only"), [("We lose heart.", ("--for", "blue")), ("blue@3:\nWe fall back.", ())]
)
def test_a_mail_without_a_retreat_shows_its_player_how_to_write_one(
    sh: Shell, war: Path, text: str, only: tuple[str, ...]
) -> None:
    said = do(sh, "orders", "take", sh.write("mail.txt", text), *only, code=3)
    form = "write boyd: retreat to hill, boyd: retreat to moor or boyd: retreat to camp"
    form = f"boyd has lost a battle and must leave ford; {form}"
    assert f"cardbattle: the text contains no new order; {form}" in said.err
    assert f"- not taken: the text contains no new order; {form}" in said.out
    assert said.out.endswith("Send corrected lines below this address: the-crossing/blue@3: boyd: retreat to")
    assert "next: ask where Boyd must retreat with: cardbattle campaign orders ask; then" in said.err


@pytest.mark.slow
@pytest.mark.parametrize("is_moved", [False, True])
def test_the_message_about_a_wrong_change_of_a_retreat_asks_for_the_retreat(
    sh: Shell, war: Path, is_moved: bool
) -> None:
    """Also after the movement, when the form without a retreat is one for orders of the next turn."""
    if is_moved:
        do(sh, "orders", "give", "boyd", "hold")
        do(sh, "advance", "--phase", "movement", "--no-wait")
    take(sh, "boyd: retreat to moor")
    for wrong in (
        "blue@3: boyd: retreat to keep",
        "blue@3:\nboyd: retreat to Rome",
        "blue@3:\nWe fall back to the quay.",
        "boyd: retreat to hill\nboyd: retreat to camp",
    ):
        said = take(sh, wrong, code=3)
        assert said.out.endswith(
            "Send corrected lines below this address: the-crossing/blue@3: boyd: retreat to"
        )
        assert "- still counts: boyd: retreat to moor" in said.out
        assert "the earlier order still counts: boyd: retreat to moor" in said.err
    asked = take(sh, "blue@3:\nDid you get my retreat?", code=3)
    assert "is a question" in asked.out and "no new order" not in asked.out
    march = take(sh, f"blue@{3 + is_moved}: boyd: march to Rome", code=3)
    assert march.out.endswith(f"below this address: the-crossing/blue@{3 + is_moved}: boyd:")
    if is_moved:
        take(sh, "blue@4: boyd: hold")
        both = "- still counts: boyd: hold in turn 4 - still counts: boyd: retreat to moor"
        assert both in take(sh, "blue@3: boyd: retreat to keep", code=3).out


@pytest.mark.slow
def test_a_remark_beside_a_retreat_never_asks_for_orders_of_the_next_turn(sh: Shell, war: Path) -> None:
    do(sh, "orders", "give", "boyd", "hold")
    do(sh, "advance", "--phase", "movement", "--no-wait")
    above = take(sh, "Home to the moor, both of them.\n\nblue@3:\nboyd: retreat to moor")
    assert "ignored" in above.err and "not taken" not in above.out
    below = take(sh, "blue@3:\nboyd: retreat to hill\n\nHome to the moor, both of them.", code=3)
    assert below.out.endswith(
        "Send corrected lines below this address: the-crossing/blue@3: boyd: retreat to"
    )


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("blue@3: back to the moor", ()),
        ("blue@3:\nWe fall back to the Moor.", ()),
        ("blue@3:\nBoyd: then retreat to the Moor", ()),
        ("Hello\nblue@3:\n\nThey will withdraw to the Moor, please\nBye", ()),
        ("We retreat to the moor!", ("--for", "blue")),
        (
            "Well then, we fall back to the moor, bye.\n\nThe umpire wrote:\n> blue@3:\n> boyd: retreat to",
            (),
        ),
        ("We go back to the moor then.\n> blue@3:\n> boyd: retreat to hill", ()),
    ],
)
def test_the_only_retreat_of_a_faction_needs_no_name(
    sh: Shell, war: Path, text: str, only: tuple[str, ...]
) -> None:
    said = do(sh, "orders", "take", sh.write("mail.txt", text), *only)
    assert "Boyd: retreat to Moor" in said.out


@pytest.mark.parametrize("text", ["blue@3: the Moor", "blue@3:\nto moor, please\nAnn", "blue@3: Sigh. Moor!"])
def test_a_place_alone_behind_the_address_is_where_the_only_beaten_force_retreats(
    sh: Shell, war: Path, text: str
) -> None:
    said = do(sh, "orders", "take", sh.write("mail.txt", text), "--dry-run")
    assert '+retreat = "moor"' in said.out


@pytest.mark.parametrize("text", ["blue@3:\nWe fall back to the quay.", "blue@3: back to keep"])
def test_a_retreat_without_a_name_that_is_not_possible_is_refused(sh: Shell, war: Path, text: str) -> None:
    said = take(sh, text, code=3)
    assert "write boyd: retreat to hill, boyd: retreat to moor or boyd: retreat to camp" in said.out
    said = take(sh, "blue@4:\nWe fall back to the moor.\narchers: hold", code=3)
    assert "Boyd: retreat" not in said.out


def test_a_march_of_a_beaten_force_that_begins_with_then_gets_the_hint(sh: Shell, war: Path) -> None:
    said = take(sh, "blue@3:\nBoyd: and then march to the Moor", code=3)
    assert "must retreat; write boyd: retreat to hill" in said.out


def test_the_umpire_reads_the_command_for_an_unclear_retreat(sh: Shell, war: Path) -> None:
    command = "to enter this choice, write: cardbattle campaign advance --retreat boyd=moor"
    for text in ("I think the moor", "Boyd likes the moor"):
        said = take(sh, text + QUESTION, code=3)
        assert command in said.err and command not in said.out
    for text in ("not the moor", "Moor or hill", "the fen, I think"):
        assert command not in take(sh, text + QUESTION, code=3).err


QUESTION = "\n\nOn Sunday the umpire wrote:\n> the-crossing/blue@3:\n> boyd: retreat to\n"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("I think the moor", '"I think the moor" names no force, but can be a retreat; write boyd: '),
        ("Hm. We go back to the moors.", 'boyd: unknown place "the moors"; did you mean "moor"?; write boyd'),
    ],
)  # fmt: skip
def test_a_retreat_above_a_quoted_question_is_never_lost(sh: Shell, war: Path, text: str, error: str) -> None:
    said = take(sh, text + QUESTION, code=3)
    assert f"mail.txt:1: {error}" in said.err
    assert f"- not taken: {error}" in said.out and "To blue, turn 3, not taken" in said.out
    assert "no new order" in take(sh, f"Well fought!{QUESTION}", code=3).err


@pytest.mark.parametrize(
    "text",
    [
        *("Moor", "Oh well. The moor.", "Sigh, moor then!\nCheers, Ann", "Hi\n\nMoor please"),
        *("Aye. The moor it is!", "GRR the moor then\nM", "boyd go back to the moor again :-("),
    ],
)
def test_a_place_alone_above_a_quoted_question_is_where_the_force_retreats(
    sh: Shell, war: Path, text: str
) -> None:
    said = do(sh, "orders", "take", sh.write("mail.txt", text + QUESTION), "--dry-run")
    assert '+retreat = "moor"' in said.out and "ignored" not in said.err


@pytest.mark.parametrize(
    ("text", "below"),
    [
        ("Moor", "> boyd:\n"),
        ("Moor\nHill", ""),
        ("Not the hill, moor", ""),
        ("Moor\nForget it, I tell you tomorrow.", ""),
        ("Moor\nOr wait for Tom", ""),
        ("Moor?", "\nMoor"),
        ("Moor it is?", ""),
        ("Moor it is. Or the hill?", ""),
        ("Moor it is, unless the hill is free", ""),
        ("We lost the moor then", ""),
        ("the moor, never again", ""),
        ("", "\nMoor"),
        ("Moor\nIs the hill free?", ""),
        ("Keep", ""),
    ],
)
def test_a_place_alone_is_not_read_if_anything_can_change_it(
    sh: Shell, war: Path, text: str, below: str
) -> None:
    before = without_revision(war)
    take(sh, f"{text}{QUESTION}{below}", code=3)
    assert without_revision(war) == before


@pytest.mark.parametrize(
    "text",
    ["We stand and fight!", "Boyd never goes to the hill!", "> blue@3:\n> boyd: retreat to nowhere, we stay"],
)  # fmt: skip
def test_who_refuses_to_retreat_reads_that_the_force_must_leave(sh: Shell, war: Path, text: str) -> None:
    said = take(sh, text if "blue" in text else text + QUESTION, code=3)
    for output in (said.err, said.out):
        assert "boyd has lost a battle and must leave ford; write boyd: retreat to hill, boyd:" in output


@pytest.mark.parametrize("name", ["boyd", "The Boyd", "Boyd's men"])
@pytest.mark.parametrize(
    "verb", ["falls back to", "will withdraw to", "pulls back to", "flees to", "back to"]
)
@pytest.mark.parametrize("only", [(), ("--for", "blue")])
def test_a_retreat_in_a_sentence_with_a_name_is_read_above_a_quoted_question_or_refused(
    sh: Shell, war: Path, name: str, verb: str, only: tuple[str, ...]
) -> None:
    mail = sh.write("mail.txt", f"Well fought!\n{name} {verb} the moor.{QUESTION}")
    said = do(sh, "orders", "take", mail, "--dry-run", *only, code=3 if "men" in name else 0)
    if "men" in name:
        assert "mail.txt:2: this line names boyd, but is not an order; write boyd: retreat to" in said.err
    else:
        assert '+retreat = "moor"' in said.out


def test_without_movement_an_unclear_retreat_is_refused_with_the_places(sh: Shell) -> None:
    lose(sh, CHOOSE.replace("[movement]\n", ""))
    for text in ("I think the moor", "Well fought!"):
        said = take(sh, text + QUESTION, code=3)
        assert "movement is off" not in said.err and "write boyd: retreat to hill, boyd: retreat" in said.err
    assert "movement is off" in take(sh, "green@3:\narchers: hold", code=2).err
    assert 'cannot read "hold"; boyd has lost a battle' in take(sh, "blue@3:\nboyd: hold", code=3).err
    assert "Boyd: retreat to Hill" in take(sh, "blue@3:\nboyd: the hill").out
    take(sh, "boyd: retreat to moor" + QUESTION)
    assert "retreat to Moor" in do(sh, "orders", "show", "--for", "blue").out
    assert "movement is off" in do(sh, "orders", "show", "--for", "red", code=2).err


RANGERS = '[forces.rangers]\nfaction = "blue"\nstrength = 4\nlocation = "camp"\n'


@pytest.mark.slow
@pytest.mark.parametrize("has_movement", [True, False])
def test_a_retreat_of_another_force_is_answered_with_the_valid_answers(sh: Shell, has_movement: bool) -> None:
    """Each answer that the message offers is accepted."""
    text = MOVED if has_movement else CHOOSE.replace("[movement]\n", "")
    sh.write("campaign.toml", text + RANGERS)
    if has_movement:
        do(sh, "orders", "give", "boyd", "hold")
        do(sh, "advance", "--phase", "movement", "--no-wait")
    do(sh, "override", "ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    for mail in (
        "blue@3: rangers: to the moor",
        "blue@3:\nrangers: retreat to moor",
        f"rangers: to moor{QUESTION}",
        f"The rangers fall back to the moor{QUESTION}",
        f"The rangers should be at the moor{QUESTION}",
    ):
        message = take(sh, mail, code=3).out.partition("To blue, turn 3, not taken")[2]
        offered = {place for place in ("hill", "moor", "camp") if f"retreat to {place}" in message}
        assert offered == {"hill", "moor", "camp"} and "rangers: ORDER" not in message, mail
        assert message.endswith("blue@3: boyd: retreat to")
    for place in ("hill", "moor", "camp"):
        said = take(sh, f"blue@3:\nboyd: retreat to {place}\nrangers: retreat to moor", code=3)
        assert f"Boyd: retreat to {place.title()}" in said.out
        assert "You can choose" not in said.out and said.out.endswith("rangers:") == has_movement


@pytest.mark.slow
def test_the_quoted_name_of_the_campaign_is_no_place(sh: Shell) -> None:
    lose(sh, CHOOSE.replace("The Crossing", "The Camp War"))
    quoted = (
        "\n\nAnn wrote:\n> Blue: where to retreat\n> The Camp War, Turn 3\n> blue@3:\n> boyd: retreat to\n"
    )
    assert "Camp War" not in take(sh, "Well fought!" + quoted, code=3).err


@pytest.mark.slow
def test_an_answer_that_names_another_force_and_one_place_has_the_command(sh: Shell) -> None:
    lose(sh, CHOOSE + RANGERS)
    command = "to enter this choice, write: cardbattle campaign advance --retreat boyd=camp"
    said = take(sh, "They can join the rangers at the camp. Thanks!" + QUESTION, code=3)
    assert command in said.err and "advance --retreat" not in said.out
    for line in ("They cannot join the rangers at the camp.", "To the camp or the moor with the rangers!"):
        assert "to enter this choice" not in take(sh, line + QUESTION, code=3).err


def test_a_retreat_with_a_remark_to_a_closed_place_is_refused_with_the_reason(sh: Shell, war: Path) -> None:
    said = take(sh, "blue@3:\nboyd: retreat to keep, cheeky!", code=3)
    assert "boyd: it cannot retreat to keep, which is not one road away; write boyd: retreat" in said.out


def test_the_example_for_a_player_without_a_retreat_is_an_order(sh: Shell, war: Path) -> None:
    said = do(sh, "orders", "take", sh.write("mail.txt", "We like it here."), "--for", "green", code=3)
    assert "write FORCE: ORDER, such as archers: hold" in said.out
    assert "boyd" not in said.out


@pytest.mark.slow
def test_the_message_is_the_same_whatever_is_hidden_from_its_player(sh: Shell) -> None:
    """An unseen force closes the moor. The player reads that only if the umpire passes the refusal on."""
    asked = []
    for place in ("keep", "moor"):
        lose(sh, CHOOSE.replace('strength = 3\nlocation = "keep"', f'strength = 3\nlocation = "{place}"'))
        for form in ("text", "discord", "json"):
            asked.append(sh("campaign", "orders", "ask", "--for", "blue", "--format", form))
        asked.append(sh("campaign", "waiting", "--for", "blue", "--json"))
        for wrong in ("Rome", "", "ford", "keep"):
            address = "blue@3:\n" if wrong else ""
            asked.append(take(sh, f"{address}boyd: retreat to {wrong}", code=3)._replace(err=""))
            assert ("To blue, turn 3, not taken" in asked[-1].out) == bool(wrong)
    half = len(asked) // 2
    assert asked[:half] == asked[half:] and "retreat to moor" in asked[0].out
    refused = take(sh, "boyd: retreat to moor", code=3).err
    assert "which is held by an enemy (the player may not know this); write boyd: retreat to hill" in refused
    refused = take(sh, "boyd: retreat to keep", code=3).err
    assert "write boyd: retreat to hill or boyd: retreat to camp" in refused and "moor" not in refused


@pytest.mark.slow
@pytest.mark.parametrize("seen", ["own", "all"])
def test_a_place_that_was_refused_is_not_offered_again(sh: Shell, seen: str) -> None:
    """The moor is closed by an unseen force. Only Boyd's player and the umpire read that it was refused."""
    hidden = CHOOSE.replace('strength = 3\nlocation = "keep"', 'strength = 3\nlocation = "moor"')
    lose(sh, hidden.replace('location = "own"', f'location = "{seen}"'))
    before = without_revision(sh.folder)
    offers = "retreat to moor" in do(sh, "orders", "ask", "--for", "blue").out
    assert offers == (seen == "own")
    first = take(sh, "blue@3:\nboyd: retreat to moor", code=3)
    assert ("Boyd: cannot retreat to Moor: closed" in first.out) == offers
    assert ("no order is accepted" in first.err) == offers
    then = take(sh, "blue@3:\nok, back to the quay", code=3).out
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert (
        "retreat to moor" not in asked + then
        and ("You cannot choose Moor, which is closed" in asked) == offers
    )
    take(sh, "blue@3:\nboyd: retreat to moor", code=3)
    assert without_revision(sh.folder) == before and do(sh, "check").code == 0
    for reader, knows in (("blue", offers), ("umpire", offers), ("red", False), ("green", False)):
        history = do(sh, "history", "--for", reader).out
        assert ("Boyd: cannot retreat to Moor: closed" in history) == knows, reader
    if offers:
        do(sh, "rename", "moor", "heath")
        assert "retreat to heath" not in do(sh, "orders", "ask", "--for", "blue").out
        do(sh, "undo", "2")
        assert "retreat to heath" in do(sh, "orders", "ask", "--for", "blue").out


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "The Boyd falls back to Moor.",
        "Boyd's men fall back to the moor",
        "We fall back to Moor",
        "the moor it is",
        "Lord Boyd will go to the moor",
    ],
)
def test_a_sentence_about_a_closed_place_is_refused_with_the_reason_and_the_place_is_not_offered_again(
    sh: Shell, text: str
) -> None:
    lose(sh, CHOOSE.replace('strength = 3\nlocation = "keep"', 'strength = 3\nlocation = "moor"'))
    said = take(sh, f"blue@3:\n{text}", code=3)
    assert (
        "it cannot retreat to moor, which is held by an enemy (the player may not know this); write"
        in said.err
    )
    assert (
        "it cannot retreat to moor, which is closed; write boyd: retreat to hill or boyd: retreat to"
        in said.out
    )
    assert "retreat to moor" not in do(sh, "orders", "ask", "--for", "blue").out


@pytest.mark.slow
def test_a_refused_place_that_has_opened_is_offered_again(sh: Shell) -> None:
    lose(sh, CHOOSE.replace('strength = 3\nlocation = "keep"', 'strength = 3\nlocation = "moor"'))
    take(sh, "blue@3:\nboyd: retreat to moor", code=3)
    do(sh, "move", "archers", "keep")
    assert "retreat to moor" in do(sh, "orders", "ask", "--for", "blue").out
    assert "Boyd: retreat to Moor" in take(sh, "blue@3:\nboyd: retreat to moor").out


@pytest.mark.slow
def test_a_player_is_asked_although_unseen_enemies_leave_one_place(sh: Shell) -> None:
    """Without the question, the player would know that an enemy closes the others."""
    asked = []
    for places in (("keep", "keep"), ("moor", "camp")):
        text = CHOOSE
        for name, place in zip(("pikes", "guns"), places, strict=True):
            text += f'[forces.{name}]\nfaction = "green"\nstrength = 3\nlocation = "{place}"\n'
        lose(sh, text)
        asked += [do(sh, *words, "--for", "blue") for words in (("orders", "ask"), ("waiting",))]
    assert asked[:2] == asked[2:] and "retreat to moor" in asked[0].out
    assert (
        "Boyd must retreat to Hill; choose for its player"
        in do(sh, "advance", "--phase", "aftermath", code=4).out
    )
    assert "held by an enemy (the player may not know this)" in take(sh, "boyd: retreat to moor", code=3).err
    take(sh, "boyd: retreat to hill")
    do(sh, "advance", "--phase", "aftermath")
    assert place_of(sh, "boyd") == "hill"
    for _ in range(2):
        do(sh, "undo")
    do(sh, "substitute", "blue", "regular")
    do(sh, "advance", "--phase", "aftermath")  # the umpire, who knows all, is not asked for a substitute
    assert place_of(sh, "boyd") == "hill"


@pytest.mark.parametrize("mail", ["blue@3: boyd back to moor", "blue@3:\nboyd: retreat to moor"])
def test_a_late_retreat_is_told_that_a_force_with_one_way_out_needs_no_order(sh: Shell, mail: str) -> None:
    sh.write("campaign.toml", CHOOSE)
    do(sh, "advance", "--phase", "movement", "--no-wait")
    note = "write blue@4; a beaten force with one way out takes it without an order"
    assert note in take(sh, mail, code=3).out
    assert "one way out" not in take(sh, mail.replace("retreat to", "to").replace("back", "to"), code=3).out


@pytest.mark.parametrize("mails", [["moor"], ["moor", "camp"], ["camp", "moor"]])
def test_no_correction_offers_a_place_that_another_one_calls_closed(sh: Shell, mails: list[str]) -> None:
    text = CHOOSE
    for place in ("moor", "camp"):
        text += f'[forces.at-{place}]\nfaction = "green"\nstrength = 3\nlocation = "{place}"\n'
    lose(sh, text)
    mail = "\n".join(f"From: Ann\n\nblue@3:\nboyd: retreat to {place}\n" for place in mails)
    said = take(sh, mail, code=3)
    for place in mails:
        assert f"it cannot retreat to {place}, which is closed; write" in said.out
        assert f"boyd: retreat to {place}" not in said.out
    assert "boyd: retreat to hill" in said.out


@pytest.mark.slow
def test_the_message_for_a_report_is_the_same_whatever_others_report_and_hide(sh: Shell) -> None:
    asked = []
    for lost, strength in (("1/4", 3), ("all", 9)):
        sh.write(
            "campaign.toml",
            CHOOSE.replace("strength = 3", f"strength = {strength}") + '[results]\nconfirm = "both"\n',
        )
        for path in sh.folder.glob("history.toml"):
            path.unlink()
        do(sh, "confirm", f"ford/red: we won, we lost {lost}, they lost 1/2")
        for form in ("text", "bbcode", "json"):
            asked.append(sh("campaign", "orders", "ask", "--for", "blue", "--format", form))
    assert asked[:3] == asked[3:] and "ford/boyd:" in asked[0].out
    assert "result of ford" not in sh("campaign", "orders", "ask", "--for", "red").out


@pytest.mark.slow
def test_after_the_movement_the_address_of_the_turn_is_for_retreats(sh: Shell, war: Path) -> None:
    do(sh, "set", "forces.archers.location=fen", "forces.archers.faction=blue")
    do(sh, "add", "road", "fen", "keep")
    take(sh, "blue@3: archers: march to keep")
    do(sh, "advance", "--no-wait", code=4)
    assert "next: ask where Boyd must retreat with:" in do(sh, "orders", "status").err
    asked = do(sh, "orders", "ask").out
    assert "To blue, turn 3, retreat" in asked and "To blue, turn 3:" not in asked
    said = take(sh, "blue@3:\nboyd: the moor (alas)\narchers: hold", code=3)
    assert "archers: it has no retreat to choose in turn 3, and the forces have moved" in said.err
    assert "Boyd: retreat to Moor" in said.out
    both = take(sh, "blue@3: boyd: retreat to hill\nblue@4: boyd: hold")
    assert "retreat to Hill" in both.out and "Boyd: hold" in both.out
    do(sh, "advance")
    assert place_of(sh, "boyd") == "hill"


@pytest.mark.slow
def test_a_late_retreat_goes_to_the_nearest_place(sh: Shell, war: Path) -> None:
    do(sh, "set", "deadlines.answer=36 hours", "deadlines.missed=hold")
    assert "until" in do(sh, "waiting", "--for", "blue").out
    planned = do(sh, "advance", "--dry-run", "--explain", *LATE)
    assert "Boyd retreats to Hill: no answer came in time; the best of Hill" in planned.out
    words = "Blue has not chosen in time where Boyd retreats; the nearest place counts"
    assert words in planned.err and "boyd must retreat" not in planned.out
    assert words in do(sh, "advance", "--phase", "aftermath", *LATE).err
    assert place_of(sh, "boyd") == "hill"
    for reader in ("green", "red", "public"):
        assert "not chosen in time" not in do(sh, "history", "--for", reader).out
    assert words in do(sh, "history", "--for", "blue").out
    do(sh, "turn")
    assert words in do(sh, "report", "--turn", "3", "--for", "blue").out
    assert "in time" not in do(sh, "report", "--turn", "3", "--for", "red").out


@pytest.mark.slow
@pytest.mark.parametrize("undone", [["--phase", "aftermath"], []])
def test_an_undone_retreat_is_chosen_again_without_the_note_that_it_came_too_late(
    sh: Shell, war: Path, undone: list[str]
) -> None:
    do(sh, "set", "deadlines.answer=36 hours", "deadlines.missed=hold", "forces.boyd.name=The Boyd Kin")
    note = "Blue has not chosen in time where the Boyd Kin retreats; the nearest place counts"
    assert note in do(sh, "advance", "--phase", "aftermath", *LATE).err
    assert place_of(sh, "boyd") == "hill"
    do(sh, "undo", *undone)
    assert "in time" not in do(sh, "report", "--turn", "3", "--for", "blue").out
    assert "choose where the Boyd Kin retreats" in do(sh, "waiting").out
    take(sh, "boyd: retreat to moor")
    assert "in time" not in do(sh, "advance", "--phase", "aftermath", *LATE).err
    assert place_of(sh, "boyd") == "moor"


@pytest.mark.slow
def test_a_late_choice_that_counts_after_all_survives_the_undo_of_its_retreat(sh: Shell, war: Path) -> None:
    do(sh, "set", "deadlines.answer=36 hours", "deadlines.missed=hold")
    assert "in time" in do(sh, "advance", "--phase", "battles", *LATE).err
    take(sh, "boyd: retreat to moor")
    do(sh, "advance", "--phase", "aftermath", *LATE)
    do(sh, "undo", "--phase", "aftermath")
    assert "retreat to Moor" in do(sh, "orders", "show").out
    do(sh, "advance", "--phase", "aftermath", *LATE)
    assert place_of(sh, "boyd") == "moor"


@pytest.mark.slow
def test_players_are_asked_when_no_battle_is_pending(sh: Shell) -> None:
    lose(sh, CHOOSE + '[[pending]]\nid = "other"\nsides = ["rufus", "archers"]\n')
    stopped = do(sh, "advance", "--leave", "--no-wait", code=4).out
    assert "Hill, Moor or Camp; choose with: cardbattle campaign advance --retreat boyd=hill" in stopped
    assert ASK not in stopped and "retreat" not in do(sh, "orders", "ask").out
    do(sh, "advance", "--leave", "--no-wait", "--retreat", "boyd=moor")
    assert place_of(sh, "boyd") == "moor"


def test_a_force_can_be_called_like_a_line_of_the_message(sh: Shell) -> None:
    lose(sh, CHOOSE.replace("The Moor Archers", "Battle Brothers"))
    take(sh, "green@3:\nBattle ford: Rufus won.\nBattle Brothers: hold")
    assert "Battle Brothers: hold" in do(sh, "history").out


@pytest.mark.slow
def test_an_old_choice_that_is_read_as_an_order_is_noted(sh: Shell, war: Path) -> None:
    take(sh, "boyd: retreat to moor")
    do(sh, "advance")
    do(sh, "set", "forces.boyd.location=ford")
    said = take(sh, "boyd: retreat to moor")
    assert "Blue had the same orders in an earlier turn; if you have taken an old message again" in said.err


def test_an_unneeded_choice_ends_with_the_turn(sh: Shell, war: Path) -> None:
    take(sh, "boyd: retreat to moor")
    do(sh, "turn")
    assert "retreat" not in json.loads(sh("campaign", "show", "--no-odds", "--json").out)["forces"]["boyd"]


@pytest.mark.parametrize(
    ("address", "report"),
    [
        ("red@3:", "the ford: we declined"),
        ("red@3", "ford: We decline."),
        ("the-crossing/Red @ 3", "ford: rufus declines"),
    ],
)
def test_a_report_below_the_address_of_a_moved_turn_is_recorded_alone(
    sh: Shell, address: str, report: str
) -> None:
    move(sh)
    said = take(sh, f"Dear umpire,\n{address}\n{report}\nRegards\nJohn\n\nRufus\n> red@3:\n> rufus: hold")
    assert "ford is no longer pending" in said.out and "have moved" not in said.err


@pytest.mark.slow
def test_a_mail_can_decline_a_battle_and_choose_the_retreat(sh: Shell) -> None:
    move(sh)
    said = take(sh, "red@3:\nford: we decline\nrufus: retreat to hill\n")
    assert "Rufus declines battle ford; no other side needs to confirm this" in said.err
    assert "Rufus: retreat to Hill" in said.out


@pytest.mark.slow
def test_the_message_about_a_retreat_from_a_declined_battle_names_no_fight(sh: Shell) -> None:
    """A reply that quotes it is read without a remark."""
    move(sh)
    take(sh, "red@3:\nford: we decline\n")
    asked = sh("campaign", "orders", "ask", "--for", "red").out.partition("next:")[0]
    assert "A battle was declined:\n- battle at Ford: declined by Rufus." in asked and "fought" not in asked
    said = take(sh, asked.replace("rufus: retreat to\n", "rufus: retreat to hill\n"))
    assert "Rufus: retreat to Hill" in said.out and "ignored" not in said.err


def test_an_order_below_the_address_of_a_moved_turn_is_refused_beside_a_report(sh: Shell) -> None:
    move(sh)
    said = take(sh, "red@3:\nford: we won, we lost 1/4, they lost 1/2\nrufus: march to hill\n", code=3)
    assert "reported by sides: 0 -> 1" in said.out
    assert "mail.txt:1: the forces of turn 3 have moved; for orders of turn 4, write red@4" in said.err
    assert "all other lines are accepted" in said.err and "no order is recorded" not in said.err
    said = take(sh, "red@3:\n\nrufus: march to hill\n", code=3)
    assert "have moved" in said.err and "no order is recorded" in said.err
    said = take(sh, "red@3:\nford: we won, we lost much\n", code=3)
    assert "much" in said.err and "have moved" not in said.err


@pytest.mark.slow
def test_a_report_below_its_quoted_form_is_recorded(sh: Shell) -> None:
    move(sh)
    said = take(sh, "> ford/rufus:\nrufus won, rufus lost 1/4, boyd lost 1/2\nGood game!")
    assert "reported by sides: 0 -> 1" in said.out and "names" not in said.err
    for loss in ("all", "1/2"):  # first the report is missing, then it differs
        form = sh("campaign", "orders", "ask", "--for", "blue").out.rstrip()
        assert form.endswith("ford/boyd:")
        take(sh, f"{form} rufus won, rufus lost 1/4, we lost {loss}")
    assert "battle" not in do(sh, "waiting").out


def test_a_report_above_the_only_quoted_address_is_recorded_or_its_player_reads_why_not(sh: Shell) -> None:
    move(sh)
    quoted = "\n\nOn Sunday the umpire wrote:\n> ford/boyd:\n"
    said = take(sh, f"Rufus won, alas; we lost 1/2, they lost 1/4{quoted}", code=3)
    assert 'mail.txt:1: ford/boyd: "alas" is not clear; write something like ford/boyd: rufus won' in said.err
    assert "To blue, turn 3, result of ford" in said.out and '- not taken: ford/boyd: "alas"' in said.out
    two = f"Rufus won, we lost 1/2, they lost 1/4{quoted}> ford/rufus:\n"
    assert "the address of this report is missing" in take(sh, two, code=3).err
    said = take(sh, f"Rufus won, we lost 1/2, they lost 1/4{quoted}")
    assert "reported by sides: 0 -> 1" in said.out


@pytest.mark.parametrize("mail", ["blue@3:\n\n{}", "{}\n\n> the-crossing/blue@3:\n"])
def test_a_leader_names_the_beaten_force(sh: Shell, mail: str) -> None:
    lose(sh, CHOOSE.replace("[forces.boyd]", '[forces.boyd]\nleader = "Dame Cecily"'))
    said = take(sh, mail.format("Cecily should rather fall back to the hill or so."), code=3)
    assert "this line names boyd, but is not an order; write boyd: retreat to hill" in said.err
    said = take(sh, mail.format("Dame Cecily falls back to the hill."))
    assert "Boyd: retreat to Hill" in said.out


@pytest.mark.parametrize("more", ["", "\nlords: hold"])
def test_a_word_of_a_place_does_not_name_another_force_in_a_retreat(sh: Shell, more: str) -> None:
    moors = '[forces.lords]\nname = "The Moors Lords"\nfaction = "blue"\nstrength = 3\nlocation = "moor"\n'
    lose(sh, CHOOSE + moors)
    said = take(sh, f"Then we fall back to the moor.{more}\n\n> the-crossing/blue@3:\n", code=3)
    error = 'mail.txt:1: "Then we fall back to the moor." names no force, but can be a retreat; write boyd: '
    assert error in said.err and "names lords" not in said.err + said.out
    said = take(sh, "The moors lords fall back to the moor\n\n> the-crossing/blue@3:\n")
    assert "The Moors Lords: march to Moor" in said.out and "Boyd: retreat" not in said.out


RESULTS = [
    "we decline",
    "We declined.",
    "boyd declines",
    "Hello, we decline the battle",
    "the ford: we decline",
    "boyd: we refuse to fight",
    "ford: we won, we lost 1/4, they lost 1/2",
    "Boyd - we won, we lost 1/4, they lost 1/2",
    "Well, we won, we lost 1/4, they lost 1/2",
]


@pytest.mark.parametrize("result", RESULTS)
def test_a_result_is_read_above_a_quoted_address_as_below_an_address(sh: Shell, result: str) -> None:
    """Also above the quoted address of a faction, a name of the battle is enough."""
    move(sh)
    mails = [f"> ford/boyd:\n{result}", f"Hello,\n\n{result}\nC\n\n> ford/boyd:\n"]
    if result.casefold().partition(":")[0].endswith("ford"):
        mails += [f"blue@3:\n{result}", f"Hello,\n{result}\n\n> the-crossing/blue@3:\n"]
    said = [do(sh, "orders", "take", sh.write("mail.txt", mail), "--dry-run").out for mail in mails]
    assert {*said} == {said[0]} and ("+[[reported]]" if "won" in result else '-id = "ford"') in said[0]


@pytest.mark.parametrize(
    "reply",
    [
        "we would rather decline",
        "No fight today, sorry.",
        "we won!\nC",
        "we lost 1/4\nbut they lost 1/2",
        "rufus: we won, we lost 1/4, they lost 1/2",
    ],
)
def test_an_unclear_reply_about_a_battle_is_reported_and_the_battle_is_not_fought(
    sh: Shell, reply: str
) -> None:
    move(sh)
    said = take(sh, f"{reply}\n\n> ford/boyd:\n", code=3)
    assert reply.partition("\n")[0] in said.err and "next: fight" not in said.err
    assert "mail.txt:1: ford/boyd: " in said.err and "correct the rejected reports" in said.err
    assert said.out.startswith("To blue, turn 3, result of ford") and "- not taken: ford/boyd: " in said.out


def test_a_quoted_line_below_a_report_is_not_an_order(sh: Shell) -> None:
    move(sh)
    assert "names" not in take(sh, "ford/rufus: we declined\n\n> Rufus is to hold, said Red").err


@pytest.mark.slow
def test_a_mail_can_report_a_result_among_its_orders(sh: Shell) -> None:
    sh.write("campaign.toml", CHOOSE + '[results]\nconfirm = "both"\n')
    do(sh, "confirm", "ford/red: we won, we lost 1/4, they lost 1/2")
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert (
        "To blue, turn 3, result of ford" in asked and "ford/boyd:" in asked and "they lost 1/2" not in asked
    )
    said = take(sh, "blue@3: the ford: Red won, they lost 1/4, we lost all\nboyd: hold")
    assert "the reports differ" in said.err and "Boyd: hold" in said.out
    said = take(sh, "Hello\nford/boyd: red won, red lost 1/4, blue lost much", code=3)
    assert "mail.txt:2: ford/boyd: " in said.err and "correct the rejected reports" in said.err
    said = take(sh, "ford/boyd: red won, red lost 1/4, blue lost 1/2\n\n> ford/blue: red won, red lost all")
    assert "ford is no longer pending" in said.out
    assert "choose where Boyd retreats" in do(sh, "waiting").out
    assert 'no battle "ford" is pending' in take(sh, "ford/boyd: red won, red lost 1/4", code=3).err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mail", "only", "why"),
    [
        ("blue@3:\nford: we won 7 to 5", (), "ford/blue: the losses of rufus and boyd are missing"),
        (
            "ford/boyd: red won, red lost 1/4, blue lost much",
            (),
            "ford/boyd: expected a share, such as 2/5",
        ),
        ("blue@3: well, we won, we lost 1/4 and they lost 1/2", (), "the address of this report is missing"),
        ("victory! we won, they lost all", ("--for", "blue"), "the address of this report is missing"),
    ],
)
def test_a_player_gets_a_message_about_a_rejected_report(
    sh: Shell, mail: str, only: tuple[str, ...], why: str
) -> None:
    move(sh)
    do(sh, "orders", "take", sh.write("mail.txt", mail), *only, code=3)
    said = sh("campaign", "orders", "take", "mail.txt", *only).out
    assert said.startswith("To blue, turn 3, result of ford: ") and f"- not taken: {why}" in said
    assert "write ford" not in said and said.endswith("\nford/boyd:\n") and "To red" not in said
    copied = f"{said.rstrip()} we won, we lost 1/4, they lost 1/2"
    assert "results reported by sides: 0 -> 1" in take(sh, copied).out
    assert "not taken" not in take(sh, "ford/boyd: we fled, I think\n", code=3).err


def test_the_message_about_a_rejected_report_has_only_what_its_player_may_know(sh: Shell) -> None:
    move(sh)
    do(sh, "set", "forces.rufus.units={ Pikes = 6 }")
    said = take(sh, "ford/boyd: we won, we lost 1/4, they lost 1/2, rufus.Pikes lost 99", code=3)
    assert "Pikes had 6" in said.err and "had 6" not in said.out
    assert '"rufus.Pikes" is not one of the sides' in said.out


FORGED = [
    ("blue@3:\nford/rufus: boyd won, red lost all, boyd lost none", ()),
    ("blue@3: the ford/Red: boyd won, red lost all, boyd lost none", ()),
    ("ford/rufus: boyd won, red lost all, boyd lost none", ("--for", "blue")),
    ("red@3: ford: boyd won, red lost all, boyd lost none", ("--for", "blue")),
]


@pytest.mark.parametrize(("forged", "only"), FORGED, ids=range(len(FORGED)))
def test_a_faction_can_only_report_for_its_own_side(sh: Shell, forged: str, only: tuple[str, ...]) -> None:
    sh.write("campaign.toml", CHOOSE + '[results]\nconfirm = "both"\n')
    own = "ford/boyd: boyd won, red lost all, boyd lost none"
    said = do(sh, "orders", "take", sh.write("mail.txt", f"{own}\n\n{forged}"), *only, code=3)
    assert "ford/rufus: blue has no force on this side; leave this report out" in said.err
    assert "battle ford waits for the report of Rufus" in said.err and "no longer pending" not in said.out


OPEN = CHOOSE.replace('location = "own"', 'location = "all"')


def lose_two(sh: Shell, text: str, more: str = "") -> None:
    """Let Boyd lose at the ford, and then the red Rover at the keep. Both can retreat to the hill.

    `more` are the forces that fight beside Rover, such as `, "guns"`.
    """
    rover = '[forces.rover]\nfaction = "red"\nstrength = 4\nlocation = "keep"\n'
    bowes = '[forces.bowes]\nfaction = "green"\nstrength = 4\nlocation = "keep"\n'
    battle = f'[[pending]]\nid = "keep"\nsides = [["rover"{more}], "bowes"]\nplace = "keep"\n'
    roads = text.replace('["ford", "moor"]]', '["ford", "moor"], ["keep", "fen"]]')
    roads = roads.replace('strength = 3\nlocation = "keep"', "strength = 3")
    lose(sh, roads + rover + bowes + battle)
    do(sh, "override", "keep", "--winner", "bowes", "--losses", "rover=1/4", "--reason", "x")


@pytest.mark.slow
def test_the_next_step_asks_only_players_without_a_substitute(sh: Shell) -> None:
    lose_two(sh, CHOOSE)
    do(sh, "undo")
    do(sh, "substitute", "blue", "regular")
    beaten = ("keep", "--winner", "bowes", "--losses", "rover=1/4", "--reason", "x")
    ask = f"next: ask where Rover must retreat with: {ASK}; then take the answers with: "
    choose = "choose where Boyd must retreat with: cardbattle campaign advance --retreat boyd=hill"
    step = f"{ask}cardbattle campaign orders take FILE; then {choose}"
    assert do(sh, "override", *beaten).err.endswith(step)
    assert do(sh, "orders", "status").err.endswith(step)


BOYD, ROVER = "blue@3: boyd: retreat to hill\n", "red@3: rover: retreat to hill\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "later", "winner", "loser", "left"),
    [
        (BOYD, ROVER, "Boyd", "rover", "fen"),
        (ROVER, BOYD, "Rover", "boyd", "moor"),
    ],
)
def test_who_first_chooses_a_place_has_it_and_the_other_is_asked_again(
    sh: Shell, first: str, later: str, winner: str, loser: str, left: str
) -> None:
    """The player does not read who has chosen the place, because a choice is an order until it is done."""
    lose_two(sh, OPEN)
    take(sh, first)
    refused = take(sh, later, code=3)
    assert f"which is taken by {winner} (the player may not know this); write {loser}: retreat" in refused.err
    assert f"{loser}: it cannot retreat to hill, which is closed; write {loser}: retreat" in refused.out
    assert f"choose where {loser.title()} retreats" in do(sh, "waiting").out
    asked = do(sh, "orders", "ask").out
    assert "You cannot choose Hill, which is closed." in asked and f"taken by {winner}" not in asked
    assert f"{loser}: retreat to" in asked and "retreat to hill" not in asked
    assert f"{loser.title()} must retreat to" in do(sh, "advance", "--no-wait", code=4).out
    do(sh, "orders", "ask", "--dir", "mails")
    [message] = (sh.folder / "mails").glob("*-retreat.txt")
    take(sh, f"{message.read_text('utf-8').rstrip()} {left}")
    do(sh, "advance", "--no-wait")
    assert (place_of(sh, winner.lower()), place_of(sh, loser)) == ("hill", left)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "later"), [("Boyd", "rover"), ("Rover", "boyd")])
def test_of_two_choices_of_a_place_in_one_mail_the_first_is_accepted(
    sh: Shell, first: str, later: str
) -> None:
    lose_two(sh, OPEN)
    texts = {"boyd": BOYD, "rover": ROVER}
    said = take(sh, texts[first.lower()] + texts[later], code=3)
    assert f"{first}: retreat to Hill" in said.out
    assert f"{later}: it cannot retreat to hill, which is taken by {first} (the player" in said.err
    assert f"choose where {later.title()} retreats" in do(sh, "waiting").out


@pytest.mark.slow
def test_a_retreat_that_advance_names_counts_while_the_turn_waits_for_others(sh: Shell) -> None:
    lose_two(sh, OPEN)
    before = (sh.folder / "campaign.toml").read_bytes()
    do(sh, "advance", "--no-wait", "--dry-run", "--retreat", "boyd=hill")
    assert (sh.folder / "campaign.toml").read_bytes() == before
    said = do(sh, "advance", "--no-wait", "--retreat", "boyd=hill", code=4)
    assert said.err.startswith("recorded: Boyd retreats to Hill next:")
    assert "next: ask where Rover must retreat with" in said.err
    assert "Boyd" not in do(sh, "waiting").out
    repeated = do(sh, "advance", "--no-wait", "--retreat", "boyd=hill", code=4)
    assert "recorded: Boyd" not in repeated.err
    do(sh, "advance", "--no-wait", "--retreat", "rover=fen")
    assert (place_of(sh, "boyd"), place_of(sh, "rover")) == ("hill", "fen")


def test_no_correction_offers_a_place_that_another_mail_closes(sh: Shell) -> None:
    lose_two(sh, OPEN)
    said = take(sh, BOYD + "red@3: rover: retreat to the inn\n", code=3)
    refused = 'rover: unknown place "the inn"; write rover: retreat to'
    assert f"{refused} fen" in said.out and "rover: retreat to hill" not in said.out


@pytest.mark.slow
@pytest.mark.parametrize(("first", "later"), [(BOYD, "rover"), (ROVER, "boyd")])
def test_the_message_is_the_same_whatever_place_an_unseen_force_has_chosen(
    sh: Shell, first: str, later: str
) -> None:
    """The player reads that a place is closed only if the umpire passes the refusal on."""
    asked = []
    faction = {"rover": "red", "boyd": "blue"}[later]
    for mail in ("", first):
        lose_two(sh, CHOOSE)
        if mail:
            take(sh, mail)
        asked += [do(sh, *words, "--for", faction) for words in (("orders", "ask"), ("waiting",))]
    assert asked[:2] == asked[2:] and "retreat to hill" in asked[0].out
    taken = f"which is taken by {'Boyd' if later == 'rover' else 'Rover'} (the player may not know this)"
    said = take(sh, {"rover": ROVER, "boyd": BOYD}[later], code=3)
    assert taken in said.err
    assert "it cannot retreat to hill, which is closed; write" in said.out
    assert "is taken" not in said.out and said.out.endswith(f"{later}: retreat to")


@pytest.mark.slow
def test_the_name_of_an_unseen_force_does_not_matter_for_the_message_that_a_place_is_closed(
    sh: Shell,
) -> None:
    lose_two(sh, CHOOSE)
    do(sh, "set", "forces.rover.name=Rover; which rides")
    take(sh, ROVER)
    said = take(sh, BOYD, code=3)
    assert "which is taken by Rover; which rides (the player may not know this)" in said.err
    assert "boyd: it cannot retreat to hill, which is closed; write boyd" in said.out
    assert "rides" not in said.out


@pytest.mark.slow
@pytest.mark.parametrize("forces", [8, pytest.param(32, marks=pytest.mark.heavy)])
def test_the_message_is_the_same_however_many_unseen_forces_have_chosen_a_place(
    sh: Shell, forces: int
) -> None:
    many = [f"the-long-name-of-a-force-{number}" for number in range(forces)]
    horde = "".join(f'[forces.{key}]\nfaction = "red"\nstrength = 4\nlocation = "keep"\n' for key in many)
    lose_two(sh, CHOOSE + horde, "".join(f', "{key}"' for key in many))
    take(sh, "red@3: all: retreat to hill")
    said = take(sh, BOYD, code=3).out
    assert "it cannot retreat to hill, which is closed; write boyd" in said and "long" not in said


def test_a_place_that_the_player_knows_to_be_full_has_that_reason_also_with_an_unseen_enemy(
    sh: Shell,
) -> None:
    refused = []
    for place in ("keep", "moor"):
        text = CHOOSE.replace("[movement]", "[movement]\nstacking = 1")
        text = text.replace('strength = 3\nlocation = "keep"', f'strength = 3\nlocation = "{place}"')
        lose(sh, f'{text}[forces.guns]\nfaction = "blue"\nstrength = 3\nlocation = "moor"\n')
        refused.append(take(sh, "blue@3: boyd: retreat to moor", code=3))
    assert refused[0] == refused[1] and "which is full; write boyd: retreat to hill" in refused[0].out


@pytest.mark.slow
def test_a_player_is_asked_although_the_unseen_road_of_the_enemy_leaves_one_place(sh: Shell) -> None:
    """The twin's enemy comes from further away. The player has seen neither place."""
    asked = []
    for start in ("moor", "camp"):
        text = CHOOSE.partition("[[pending]]")[0] + GREEN.replace('location = "own"', 'location = "rough"')
        text = text.replace('["camp", "ford"]', '["camp", "moor"]').replace("[movement]", RULES)
        text = text.replace('[locations.ford]\nowner = "blue"', "[locations.ford]")
        text = text.replace('12\nlocation = "ford"', f'12\nlocation = "{start}"')
        text = text.replace('8\nlocation = "ford"', '8\nlocation = "hill"')
        sh.write("campaign.toml", text)
        (sh.folder / "history.toml").unlink(missing_ok=True)
        asked.append(do(sh, "orders", "ask", "--for", "blue").out)
        take(sh, "red@3: rufus: march to ford\n\nblue@3: boyd: march to ford")
        do(sh, "advance", "--phase", "movement", "--no-wait")
        do(sh, "override", "t3-ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
        asked += [do(sh, *words, "--for", "blue").out for words in (("orders", "ask"), ("waiting",))]
    assert asked[:3] == asked[3:] and "retreat to moor" in asked[1]


def come_from_the_moor(sh: Shell, order: str, more: str, roads: str = "") -> list[str]:
    """Let Rufus come from the moor, which Blue sees, and beat Boyd and Bowes at the ford. Ask Blue."""
    text = CHOOSE.partition("[[pending]]")[0] + GREEN.replace('location = "own"', 'location = "rough"')
    text = text.replace('["ford", "moor"]]', f'["ford", "moor"]{roads}]').replace("[movement]", RULES)
    text = text.replace('12\nlocation = "ford"', f'12\nlocation = "moor"\n{more}')
    text += '[forces.bowes]\nfaction = "blue"\nstrength = 3\nlocation = "ford"\n'
    sh.write("campaign.toml", text)
    (sh.folder / "history.toml").unlink(missing_ok=True)
    take(sh, f"red@3: rufus: {order}\n\nblue@3: all: hold")
    do(sh, "advance", "--phase", "movement", "--no-wait")
    do(sh, "override", "t3-ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    return [do(sh, *words, "--for", "blue").out for words in (("orders", "ask"), ("waiting",))]


@pytest.mark.slow
def test_a_place_is_not_offered_if_the_player_knows_that_the_enemy_came_from_there(sh: Shell) -> None:
    """Only the road from the moor is short enough. The twin's enemy is faster, and comes from the camp."""
    roads = ', ["moor", "fen"], ["fen", "camp"], ["camp", "keep"]'
    asked = [
        come_from_the_moor(sh, order, pace, roads)
        for order, pace in (("march to ford", ""), ("moor -> fen -> camp -> ford", "pace = 3"))
    ]
    assert asked[0] == asked[1]
    message = asked[0][0]
    assert message.count("retreat to hill (") == message.count("retreat to camp (") == 2
    assert "retreat to moor" not in message


@pytest.mark.slow
def test_a_place_is_offered_if_the_enemy_can_have_come_by_another_road(sh: Shell) -> None:
    short = ', ["moor", "camp"]'
    assert come_from_the_moor(sh, "march to ford", "", short)[0].count("retreat to moor (") == 2


TWO_BEATEN = """\
format = 1
name = "W"
turn = 1
seed = "seven swans on the river below the old fort at daybreak"
rules = "field-of-honour"
[factions.red]
[factions.blue]
[map]
roads = [["a", "b"], ["c", "d"], ["d", "e"], ["d", "a"], ["d", "f"]]
[locations.a]
[locations.b]
owner = "blue"
[locations.c]
[locations.d]
owner = "red"
[locations.e]
[locations.f]
[forces.rufus]
faction = "red"
strength = 9
location = "a"
[forces.rover]
faction = "red"
strength = 5
location = "d"
[forces.boyd]
faction = "blue"
strength = 5
location = "b"
[forces.bowes]
faction = "blue"
strength = 9
location = "c"
[movement]
allowance = 1
[aftermath]
retreat = "choose"
no_retreat = "surrenders"
[visibility]
location = "rough"
"""


@pytest.mark.slow
def test_a_player_reads_that_the_enemy_came_by_the_only_road(sh: Shell) -> None:
    """Boyd is in a dead end, from which the only road leads to where Blue saw Rufus."""
    sh.write("campaign.toml", TWO_BEATEN)
    take(sh, "red@1: rufus: march to b; rover: hold\n\nblue@1: bowes: march to d; boyd: hold")
    do(sh, "advance", "--phase", "movement", "--no-wait")
    do(sh, "override", "t1-b", "--winner", "rufus", "--losses", "boyd=1/2", "--reason", "x")
    do(sh, "override", "t1-d", "--winner", "bowes", "--losses", "rover=1/2", "--reason", "x")
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert "You need not choose: there is no way out, and the force surrenders." in asked


@pytest.mark.slow
def test_a_place_that_was_refused_to_one_of_two_beaten_forces_is_offered_to_neither(sh: Shell) -> None:
    """The moor is closed by an unseen force. Boyd's choice of the hill still counts."""
    text = CHOOSE.replace('sides = ["rufus", "boyd"]', 'sides = ["rufus", ["boyd", "bowes"]]')
    text = text.replace('strength = 3\nlocation = "keep"', 'strength = 3\nlocation = "moor"')
    lose(sh, text + '[forces.bowes]\nfaction = "blue"\nstrength = 3\nlocation = "ford"\n')
    assert do(sh, "orders", "ask").out.count("retreat to moor (") == 2
    take(sh, "blue@3: boyd: retreat to moor", code=3)
    asked = do(sh, "orders", "ask").out
    assert "retreat to moor (" not in asked
    assert asked.count("You cannot choose Moor, which is closed.") == 2
    take(sh, "blue@3: boyd: retreat to hill")
    asked = do(sh, "orders", "ask").out
    assert asked.count("You cannot choose Moor, which is closed.") == 1
    assert "- still counts: boyd: retreat to hill" in asked and asked.endswith("bowes: retreat to")


@pytest.mark.slow
def test_a_choice_that_a_change_by_the_umpire_has_made_impossible_is_asked_again(sh: Shell) -> None:
    lose_two(sh, OPEN)
    take(sh, ROVER)
    do(sh, "set", "forces.boyd.retreat=hill")
    waits = do(sh, "advance", "--no-wait", code=4).out
    assert 'Boyd must retreat to Moor or Camp; "hill" is not one of them: it is taken by Rover' in waits
    assert "choose where Boyd retreats" in do(sh, "waiting").out
    do(sh, "set", "forces.archers.location=hill")
    asked = do(sh, "orders", "ask", "--for", "red").out
    assert "retreat to fen" in asked and "You cannot choose Hill, which is closed." in asked


def test_a_choice_that_an_unseen_force_has_made_impossible_is_not_offered_again(sh: Shell) -> None:
    lose(sh, CHOOSE)
    take(sh, "boyd: retreat to moor")
    do(sh, "set", "forces.archers.location=moor")
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert "You cannot choose Moor, which is closed." in asked and "retreat to moor" not in asked


@pytest.mark.slow
def test_late_forces_do_not_retreat_to_the_same_place(sh: Shell) -> None:
    lose_two(sh, OPEN)
    do(sh, "set", "deadlines.answer=36 hours", "deadlines.missed=hold")
    do(sh, "advance", "--no-wait", *LATE)
    assert (place_of(sh, "boyd"), place_of(sh, "rover")) == ("hill", "fen")


@pytest.mark.slow
def test_a_choice_of_the_umpire_comes_before_a_missed_deadline(sh: Shell, war: Path) -> None:
    do(sh, "set", "deadlines.answer=36 hours", "deadlines.missed=hold")
    for words in (["advance", "--dry-run"], ["advance"]):
        said = do(sh, *words, "--retreat", "boyd=moor", *LATE)
        assert "not chosen in time" not in said.err
    assert place_of(sh, "boyd") == "moor"
    assert "not chosen in time" not in do(sh, "report", "--turn", "3", "--for", "blue").out


@pytest.mark.slow
def test_the_deadline_begins_when_the_last_battle_is_over(sh: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until then the player is not asked, so a table battle of a week does not take the choice away."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795543200")  # 24 November 2026, 18:00
    lose(sh, CHOOSE + '[[pending]]\nid = "other"\nsides = ["rufus", "archers"]\n')
    do(sh, "set", "deadlines.answer=2 days", "deadlines.missed=hold")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796148000")  # a week later
    do(sh, "override", "other", "--winner", "archers", "--reason", "x")
    asked = do(sh, "waiting", "--for", "blue", "--now", "2026-12-01T19:00").out
    times = "since 1 December 2026, 18:00, until 3 December 2026, 18:00 (UTC)"
    assert f"choose where Boyd retreats, {times}" in asked and "OVERDUE" not in asked
    assert "The deadline is 3 December 2026, 18:00 (UTC)." in do(sh, "orders", "ask", "--for", "blue").out
    assert "not chosen in time" not in do(sh, "advance", "--now", "2026-12-01T19:00", code=4).err
    assert "not chosen in time" in do(sh, "advance", "--no-wait", "--now", "2026-12-04").err


def lose_in_a_row(sh: Shell) -> None:
    """Let Rover lose at the hill and Boyd at the ford. Boyd can go to the hill, which Rover must leave."""
    text = OPEN.replace('["camp", "ford"], ', "").replace(
        '["ford", "moor"]]', '["ford", "moor"], ["hill", "fen"]]'
    )
    text += '[forces.rover]\nfaction = "red"\nstrength = 4\nlocation = "hill"\n'
    text += '[forces.bowes]\nfaction = "blue"\nstrength = 4\nlocation = "hill"\n'
    text += '[[pending]]\nid = "hill"\nsides = ["rover", "bowes"]\nplace = "hill"\n'
    lose(sh, text.replace('strength = 3\nlocation = "keep"', "strength = 3"))
    do(sh, "set", "deadlines.answer=2 days", "deadlines.missed=hold")
    do(sh, "override", "hill", "--winner", "bowes", "--losses", "rover=1/4", "--reason", "x")


@pytest.mark.slow
@pytest.mark.parametrize("mails", [("boyd", "rover"), ("rover", "boyd")])
def test_a_place_that_a_beaten_enemy_must_leave_is_open_before_the_enemy_has_chosen(
    sh: Shell, mails: tuple[str, str]
) -> None:
    lose_in_a_row(sh)
    orders = {"boyd": "blue@3: boyd: retreat to hill", "rover": "red@3: rover: retreat to fen"}
    waiting = do(sh, "advance", "--no-wait", code=4).out
    assert "Boyd must retreat to" in waiting and "Rover must retreat to" in waiting
    for mail in mails:
        take(sh, orders[mail])
    do(sh, "advance", "--no-wait")
    assert (place_of(sh, "boyd"), place_of(sh, "rover")) == ("hill", "fen")


def with_bowes(place: str = "keep") -> str:
    """Return the campaign with Bowes of Blue, who fights beside Boyd, and guns of Blue in another place."""
    text = CHOOSE.replace('sides = ["rufus", "boyd"]', 'sides = ["rufus", ["boyd", "bowes"]]')
    for key, location in (("bowes", "ford"), ("guns", place)):
        text += f'[forces.{key}]\nfaction = "blue"\nstrength = 3\nlocation = "{location}"\n'
    return text


def lose_both(sh: Shell) -> None:
    """Let Boyd and Bowes of Blue lose the battle at the ford. Another force of Blue is elsewhere."""
    lose(sh, with_bowes())


@pytest.mark.slow
def test_two_chosen_retreats_can_be_exchanged_in_one_mail(sh: Shell) -> None:
    """The moor has room for one. The lines count in either order, and a refused one frees no place."""
    text = CHOOSE.replace('sides = ["rufus", "boyd"]', 'sides = ["rufus", ["boyd", "bowes"]]')
    text = text.replace("[movement]", "[movement]\nstacking = 2")
    for key, place in (("bowes", "ford"), ("guns", "moor")):
        text += f'[forces.{key}]\nfaction = "blue"\nstrength = 3\nlocation = "{place}"\n'
    lose(sh, text)
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert "There is room in Moor for only one of Boyd and Bowes." in asked
    assert "room in Hill" not in asked
    take(sh, "blue@3: boyd: retreat to hill\nbowes: retreat to moor")
    refused = take(sh, "blue@3: boyd: retreat to moor\nbowes: retreat to keep", code=3)
    assert "boyd: it cannot retreat to moor, which is full" in refused.err
    for lines in (
        "boyd: retreat to moor\nbowes: retreat to hill",
        "boyd: retreat to hill\nbowes: retreat to moor",
    ):
        for mail in (lines, "\n".join(reversed(lines.splitlines()))):
            taken = take(sh, f"blue@3:\n{mail}")
            assert "Boyd: retreat to" in taken.out and "Bowes: retreat to" in taken.out
            do(sh, "undo")
        take(sh, f"blue@3:\n{lines}")


@pytest.mark.slow
@pytest.mark.parametrize("text", ["Moor", "Sigh, moor then!", "We fall back to the moor, Ann."])
def test_a_retreat_without_a_name_means_the_only_force_that_the_quoted_message_asks_about(
    sh: Shell, text: str
) -> None:
    """The other beaten force has its answer. The same mail again changes nothing."""
    lose_both(sh)
    unclear = take(sh, text + QUESTION, code=3)
    assert "boyd: retreat to" in unclear.err and "bowes: retreat to" in unclear.err
    take(sh, "blue@3: bowes: retreat to hill")
    both = take(sh, f"{text}{QUESTION}> bowes: retreat to\n", code=3)
    assert "write boyd: retreat to" in both.err and "write bowes:" not in both.err
    assert "Boyd: retreat to Moor" in take(sh, text + QUESTION).out
    again = take(sh, text + QUESTION, code=3)
    assert "its orders are recorded already" in again.err and again.out == ""


@pytest.mark.parametrize("mark", ["", "> "])
def test_the_sentence_about_a_closed_place_is_not_read_as_a_line_of_the_player(
    sh: Shell, war: Path, mark: str
) -> None:
    quoted = "You cannot choose Moor, which is closed.\n\nthe-crossing/blue@3:\nboyd: retreat to\n"
    said = take(sh, textwrap.indent(quoted, mark), code=3)
    assert "the text contains no new order" in said.err and "You cannot" not in said.err + said.out


@pytest.mark.slow
@pytest.mark.parametrize("mark", ["", "> "])
def test_a_decline_that_is_taken_again_has_no_error_in_the_examples_of_the_quoted_message(
    sh: Shell, mark: str
) -> None:
    sh.write("campaign.toml", MOVED.replace("boyd", "hill-men"))
    do(sh, "orders", "give", "hill-men", "hold")
    do(sh, "advance", "--phase", "movement", "--no-wait")
    quoted = sh("campaign", "orders", "ask", "--battle", "ford", "--for", "blue").out
    mail = f"We decline.\n\nOn Sunday the umpire wrote:\n{textwrap.indent(quoted, mark)}"
    take(sh, mail)
    again = take(sh, mail, code=3)
    assert "the text contains no new order; hill-men has lost a battle" in again.err
    assert "this line names" not in again.err
    changed = take(sh, mail.replace("hill-men lost none", "hill-men lost 1/5"), code=3)
    assert "this line names" in changed.err and "hill-men lost 1/5" in changed.err


@pytest.mark.parametrize(
    "both", ["both:", "Both of them", "both of us:", "Both of our forces", "both forces:"]
)
def test_both_are_the_two_forces_that_must_retreat(sh: Shell, both: str) -> None:
    """A third force of the faction is not meant, because it is not asked."""
    lose_both(sh)
    said = take(
        sh, f"{both} retreat to the moor, Ann. You will be surprised!\n\n> blue@3:\n> boyd: retreat to"
    )
    assert "Boyd: retreat to Moor" in said.out and "Bowes: retreat to Moor" in said.out


@pytest.mark.parametrize(
    "text",
    [
        "Boyd falls back to the moor and Bowes goes with him.",
        "boyd: moor\nbowes with them",
        "boyd: moor\nbowes: They can join the guns at the Moor",
        "Boyd retreats to the moor, Bowes does the same.",
        "bowes: join the guns\nboyd: join bowes",
        "Both back home to the moor.",
    ],
)
def test_a_beaten_force_can_go_with_another(sh: Shell, text: str) -> None:
    sh.write("campaign.toml", with_bowes("moor"))
    do(sh, "advance", "--phase", "movement", "--no-wait")
    do(sh, "override", "ford", "--winner", "rufus", "--losses", "boyd+bowes=1/4", "--reason", "x")
    said = take(sh, f"blue@3:\n{text}")
    assert "Boyd: retreat to Moor" in said.out and "Bowes: retreat to Moor" in said.out


def test_a_remark_behind_an_order_for_both_is_ignored_with_a_named_sender(sh: Shell) -> None:
    lose_both(sh)
    said = do(
        sh, "orders", "take", sh.write("mail.txt", "Both back to the moor, curse them."), "--for", "blue"
    )
    assert "Boyd: retreat to Moor" in said.out and "Bowes: retreat to Moor" in said.out


@pytest.mark.parametrize("words", ["off we go", "over the hills", "of them retreat to the moor"])
def test_an_order_in_no_form_gets_the_forms_that_are_open_now(sh: Shell, words: str) -> None:
    """A beaten force can only retreat. Below an address of the next turn, it gets the forms of an order."""
    move(sh)
    do(sh, "override", "ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    for address in ("blue@3:\n", ""):
        said = take(sh, f"{address}boyd: {words}\n\n> blue@3:\n> boyd: retreat to", code=3)
        for text in (said.err, said.out):
            assert "write boyd: retreat to hill" in text and "join FORCE" not in text
    assert 'write "hold"' in take(sh, f"blue@4:\nboyd: {words}", code=3).err


@pytest.mark.slow
def test_a_place_alone_is_a_retreat_also_without_an_address(sh: Shell) -> None:
    move(sh)
    do(sh, "override", "ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    said = do(sh, "orders", "take", sh.write("mail.txt", "boyd: hill"), "--for", "blue")
    assert "Boyd: retreat to Hill" in said.out and "march" not in said.out
    assert "write boyd: retreat to hill" in take(sh, "boyd retreats somewhere safe", code=3).err


@pytest.mark.slow
@pytest.mark.parametrize("words", ["back to moor", "march to moor", "ford -> moor", "goes to the moor"])
def test_a_march_without_an_address_is_the_retreat_that_a_force_owes(sh: Shell, words: str) -> None:
    move(sh)
    do(sh, "override", "ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    said = do(sh, "orders", "take", sh.write("mail.txt", f"boyd: {words}"), "--for", "blue")
    assert "Boyd: retreat to Moor" in said.out and "have moved" not in said.err
    before = without_revision(sh.folder)
    for place, why in (("keep", "is not one road away"), ("ford", "is where it is"), ("Rome", "unknown")):
        refused = take(sh, f"boyd: back to {place}", code=3).err
        assert why in refused and "write boyd: retreat to hill" in refused
    assert without_revision(sh.folder) == before
    later = take(sh, "blue@4: boyd: march to hill")
    assert "Boyd: march to Hill" in later.out


def test_the_step_after_the_last_battle_is_to_ask_for_retreats(sh: Shell) -> None:
    sh.write("campaign.toml", CHOOSE)
    said = do(sh, "override", "ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    ask = f"next: ask where Boyd must retreat with: {ASK}; then take the answers with:"
    assert ask in said.err and "go on with the turn" not in said.err


def test_a_turn_that_stops_ends_with_the_next_step(sh: Shell, war: Path) -> None:
    said = do(sh, "advance", "--no-wait", code=4)
    assert said.err.endswith(f"{ASK}; then take the answers with: cardbattle campaign orders take FILE")
    assert "next:" not in do(sh, "advance", "--no-wait", "--dry-run").err


@pytest.mark.slow
def test_a_message_says_where_a_force_without_a_choice_goes(sh: Shell) -> None:
    """It is the same if an unseen enemy closes the only way."""
    corps = '[forces.corps]\nfaction = "blue"\nstrength = 4\nlocation = "keep"\n[[pending]]\n'
    corps += 'id = "keep"\nsides = ["archers", "corps"]\nstakes = "keep"\n'
    guns = '[forces.guns]\nfaction = "red"\nstrength = 3\nlocation = "hill"\n'
    asked = []
    for hidden in ("", guns):
        lose(sh, CHOOSE + corps + hidden)
        do(sh, "override", "keep", "--winner", "archers", "--losses", "corps=1/4", "--reason", "x")
        asked.append(sh("campaign", "orders", "ask", "--for", "blue").out)
    way = "the only way out that you know is to Hill; if it is closed, the force is destroyed."
    assert f"Corps (strength 3) must retreat from Keep. You need not choose: {way}" in asked[0]
    assert asked[0] == asked[1]
    quoted = asked[0][asked[0].index("\nYou have fought ") :].replace(
        "boyd: retreat to", "boyd: retreat to moor"
    )
    for width in (72, 76, 200):
        text = "\n".join(textwrap.fill(part, width) for part in quoted.splitlines())
        said = do(sh, "orders", "take", sh.write("mail.txt", text), "--dry-run")
        assert 'retreat = "moor"' in said.out


@pytest.mark.slow
@pytest.mark.parametrize("seen", ["own", "all"])
def test_a_message_never_calls_several_ways_the_only_one(sh: Shell, seen: str) -> None:
    """All ways that the player knows are closed, so the player is not asked about this force."""
    corner(sh, "blue", seen)
    asked = sh("campaign", "orders", "ask", "--for", "blue").out
    closed = "the ways out to Fen and Hill are closed" if seen == "own" else "there is no way out"
    assert f"retreat from Keep. You need not choose: {closed}, and the force is destroyed." in asked
    for width in (66, 72, 76):
        lines = [textwrap.fill(part, width) for part in asked.splitlines()[1:]]
        answer = "\n".join(lines).replace("boyd: retreat to", "boyd: retreat to moor")
        said = do(sh, "orders", "take", sh.write("mail.txt", answer), "--dry-run")
        assert 'retreat = "moor"' in said.out and "read" not in said.err
    take(sh, "boyd: retreat to moor")
    assert "Corps is destroyed: no way out" in do(sh, "advance", "--no-wait").out


def corner(sh: Shell, faction: str, seen: str, road: str = "") -> None:
    """Let Boyd lose at the ford, and Corps of a faction at the keep, where Red closes both ways out.

    `road` is another road, with a comma before it.
    """
    text = CHOOSE.replace('location = "own"', f'location = "{seen}"')
    text = text.replace('["ford", "moor"]]', f'["ford", "moor"], ["keep", "fen"]{road}]')
    text += f'[factions.black]\n[forces.corps]\nfaction = "{faction}"\nstrength = 4\nlocation = "keep"\n'
    text += '[[pending]]\nid = "keep"\nsides = ["archers", "corps"]\nstakes = "keep"\n'
    for key, place in (("guns", "hill"), ("horse", "fen")):
        text += f'[forces.{key}]\nfaction = "red"\nstrength = 3\nlocation = "{place}"\n'
    lose(sh, text)
    do(sh, "override", "keep", "--winner", "archers", "--losses", "corps=1/4", "--reason", "x")


@pytest.mark.slow
def test_a_force_whose_way_a_beaten_enemy_must_still_clear_is_asked_at_once(sh: Shell) -> None:
    """Boyd must leave the ford, next to the keep. Rufus, who stays there, is a friend of Corps."""
    corner(sh, "black", "own", ', ["keep", "ford"]')
    do(sh, "set", "factions.black.peace+=red", "forces.guns.faction=green", "forces.horse.faction=green")
    assert "Boyd must retreat" in do(sh, "advance", "--no-wait", code=4).out
    texts = [do(sh, *words).out for words in (("advance", "--dry-run"), ("waiting",), ("orders", "ask"))]
    assert "way out" not in str(texts)
    assert "choose where Corps retreats" in texts[1]
    assert "- retreat to ford (Ford, held by Red, not your enemy)" in texts[2]


@pytest.mark.slow
def test_the_umpire_and_the_player_read_that_a_force_has_no_way_out(sh: Shell) -> None:
    corner(sh, "black", "own")
    note = "battle keep: Corps has no way out and is destroyed"
    assert note in do(sh, "advance", "--no-wait", code=4).out
    assert f"B{note[1:]}." in do(sh, "waiting").out
    assert all("way out" not in do(sh, "waiting", "--for", reader).out for reader in ("black", "public"))
    asked = do(sh, "orders", "ask").out
    message = asked[asked.index("To black, turn 3, retreat") :]
    assert "are closed, and the force is destroyed. You do not need to answer this message." in message
    assert "black@3" not in message and "To red, turn 3, retreat" not in asked


@pytest.mark.slow
def test_a_retreat_that_cannot_open_a_way_hides_no_note_about_a_force_without_one(sh: Shell) -> None:
    """Boyd must still leave the ford, which Rufus holds, so that it stays closed to Corps."""
    corner(sh, "blue", "own", ', ["keep", "ford"]')
    note = "battle keep: Corps has no way out and is destroyed"
    assert note in do(sh, "advance", "--no-wait", code=4).out
    assert f"B{note[1:]}." in do(sh, "waiting").out
    assert "Corps (strength 3) must retreat from Keep. You need not choose:" in do(sh, "orders", "ask").out
    said = take(sh, "blue@3:\nboyd: the moor\ncorps: fall back to the fen", code=3)
    no_choice = "it has at most one way out, so its retreat needs no order; for an order of turn 4"
    assert f"corps: {no_choice}" in said.err and f"corps: {no_choice}" in said.out
    assert said.out.endswith("the-crossing/blue@4: boyd:")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "end"), [("destroyed", "is destroyed"), ("surrenders", "surrenders"), ("stays", "stays")]
)
def test_a_message_says_what_happens_to_a_force_without_a_way_out(sh: Shell, rule: str, end: str) -> None:
    corps = '[forces.corps]\nfaction = "blue"\nstrength = 4\nlocation = "keep"\n[[pending]]\n'
    corps += 'id = "keep"\nsides = ["archers", "corps"]\nstakes = "keep"\n'
    text = CHOOSE.replace('"destroyed"', f'"{rule}"').replace(', ["hill", "keep"]', "")
    lose(sh, text + corps)
    do(sh, "override", "keep", "--winner", "archers", "--losses", "corps=1/4", "--reason", "x")
    asked = sh("campaign", "orders", "ask", "--for", "blue").out
    sentence = f"You need not choose: there is no way out, and the force {end}."
    assert f"Corps (strength 3) must retreat from Keep. {sentence}" in asked
    quoted = asked[asked.index("\nYou have fought ") :]
    quoted = quoted.replace("boyd: retreat to", "boyd: retreat to moor")
    for width in (72, 76, 200):
        lines = "\n".join(textwrap.fill(part, width) for part in quoted.splitlines())
        said = do(sh, "orders", "take", sh.write("mail.txt", lines), "--dry-run")
        assert 'retreat = "moor"' in said.out


@pytest.mark.parametrize(
    "line",
    ["we fall back to the moor", "We'll retreat to the moor, please", "go back to moor", "The moor."],
)
@pytest.mark.parametrize(
    "form", ["> boyd: retreat to\n{}", "> boyd: retreat to\n\n{}", "> boyd:\n{}", "boyd: {}"]
)
def test_a_retreat_below_its_form_can_be_a_sentence(sh: Shell, war: Path, line: str, form: str) -> None:
    text = f"> the-crossing/blue@3:\n{form.format(line)}\nBea"
    is_clear = line.startswith(("we", "We")) or form.startswith("> boyd: retreat to\n{")
    if is_clear or line.startswith("go"):
        assert "Boyd: retreat to Moor" in take(sh, text).out
    else:
        assert "write boyd: retreat to hill, boyd: retreat to moor" in take(sh, text, code=3).out


def test_an_unknown_retreat_names_only_places_that_are_open_to_it(sh: Shell, war: Path) -> None:
    said = take(sh, "> the-crossing/blue@3:\n> boyd: retreat to\nwe fall back to the kepe", code=3)
    assert 'boyd: unknown place "the kepe"; write boyd: retreat to hill, boyd' in said.err
    assert "keep" not in said.err and "keep" not in said.out.replace("kepe", "")


def test_an_order_can_be_a_sentence(sh: Shell, war: Path) -> None:
    assert "hold" in take(sh, "green@3:\narchers: we hold").out


@pytest.mark.parametrize("label", ["hill", "The mill", "rufus", "red"])
@pytest.mark.parametrize("form", ["{}\n\n> ford/boyd:\n", "> ford/boyd:\n{}", "ford/boyd: {}"])
def test_a_wrong_name_before_a_result_is_named_with_what_else_is_wrong(
    sh: Shell, label: str, form: str
) -> None:
    move(sh)
    said = take(sh, form.format(f"{label}: they won, we lost 1/4, they lost 1/2"), code=3)
    error = f'ford/boyd: "{label}" is neither this battle nor the side that reports; leave it out'
    assert error in said.err and f"- not taken: {error} Write the result" in said.out
    said = take(sh, form.format(f"{label}: they won, we lost 1/4"), code=3)
    assert f"- not taken: {error}; the losses of rufus are missing" in said.out


def test_a_report_is_shown_as_it_is_read_with_what_is_ignored(sh: Shell) -> None:
    move(sh)
    take(sh, "ford/boyd: rufus won they lost 1/4, we lost 1/2", code=3)
    said = take(sh, "Ford: they won 61 to 40 :-( we lost 1/2, they lost 1/4.\n\n> ford/boyd:\n")
    read = "read as: Rufus won; Boyd lost 1/2, Rufus lost 1/4 battle ford waits for the report of Rufus"
    assert f'ignored: "61 to 40" {read}' in said.err


def test_a_report_with_its_own_address_below_a_quoted_one_is_read_once(sh: Shell) -> None:
    move(sh)
    said = take(sh, "> ford/boyd:\nblue@3: ford: rufus won, rufus lost 1/4, we lost 1/2")
    assert "reported by sides: 0 -> 1" in said.out
    said = take(sh, "> ford/boyd:\nblue@3: ford: rufus won, rufus lost 1/4, we lost much", code=3)
    assert said.out.count("- not taken: ") == 1


@pytest.mark.slow
def test_messages_and_reports_name_a_battle_by_its_place(sh: Shell) -> None:
    """Players read an id only in the address of their answers."""
    sh.write("campaign.toml", CHOOSE.replace('id = "ford"', 'id = "t3-ford-2"'))
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert "in the battle at Ford, which is pending: it can only hold" in asked
    assert "Pending battles: - battle at Ford: Rufus against Boyd" in asked and "t3-ford-2" not in asked
    for turn in ((), ("--turn", "3", "--no-odds")):
        report = do(sh, "report", *turn, "--for", "blue", "--format", "md").out
        assert "- The battle at Ford: Rufus" in report and "t3-ford-2" not in report
    do(sh, "override", "t3-ford-2", "--winner", "rufus", "--reason", "x")
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert "beaten in the battle at Ford: it must retreat" in asked
    assert "You have fought a battle: - battle at Ford: Rufus won" in asked and "t3-ford-2" not in asked


def test_the_question_says_that_only_a_part_of_the_losses_is_for_good(sh: Shell) -> None:
    lose(sh, CHOOSE.replace('rate = "1"', 'rate = "1/2"'))
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert PART_IS_LASTING in asked


@pytest.mark.slow
def test_a_declined_battle_has_no_losses_of_which_a_part_is_for_good(sh: Shell) -> None:
    sh.write("campaign.toml", MOVED.replace('rate = "1"', 'rate = "1/2"'))
    do(sh, "advance", "--phase", "movement", "--no-wait")
    take(sh, "red@3:\nford: we decline\n")
    asked = do(sh, "orders", "ask", "--for", "red").out
    assert "A battle was declined:" in asked and PART_IS_LASTING not in asked


ROAD = """[forces.guard]
faction = "blue"
strength = 5
location = "hill"
[[pending]]
id = "road"
sides = ["guard", "archers"]
road = ["hill", "keep"]
"""


def test_the_message_about_a_retreat_names_the_other_battles_of_the_turn(sh: Shell) -> None:
    """A battle on a road can end without a retreat."""
    lose(sh, CHOOSE + ROAD)
    do(sh, "override", "road", "--winner", "archers", "--losses", "guard=1/5", "--reason", "x")
    asked = do(sh, "orders", "ask", "--for", "blue").out
    other = "the Moor Archers won; Guard lost a fifth, the Moor Archers lost nothing."
    assert (
        asked.count("You have fought") == 1 and "You have fought several battles: - battle at Ford" in asked
    )
    assert f"- battle between Hill and Keep: {other}" in asked


def test_a_mail_without_a_retreat_after_the_choice_gets_the_form_of_the_retreat(sh: Shell, war: Path) -> None:
    do(sh, "orders", "give", "archers", "hold")
    do(sh, "advance", "--no-wait", code=4)
    take(sh, "blue@3: boyd: retreat to moor")
    unclear = take(sh, "Hm, perhaps not.\n\n> the-crossing/blue@3:\n> boyd: retreat to\n", code=3)
    assert "the-crossing/blue@3: boyd: retreat to" in unclear.out
    must = "boyd has lost a battle and must leave ford"
    assert f"the text contains no new order; {must}; write boyd: retreat to hill" in unclear.out
    unclear = take(sh, "Hm, perhaps not.\n\n> the-crossing/blue@4:\n", code=3)
    assert "the-crossing/blue@4: boyd:" in unclear.out


def test_after_the_movement_an_old_address_is_corrected_with_the_ones_that_count_now(
    sh: Shell, war: Path
) -> None:
    do(sh, "orders", "give", "archers", "hold")
    do(sh, "advance", "--no-wait", code=4)
    both = "turn 2 has been played; the address for orders is now blue@4, and for retreats blue@3"
    for faction, error in (("blue", both), ("green", "the address for orders is now green@4 ")):
        assert error in take(sh, f"{faction}@2:\nall: hold", code=3).out


@pytest.mark.slow
def test_the_last_road_of_a_march_is_closed_after_a_rename_an_undo_and_under_fog(sh: Shell) -> None:
    """Rufus marches Camp - Ford - Hill. Boyd, beaten at the Hill, cannot retreat to the Ford."""
    text = CHOOSE[: CHOOSE.index("[[pending]]")] + CHOOSE[CHOOSE.index("[factions.green]") :]
    text = text.replace("[movement]", RULES).replace('12\nlocation = "ford"', '12\nlocation = "camp"')
    text = text.replace('8\nlocation = "ford"', '8\nlocation = "hill"').replace('3\nlocation = "keep"', "3")
    text = text.replace('["ford", "moor"]', '["hill", "moor"], ["camp", "hill"]')
    sh.write("campaign.toml", text)
    do(sh, "orders", "give", "rufus", "camp -> ford -> hill")
    for key in ("ford", "bridge"):
        do(sh, "advance", "--phase", "movement", "--no-wait")
        if key != "ford":
            do(sh, "rename", "ford", key)
        do(sh, "override", "t3-hill", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
        waits = do(sh, "advance", "--phase", "aftermath", code=4).out
        assert "Boyd must retreat to Keep, Moor or Camp;" in waits
        wrong = do(sh, "advance", "--retreat", f"boyd={key}", "--dry-run").out
        assert f'"{key}" is not one of them: it is where the enemy came from' in wrong
        asked = do(sh, "orders", "ask", "--for", "blue").out
        assert f"retreat to {key}" in asked  # blue cannot know by which road Rufus came
        assert "by ford" not in do(sh, "history", "--for", "blue", "--json").out
        taken = take(sh, f"blue@3: boyd: retreat to {key}", code=3)
        assert "which is closed" in taken.out and "the enemy" not in taken.out
        if key == "ford":
            do(sh, "undo", "--turn")


@pytest.mark.slow
def test_a_choice_cannot_take_the_only_way_out_of_another_force(sh: Shell) -> None:
    lose_two(sh, OPEN.replace('["ford", "moor"]]', '["ford", "moor"] ]'))
    assert "retreat to moor" in do(sh, "orders", "ask", "--for", "blue").out
    asked = do(sh, "orders", "ask").out
    assert "To red, turn 3, retreat" not in asked
    assert "You cannot choose Hill, which is closed." in asked and "retreat to hill" not in asked
    refused = take(sh, BOYD, code=3)
    assert "which is taken by Rover (the player may not know this); write boyd: retreat to" in refused.err
    assert "boyd: it cannot retreat to hill, which is closed; write boyd" in refused.out
    assert "Hill is taken by Rover" not in refused.out
    do(sh, "advance", "--retreat", "boyd=hill", "--no-wait", code=4)
    do(sh, "advance", "--retreat", "boyd=moor", "--no-wait")
    assert (place_of(sh, "boyd"), place_of(sh, "rover")) == ("moor", "hill")


def one_way(text: str) -> str:
    """Return the campaign in which Rover can only retreat to the hill."""
    return text.replace('["ford", "moor"]]', '["ford", "moor"] ]')


@pytest.mark.slow
def test_the_message_is_the_same_whether_an_unseen_force_has_only_one_way_out(sh: Shell) -> None:
    asked = []
    for place in ("keep", "fen"):
        lose_two(sh, f'{CHOOSE}[forces.guns]\nfaction = "green"\nstrength = 3\nlocation = "{place}"\n')
        asked += [do(sh, *words, "--for", "blue") for words in (("orders", "ask"), ("waiting",))]
    assert asked[:2] == asked[2:] and "retreat to hill" in asked[0].out
    said = take(sh, BOYD, code=3)
    assert "which is taken by Rover (the player may not know this)" in said.err
    assert "it cannot retreat to hill, which is closed; write" in said.out and "Rover" not in said.out


@pytest.mark.slow
def test_a_force_is_not_asked_if_the_only_ways_out_of_others_leave_it_one_place(sh: Shell) -> None:
    text = one_way(OPEN).replace('["ford", "moor"] ]', "").replace('["hill", "keep"], ', '["hill", "keep"]]')
    text = text.replace('["camp", "ford"]', '["moor", "ford"]')
    lose_two(sh, text)
    assert "retreat to" not in do(sh, "orders", "ask").out + do(sh, "waiting").out
    said = do(sh, "advance", "--no-wait", "--explain").out
    assert "Boyd retreats to Moor: the only way out: Moor" in said and "; Hill is taken by Rover" in said
    assert (place_of(sh, "boyd"), place_of(sh, "rover")) == ("moor", "hill")


@pytest.mark.slow
def test_the_suggested_retreats_of_two_substitutes_are_possible_together(sh: Shell) -> None:
    lose_two(sh, OPEN)
    for faction in ("red", "blue"):
        do(sh, "substitute", faction, "regular")
    step = "choose where Boyd and Rover must retreat with: cardbattle campaign "
    command = "advance --retreat boyd=hill --retreat rover=fen"
    stopped = do(sh, "advance", "--no-wait", code=4)
    assert f"{step}{command}" in stopped.err
    for option in ("--retreat boyd=hill", "--retreat rover=fen"):
        assert option in stopped.out and option in do(sh, "waiting").out
    do(sh, *command.split())
    assert (place_of(sh, "boyd"), place_of(sh, "rover")) == ("hill", "fen")


@pytest.mark.slow
@pytest.mark.parametrize("retreat", ["choose", "nearest-own"])
def test_a_faction_reads_why_its_beaten_force_stays(sh: Shell, retreat: str) -> None:
    """Red closes all places around the ford. Only Blue and the umpire read that Boyd had no way out."""
    text = CHOOSE.replace('"choose"', f'"{retreat}"').replace('"destroyed"', '"stays"')
    for place in ("hill", "moor", "camp"):
        text += f'[forces.{place}-guard]\nfaction = "red"\nstrength = 3\nlocation = "{place}"\n'
    lose(sh, text)
    printed = do(sh, "advance", "--retreat", "boyd=hill", "--no-wait").out
    assert printed.count("Boyd stays: no way out: ") == printed.count("Boyd stays") == 1
    sentence = "Boyd has no way to retreat, and stays."
    for reader, knows in (("blue", True), ("umpire", True), ("red", False), ("public", False)):
        report = do(sh, "report", "--turn", "3", "--for", reader).out
        history = do(sh, "history", "--for", reader).out
        assert (sentence in report) == knows == ("Boyd: stays, with no way to retreat" in history), reader
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert "at Ford, 1 step, beaten in the last turn without a way to retreat" in asked
    assert "a way to retreat" not in do(sh, "orders", "ask", "--for", "red").out
    undone = do(sh, "undo", "--turn").out
    assert "retreat" not in undone.partition("Changed in")[2]
    assert "a way to retreat" not in do(sh, "orders", "ask", "--for", "blue").out
    do(sh, "advance", "--no-wait")
    assert sentence in do(sh, "report", "--turn", "3", "--for", "blue").out


@pytest.mark.slow
@pytest.mark.parametrize("battles", ["123", "312"])
def test_a_choice_closes_the_last_way_out_only_to_forces_that_lost_a_later_battle(
    sh: Shell, battles: str
) -> None:
    """X and Y can only go to A or B, and Z chooses A. X, which lost before Y, gets B."""
    roads = [["m1", "a"], ["m1", "b"], ["m2", "a"], ["m2", "b"], ["m3", "a"], ["m3", "c"]]
    text = 'format = 1\nname = "Corner"\nturn = 1\nrules = "field-of-honour"\nseed = 1\n'
    text += f'[aftermath]\nretreat = "choose"\n[movement]\nallowance = 1\n[map]\nroads = {roads}\n'
    text += "".join(f"[factions.{key}]\n" for key in ("red", "blue", "green", "black"))
    text += "".join(f"[locations.{key}]\n" for key in ("m1", "m2", "m3", "a", "b", "c"))
    for number, (force, faction) in enumerate((("x", "red"), ("y", "blue"), ("z", "green")), 1):
        for key, side in ((force, faction), (f"w{number}", "black")):
            text += f'[forces.{key}]\nfaction = "{side}"\nstrength = 5\nlocation = "m{number}"\n'
        text += f'[[pending]]\nid = "p{number}"\nsides = ["w{number}", "{force}"]\nplace = "m{number}"\n'
    sh.write("campaign.toml", text)
    do(sh, "advance", "--phase", "movement", "--no-wait", "--leave")
    for word in battles:
        losses = f"{'xyz'[int(word) - 1]}=0"
        do(sh, "override", f"p{word}", "--winner", f"w{word}", "--losses", losses, "--reason", "x")
    take(sh, "green@1: z: retreat to a")
    take(sh, "red@1: x: retreat to b")
    if battles == "312":
        assert "Y stays: no way out: A is taken by Z; B is held by" in do(sh, "advance", "--no-wait").out
        return
    take(sh, "blue@1: y: retreat to a")
    assert "Z must retreat to C" in do(sh, "advance", "--no-wait", code=4).out


@pytest.mark.slow
def test_messages_and_reports_say_that_their_turn_was_undone_and_is_played_again(sh: Shell) -> None:
    """A turn that only has other entries undone says nothing."""
    again = (
        "Turn 3 was undone and is played again. Messages and reports from before the undo no longer count."
    )
    report = "The end of turn 3 was undone. Earlier reports of it and of later turns no longer count."
    move(sh)
    assert again not in do(sh, "orders", "ask").out
    do(sh, "undo")
    asked = do(sh, "orders", "ask").out  # the movement was undone
    assert again in asked and "Your earlier orders still count: - still counts: boyd: hold" in asked
    assert "Your forces have no orders for this turn yet." in asked
    do(sh, "redo")
    do(sh, "note", "Rain")
    do(sh, "undo")
    assert again not in do(sh, "orders", "ask").out
    beaten = ("override", "ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    do(sh, *beaten)
    do(sh, "advance", "--no-wait", "--retreat", "boyd=hill")
    readers = ("blue", "green", "public", "umpire")
    assert all(report not in do(sh, "report", "--turn", "3", "--for", reader).out for reader in readers)
    do(sh, "undo", "--turn")
    do(sh, "advance", "--phase", "movement", "--no-wait")
    do(sh, *beaten)
    assert again in do(sh, "orders", "ask", "--for", "blue").out
    do(sh, "advance", "--no-wait", "--retreat", "boyd=hill")
    assert all(report in do(sh, "report", "--turn", "3", "--for", reader).out for reader in readers)
    assert "no longer count" not in do(sh, "orders", "ask").out


@pytest.mark.slow
def test_messages_say_that_only_the_end_of_their_turn_was_undone(sh: Shell) -> None:
    """What the players have read about the battles still counts. A quoted message gives no order."""
    move(sh)
    do(sh, "override", "ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    do(sh, "advance", "--no-wait", "--retreat", "boyd=hill")
    do(sh, "undo")
    do(sh, "undo")
    asked = do(sh, "orders", "ask", "--for", "blue").out
    assert "The end of turn 3 was undone. Earlier reports of it" in asked
    assert "is played again" not in asked
    quoted = "".join(f"> {line}\n" for line in asked.splitlines())
    assert "was undone" not in take(sh, f"blue@3: boyd: retreat to moor\n\n{quoted}").err


@pytest.mark.slow
def test_a_question_below_a_retreat_does_not_ask_for_the_orders_of_the_next_turn(sh: Shell) -> None:
    """The turn is still running, and the player has not read its report."""
    move(sh)
    do(sh, "override", "ford", "--winner", "rufus", "--losses", "boyd=1/4", "--reason", "x")
    said = take(sh, "blue@3:\nboyd: retreat to moor\n\nIs Lord Boyd all right?", code=3)
    assert "is a question; the umpire has read it" in said.out and "blue@4" not in said.out
    assert said.out.endswith("Your other lines count.")


@pytest.mark.slow
@pytest.mark.parametrize("words", ["Boyd and Bowes", "boyd and the men of Bowes"])
def test_a_place_that_is_closed_to_two_forces_is_offered_to_neither(sh: Shell, words: str) -> None:
    """The moor is closed by an unseen force."""
    text = CHOOSE.replace('sides = ["rufus", "boyd"]', 'sides = ["rufus", ["boyd", "bowes"]]')
    text = text.replace('strength = 3\nlocation = "keep"', 'strength = 3\nlocation = "moor"')
    text += '[forces.bowes]\nname = "The Men of Bowes"\nfaction = "blue"\nstrength = 3\nlocation = "ford"\n'
    lose(sh, text)
    said = take(sh, f"blue@3:\n{words}: retreat to the moor", code=3)
    for force in ("boyd", "bowes"):
        wrong = f"{force}: it cannot retreat to moor, which is closed; write {force}: retreat to hill or"
        assert wrong in said.out
    assert "retreat to moor (" not in said.out
    assert "retreat to moor" not in do(sh, "orders", "ask", "--for", "blue").out


@pytest.mark.slow
@pytest.mark.parametrize("is_undone", [False, True])
def test_a_force_goes_back_where_it_came_from_in_an_earlier_turn(sh: Shell, is_undone: bool) -> None:
    """Boyd came from the moor. An undone change of the umpire's does not count."""
    text = WAR.partition("[[pending]]")[0].replace('"nearest-own"', '"previous"')
    sh.write("campaign.toml", text.replace('8\nlocation = "ford"', '8\nlocation = "moor"'))
    do(sh, "adjust", "forces.boyd.location=ford", "--reason", "x")
    do(sh, "turn")
    if is_undone:
        do(sh, "adjust", "forces.boyd.location=hill", "--reason", "x")
        do(sh, "undo")
    do(sh, "add", "battle", "ford", "--side", "rufus", "--side", "boyd", "--stakes", "ford")
    do(sh, "override", "ford", "--winner", "rufus", "--losses", "boyd=0", "--reason", "x")
    do(sh, "advance", "--phase", "aftermath")
    assert place_of(sh, "boyd") == "moor"


@pytest.mark.parametrize(
    "line",
    [
        "Ouch. Boyd falls back to the moor and waits there for Hamish.",
        "We go back to the moor and lick our wounds.",
        "boyd: retreat to the moor and stay there",
    ],
)
def test_a_harmless_end_of_a_retreat_is_only_ignored(sh: Shell, war: Path, line: str) -> None:
    said = sh(
        "campaign", "orders", "take", sh.write("mail.txt", f"{line}\n\n> blue@3:\n> boyd: retreat to\n")
    )
    assert said.code == 0 and 'retreat = "moor"' in (war / "campaign.toml").read_text()


@pytest.mark.parametrize("end", ["and attack Ford", "and wait, then attack", "and wait for the hill to fall"])
def test_an_end_that_can_change_a_retreat_is_reported(sh: Shell, war: Path, end: str) -> None:
    mail = f"Boyd falls back to the moor {end}\n\n> blue@3:\n> boyd: retreat to\n"
    said = sh("campaign", "orders", "take", sh.write("mail.txt", mail))
    assert said.code != 0 and "retreat = " not in (war / "campaign.toml").read_text().partition("[forces")[2]


@pytest.mark.parametrize(
    "line", ["We go back to the moor unless they pursue", "Back to the Moor with my archers, please."]
)
def test_the_umpire_reads_the_command_for_the_only_place_in_a_refused_retreat(
    sh: Shell, war: Path, line: str
) -> None:
    mail = f"{line}\n\n> blue@3:\n> boyd: retreat to\n"
    said = sh("campaign", "orders", "take", sh.write("mail.txt", mail))
    assert (
        "to enter this choice, write: cardbattle campaign advance --retreat boyd=moor" in said.err + said.out
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Next turn: Boyd holds.", "is for the next turn and changes nothing now; send it for turn 4"),
        ("In turn 5 Boyd marches to the hill.", "is for turn 5 and changes nothing now; send it then"),
        ("In turn 2 Boyd marched to the hill.", "is about turn 2 and changes nothing now"),
    ],
)
def test_a_sentence_about_another_turn_cancels_no_retreat(
    sh: Shell, war: Path, line: str, reason: str
) -> None:
    said = take(sh, f"boyd: retreat to moor\n\n{line}", code=3)
    assert "Boyd: retreat to Moor" in said.out
    assert f'"{line}" {reason}' in said.err
    said = take(sh, "boyd: retreat to moor\n\nSorry, Boyd rather goes to the hill.", code=3)
    assert 'so "boyd: retreat to moor" does not count; write boyd: retreat to' in said.err


DEAD_END = """\
[locations.pit]
owner = "blue"
[[road]]
between = ["ford", "pit"]
[forces.miner]
faction = "blue"
strength = 4
location = "pit"
"""


@pytest.mark.slow
@pytest.mark.parametrize(("start", "is_closed"), [("ford", True), ("keep", False)])
def test_an_enemy_that_the_umpire_moves_closes_only_the_road_from_the_next_place(
    sh: Shell, start: str, is_closed: bool
) -> None:
    """A move from the next place is like a march along the road, and other moves are along no road."""
    text = CHOOSE.replace('"destroyed"', '"surrenders"').partition("[[pending]]")
    sh.write("campaign.toml", f"{text[0]}{DEAD_END}")
    do(sh, "set", f"forces.rufus.location={start}", "forces.boyd.location=camp")
    do(sh, "advance", "--phase", "movement", "--no-wait")
    do(sh, "move", "rufus", "pit", "--reason", "a tunnel")
    do(sh, "add", "battle", "tunnel", "--side", "rufus", "--side", "miner", "--stakes", "pit")
    do(sh, "override", "tunnel", "--winner", "rufus", "--losses", "miner=1/4", "--reason", "x")
    end = "Battle tunnel: Miner has no way out and surrenders."
    for printed in (
        do(sh, "waiting").out,
        do(sh, "orders", "ask").out,
        do(sh, "orders", "ask", "--for", "blue").out,
    ):
        assert (end in printed) == is_closed
    assert end not in do(sh, "orders", "ask", "--for", "red").out + do(sh, "waiting", "--for", "blue").out
    after = do(sh, "advance", "--explain").out
    assert ("no way out: Ford is where the enemy came from" in after) == is_closed
    assert ("Miner retreats to Ford" in after) != is_closed


CORRECTION = ("ford", "--losses", "boyd=1/8", "--reason", "it lost less")


@pytest.mark.slow
@pytest.mark.parametrize("has_marched", [True, False])
def test_a_corrected_loss_of_an_earlier_turn_changes_only_the_loss(
    sh: Shell, war: Path, has_marched: bool
) -> None:
    """Soldiers who came later, a retreat, a march and the experience stay as they are."""
    do(sh, "advance", "--no-wait", "--retreat", "boyd=moor")
    do(sh, "set", "forces.boyd.strength+=8", "--reason", "soldiers")
    if has_marched:
        do(sh, "orders", "give", "boyd", "march to keep")
        do(sh, "advance", "--no-wait", "--leave")
    before = tables(sh)
    do(sh, "override", *CORRECTION, "--winner", "rufus")
    after = tables(sh)
    assert (before["boyd"].pop("strength"), after["boyd"].pop("strength")) == (12, 13) and after == before
    assert before["boyd"]["location"] == ("ford" if has_marched else "moor")
    assert "must retreat" not in do(sh, "orders", "ask", "--for", "blue").out
    do(sh, "advance", "--no-wait", "--leave")
    assert tables(sh)["boyd"].get("experience") == before["boyd"].get("experience")


def tables(sh: Shell) -> dict[str, dict[str, object]]:
    """Return the tables of the forces."""
    return {**tomllib.loads((sh.folder / "campaign.toml").read_text("utf-8"))["forces"]}


@pytest.mark.slow
@pytest.mark.parametrize("is_alone", [True, False])
def test_the_undo_of_a_correction_restores_the_first_result_and_its_aftermath(
    sh: Shell, war: Path, is_alone: bool
) -> None:
    fresh = {key: {**table} for key, table in tables(sh).items()}
    do(sh, "advance", "--no-wait", "--retreat", "boyd=moor")
    before = without_revision(war)
    do(sh, "override", *CORRECTION, "--winner", "rufus")
    if is_alone:  # the battle and its aftermath are gone too
        do(sh, "undo", "ford", "--only", "--force", "--reason", "x")
        assert place_of(sh, "boyd") == "ford" and "[[pending]]" in without_revision(war)
        assert tables(sh)["rufus"].get("experience") == fresh["rufus"].get("experience")
    else:
        do(sh, "undo")
        assert without_revision(war) == before


@pytest.mark.slow
def test_a_corrected_battle_with_another_winner_has_another_aftermath(sh: Shell, war: Path) -> None:
    do(sh, "advance", "--no-wait", "--retreat", "boyd=moor")
    do(sh, "override", *CORRECTION, "--winner", "boyd")
    assert place_of(sh, "boyd") == "ford" and 'retreat = "moor"' not in without_revision(war)
    assert "was corrected in turn 4." in do(sh, "orders", "ask", "--for", "blue").out


@pytest.mark.slow
@pytest.mark.parametrize("losses", ["1/8", "1/2", "3/4", "all"])
def test_the_units_of_a_corrected_battle_add_up_to_the_strength(sh: Shell, losses: str) -> None:
    lose(sh, CHOOSE.replace("[forces.boyd]\n", "[forces.boyd]\nunits = { Bows = 5, Pikes = 3 }\n"))
    do(sh, "advance", "--no-wait", "--retreat", "boyd=moor")
    do(sh, "set", "forces.boyd.units.Bows+=4", "--reason", "soldiers")
    before = without_revision(sh.folder)
    do(sh, "override", "ford", "--winner", "rufus", "--losses", f"boyd={losses}", "--reason", "x")
    boyd = tables(sh)["boyd"]
    assert boyd["strength"] == sum(boyd["units"].values())  # type: ignore[attr-defined]
    do(sh, "check")
    do(sh, "undo")
    assert without_revision(sh.folder) == before

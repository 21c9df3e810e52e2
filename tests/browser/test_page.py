"""The page for those without Python: what its app answers, and that its one file holds together.

The app runs here as it does in the page, without a browser; `tests/browser` tries the page in one.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64encode, b85decode
from collections.abc import Mapping
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import cardbattle
from browser import app, page, parts, release
from cardbattle.battles.records.record import dumps_record
from cardbattle.campaign.storage.store import load
from cardbattle.commanders import RANKS
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.telling import Card, Parts
from cardbattle.show.svg.deck import Deck
from cardbattle.show.writers.battle_html import BattleHtml
from tests.support.sealed import Quiet, founded

ROOT = Path(__file__).parents[2]
SHREWSBURY = (ROOT / "examples" / "shrewsbury.toml").read_text("utf-8")
SEALED = ROOT / "examples" / "sealed"
MARCHES = ROOT / "campaigns" / "the-marches-1403"


class Asked:
    """An app asked as the page asks it: in JSON."""

    def __init__(self) -> None:
        self.app = app.PageApp()

    def __call__(self, request: str, **given: object) -> Any:
        """Return the answer to a request; it must be no unexpected failure."""
        answer = json.loads(self.app.call(request, json.dumps(given)))
        assert "failure" not in answer, answer["failure"]
        return answer


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Return an app with a working folder of its own."""
    monkeypatch.chdir(tmp_path)
    return Asked()


def files_of(folder: Path) -> dict[str, str]:
    """Return a folder's files as a browser hands them over when it is dropped."""
    paths = sorted(path for ending in ("toml", "svg") for path in folder.rglob(f"*.{ending}"))
    return {f"{folder.name}/{path.relative_to(folder).as_posix()}": path.read_text("utf-8") for path in paths}


def test_a_pasted_battle_is_fought_as_anywhere_else(ask: Asked) -> None:
    answer = ask("resolve", text=SHREWSBURY, name="shrewsbury.toml")
    assert answer["text"] == dumps_record(cardbattle.resolve(ROOT / "examples" / "shrewsbury.toml"))
    assert answer["file"] == "shrewsbury.toml"
    assert answer["sides"] == {"percy": "Harry Percy", "stafford": "Earl of Stafford"}
    assert "more spaces held" in answer["html"]


def test_a_mistake_has_its_line_and_caret(ask: Asked) -> None:
    text = SHREWSBURY.replace("hand = 12 ", "hand = 99 ").replace('"RJ"', '"RX"')
    assert ask("resolve", text=text, name="shrewsbury.toml") == {
        "errors": [
            "shrewsbury.toml:13: sides.percy.hand: expected a whole number from 5 to 49, got 99\n"
            "    hand = 99                         # two more cards: Percy has the larger army\n"
            "           ^",
            'shrewsbury.toml:17: sides.stafford.extra: "RX" is not a card; '
            "write a rank and a suit, such as KS or 10H\n"
            '    extra = ["RX"]                    # a hero, named before the deal\n'
            "            ^",
        ]
    }


def test_a_record_is_told_in_every_detail_and_to_a_side_what_it_may_know(ask: Asked) -> None:
    fought = ask("resolve", text=SHREWSBURY)
    given = {"text": fought["text"], "name": "r.toml"}
    brief, audit = (ask("report", **given, detail=level, side="")["html"] for level in ("brief", "audit"))
    assert "The deal" not in brief
    assert "FH-13" in audit
    seen = ask("report", **given, detail="log", side="percy")["html"]
    assert "Percy</bdi> begins with" in seen
    assert "Stafford</bdi> begins with" not in seen
    assert "1403" not in seen


@pytest.mark.parametrize(
    ("detail", "has_log", "has_replay"), [("brief", 0, 0), ("story", 0, 1), ("log", 1, 1), ("audit", 1, 1)]
)
def test_a_battle_has_its_replay_beside_its_story(
    ask: Asked, detail: str, has_log: int, has_replay: int
) -> None:
    """As on a campaign's site; the story alone has no log, and the result alone has no replay."""
    text = ask("resolve", text=SHREWSBURY)["text"]
    html = ask("report", text=text, name="r.toml", detail=detail, side="")["html"]
    assert html.count('<div class="log">') == has_log
    assert html.count('<section class="stage"') == html.count('<section class="telling">') == has_replay
    assert ('href="#step=3"' in html) == bool(has_replay)


def test_a_record_is_verified_and_a_forged_one_is_told(ask: Asked) -> None:
    text = ask("resolve", text=SHREWSBURY)["text"]
    good = ask("verify", text=text, name="good.toml")
    assert good["is_sound"] is True
    assert "good.toml: 19 moves agree" in good["html"]
    changed = text.replace('winners = ["stafford"]', 'winners = ["percy"]')
    forged = ask("verify", text=changed, name="f.toml")
    assert forged["is_sound"] is False
    assert "f.toml: differs" in forged["html"]


def test_a_battle_is_played_to_its_end_and_its_record_is_that_of_the_same_answers(ask: Asked) -> None:
    shown = ask("play", text=SHREWSBURY)
    assert (shown["name"], shown["persons"], shown["rule"]) == ("Harry Percy", 1, "FH-6")
    session = cardbattle.play(ROOT / "examples" / "shrewsbury.toml")
    while not shown["is_over"]:
        assert [option["text"] for option in shown["options"]] == session.decision(0).texts
        session.answer(0, session.decision(0).texts[-1])
        shown = ask("answer", text=shown["options"][-1]["text"])
    assert shown["text"] == dumps_record(session.record())
    assert cardbattle.verify(session.record()) == "13 moves agree"


@pytest.mark.slow
def test_what_is_said_of_a_decision(ask: Asked) -> None:
    shown = ask("play", text=SHREWSBURY)
    assert shown["hand"].count('class="pc" role="img" aria-label=') == 12
    assert "FH-6" in ask("lesson")["html"]
    assert "won of 100" in ask("why")["html"]
    assert "The deal" in shown["news"]
    after = ask("answer", text="place 3S")
    assert "The deal" not in after["news"]
    assert "The deal" in ask("log")["html"]
    assert ask("undo")["taken"] == "place 3S"
    assert ask("undo")["errors"][0].startswith("percy has answered nothing yet")
    assert ask("answer", text="place 99")["errors"][0].startswith("percy cannot place 99")


@pytest.mark.parametrize(
    ("option", "words", "drawn"),
    [
        ("place 3S", "place", ["3 of spades"]),
        ("play KH redeploy", "play  redeploy", ["king of hearts"]),
        ("play Air Strike", "play", ["Air Strike"]),
        ("place 3S+KH", "place 3♠+K♥", []),
        ("switch KH 3S", "switch K♥ 3♠", []),
        ("switch 8 9", "switch 8 9", []),  # places, though an 8 is held
        ("return JC", "return J♣", []),  # no card of the hand
        ("pass", "pass", []),
        ("play <b>", "play &lt;b&gt;", []),
    ],
)
def test_an_option_that_is_one_card_of_the_hand_has_it_drawn(
    option: str, words: str, drawn: list[str]
) -> None:
    hand: Parts = [Card(text) for text in ("3S", "KH", "8", "Air Strike")]
    html = app.option_html(option, hand, BattleHtml([], "", Deck()))
    assert re.sub("<[^>]*>", "", html).rstrip() == words
    assert re.findall('aria-label="([^"]*)"', html) == drawn


def test_every_card_that_the_page_shows_is_the_one_that_it_is_called(ask: Asked) -> None:
    """The whole page has one deck, so earlier events do not change the cards that are shown now."""
    answers = [ask("play", text=SHREWSBURY)]
    while not answers[-1]["is_over"]:
        answers += [ask("log"), ask("answer", text=answers[-1]["options"][0]["text"])]
    called: dict[str, str] = {}
    for html in (
        answer[key] for answer in answers for key in ("html", "news", "scene", "hand") if key in answer
    ):
        assert "<symbol" not in html
        for words, drawing in re.findall(r'aria-label="([^"]*)"><use href="#(c\d+)"', html):
            assert called.setdefault(drawing, words) == words
    decks = [answer["deck"] for answer in answers if "deck" in answer]
    assert re.findall(r'<symbol id="(c\d+)"', decks[-1]) == [f"c{n}" for n in range(len(called))]
    assert len(called) > 10


@pytest.mark.parametrize("rules", cardbattle.rule_sets(), ids=lambda rules: rules.key)
def test_each_card_and_side_of_an_option_is_drawn(ask: Asked, rules: RuleSet) -> None:
    """A card of the hand or the table, a place and a side that decide between options can be pressed."""
    sides = "".join(f"[sides.{key}]\n" for key in rules.default_sides)
    shown = ask("play", text=f'format = 1\nrules = "{rules.key}"\nseed = 3\n{sides}')
    kinds = set()
    for n in range(12):
        if shown["is_over"]:
            break
        drawn = re.findall(r'data-part="([^"]*)"', shown["scene"] + shown["hand"])
        for option in shown["options"]:
            assert all(
                unescape(part) in map(unescape, drawn) for part in option["parts"] if "place" not in part
            )
            kinds |= {part.split(":")[0] for part in option["parts"] if part in drawn}
        shown = ask("answer", text=shown["options"][n % len(shown["options"])]["text"])
    assert kinds >= {"card"} | ({"place"} if rules.key == "wargame" else set())


def counted(ask: Asked) -> Any:
    """Return the page with its chances, once they are counted."""
    while not (answer := ask("chances"))["is_done"]:
        assert 0 < answer["share"] <= 1
    return answer


DUEL = """format = 1
rules = "strategy-war"
seed = 3
[sides.a]
cards = ["2", "5"]
[sides.b]
cards = ["3", "4"]
"""


def test_the_chances_of_a_battle_are_counted_and_drawn_in_its_replay(ask: Asked) -> None:
    fought = ask("resolve", text=DUEL)
    assert "chart live" not in fought["html"]
    answer = counted(ask)
    assert answer["html"].count("<polyline") == 2
    assert "128 or more simulated endings" in answer["html"]
    assert ask("chances")["is_done"]


def test_a_decision_of_a_record_is_changed_and_its_chances_are_counted(ask: Asked) -> None:
    fought = ask("resolve", text=DUEL)
    given = {"text": fought["text"], "name": "duel.toml"}
    (first, *_) = ask("decisions", **given, side="")["decisions"]
    assert first["others"] and first["text"].startswith("step 1: A, commit ")
    own = ask("decisions", **given, side="b")["decisions"]
    assert all(": B, " in decision["text"] for decision in own)
    other = ask("what_if", **given, side="", move=first["move"], option=first["others"][0])["html"]
    assert "As recorded" in other and "Instead" in other and "<polyline" not in other
    html = counted(ask)["html"]
    assert html.count("<polyline") == 2 and "A&#39;s chance after that step" in html


def test_nothing_is_counted_before_a_battle_is_shown(ask: Asked) -> None:
    assert ask("chances") == {"share": 0.0, "is_done": True}


def texts_and_parts(shown: Any) -> list[tuple[str, list[str]]]:
    """Return the options of a question without their drawings."""
    return [(option["text"], option["parts"]) for option in shown["options"]]


def test_a_battle_is_kept_and_goes_on(ask: Asked) -> None:
    shown = ask("play", text=SHREWSBURY)
    after = ask("answer", text=shown["options"][0]["text"])
    kept = ask("save")
    assert kept["file"] == "shrewsbury.battle.toml"
    again = Asked()
    assert again("open", files={kept["file"]: kept["text"]})["kind"] == "begun"
    resume_battle = again("go_on", text=kept["text"], name=kept["file"])
    assert texts_and_parts(resume_battle) == texts_and_parts(after)
    assert again("save") == kept


def test_nobody_plays_before_a_battle_is_begun(ask: Asked) -> None:
    assert ask("answer", text="pass") == {"errors": ["no battle is in play; start one, or open a saved one"]}


def test_two_at_one_page_are_asked_by_turns_and_each_sees_only_their_hand(ask: Asked) -> None:
    text = 'format = 1\nrules = "strategy-war"\nseed = 3\n[sides.york]\ncommander = "human"\n'
    text += 'cards = ["2", "3"]\n[sides.lancaster]\ncommander = "human"\ncards = ["9", "10"]\n'
    text += "[house]\nrounds = 2\n"
    first = ask("play", text=text)
    assert (first["persons"], first["name"]) == (2, "York")
    second = ask("answer", text="commit 2")
    assert second["name"] == "Lancaster"
    assert re.findall(r'aria-label="(\w+)"', second["hand"]) == ["9", "10"]
    assert "commit" not in second["news"]


@pytest.mark.slow
def test_odds_grow_until_they_are_those_of_the_library(ask: Asked) -> None:
    answer = ask("count", text=SHREWSBURY, battles=300)
    while not answer["is_done"]:
        answer = ask("more")
    odds = cardbattle.odds(ROOT / "examples" / "shrewsbury.toml", battles=300)
    assert answer["battles"] == 300
    assert f"{odds.won('percy').share:.1%}" in answer["html"]
    assert ask("more") == {"errors": ["no odds are being counted; start again"]}


def test_a_dropped_campaign_is_shown_with_its_pending_battles(ask: Asked) -> None:
    answer = ask("open", files=files_of(MARCHES))
    assert (answer["kind"], answer["title"]) == ("campaign", "The Marches, 1403")
    assert "House" in answer["html"] or "Percy" in answer["html"]
    assert [battle for battle, _, _ in answer["pending"]] == [
        battle.id for battle in load(str(MARCHES)).campaign.pending
    ]
    battle = ask("resolve", text=answer["pending"][0][1])
    assert "[bound]" in battle["text"]


def test_a_pending_battle_that_cannot_be_fought_is_told_beside_the_others(ask: Asked) -> None:
    files = files_of(MARCHES)
    name = "the-marches-1403/campaign.toml"
    files[name] = files[name].replace("[forces.rhys]", "[forces.rhys]\ndestroyed = true")
    told = {battle: (text, why) for battle, text, why in ask("open", files=files)["pending"]}
    assert told["t4-oswestry"] == (
        "",
        "battle t4-oswestry cannot be fought: Rhys Gethin is destroyed; "
        "to drop the battle: cardbattle campaign cancel t4-oswestry",
    )
    assert [battle for battle, (text, why) in told.items() if text and not why] == [
        battle.id for battle in load(str(MARCHES)).campaign.pending if battle.id != "t4-oswestry"
    ]


@pytest.mark.parametrize(
    ("campaign", "place"),
    [("the-marches-1403", "Shrewsbury: held by the Crown"), ("four-noons", "The Belfry: held by")],
)
def test_a_dropped_campaign_has_its_map_without_links(ask: Asked, campaign: str, place: str) -> None:
    """The map shows its places and roads, or it is the umpire's own drawing."""
    drawn = ask("open", files=files_of(ROOT / "campaigns" / campaign))["map"]
    assert place in drawn
    assert 'class="map"' in drawn
    assert "<a " not in drawn
    assert "href=" not in re.sub('href="#[^"]*"', "", drawn)


def test_a_drawing_that_is_none_keeps_no_campaign_from_being_shown(ask: Asked) -> None:
    files = files_of(ROOT / "campaigns" / "four-noons")
    answer = ask("open", files={**files, "four-noons/valley.svg": "<html>"})
    assert (answer["kind"], answer["map"]) == ("campaign", "")
    assert answer["remarks"][0].startswith("the map cannot be shown: valley.svg: not an SVG drawing")


def sealed_files(**changed: str) -> dict[str, str]:
    """Return what players have of a sealed battle, some of it changed: what stands, by a space, for what."""
    files = {path.name: path.read_text("utf-8") for path in SEALED.glob("*.toml")}
    for name, (old, new) in ((name, words.split(" ")) for name, words in changed.items()):
        assert old in files[f"{name}.toml"]
        files[f"{name}.toml"] = files[f"{name}.toml"].replace(old, new, 1)
    return files


def verified_by_seals(ask: Asked, files: Mapping[str, str]) -> list[str]:
    """Return what the page says of files that were dropped together, seals and records, line by line."""
    opened = ask("open", files=files)
    assert opened["kind"] == "record"
    taken = ask("seals", files={name: files[name] for name in opened["seals"]})
    if "errors" in taken:
        return list(taken["errors"])
    told = [ask("verify", text=files[name], name=name, is_sealed=True) for name in opened["records"]]
    told.append(ask("unproven"))
    return re.findall("<p>(.*)</p>", "\n".join(answer["html"] for answer in told))


def test_records_and_seals_that_are_dropped_together_are_verified_as_at_a_terminal(ask: Asked) -> None:
    said = ["mill.toml: 22 moves agree; drawn by slot 1, as it was sealed"]
    assert verified_by_seals(ask, sealed_files()) == said
    names = [str(SEALED / name) for name in ("before.toml", "seals.toml", "mill.toml")]
    shown = Quiet()("verify", "--seals", names[0], "--seals", names[1], names[2])
    assert shown.out.replace(str(SEALED) + "/", "").splitlines() == said


def test_the_later_copy_of_the_seals_is_found_whatever_it_is_called(ask: Asked) -> None:
    files = sealed_files()
    files["war/a.toml"], files["war/old/z.toml"] = files.pop("seals.toml"), files.pop("before.toml")
    assert len(verified_by_seals(ask, files)) == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seals": "993917 993918"}, "the secret of slot 1 does not match its commitment"),
        ({"seals": "seven six"}, "the nonces of slot 1 do not match their promises"),
        ({"before": "b66a48 b66a49"}, "seals.toml: differs from the earlier copy: the commitment of slot 1"),
        ({"mill": "6f92ff 6f92fe"}, "the record was changed after it was written: its digest does not match"),
        ({"seals": "sha256:b66 sha512:b66"}, 'seals.toml:13: slot.1.commitment: expected "sha256:"'),
    ],
)
def test_a_false_seal_is_refused_with_the_reason(ask: Asked, changed: dict[str, str], said: str) -> None:
    told = "\n".join(verified_by_seals(ask, sealed_files(**changed)))
    assert said in told.replace("&#39;", "'").replace("&#34;", '"')
    assert "agree" not in told


def test_a_slot_without_a_record_is_told(ask: Asked) -> None:
    other = ask("resolve", text=SHREWSBURY)["text"]
    files = {**sealed_files(), "mill.toml": other}
    assert verified_by_seals(ask, files) == [
        "mill.toml: differs: it names no slot of these seals: it was fought before they were sealed, "
        "or without them",
        "slot 1 was spent on battle mill, but its record is missing here",
    ]
    (said,) = ask("open", files={"seals.toml": files["seals.toml"]})["errors"]
    assert said == "these files contain only sealed dice; open the records together with them"


def test_a_campaign_whose_dice_are_sealed_is_shown_and_its_battles_are_not_drawn(
    ask: Asked, tmp_path: Path
) -> None:
    told = founded(Quiet(), tmp_path / "sealed-war")
    told.fight("mill")
    answer = ask("open", files=files_of(told.folder))
    assert "Dice: 4 slots sealed, 1 spent, 0 revealed" in answer["html"]
    assert answer["pending"] == [
        [battle, "", f"battle {battle} has sealed dice; fight it with cardbattle campaign fight {battle}"]
        for battle in ("wood", "ford")
    ]
    files = files_of(told.folder)
    assert answer["seals"] == ["sealed-war/seals.toml"]
    ask("seals", files={"sealed-war/seals.toml": files["sealed-war/seals.toml"]})
    record = files["sealed-war/records/mill.toml"]
    sealed = ask("verify", text=record, name="mill.toml", is_sealed=True)
    assert "slot 1 is not revealed yet, so its draw cannot be checked" in sealed["html"]
    assert ask("verify", text=record, name="mill.toml")["is_sound"] is True


def test_cards_of_an_owners_own_lie_beside_the_battle_that_names_them(ask: Asked) -> None:
    files = files_of(ROOT / "examples" / "warmonger-own-cards")
    (said,) = ask("open", files={"cards.toml": files["warmonger-own-cards/cards.toml"]})["errors"]
    assert said == "these files contain only cards; open the battle together with them"
    opened = ask("open", files=files)
    assert (opened["kind"], opened["path"]) == ("battle", "warmonger-own-cards/battle.toml")
    record = ask("resolve", text=files[opened["path"]], name=opened["name"])["text"]
    assert record == dumps_record(
        cardbattle.resolve(ROOT / "examples" / "warmonger-own-cards" / "battle.toml")
    )
    assert ask("verify", text=record, name="r.toml")["is_sound"] is True


def test_a_campaign_with_a_mistake_is_refused_with_its_line(ask: Asked) -> None:
    files = files_of(MARCHES)
    name = "the-marches-1403/campaign.toml"
    files[name] = files[name].replace("turn = 4", "turn = -4")
    (said,) = ask("open", files=files)["errors"]
    assert said.startswith("campaign.toml:15: ")
    assert "turn: expected a whole number from 0, got -4" in said


def test_no_dropped_file_leaves_the_working_folder(ask: Asked, tmp_path: Path) -> None:
    files = files_of(MARCHES) | {"the-marches-1403/../../outside.toml": "x = 1", "other/y.toml": "y = 1"}
    assert ask("open", files=files)["kind"] == "campaign"
    ask("resolve", text=SHREWSBURY, name="../../outside.toml")
    ask("resolve", text=SHREWSBURY, name="..\\..\\outside.toml")
    assert not (tmp_path.parent / "outside.toml").exists()
    assert not list(tmp_path.rglob("y.toml"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1", "x.toml:1: this is not a battle, a record or a campaign"),
        ("a = \n", "x.toml:1: expected a value"),
        ("[[battle]]\n", "x.toml:1: this is a batch of battles"),
    ],
)
def test_what_is_none_of_ours_is_told(ask: Asked, text: str, said: str) -> None:
    assert ask("open", files={"x.toml": text})["errors"][0].startswith(said)


def test_kinds_of_files_are_told_apart(ask: Asked) -> None:
    record = ask("resolve", text=SHREWSBURY)["text"]
    assert ask("open", files={"a.toml": SHREWSBURY})["kind"] == "battle"
    assert ask("open", files={"a.toml": record})["kind"] == "record"
    assert ask("open", files={"a.toml": record, "b.toml": record})["kind"] == "record"


def test_no_name_acts_in_what_the_page_shows(ask: Asked) -> None:
    text = SHREWSBURY.replace("Harry Percy", "<img src=x onerror=alert(1)>").replace(
        "Earl of", "</p><script>"
    )
    answers = [
        ask("resolve", text=text),
        ask("play", text=text),
        ask("log"),
        ask("count", text=text, battles=20),
    ]
    html = " ".join(answer[key] for answer in answers for key in ("html", "news", "scene") if key in answer)
    assert "&lt;img" in html
    assert "&lt;/p&gt;&lt;script" in html
    assert "<img" not in html
    assert "<script" not in html


def test_the_rules_of_every_rule_set_can_be_read(ask: Asked) -> None:
    for rules in cardbattle.rule_sets():
        assert f"{rules.code}-1" in ask("rules", rules=rules.key)["html"]


def test_the_form_offers_every_option() -> None:
    told = json.loads(json.dumps(app.facts()))
    for rules, offered in zip(cardbattle.rule_sets(), told["rules"], strict=True):
        assert [option["word"] for option in offered["house"]] == list(rules.house)
        assert [option["word"] for option in offered["options"]] == list(rules.options)
        assert rules.fewest <= len(offered["sides"]) <= rules.most
    assert list(told["commanders"]) == list(RANKS)


@pytest.fixture(scope="module")
def text() -> str:
    """Return the page with placeholders for its parts."""
    return page.page_text({"pyodide.mjs": b"1", "site.zip.xz": b"2"})


def test_the_page_runs_its_own_script_and_no_other(text: str) -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert b64encode(sha256(script.encode()).digest()).decode() in policy
    assert "'unsafe-eval'" not in policy
    assert "connect-src" not in policy


def test_a_part_is_text_that_no_tag_can_begin_in_and_has_the_digits_of_the_worker() -> None:
    content = bytes(range(256)) * 40
    _, _, text = page.part_element("stdlib.zip", content).removesuffix("</script>\n").partition(">")
    assert "<" not in text
    assert b85decode(text.replace(",", "<")) == content
    (digits,) = re.findall('const DIGITS = "([^"]*)"', page.source("worker.js"))
    assert (len(digits), set(text) - set(digits)) == (85, set())
    values = [b"\0\0\0" + bytes([value]) for value in range(85)]
    assert [page.part_element("", value)[-11] for value in values] == list(digits)


def test_the_page_names_nothing_outside_of_itself(text: str) -> None:
    assert not re.findall(r"\ssrc=|@import|url\(", text)
    assert set(re.findall(r'https?://[^"\s<)]+', text)) <= {"https://pyodide.org/"} | {
        url for rules in cardbattle.rule_sets() for url in re.findall(r"https?://[^\"\s<)]+", rules.credit)
    }  # fmt: skip
    assert "{{" not in text.split("<script")[0]


def test_the_script_finds_all_it_looks_for() -> None:
    script, shown = page.source("page.js"), page.source("page.html")
    wanted = set(re.findall(r'\bat\("([a-z-]+)"\)', script)) | set(re.findall(r'goTo\("([a-z-]+)"\)', script))
    assert wanted - set(re.findall(r'\sid="([a-z-]+)"', shown)) == set()
    ids = re.findall(r'\sid="([a-z-]+)"', shown)
    assert len(ids) == len(set(ids))
    requests = set(
        re.findall(r'(?:answered\("[^"]*"|ask|give|explain|beginPlay)(?:, |\()"([a-z_]+)"', script)
    )
    offered = {name.removesuffix("_request") for name in dir(app.PageApp) if name.endswith("_request")}
    assert requests == offered


WITHOUT_EXCLUDED = """
import sys
from fnmatch import fnmatchcase
from browser.bundle import EXCLUDED

class Excluded:
    def find_spec(self, name, path=None, target=None):
        file = f"site/{name.replace('.', '/')}.py"
        package = file.removesuffix(".py") + "/__init__.py"
        if name.startswith("cardbattle.") and any(
            fnmatchcase(file, pattern) or fnmatchcase(package, pattern) for pattern in EXCLUDED
        ):
            raise ModuleNotFoundError(f"the page does not have {name}")

sys.meta_path.insert(0, Excluded())
import browser.app
"""


@pytest.mark.slow
def test_the_page_starts_without_the_files_that_it_leaves_out() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_EXCLUDED], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-600:]


def test_every_part_is_held_to_its_hash() -> None:
    wanted = (parts.FOLDER / "requirements.txt").read_text().splitlines()
    assert all(re.search(r"==\S+ --hash=sha256:[0-9a-f]{64}$", line) for line in wanted if line[0] != "#")
    packages = json.loads((parts.FOLDER / "package-lock.json").read_text())["packages"]
    assert all(one.get("integrity", "").startswith("sha512-") for name, one in packages.items() if name)


def test_a_release_has_the_sums_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_bytes(b"two")
    (tmp_path / "a.whl").write_bytes(b"one")
    sums = release.write_sums(tmp_path).read_text().splitlines()
    assert sums == [f"{sha256(b'one').hexdigest()}  a.whl", f"{sha256(b'two').hexdigest()}  b.html"]
    assert release.write_sums(tmp_path).read_text().splitlines() == sums


def test_what_cannot_be_fetched_is_told(tmp_path: Path) -> None:
    with pytest.raises(parts.BuildError, match="no-such-program is needed; install it"):
        parts.run_command(["no-such-program"], tmp_path)
    with pytest.raises(parts.BuildError, match="failed: it is not there"):
        parts.run_command(["sh", "-c", "echo it is not there >&2; exit 1"], tmp_path)

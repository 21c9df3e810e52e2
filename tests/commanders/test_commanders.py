"""Commanders: green and regular ones, orders, and how they are named."""

from __future__ import annotations

from collections import Counter

import pytest

from cardbattle.commanders import (
    DEFAULT,
    RANKS,
    Green,
    Orders,
    Regular,
    Seasoned,
    make_commander,
    rank_error,
)
from cardbattle.core.battle import View
from cardbattle.core.chance import Chance, Drawn, stream
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.referee import Commander, Referee, Seat
from cardbattle.core.ruleset import RuleSet
from cardbattle.rules import RULE_SETS, find
from cardbattle.testing import Trial, trials
from tests.core.test_referee import duel
from tests.toy import OUTBID, OutbidRules


def fight(trial: Trial, rank: str) -> Referee:
    """Return a battle fought by commanders of one rank, each with a stream of its own."""
    referee = Referee(trial.rules, trial.setup.copy(), Drawn(stream(trial.seed, "battle")))
    chances = [stream(trial.seed, f"side/{key}") for key in trial.setup.seats]
    referee.fight([make_commander(rank, trial.rules, chance) for chance in chances])
    return referee


@pytest.mark.parametrize("rank", ["green", "regular"])
@pytest.mark.parametrize("key", RULE_SETS)
def test_a_quick_commander_fights_every_rule_set(key: str, rank: str) -> None:
    """A battle ends, and the same streams fight it again move by move."""
    for trial in trials(find(key))[:3]:
        fought, again = fight(trial, rank), fight(trial, rank)
        assert fought.battle.is_over()
        assert again.moves == fought.moves
        assert again.checks == fought.checks


@pytest.mark.parametrize("key", RULE_SETS)
def test_another_stream_is_another_battle(key: str) -> None:
    """Green commanders of another seed choose otherwise."""
    trial = trials(find(key))[0]
    other = Trial(trial.rules, trial.setup, "another seed")
    assert fight(other, "green").moves != fight(trial, "green").moves


def test_green_takes_every_option_alike() -> None:
    """Each of three options comes up in a third of 3 000 answers, within 5 standard deviations."""
    referee = duel()
    green = Green(OUTBID, stream("green", "side/ann"))
    counts = Counter(green.answer(referee.seat) for _ in range(3000))
    assert set(counts) == {0, 1, 2}
    assert all(abs(count - 1000) < 5 * 26 for count in counts.values())


def test_green_never_resigns() -> None:
    """What is accepted but not offered comes from orders and people."""
    referee = duel()
    green = Green(OUTBID, stream("green", "side/ann"))
    assert max(green.answer(referee.seat) for _ in range(500)) == len(referee.battle.options) - 1


def test_regular_answers_from_its_view_and_its_stream() -> None:
    """The rule set's tactics get only these."""
    got: list[tuple[View, Chance]] = []

    class Watched(OutbidRules):
        def regular(self, view: View, chance: Chance) -> int:
            got.append((view, chance))
            return 1

    rules: RuleSet = Watched()
    referee, chance = duel(), stream(1, "side/ann")
    referee.rules = rules
    assert Regular(rules, chance).answer(referee.seat) == 1
    assert len(got) == 1
    assert got[0][1] is chance
    assert got[0][0].side == 0
    assert got[0][0].options == referee.battle.options
    assert got[0][0].options is not referee.battle.options


class Last(Commander):
    """Takes the last option."""

    def answer(self, seat: Seat) -> int:
        """Return the last option."""
        return seat.count - 1


def test_orders_are_followed_in_turn_then_another_goes_on() -> None:
    """However they are typed; after the last order the other commander answers."""
    referee = duel(rounds=3)
    ann = Orders(["Seal 9♦", "seal 2s"], Last(), ("sides", "ann", "orders"))
    referee.fight([ann, Last()])
    assert [move for move in referee.moves if move.startswith("ann")] == ["ann seal 9D", "ann seal 2S"]


def test_orders_may_resign() -> None:
    """Orders may say what is accepted but not offered."""
    referee = duel()
    referee.fight([Orders(["resign"], Last(), ()), Last()])
    assert referee.moves == ["ann resign"]
    assert referee.outcome().winners == [1]


def test_an_order_that_cannot_be_carried_out_is_refused_with_its_place() -> None:
    """The error is a mistake of the battle file, at the order."""
    referee = duel()
    ann = Orders(["seal KS", "seal KS"], Last(), ("sides", "ann", "orders"))
    with pytest.raises(InvalidInput) as caught:
        referee.fight([ann, Last()])
    error = caught.value.errors[0]
    assert error.at == ("sides", "ann", "orders", 1)
    assert error.text.startswith("ann cannot seal KS: that card is not in the hand; choose one of seal 2S")


def test_orders_already_carried_out_count_in_the_place() -> None:
    """An order's place is its place in the file."""
    ann = Orders(["seal QS"], Last(), ("sides", "ann", "orders"), skipped=2)
    with pytest.raises(InvalidInput) as caught:
        duel().fight([ann, Last()])
    assert caught.value.errors[0].at == ("sides", "ann", "orders", 2)


def test_seasoned_answers_as_the_rule_set_says_a_seasoned_player_would() -> None:
    class Wiser(OutbidRules):
        def regular(self, view: View, chance: Chance) -> int:
            return 0

        def seasoned(self, view: View, chance: Chance) -> int:
            return len(view.options) - 1

    referee = duel()
    referee.rules = rules = Wiser()
    ranks = [make_commander(rank, rules, stream(1, "side/ann")) for rank in ("regular", "seasoned")]
    assert [rank.answer(referee.seat) for rank in ranks] == [0, len(referee.battle.options) - 1]


def test_a_commander_is_known_by_name() -> None:
    """Every rank can be made, and the default is one of them."""
    assert DEFAULT in RANKS
    assert isinstance(make_commander("green", OUTBID, stream(1, "side/ann")), Green)
    assert isinstance(make_commander("regular", OUTBID, stream(1, "side/ann")), Regular)
    assert isinstance(make_commander("seasoned", OUTBID, stream(1, "side/ann")), Seasoned)
    assert all(rank_error(name) == "" for name in [*RANKS, "orders"])
    assert all(rank.words for rank in RANKS.values())


@pytest.mark.parametrize("name", ["vetran", "", "Green", "green:x=1", "\x1b", "human!", 5, None, ["green"]])
def test_an_unknown_commander_is_refused(name: object) -> None:
    """The error names the nearest, or all there are."""
    assert rank_error(name)
    assert "\x1b" not in rank_error(name)
    if isinstance(name, str):
        with pytest.raises(UsageError):
            make_commander(name, OUTBID, stream(1, "side/ann"))


def test_orders_are_no_rank_to_muster() -> None:
    """Orders need their list, so a name alone does not do."""
    assert rank_error("orders") == ""
    assert rank_error("orders", orders=False)

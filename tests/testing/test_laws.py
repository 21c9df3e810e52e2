"""The laws themselves: a sound rule set keeps them, and each is broken by a mistake it is for."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from cardbattle.core.battle import NOBODY, UNKNOWN, Battle, Outcome, View
from cardbattle.core.cards import ACE
from cardbattle.core.chance import Chance, stream
from cardbattle.core.options import Whole
from cardbattle.core.telling import Line
from cardbattle.testing import LAWS, RULE_LAWS, Law, RuleLaw, check, hold, trials
from tests.toy import (
    ASKED_SEAL,
    ASKED_TAUNT,
    OUTBID,
    PASS,
    RESIGN,
    TAUNT,
    Outbid,
    OutbidRules,
    OutbidTale,
    OutbidView,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from cardbattle.core.battle import Event
    from cardbattle.core.chance import RandomSource
    from cardbattle.core.ruleset import Setup
    from cardbattle.core.telling import Block, Tale


@pytest.mark.slow
def test_a_sound_rule_set_keeps_every_law() -> None:
    """`check` is silent where nothing is wrong."""
    check(OUTBID)


def test_a_failure_says_on_which_battle() -> None:
    """A person who reads a failure can fight the battle again."""

    def never(trial: object) -> None:
        raise AssertionError("no")

    with pytest.raises(AssertionError) as caught:
        hold(never, trials(OUTBID)[0])
    assert "seed 'laws/0'" in caught.value.__notes__[0]


# Battles with a mistake


class SharesHands(Outbid):
    def copy(self) -> Self:
        new = super().copy()
        new.hands = self.hands
        return new


class ForgetsScores(Outbid):
    def copy(self) -> Self:
        new = super().copy()
        new.scores = [0] * self.sides
        return new


class ListensInCopies(Outbid):
    def copy(self) -> Self:
        new = super().copy()
        new.log = []
        return new


class HidesRounds(Outbid):
    def state(self) -> list[list[int]]:
        return super().state()[:-1]


class NeverEnds(Outbid):
    def next_round(self) -> None:
        self.ask_even_if_forced(0, 1, [8, 9])

    def answer(self, question: int, side: int, choice: int) -> None:
        self.next_round()


class AsksForNothing(Outbid):
    def ask_seal(self, side: int) -> None:
        self.ask_even_if_forced(side, 1, [])


class OffersTwice(Outbid):
    def ask_seal(self, side: int) -> None:
        self.ask_even_if_forced(side, 1, self.hands[side] + self.hands[side][:1])


class OffersTheUnknown(Outbid):
    def ask_seal(self, side: int) -> None:
        self.ask(side, 1, list(dict.fromkeys(self.hands[side])))


class RefusesTheHighest(Outbid):
    def answer(self, question: int, side: int, choice: int) -> None:
        assert choice == RESIGN or choice < self.hands[side][-1] or len(self.hands[side]) < 2
        super().answer(question, side, choice)


class RepeatsAStep(Outbid):
    def next_round(self) -> None:
        self.then(64)


class StepsForNoSide(Outbid):
    def next_round(self) -> None:
        self.then(32 + self.sides)


class PlaysWithTheSetupsCards(Outbid):
    def begin(
        self, hands: list[list[int]], stack: list[int], rounds: int, random_source: RandomSource
    ) -> None:
        super().begin(hands, stack, rounds, random_source)
        self.hands = hands


class OffersByTheEnemysHand(Outbid):
    def ask_seal(self, side: int) -> None:
        hand = [card for card in self.hands[side] if card != UNKNOWN]
        self.ask(side, 1, sorted(hand, reverse=self.hands[side - 1][-1] % 2 == 0))


class RotatesTheirCards(Outbid):
    def ask_taunt(self, side: int) -> None:
        """Ask nothing, because the law leaves out battles that begin with a revealing question."""

    def redeal(self, viewer: int, chance: Chance) -> Self:
        return super().redeal(viewer, Rotation(chance))  # type: ignore[arg-type]


class Rotation:
    """A stream that cuts cards instead of shuffling them. Compiled, Chance has no interpreted subclass."""

    def __init__(self, chance: Chance) -> None:
        self.below = chance.below

    def shuffle(self, cards: list[int]) -> None:
        cut = self.below(len(cards)) if cards else 0
        cards[:] = cards[cut:] + cards[:cut]


class SharesScoresInEvents(Outbid):
    def reveal(self) -> None:
        if self.log is not None:
            self.emit("won", 0, {"cards": [], "round": 0, "scores": self.scores})
        super().reveal()


class LosesPrizes(Outbid):
    def win_prize(self, winner: int) -> None:
        super().win_prize(winner)
        self.played[winner].pop()


class HasCardsTwice(Outbid):
    def redeal(self, viewer: int, chance: Chance) -> Self:
        new = super().redeal(viewer, chance)
        if new.stack:
            new.stack[0] = new.stack[-1]
        return new


class DealsNothingAnew(Outbid):
    def redeal(self, viewer: int, chance: Chance) -> Self:
        return self.copy()


class KeepsTheirHands(Outbid):
    def redeal(self, viewer: int, chance: Chance) -> Self:
        new = self.copy()
        chance.shuffle(new.stack)
        return new


class DealsInOneOrder(Outbid):
    def redeal(self, viewer: int, chance: Chance) -> Self:
        return super().redeal(viewer, stream("always", "the same"))


class LeansToTheTruth(Outbid):
    def redeal(self, viewer: int, chance: Chance) -> Self:
        new = super().redeal(viewer, chance)
        if chance.below(2):
            new.hands = [hand.copy() for hand in self.hands]
            new.stack = self.stack.copy()
        if new.question == ASKED_SEAL and new.side != NOBODY:
            new.options = new.hands[new.side].copy()
        return new


class TakesTheViewersCards(Outbid):
    def redeal(self, viewer: int, chance: Chance) -> Self:
        new = super().redeal(viewer, chance)
        new.hands[viewer], new.hands[viewer - 1] = new.hands[viewer - 1], new.hands[viewer]
        return new


class ForgetsTheQuestion(Outbid):
    def redeal(self, viewer: int, chance: Chance) -> Self:
        new = super().redeal(viewer, chance)
        new.options = new.options[:1]
        return new


class RedealsItself(Outbid):
    def redeal(self, viewer: int, chance: Chance) -> Self:
        chance.shuffle(self.stack)
        return super().redeal(viewer, chance)


class DrawsForListeners(Outbid):
    def emit_end(self) -> None:
        if self.log is None:
            self.scores[0] += 1
        super().emit_end()


COUNTER = itertools.count()


class RemembersOtherBattles(Outbid):
    def next_round(self) -> None:
        super().next_round()
        self.played[0] = [next(COUNTER), *self.played[0]]


class LeaksInEvents(Outbid):
    def answer(self, question: int, side: int, choice: int) -> None:
        super().answer(question, side, choice)
        if self.log and choice != RESIGN:
            self.emit("sealed", side, {"card": choice}, {"hand": 1}, [side])


class ShowsWhoIsAsked(Outbid):
    def ask_taunt(self, side: int) -> None:
        if self.hands[side][-1] >= 4 * ACE:
            super().ask_taunt(side)


class LeaksInViews(Outbid):
    def view(self, side: int) -> OutbidView:
        view = super().view(side)
        view.sizes = self.sealed.copy()
        return view


class ShowsOptionsToAll(Outbid):
    def view(self, side: int) -> OutbidView:
        view = super().view(side)
        view.options = self.options.copy()
        return view


class ShowsOptionsAfterTheEnd(Outbid):
    def view(self, side: int) -> OutbidView:
        view = super().view(side)
        view.options = view.options or [PASS] * self.is_over()
        return view


class ShowsPoliciesOptions(Outbid):
    def fast_view(self, side: int) -> OutbidView:
        view = self.view(side)
        view.options = self.options
        return view


class ShowsARevealingQuestion(Outbid):
    def view(self, side: int) -> OutbidView:
        view = super().view(side)
        view.question = self.question
        return view


class SharesItsView(Outbid):
    def view(self, side: int) -> OutbidView:
        view = super().view(side)
        view.hand = self.hands[side]
        return view


class MixesWinners(Outbid):
    def outcome(self) -> Outcome[int]:
        ended = super().outcome()
        return ended._replace(winners=ended.winners[::-1] + ended.winners)


class EndsForNoReason(Outbid):
    def outcome(self) -> Outcome[int]:
        return super().outcome()._replace(reason="boredom")


class LosesMoreThanAll(Outbid):
    def outcome(self) -> Outcome[int]:
        return super().outcome()._replace(losses=[(2, 1)] * self.sides)


class IsSureTooSoon(Outbid):
    def is_decided(self) -> bool:
        return True


class EndsSilently(Outbid):
    def emit_end(self) -> None:
        pass


class FavoursTheFirst(Outbid):
    def outcome(self) -> Outcome[int]:
        ended = super().outcome()
        return ended._replace(winners=ended.winners[:1])


class TellsFloats(Outbid):
    def emit_end(self) -> None:
        if self.log is not None:
            self.emit("prize", 0, {"card": 9, "share": 0.5})
        super().emit_end()


class TellsWhatItHides(Outbid):
    def emit_end(self) -> None:
        if self.log is not None:
            self.emit("prize", 0, {"card": 9}, {"card": 9}, [0])
        super().emit_end()


# Rule sets with a mistake


class CastsLotsAgain(OutbidRules):
    def choose_random_house_rules(self, setup: Setup, chance: Chance) -> None:
        setup.house["dealer"] = setup.seats[chance.below(len(setup.seats))]


class DealsOverTypedCards(OutbidRules):
    def deal(self, setup: Setup, chance: Chance) -> None:
        if sum(map(len, setup.deal.values())) < 52:
            setup.deal = {}
            super().deal(setup, chance)


class DealsAgain(OutbidRules):
    def deal(self, setup: Setup, chance: Chance) -> None:
        setup.deal = {}
        super().deal(setup, chance)


class CardsReadOtherwise(OutbidRules):
    def card_text(self, card: int, pile: str = "") -> str:
        return "KS"


class TakesCardsTwice(OutbidRules):
    def is_part_of_pack(self, setup: Setup, cards: list[int]) -> bool:
        return True


class SendsTheDeal(OutbidRules):
    def without_secrets(self, setup: Setup, seat: int) -> Setup:
        return setup.copy()


class ShowsALastCard(OutbidRules):
    def scene(self, view: View) -> list[Block]:
        assert isinstance(view, OutbidView)
        return [Line([str(view.played[view.side][-1])], "")]


class ShowsWhatNobodyDeclared(OutbidRules):
    def true_conditions(self, view: View) -> list[str]:
        return ["rain"]


class DealsByTheHashOfAText(OutbidRules):
    def deal(self, setup: Setup, chance: Chance) -> None:
        super().deal(setup, stream(hash("deal"), "deal"))


HASHED = DealsByTheHashOfAText()


class WritesNothing(OutbidRules):
    def choice_text(self, battle: Battle, choice: int) -> str:
        return "" if choice == RESIGN else super().choice_text(battle, choice)


class WritesChoicesAlike(OutbidRules):
    def choice_text(self, battle: Battle, choice: int) -> str:
        return super().choice_text(battle, choice).replace("S", "H")


class ErrorsShowTheEnemy(OutbidRules):
    def why_not(self, battle: Battle, text: str) -> str:
        assert isinstance(battle, Outbid)
        return f"the enemy holds {battle.hands[battle.side - 1]}"


class ErrorsChangeTheBattle(OutbidRules):
    def why_not(self, battle: Battle, text: str) -> str:
        assert isinstance(battle, Outbid)
        battle.round += 1
        return ""


class ErrorsAreRaised(OutbidRules):
    def why_not(self, battle: Battle, text: str) -> str:
        return str(int(text))


class PlaysNothing(OutbidRules):
    def regular(self, view: View, chance: Chance) -> int:
        return len(view.options)


class PlaysByTheEnemysHand(OutbidRules):
    def regular(self, view: View, chance: Chance) -> int:
        assert isinstance(view, PeekingView)
        return sum(view.enemy) % len(view.options)


class TauntsWhenAsked(OutbidRules):
    def regular(self, view: View, chance: Chance) -> int:
        return view.options.index(TAUNT) if view.question == ASKED_TAUNT else 0


class SolvesWhereAllMayTaunt(OutbidRules):
    def solution(self, battle: Battle) -> list[int]:
        return [1, 2] if battle.question == ASKED_TAUNT else []


class EstimatesTooMuch(OutbidRules):
    def estimate(self, battle: Battle, side: int) -> int:
        return 500 * sum(battle.view(battle.side).options)


class WorthsForEveryQuestion(OutbidRules):
    def option_values(self, battle: Battle) -> list[int]:
        return [0]


class WorthsBeyondAMillion(OutbidRules):
    def option_values(self, battle: Battle) -> list[int]:
        return [2_000_000] * len(battle.options)


class SolvesBesideTheOptions(OutbidRules):
    def solution(self, battle: Battle) -> list[int]:
        return [1] * (len(battle.options) + 1)


class SolvesForNothing(OutbidRules):
    def solution(self, battle: Battle) -> list[int]:
        return [0] * len(battle.options)


class SolvesByTheEnemysHand(OutbidRules):
    def solution(self, battle: Battle) -> list[int]:
        assert isinstance(battle, Outbid)
        return [1 + sum(battle.hands[battle.side - 1])] * len(battle.options)


class PeekingView(OutbidView):
    def __init__(self, battle: Outbid, side: int) -> None:
        super().__init__(battle, side)
        self.enemy = battle.hands[side - 1].copy()


class Peeks(Outbid):
    def view(self, side: int) -> OutbidView:
        return PeekingView(self, side)


class NeedsSecrets(OutbidTale):
    words = {**OutbidTale.words, "sealed": OutbidTale.words["sealed"]._replace(veiled="")}


class CitesNoRule(OutbidTale):
    def describe(self, event: Event) -> list[Block]:
        return [self.line(event)._replace(rule="OB-9")] if event.kind == "won" else super().describe(event)


class TellsNone(OutbidTale):
    words = {**OutbidTale.words, "won": OutbidTale.words["won"]._replace(text="None wins.")}


def with_tale(tale: type[Tale]) -> OutbidRules:
    """Return Outbid with another teller."""

    class Told(OutbidRules):
        def tale(self, setup: Setup) -> Tale:
            return tale(self, len(setup.seats))

    return Told()


def with_battle(battle: type[Outbid], rules: type[OutbidRules] = OutbidRules) -> OutbidRules:
    """Return Outbid with another battle."""
    broken = rules()
    broken.played = battle
    return broken


class ShowsHandsToAll(OutbidRules):
    def public_scene(self, views: Sequence[View]) -> list[Block]:
        return [Line([repr([view.hand for view in views if isinstance(view, OutbidView)])], "")]


class NamesOneFormOnly(OutbidRules):
    forms = ("never NUMBER",)


class TellsWhoIsAsked(OutbidRules):
    revealing = ()


BROKEN: dict[str, list[OutbidRules]] = {
    "moves_have_forms": [NamesOneFormOnly()],
    "a_copy_is_independent": [
        with_battle(SharesHands),
        with_battle(ForgetsScores),
        with_battle(ListensInCopies),
    ],
    "the_state_shows_every_field": [with_battle(HidesRounds)],
    "steps_lead_to_a_question": [with_battle(RepeatsAStep), with_battle(StepsForNoSide)],
    "a_battle_leaves_its_setup_unchanged": [with_battle(PlaysWithTheSetupsCards)],
    "a_card_is_not_dealt_twice": [TakesCardsTwice()],
    "a_side_gets_no_secrets": [SendsTheDeal()],
    "options_follow_from_the_view": [with_battle(OffersByTheEnemysHand)],
    "redeals_have_the_distribution_of_deals": [with_battle(RotatesTheirCards)],
    "events_do_not_change": [with_battle(SharesScoresInEvents)],
    "what_a_player_sees_is_sound": [ShowsALastCard(), ShowsWhatNobodyDeclared()],
    "random_play_ends": [with_battle(NeverEnds), with_battle(AsksForNothing)],
    "options_are_distinct": [with_battle(OffersTwice), WritesChoicesAlike(), WritesNothing()],
    "every_option_is_accepted": [with_battle(RefusesTheHighest)],
    "every_other_text_is_refused": [ErrorsChangeTheBattle(), ErrorsAreRaised()],
    "every_card_is_in_one_place": [with_battle(LosesPrizes)],
    "redeal_keeps_what_the_viewer_knows": [
        with_battle(HasCardsTwice),
        with_battle(TakesTheViewersCards),
        with_battle(ForgetsTheQuestion),
        with_battle(RedealsItself),
        with_battle(LeaksInViews),
        with_battle(Peeks),
    ],
    "redeal_deals_anew": [with_battle(DealsNothingAnew)],
    "redeal_does_not_know_the_truth": [with_battle(LeansToTheTruth)],
    "redeal_forgets_the_truth": [
        with_battle(KeepsTheirHands),
        with_battle(DealsNothingAnew),
        with_battle(DealsInOneOrder),
    ],
    "listening_changes_nothing": [with_battle(DrawsForListeners)],
    "a_replay_is_the_same": [with_battle(RemembersOtherBattles), CardsReadOtherwise()],
    "the_seed_agrees": [with_battle(RemembersOtherBattles)],
    "events_tell_no_more_than_a_view": [with_battle(LeaksInEvents)],
    "a_question_not_asked_does_not_show": [with_battle(ShowsWhoIsAsked)],
    "who_is_asked_is_no_secret": [TellsWhoIsAsked()],
    "who_looks_on_sees_what_all_know": [ShowsHandsToAll()],
    "a_view_tells_no_more_than_the_events": [with_battle(LeaksInViews)],
    "a_view_is_a_copy": [with_battle(SharesItsView)],
    "options_are_for_the_side_that_is_asked": [
        with_battle(ShowsOptionsToAll),
        with_battle(ShowsOptionsAfterTheEnd),
        with_battle(ShowsPoliciesOptions),
        with_battle(ShowsARevealingQuestion),
    ],
    "the_outcome_is_sound": [
        with_battle(MixesWinners),
        with_battle(EndsForNoReason),
        with_battle(LosesMoreThanAll),
        with_battle(EndsSilently),
        with_battle(IsSureTooSoon),
    ],
    "seats_do_not_matter": [with_battle(FavoursTheFirst)],
    "events_are_json": [with_battle(TellsFloats), with_battle(TellsWhatItHides)],
    "a_complete_setup_stays": [CastsLotsAgain(), DealsAgain()],
    "typed_cards_stay": [DealsOverTypedCards()],
    "unknown_cards_are_never_played": [with_battle(OffersTheUnknown)],
    "a_setup_survives_a_file": [CardsReadOtherwise()],
    "an_error_tells_nothing_hidden": [ErrorsShowTheEnemy()],
    "a_policy_sees_its_view_only": [PlaysNothing(), with_battle(Peeks, PlaysByTheEnemysHand)],
    "a_policy_answers_in_imagined_battles": [TauntsWhenAsked(), with_battle(Peeks, PlaysByTheEnemysHand)],
    "best_play_answers_in_imagined_battles": [
        SolvesWhereAllMayTaunt(),
        EstimatesTooMuch(),
        WorthsForEveryQuestion(),
        WorthsBeyondAMillion(),
    ],
    "best_play_knows_what_its_side_knows": [
        SolvesBesideTheOptions(),
        SolvesForNothing(),
        SolvesByTheEnemysHand(),
    ],
    "the_tale_is_told": [with_tale(NeedsSecrets), with_tale(CitesNoRule), with_tale(TellsNone)],
}


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_law_finds_the_mistakes_it_is_for(law: Law) -> None:
    """Every law fails for each rule set that is broken in its way."""
    for rules in BROKEN[law.__name__]:
        with pytest.raises((AssertionError, ValueError, LookupError)):
            on_all_trials(law, rules)


def on_all_trials(law: Law, rules: OutbidRules) -> None:
    """Try a law on every battle there is, twice."""
    for trial in trials(rules):
        law(trial)
        law(trial)


class LeavesARuleOut(OutbidRules):
    def rules_text(self) -> str:
        return super().rules_text().replace("**OB-3**", "**OB-2**")


class ForgetsARule(OutbidRules):
    def rules_text(self) -> str:
        return super().rules_text().partition("- **OB-5**")[0]


class HasAnOddKey(OutbidRules):
    key = "Out Bid"


class ReadsLessThanItsDefault(OutbidRules):
    house = {**OutbidRules.house, "rounds": Whole(9, "more than it reads", 1, 4)}


@pytest.mark.parametrize(
    ("law", "rules"),
    list(zip(RULE_LAWS, [HasAnOddKey(), ReadsLessThanItsDefault(), LeavesARuleOut(), HASHED], strict=True)),
)
def test_a_law_of_rule_sets_finds_its_mistake(law: RuleLaw, rules: OutbidRules) -> None:
    """So does every law of words, options and numbers."""
    with pytest.raises((AssertionError, ValueError)):
        law(rules)


def test_a_number_cited_but_not_written_is_found() -> None:
    """The code may cite no number that rules.md does not have."""
    with pytest.raises(AssertionError, match=r"cites OB-[56]"):
        RULE_LAWS[2](ForgetsARule())


def test_a_battle_in_which_nobody_is_asked_keeps_the_laws() -> None:
    """One card each: the machine answers everything."""
    quiet = [trial for trial in trials(OUTBID) if not list(trial.questions())]
    assert quiet
    assert quiet[0].fight().battle.side == NOBODY
    for law in LAWS:
        law(quiet[0])

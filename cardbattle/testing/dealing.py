"""Laws of setups: random house rules, deals, and their form in a file."""

from __future__ import annotations

from collections.abc import Mapping

from cardbattle.core.errors import IllegalMove
from cardbattle.core.options import Option
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.testing.contents import count_cards
from cardbattle.testing.trial import Trial, full_tale, refought


def a_complete_setup_stays(trial: Trial) -> None:
    """Check that a complete setup is valid, and that choosing house rules and dealing do not change it."""
    rules, setup = trial.rules, trial.setup
    again = setup.copy()
    errors = rules.check(again)
    assert not errors, f"a complete setup is rejected: {errors[0]}"
    rules.choose_random_house_rules(again, trial.chance("lot"))
    assert again.house == setup.house, "random house rules were chosen again"
    rules.deal(again, trial.chance("deal"))
    assert again.deal == setup.deal, "a complete deal was dealt again"
    rules.deal_unknown(again)
    assert again.deal == setup.deal, "a complete deal was filled up"
    assert list(setup.deal) == rules.piles(setup), f"piles {list(setup.deal)}, not {rules.piles(setup)}"


def a_setup_survives_a_file(trial: Trial) -> None:
    """Check that options and cards survive being written to a file and read back."""
    read = through_a_file(trial.rules, trial.setup)
    assert read.house == trial.setup.house
    assert read.sides == trial.setup.sides
    assert read.deal == trial.setup.deal


def through_a_file(rules: RuleSet, setup: Setup) -> Setup:
    """Return the setup with every value converted to its file form and back."""
    return Setup(
        setup.seats.copy(),
        reread(rules.house, setup.house, setup.seats),
        [reread(rules.options, side, setup.seats) for side in setup.sides],
        {
            pile: [rules.read_card(rules.card_text(card, pile), pile) for card in dealt]
            for pile, dealt in setup.deal.items()
        },
    )


def reread(table: Mapping[str, Option], values: dict[str, object], seats: list[str]) -> dict[str, object]:
    """Return the values of options converted to their file form and back; None stays None."""
    return {
        key: None if value is None else table[key].read(table[key].write(value), seats)
        for key, value in values.items()
    }


def typed_cards_stay(trial: Trial) -> None:
    """Check that dealing completes the given cards of each pile without moving them.

    A rule set can reject a partial deal that it cannot complete.
    """
    chance = trial.chance("typed")
    typed = trial.setup.copy()
    typed.deal = {pile: dealt[: chance.below(len(dealt) + 1)] for pile, dealt in typed.deal.items()}
    whole = typed.copy()
    errors = trial.rules.check(typed)
    if errors:
        assert all(error.at[:1] == ("deal",) for error in errors), errors[0]
        return
    trial.rules.deal(whole, chance)
    for pile, cards in typed.deal.items():
        assert whole.deal[pile][: len(cards)] == cards, f"pile {pile} does not begin with its given cards"
        assert len(whole.deal[pile]) == len(trial.setup.deal[pile]), f"pile {pile} has another size"
    here = trial.rules.start(trial.setup.copy(), trial.random_source())
    battle = trial.rules.start(whole, trial.random_source())
    assert count_cards(trial.rules, battle) == count_cards(trial.rules, here), "other cards are in the battle"


def unknown_cards_are_never_played(trial: Trial) -> None:
    """Check that a battle with a partly recorded deal either rejects a move or replays to the same end."""
    fought = trial.fight()
    chance = trial.chance("unknown")
    table = trial.setup.copy()
    table.deal = {
        pile: dealt[: len(dealt) - (chance.below(len(dealt)) if dealt else 0)]
        for pile, dealt in table.deal.items()
    }
    trial.rules.deal_unknown(table)
    assert {pile: len(cards) for pile, cards in table.deal.items()} == {
        pile: len(cards) for pile, cards in trial.setup.deal.items()
    }
    try:
        again = refought(trial.rules, table, fought.moves, watch=none_unknown)
    except IllegalMove:
        return
    assert again.moves == fought.moves
    assert again.outcome() == fought.outcome()
    for viewer in [None, *trial.seats]:
        full_tale(again, viewer)


def none_unknown(referee: Referee) -> None:
    """Check that no option plays an unknown card, whose text is "?"."""
    assert not any("?" in text for text in referee.texts()), referee.texts()

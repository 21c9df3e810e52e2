"""Laws about setups, and about how they are completed, dealt and written to files."""

from __future__ import annotations

from collections.abc import Mapping

from cardbattle.core.errors import IllegalMove
from cardbattle.core.options import Option
from cardbattle.core.referee import Referee
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.testing.contents import count_cards
from cardbattle.testing.redealing import beginning, dealt_otherwise, look_alike
from cardbattle.testing.trial import Trial, full_tale, refought


def a_complete_setup_stays(trial: Trial) -> None:
    """Check that a complete setup is valid and does not change.

    Choosing house rules and dealing cards must not change a setup that already has all of them.
    """
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
    assert list(setup.deal) == rules.piles(setup), (
        f"the deal has the piles {list(setup.deal)}, but piles() names {rules.piles(setup)}"
    )


def a_setup_survives_a_file(trial: Trial) -> None:
    """Check that options and cards are the same after they are written to a file and read again."""
    read = through_a_file(trial.rules, trial.setup)
    assert read.house == trial.setup.house
    assert read.sides == trial.setup.sides
    assert read.deal == trial.setup.deal


def through_a_file(rules: RuleSet, setup: Setup) -> Setup:
    """Return a setup in which all values have been converted to the form of files and back."""
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
    """Convert the values of options to the form of files and back. The value None stays None."""
    return {
        key: None if value is None else table[key].read(table[key].write(value), seats)
        for key, value in values.items()
    }


def typed_cards_stay(trial: Trial) -> None:
    """Check that dealing adds cards to a pile without moving the cards that the battle file lists.

    A rule set is allowed to reject cards in the battle file if it cannot complete the deal.
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
        assert len(whole.deal[pile]) == len(trial.setup.deal[pile]), (
            f"the deal changed the size of pile {pile}"
        )
    here = trial.rules.start(trial.setup.copy(), trial.random_source())
    battle = trial.rules.start(whole, trial.random_source())
    assert count_cards(trial.rules, battle) == count_cards(trial.rules, here), (
        "the battle does not have the same cards as before"
    )


def unknown_cards_are_never_played(trial: Trial) -> None:
    """Check that a replay with unknown cards either rejects a move or ends like the original battle."""
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
    """Check that no option contains "?", which is the text of an unknown card."""
    assert not any("?" in text for text in referee.texts()), referee.texts()


def a_battle_leaves_its_setup_unchanged(trial: Trial) -> None:
    """Check that a battle changes neither the dealt cards nor the options in its setup."""
    setup = trial.fight().setup
    assert setup.deal == trial.setup.deal, "the battle changed the deal of its setup"
    assert (setup.house, setup.sides) == (trial.setup.house, trial.setup.sides), (
        "the battle changed the options of its setup"
    )


def a_card_is_not_dealt_twice(trial: Trial) -> None:
    """Check that a deal with the same card in two places is rejected.

    The law applies only to rule sets in which each card exists only once.
    """
    places = [(pile, at) for pile, cards in trial.setup.deal.items() for at in range(len(cards))]
    cards = [trial.setup.deal[pile][at] for pile, at in places]
    if len(set(cards)) < len(cards) or len(cards) < 2:
        return
    chance = trial.chance("twice")
    for _ in range(4):
        first, second = chance.sample(2, list(range(len(places))))
        typed = trial.setup.copy()
        pile, at = places[first]
        typed.deal[pile][at] = cards[second]
        text = trial.rules.card_text(cards[second])
        assert trial.rules.check(typed), f"a deal with {text} in two places is accepted"


def a_side_gets_no_secrets(trial: Trial) -> None:
    """Check that `without_secrets` returns equal setups for deals that look the same to a side.

    The program sends this setup to the player of the side, so it must not depend on hidden cards.
    """
    start = beginning(trial, trial.setup)
    for viewer in trial.seats:
        visible = trial.rules.without_secrets(trial.setup.copy(), viewer)
        other = dealt_otherwise(trial, viewer, 0, trial.chance(f"secrets/{viewer}"))
        if look_alike(trial, start, beginning(trial, other), viewer):
            same = trial.rules.without_secrets(other.copy(), viewer)
            assert (visible.deal, visible.house, visible.sides) == (same.deal, same.house, same.sides), (
                f"without_secrets shows side {viewer} cards that it must not know"
            )

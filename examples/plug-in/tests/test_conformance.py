"""Check that Push of Pike has all properties that cardbattle requires of a rule set."""

from push_of_pike import RULES

from cardbattle.testing import check


def test_it_keeps_every_law() -> None:
    check(RULES)

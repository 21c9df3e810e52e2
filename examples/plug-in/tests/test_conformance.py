"""Push of Pike keeps every law that cardbattle has for its rule sets."""

from push_of_pike import RULES

from cardbattle.testing import check


def test_it_keeps_every_law() -> None:
    check(RULES)

"""The standings name first what decides, and the report's lead agrees with them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER
from cardbattle.campaign.state.model import read_campaign
from cardbattle.campaign.state.standings import standings
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.show.pages.campaign.standings import standings_table

FACTIONS = ("red", "blue", "green")
PLACES = st.lists(st.tuples(st.sampled_from(FACTIONS), st.integers(0, 3)), max_size=5)


@given(st.lists(st.integers(-1, 1), min_size=3, max_size=3), PLACES)
def test_points_then_places_then_their_value_decide(points: list[int], places: list[tuple[str, int]]) -> None:
    data: dict[str, object] = {
        "format": 1,
        "name": "Vale",
        "seed": "seven swans on the river below the old fort",
        "factions": {key: {"points": number} for key, number in zip(FACTIONS, points, strict=True)},
        "locations": {f"p{n}": {"owner": key, "value": value} for n, (key, value) in enumerate(places)},
    }
    campaign = read_campaign(data)
    rows = standings(campaign)
    scores = [(row.points, row.locations, row.value) for row in rows]
    assert scores == sorted(scores, reverse=True)
    for row, score in zip(rows, scores, strict=True):
        assert row.place == 1 + sum(other > score for other in scores)
    table = standings_table(visible_to(campaign, EMPTY_LEDGER, "*"), {})
    assert ("points" in table.head, "value" in table.head) == (any(points), any(value for _, value in places))

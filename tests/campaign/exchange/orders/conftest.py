"""The campaign of the tests about orders."""

from __future__ import annotations

import pytest

from cardbattle.campaign.state.model import Campaign
from tests.support.vale import named_vale


@pytest.fixture
def campaign() -> Campaign:
    """Return the campaign of the guide, with names."""
    return named_vale()

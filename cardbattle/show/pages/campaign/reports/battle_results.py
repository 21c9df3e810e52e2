"""Results of battles and what they cost, as sentences of a chronicle."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from cardbattle.campaign.ledger.roster import factions_of_side
from cardbattle.campaign.state.apply import attrition_rate, lasting_losses, recorded_losses
from cardbattle.campaign.state.changes import is_battle
from cardbattle.campaign.visibility.redaction import sides_in
from cardbattle.core.grammar import capital, choose_form, mid_sentence, together, with_verb
from cardbattle.core.telling import winners_to_name
from cardbattle.show.battle_text import share_words
from cardbattle.show.pages.campaign.forces import unit_loss_sentence
from cardbattle.show.pages.campaign.reports.value_sentences import destruction_sentence, short_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardbattle.campaign.ledger.ledger import Entry
    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.core.grammar import Noun
    from cardbattle.simulation.turning_points import TurningPoint

ROUT = Fraction(1, 2)


def turning_sentence(turning_points: Sequence[TurningPoint]) -> str:
    """Return a sentence that names the turning points, or "" for an empty list."""
    if not turning_points:
        return ""
    places = "; ".join(turn.moment for turn in turning_points)
    return f" {'Turning points' if len(turning_points) > 1 else 'Turning point'}: {places}."


def battle_sentences(visible: VisibleCampaign, entry: Entry) -> str:
    """Describe the result and the losses of a battle in one or two sentences."""
    campaign = visible.campaign_after(entry)
    battle = ResultSentence(campaign, entry)
    if entry.kind == "declined":
        return f"{capital(battle.declined())}."
    ruling = "By the umpire's ruling, " if entry.kind == "override" else ""
    destroyed = [
        f" {capital(destruction_sentence(campaign, change))}."
        for change in entry.changes
        if change.key[0] == "forces" and change.key[-1] == "destroyed" and change.after
    ]
    units = unit_loss_sentence(entry.changes)
    lost = f" For good, {units}." if units else ""
    return f"{capital(f'{ruling}{battle.outcome()}{battle.cost(visible)}')}.{lost}{''.join(destroyed)}"


class ResultSentence:
    """Writes a recorded battle's sentence: the sides, winners, losers and the place at stake."""

    def __init__(self, campaign: Campaign, entry: Entry) -> None:
        assert entry.result is not None
        self.campaign = campaign
        self.result = entry.result
        tables = [change.before for change in entry.changes if is_battle(change.key)]
        table = next((table for table in tables if isinstance(table, dict)), {})
        joined = {side[0]: side for side in sides_in(table)}
        self.entry = entry
        self.sides = {key: joined.get(key, [key]) for key in entry.result.sides}
        self.names = {
            key: mid_sentence(campaign.side_name(forces, table)) for key, forces in self.sides.items()
        }
        gone = {
            change.key[1] for change in entry.changes if change.key[2:] == ("destroyed",) and change.after
        }
        self.destroyed = [key for key, forces in self.sides.items() if {*forces} <= gone]
        self.losers = [key for key in entry.result.sides if key not in entry.result.winners]
        self.place = short_name(campaign, "locations", table["stakes"]) if "stakes" in table else ""
        stakes = campaign.locations.get(str(table.get("stakes")))
        self.owner = stakes.owner if stakes else None
        self.defender = table.get("defender")
        owners = [
            change for change in entry.changes if change.key[0] == "locations" and change.key[-1] == "owner"
        ]
        self.capture = owners[0] if owners else None

    def declined(self) -> str:
        """Return a clause that names the side that declined the battle, and who takes or holds the place."""
        decline = with_verb(together(self.names[key] for key in self.losers), "declines|decline")
        victors = together(self.names[key] for key in self.result.winners)
        end = f" against {victors}"
        if self.capture is not None:
            end = f"; {self.capture_clause(victors, self.capture)}"
        elif self.place and self.is_kept():
            end = f"; {with_verb(victors, 'holds|hold')} {self.place}"
        return f"{decline} battle{end}"

    def outcome(self) -> str:
        """Return a clause that names the winners, the losers and the place that was won."""
        winners = winners_to_name(self.result.winners, len(self.sides))
        if not winners:
            over = f" over {self.place}" if self.place else ""
            return f"{together(self.names.values())} fight to a draw{over}"
        names = together(self.names[key] for key in winners)
        losers = together(self.names[key] for key in self.losers)
        if self.capture is not None:
            clause = self.capture_clause(names, self.capture)
            return clause if self.capture.before else f"{clause}, beating {losers}"
        if self.place and len(winners) == 1 and self.is_kept():
            return f"{with_verb(names, 'holds|hold')} {self.place} against {losers}"
        at = f" at {self.place}" if self.place and len(winners) == 1 else ""
        return f"{with_verb(names, 'routs|rout' if self.is_rout() else 'beats|beat')} {losers}{at}"

    def is_kept(self) -> bool:
        """Return False if a story must not say that the winners held the place at stake.

        A loser stood there first, or it belongs to a faction that is not among the winners, but can be at
        peace with them.
        """
        if self.defender in self.losers:
            return False
        forces = [force for key in self.result.winners for force in self.sides[key]]
        factions = factions_of_side(self.campaign, forces)
        return not (self.owner and factions) or self.owner in factions

    def capture_clause(self, victors: Noun, change: Change) -> str:
        place = short_name(self.campaign, "locations", change.key[1])
        takes = with_verb(victors, "takes|take")
        if not change.before:
            return f"{takes} {place}"
        return f"{takes} {place} from {short_name(self.campaign, 'factions', change.before)}"

    def is_rout(self) -> bool:
        """Return True if every loser lost half or more of its strength, and the winners lost nothing."""
        sides = self.result.sides
        return all(sides[key].losses >= ROUT for key in self.losers) and not any(
            sides[key].losses for key in self.result.winners
        )

    def cost(self, visible: VisibleCampaign) -> str:
        """Return the lasting losses of the sides that lost anything in the battle, or "" if no side did.

        A side lost nothing for good if the reader knows that the strengths of its forces are unchanged. A
        side that was destroyed is left out. For unknown strengths, a loss is only an estimate, because the
        real one is rounded to a whole number.
        """
        recorded = self.recorded_losses(visible)
        lasting = lasting_losses(self.campaign, self.result, recorded)
        losses = {key: share for key, share in lasting.items() if key not in self.destroyed}
        computed = lasting_losses(self.campaign, self.result)
        shares = [
            (self.names[key], share_words(share, is_rough=key not in recorded and self.has_attrition(key)))
            for key, share in losses.items() if share or computed[key]
        ]  # fmt: skip
        if not shares:
            return ""
        if not any(losses.values()):
            return "; nothing is lost for good"
        (name, share), *more = shares
        if more and len(shares) == len(losses) and len({phrase for _, phrase in shares}) == 1:
            return f"; each loses {share} for good"
        if not more and self.losers == [key for key in losses if losses[key]] and self.capture is None:
            factions = map(mid_sentence, map(self.campaign.faction_name, self.campaign.factions))
            pronoun = "which" if name in factions and not name.is_plural else "who"
            return f", {pronoun} {choose_form('loses|lose', name.is_plural)} {share} for good"
        first = f"{with_verb(name, 'loses|lose')} {share} for good"
        return "; " + ", ".join([first, *(f"{side} {phrase}" for side, phrase in more)])

    def has_attrition(self, key: str) -> bool:
        """Return True if the program computes the lasting loss of a side."""
        return bool(attrition_rate(self.campaign, self.result, key))

    def recorded_losses(self, visible: VisibleCampaign) -> dict[str, Fraction]:
        """Return the share of its strength that each side lost, if the reader knows its strengths."""
        forces = [force for side in self.sides.values() for force in side]
        strengths = {force: visible.strength_then(force, self.entry.revision) for force in forces}
        known = {force: strength for force, strength in strengths.items() if strength is not None}
        return recorded_losses(self.entry.changes, self.sides, known)

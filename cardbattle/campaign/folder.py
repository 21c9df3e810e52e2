"""The Python API of a campaign folder, which reads a campaign, estimates odds and fights battles."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from warnings import warn

from cardbattle.battles.records.record import Record
from cardbattle.campaign.ledger.ledger import Ledger
from cardbattle.campaign.seals.sealed_draw import with_draw
from cardbattle.campaign.state.battle_setup import rehearsal_table
from cardbattle.campaign.state.model import Campaign, Faction, Force, Location, Pending
from cardbattle.campaign.storage import store
from cardbattle.campaign.storage.seal_slots import opener
from cardbattle.campaign.turn.fighting import (
    FightOptions,
    fight_battles,
    fighters,
    plan_recording,
    select_battles,
    unrecorded_battles,
)
from cardbattle.core.errors import Remark
from cardbattle.core.public_library import library
from cardbattle.core.ruleset import RuleSet
from cardbattle.core.telling import counted
from cardbattle.simulation.odds import PRECISION, Odds, OddsStop, count_odds
from cardbattle.simulation.workers import workforce_or


class CampaignFolder:
    """A campaign folder.

    `campaign` is the state of the campaign and `ledger` is its history, both as last read. `reload` reads
    them again. `fight` records battles in the same way as the command line, and then reloads the campaign.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.reload()

    def __repr__(self) -> str:
        state = self.campaign
        pending = f"{counted(len(state.pending), 'battle')} pending"
        return f"<CampaignFolder {state.name}: turn {state.turn}, revision {state.revision}, {pending}>"

    def reload(self) -> None:
        """Read the campaign's files again.

        Raises InvalidInput, which lists all errors in the files.
        """
        books = store.load(self.folder)
        self.ledger: Ledger = store.read_ledger(self.folder)
        current = store.with_missing_entries(books, self.ledger)
        self.campaign: Campaign = with_draw(current, self.ledger).campaign

    @property
    def name(self) -> str:
        """The campaign's name."""
        return self.campaign.name

    @property
    def turn(self) -> int:
        """The current turn, from 0."""
        return self.campaign.turn

    @property
    def revision(self) -> int:
        """The number of ledger entries applied to the state."""
        return self.campaign.revision

    @property
    def factions(self) -> Mapping[str, Faction]:
        """The factions by key."""
        return self.campaign.factions

    @property
    def forces(self) -> Mapping[str, Force]:
        """The forces by key."""
        return self.campaign.forces

    @property
    def locations(self) -> Mapping[str, Location]:
        """The locations by key."""
        return self.campaign.locations

    @property
    def pending(self) -> list[PendingBattle]:
        """The pending battles, in the order of the campaign file."""
        return [PendingBattle(self, battle) for battle in self.campaign.pending]

    def _repr_html_(self) -> str:
        """Return the state of the campaign, as the umpire sees it, in HTML for a notebook."""
        return str(library().html_of_campaign(self))

    def table(self) -> list[dict[str, object]]:
        """Return a row for each force, for a spreadsheet or a data frame.

        `strength` and the faction's `points` are floats. A destroyed force has the strength 0. All other
        values are strings.
        """
        return [
            {
                "force": key,
                "name": str(self.campaign.display_name(key)),
                "faction": force.faction,
                "location": force.location or "",
                "strength": 0.0 if force.destroyed else float(force.strength),
                "points": float(self.factions[force.faction].points),
            }
            for key, force in self.forces.items()
        ]

    def fight(self, *battles: str, jobs: int | None = 1) -> list[Record]:
        """Fight the pending battles with these ids, record them, and return their records.

        Without ids, the first pending battle is fought. `jobs` is the number of processes, as in
        `cardbattle.odds`. Notes for the umpire become warnings.

        Raises InvalidInput if a battle is not pending or cannot be fought, NeedsUmpire if the campaign was
        changed meanwhile or its ledger is damaged, InUse if another process is writing, and SystemFailure if
        a file cannot be written. After an error, nothing has been recorded unless the error says so.
        """
        with store.open_for_writing(self.folder) as transaction:
            file, ledger = transaction.books, transaction.ledger
            hear(transaction.take_notes())
        wanted = unrecorded_battles(file.campaign, ledger, select_battles(file.campaign, [*battles], False))
        with fighters(file.campaign, wanted, jobs) as hands:
            how = FightOptions(open=opener(self.folder, lambda note: hear([note])))
            fought = fight_battles(file.campaign, wanted, hands, how)
        with store.open_for_writing(self.folder) as transaction:
            operations = plan_recording(transaction.books, transaction.ledger, fought)
            transaction.commit(operations)
            hear([*(note for operation in operations for note in operation.notes), *transaction.take_notes()])
        self.reload()
        return [battle.record for battle in fought]


class PendingBattle:
    """A pending battle of a campaign."""

    def __init__(self, of: CampaignFolder, battle: Pending) -> None:
        self.of = of
        self.battle = battle

    def __repr__(self) -> str:
        return f"<PendingBattle {self.id} of {self.rules.name}: {', '.join(self.sides)}>"

    @property
    def id(self) -> str:
        """The battle's id."""
        return self.battle.id

    @property
    def sides(self) -> list[str]:
        """The keys of the sides in seat order. The key of a side is the key of its first force."""
        return self.battle.keys

    @property
    def rules(self) -> RuleSet:
        """The rule set of the battle."""
        return self.of.campaign.rules_of(self.battle)

    def table(self) -> dict[str, object]:
        """Return the battle as a battle file, including the advantages that strength gives.

        If the campaign has sealed dice, the battle will be fought with another seed. Raises InvalidInput if
        the battle cannot be fought.
        """
        return rehearsal_table(self.of.campaign, self.battle)

    def odds(
        self,
        *,
        battles: int | None = None,
        precision: float = PRECISION,
        jobs: int | None = 1,
        executor: Executor | None = None,
    ) -> Odds:
        """Estimate the odds by simulating the battle many times with its commanders. Nothing is recorded.

        The arguments are those of `cardbattle.odds`. Raises InvalidInput if the battle cannot be fought.
        """
        with workforce_or(executor, jobs) as hands:
            return count_odds(self.table(), self.of.folder, OddsStop(battles, precision), *hands)

    def fight(self) -> Record:
        """Fight and record the battle, and return its record.

        See `CampaignFolder.fight` for the errors.
        """
        return self.of.fight(self.id)[0]


def hear(notes: list[str]) -> None:
    """Issue notes for the umpire as warnings."""
    for note in notes:
        warn(note, Remark, stacklevel=3)

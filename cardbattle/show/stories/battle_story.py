"""Write the story of a recorded battle, with what the reader may know of the campaign around the battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from cardbattle.battles.records.replay import refight
from cardbattle.campaign.ledger.history import force_today
from cardbattle.campaign.ledger.ledger import STORY
from cardbattle.core.battle import NOBODY
from cardbattle.core.errors import CardbattleError
from cardbattle.core.names import clean, one_line
from cardbattle.core.telling import ENGLISH
from cardbattle.show.stories.battle_context import BattleInCampaign
from cardbattle.show.stories.battle_in_war import GREAT, WEIGHTS, BattleInWar
from cardbattle.show.stories.known_past import KnownPast
from cardbattle.story.language import language
from cardbattle.story.stakes import Stakes
from cardbattle.story.story import Story, tell_story

if TYPE_CHECKING:
    from cardbattle.battles.records.reader_view import Report
    from cardbattle.battles.records.record import Record
    from cardbattle.campaign.visibility.reader import VisibleCampaign
    from cardbattle.simulation.turning_points import Curve


class CampaignStories:
    """Writes the stories of a campaign's battles for one reader. Stories in a row use different phrases.

    `lang` is the code of a language. `curves` maps the revision that recorded a battle to the chances of its
    sides over the battle, as this reader sees them. Battles whose chances were not counted are missing.
    """

    def __init__(
        self, visible: VisibleCampaign, lang: str = ENGLISH, curves: Mapping[int, Curve] | None = None
    ) -> None:
        self.visible = visible
        self.curves = curves or {}
        self.lang = lang
        self.known = KnownPast(visible)
        self.written = stories_by_umpire(visible)

    def story(self, revision: int, report: Report) -> Story:
        """Return the story of the battle that was recorded at `revision`, as the reader may know it.

        If the umpire has written a story for the battle, this story is returned. Otherwise a story is
        generated, which is the same in all reports and on the site. Raises KeyError if the reader may not
        know of the entry.
        """
        if revision in self.written:
            return Story([self.written[revision]], ())
        return self.generated(revision, report)

    def generated(self, revision: int, report: Report) -> Story:
        """Return the generated story of a battle, even if the umpire has written another story for it.

        Raises the same errors as `story`.
        """
        seats = [force_today(self.visible.ledger, key, revision) for key in report.setup.seats]
        viewer = report.viewer if report.viewer != NOBODY else None
        stakes = self.stakes(revision, seats, report.winners)._replace(viewer=viewer)
        curve = self.curves.get(revision)
        return tell_story(report, stakes, curve=curve, lang=self.lang)

    def stakes(self, revision: int, seats: Sequence[str], winners: Sequence[int]) -> Stakes:
        """Return what the campaign knows about a battle.

        `seats` has the present keys of the battle's sides, and `winners` the numbers of the winning sides.
        """
        battle = BattleInCampaign(self.known, self.known.entries[revision], seats, winners)
        war = BattleInWar(battle)
        curve = self.curves.get(revision)
        start = curve.points[0] if curve and curve.points else None
        consequences = war.consequences()
        vocabulary = language(self.lang)
        return Stakes(
            place=battle.road or (battle.place if battle.is_at_place else ""),
            about=battle.place if battle.is_only_about_place() else "",
            when=battle.when(),
            words=battle.words(),
            decides=battle.holder(),
            strengths=battle.strengths(),
            rough_strengths=battle.rough_strengths(),
            rough_strengths_left=battle.rough_strengths_left(),
            best_known=battle.best_known_strengths(),
            written=self.written.get(revision, ""),
            chances=start.chances if start else [],
            has_begun=bool(start and start.moves),
            casualties=battle.casualties(),
            losses=battle.losses(seats),
            units=battle.units(),
            shorts=battle.shorts(vocabulary),
            names=battle.names(vocabulary),
            leaders=battle.leaders(),
            factions=battle.factions(),
            memory=war.memory,
            consequences=consequences,
            is_great=any(WEIGHTS[fact.kind] >= GREAT for fact in consequences),
            ordinals=self.known.ordinals.get(revision),
        )


def stories_of(
    visible: VisibleCampaign,
    logs: Mapping[int, Record],
    curves: Mapping[int, Curve] | None = None,
    lang: str = ENGLISH,
) -> dict[int, str]:
    """Return the stories of recorded battles for one reader, by the revision that recorded each battle.

    Battles whose record cannot be replayed are left out, unless the umpire has written their story. `logs`
    has the records by revision (see `VisibleCampaign.logs`). `curves` is as in `CampaignStories`.
    """
    writer = CampaignStories(visible, lang, curves)
    stories = dict(writer.written)
    for revision, record in sorted(logs.items()):
        with suppress(CardbattleError):
            report = visible.view_of(revision, record).report(refight(record))
            stories[revision] = writer.story(revision, report).text
    return stories


def stories_by_umpire(visible: VisibleCampaign) -> dict[int, str]:
    """Return the stories that the umpire wrote, by the revision that recorded the battle."""
    ledger = visible.ledger
    stories = {}
    for entry in visible.entries:
        battle = ledger.revision_by_battle.get(entry.id, 0)
        is_standing = 0 < battle < entry.revision and entry.revision not in ledger.undone_revisions
        if entry.kind == STORY and is_standing and entry.text:
            stories[battle] = clean(one_line(entry.text))
    return stories

"""The story of one battle of a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.show.document import Document, Paragraph, Title

if TYPE_CHECKING:
    from cardbattle.story.story import Story


def story_page(battle: str, story: Story, generated: Story) -> Document:
    """Show the story of a battle. The JSON output also has the generated story."""
    table = {"schema": 1, "battle": battle, "story": story.sentences, "generated": generated.sentences}
    return Document(battle, [Title(battle), Paragraph(story.text)], table)

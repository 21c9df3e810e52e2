"""What is drawn as SVG within a page: cards, charts, maps. It knows no page and no other format."""

"""SVG drawings for pages: cards, charts and maps. They do not depend on pages or other formats."""

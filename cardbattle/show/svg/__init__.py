"""SVG drawings for pages: cards, charts and maps.

The drawings do not depend on pages or on other output formats.
"""

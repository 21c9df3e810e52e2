"""The documentation site: pages that mkdocs.yml adds to the guides in docs/."""

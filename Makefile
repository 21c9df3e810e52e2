.PHONY: check format lint types imports test docs reference site heavy bench page release

STEPS = format lint types imports test

check:  ## everything the continuous integration runs on the sources, with the time of each step
	@for step in $(STEPS); do \
	  began=$$(date +%s); echo "== $$step"; $(MAKE) --no-print-directory $$step || exit 1; \
	  echo "== $$step took $$(($$(date +%s) - began)) s"; \
	done

format:
	ruff format --check .

lint:
	ruff check .

types:
	mypy

imports:
	lint-imports

test:
	python -m pytest
	python -m pytest -m slow
	python -m pytest -n0 -m "browser and not heavy"

docs: reference  ## rewrite the reference; with the extra docs, also build the site and check its links
	@if python -c "import mkdocs" 2> /dev/null; then $(MAKE) --no-print-directory site; \
	  else echo "the site is not built: install the extra docs"; fi

reference:  ## rewrite docs/commands.md and the completion data from the program's help
	python -m tests.support.reference > docs/commands.md
	python -m tests.support.command_tree > cardbattle/data/completion/commands.json
	python -m tests.support.key_table > cardbattle/data/completion/keys.json

site:  ## build the documentation site in build/site, and check every link; with dist/cardbattle-VERSION.html, if there
	PYTHONPATH=. NO_MKDOCS_2_WARNING=1 mkdocs build --quiet

heavy:  ## the tests that take minutes
	python -m pytest -m heavy
	python -m pytest --hypothesis-profile=long -m "hypothesis and not heavy"

bench:
	for script in tests/benchmarks/[a-z]*.py; do python -m tests.benchmarks.$$(basename $$script .py); done

page:  ## the page for those without Python, in dist/
	python -m browser

release:  ## everything that a publisher needs, checked, in dist/; needs the extras docs and release
	python -m browser.release

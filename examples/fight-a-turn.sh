#!/bin/sh
# Fight one turn of a campaign, and write the reports for the players:
#
#     sh examples/fight-a-turn.sh campaigns/four-noons
#
# The script stops at the first error. Battles that are already recorded stay recorded, so you can
# run it again.
set -eu
folder=${1:-.}

campaign() {
    cardbattle campaign -C "$folder" "$@"
}

# Stop if the campaign has errors. Hints do not stop the script.
campaign check

# Look ahead: the possible results of the turn, and what they would change.
campaign forecast -n 50 -q
campaign fight --all --dry-run --no-odds

# Fight every pending battle in order, each with the forces that the earlier ones have left, and
# write what everyone may read about it. `cardbattle campaign undo` undoes the whole turn.
turn=$(sed -n 's/^turn *= *\([0-9][0-9]*\).*/\1/p' "$folder/campaign.toml")
mkdir -p "$folder/reports"
campaign fight --all --no-odds --for public --format md > "$folder/reports/turn-$turn.md"

# Write a page for the players, and begin the next turn.
campaign report --format html -o "$folder/reports/turn-$turn.html" -q
campaign turn
campaign standings

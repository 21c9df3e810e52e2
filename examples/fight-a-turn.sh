#!/bin/sh
# One turn of a campaign, from its books to the players' reports:
#
#     sh examples/fight-a-turn.sh campaigns/four-noons
#
# Any step that fails stops the turn there. What was recorded up to then stays recorded, and the
# script can simply be started again.
set -eu
folder=${1:-.}

campaign() {
    cardbattle campaign -C "$folder" "$@"
}

# Nothing is fought while something is wrong with the books. A hint stops nothing.
campaign check

# What may come of today, and what it would change: the last look before the cards are dealt.
campaign forecast -n 50 -q
campaign fight --all --dry-run --no-odds

# Every pending battle, in order, each with the forces that the one before has left. This is one
# step in the ledger: `cardbattle campaign undo` takes the whole day back. The tales are those that
# everybody may read.
turn=$(sed -n 's/^turn *= *\([0-9][0-9]*\).*/\1/p' "$folder/campaign.toml")
mkdir -p "$folder/reports"
campaign fight --all --no-odds --for public --format md > "$folder/reports/turn-$turn.md"

# A page for the players, and the next turn.
campaign report --format html -o "$folder/reports/turn-$turn.html" -q
campaign turn
campaign standings

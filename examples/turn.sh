#!/bin/sh
# Fight a campaign's turn: sh turn.sh CAMPAIGN-FOLDER
#
# Stops at the first thing that is wrong, before anything is fought; fights every pending battle,
# each with a seed from the campaign's own; shows where all stand, and begins the next turn. What
# was done can be taken back with `cardbattle campaign undo`.
set -eu
cd "${1:-.}"

cardbattle campaign check
cardbattle campaign fight --all --detail brief
cardbattle campaign standings
cardbattle campaign turn --reason "all battles of the turn are fought"

#!/bin/sh
# A week of a campaign in three commands: fight the pending battles, write the site, write to the players.
#
#     sh examples/a-week.sh campaigns/four-noons
#
# The results are in the folder of the campaign: site/, to copy to a web host, and message.txt, to paste into
# a channel. If no battle is pending, the script stops at the first command.
set -eu
folder=${1:-.}

cardbattle campaign -C "$folder" fight --all --no-odds --detail brief
cardbattle campaign -C "$folder" site
cardbattle campaign -C "$folder" report --format discord -o "$folder/message.txt"

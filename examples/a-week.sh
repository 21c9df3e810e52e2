#!/bin/sh
# A campaign's week in three commands: fight what is pending, put the site up, tell the players.
#
#     sh examples/a-week.sh campaigns/four-noons
#
# What it writes stands beside the campaign: site/, which any web host takes, and message.txt, to be pasted
# into a channel. A week in which nothing is pending stops at the first command.
set -eu
folder=${1:-.}

cardbattle campaign -C "$folder" fight --all --no-odds --detail brief
cardbattle campaign -C "$folder" site
cardbattle campaign -C "$folder" report --format discord -o "$folder/message.txt"

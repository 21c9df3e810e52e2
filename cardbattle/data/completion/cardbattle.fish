# Completion of `cardbattle` for fish.
function __cardbattle_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l word (commandline -ct)
    set -l offers (cardbattle --complete=fish "--word=$word" $words 2>/dev/null)
    if test "$offers[1]" = / # also complete files
        set -e offers[1]
        __fish_complete_path $word
    end
    test (count $offers) -gt 0; and printf '%s\n' $offers
end
complete --command cardbattle --no-files --arguments '(__cardbattle_complete)'

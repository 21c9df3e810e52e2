# Completion of `cardbattle` for bash 4.4 or later.
_cardbattle_complete() {
    local word="${COMP_WORDS[COMP_CWORD]}"
    mapfile -t COMPREPLY < <(
        cardbattle --complete=bash "--word=$word" "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null
    )
    if [[ ${COMPREPLY[0]-} == / ]]; then # also complete files
        compopt -o filenames
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
        COMPREPLY=("${COMPREPLY[@]:1}")
    elif [[ ${COMPREPLY[0]-} == *[=.] ]]; then # more text must follow
        compopt -o nospace
    fi
}
complete -F _cardbattle_complete cardbattle

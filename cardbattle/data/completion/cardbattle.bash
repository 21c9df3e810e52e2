# What the Tab key offers after `cardbattle`, in bash 4.4 or later.
_cardbattle_complete() {
    local word="${COMP_WORDS[COMP_CWORD]}"
    mapfile -t COMPREPLY < <(
        cardbattle --complete=bash "--word=$word" "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null
    )
    if [[ ${COMPREPLY[0]-} == / ]]; then # files as well
        compopt -o filenames
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
        COMPREPLY=("${COMPREPLY[@]:1}")
    elif [[ ${COMPREPLY[0]-} == *[=.] ]]; then # more is to come
        compopt -o nospace
    fi
}
complete -F _cardbattle_complete cardbattle

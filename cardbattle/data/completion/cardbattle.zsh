#compdef cardbattle
# Completion of `cardbattle` for zsh.
_cardbattle_complete() {
    local -a offers open
    offers=("${(@f)$(
        cardbattle --complete=zsh "--word=$PREFIX" "${(@Q)words[2,CURRENT-1]}" 2>/dev/null
    )}")
    offers=(${offers:#}) # an empty answer is one empty line
    if [[ $offers[1] == / ]]; then # also complete files
        shift offers
        _files
    fi
    open=(${(M)offers:#[^:]#[=.]:*}) # more text must follow
    offers=(${offers:|open})
    (( $#offers )) && _describe value offers
    (( $#open )) && _describe value open -S ''
}
if ! (( $+functions[compdef] )); then
    autoload -Uz compinit && compinit
fi
compdef _cardbattle_complete cardbattle

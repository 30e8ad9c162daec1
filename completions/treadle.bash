# SPDX-License-Identifier: Apache-2.0
# bash completion for treadle. Options come from `treadle COMMAND --help-all`, so that they are those of
# this version; findings from the newest session.

_treadle_options() {
    treadle "$1" --help-all 2>/dev/null | grep -oE -- '--[a-z][a-z-]*=?'
}

_treadle_choices() {
    treadle "$1" --help-all 2>/dev/null | grep -oE -- "$2=[a-z-]+(\|[a-z-]+)+" | cut -d= -f2 | tr '|' ' '
}

_treadle_list() {
    treadle run --help-all 2>/dev/null | sed -n "/^$1/,/^\$/s/^  \([a-z-]*\) .*/\1/p"
}

_treadle_findings() {
    local dir=${TREADLE_OUT:-treadle-out}/latest file
    for file in "$dir"/*.treadle "$dir"/*/*.treadle; do
        [ -f "$file" ] || continue
        file=${file##*/}
        echo "${file%.treadle}"
    done
}

_treadle_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_treadle() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        _treadle_words "cc c++ run replay show check test minimize weaken fix report top worker farm doctor svcomp mcp fuzz help --version --help" "$cur"
        return
    fi
    # The equal sign breaks words: --goal = x.
    [ "$prev" = = ] && prev=${COMP_WORDS[COMP_CWORD - 2]}
    [ "$cur" = = ] && cur=
    case $prev in
    --goal) _treadle_words "$(_treadle_list Goals)" "$cur"; return ;;
    --search) _treadle_words "$(_treadle_list Searches)" "$cur"; return ;;
    --expect | --carrier) _treadle_words "$(_treadle_choices "$command" "$prev")" "$cur"; return ;;
    esac
    case $command:$cur in
    cc:*|c++:*) compopt -o default ;;
    *:-*)
        _treadle_words "$(_treadle_options "$command")" "$cur"
        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
        ;;
    replay:* | show:*)
        _treadle_words "$(_treadle_findings)" "$cur"
        [ ${#COMPREPLY[@]} -gt 0 ] || compopt -o default
        ;;
    farm:*) [ "$COMP_CWORD" = 2 ] && _treadle_words init "$cur" ;;
    help:*) _treadle_words "cc c++ run replay show check test minimize weaken fix report top worker farm doctor svcomp mcp fuzz" "$cur" ;;
    *) compopt -o default ;;
    esac
}

complete -F _treadle treadle

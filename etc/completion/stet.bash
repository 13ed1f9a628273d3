# bash completion of stet(1). It asks "stet help", so it knows what there is, modules of others included.
# shellcheck shell=bash

# What may follow after these words: STET WORD...
_stet_next() {
	local stet=$1 said operands=
	shift
	# Behind the words of a command come its operands.
	while ! said=$("$stet" help "$@" 2>/dev/null); do
		[ $# -gt 0 ] || return
		set -- "${@:1:$#-1}"
		operands=y
	done
	[ $# -gt 0 ] || [ -z "$operands" ] || return
	awk -v skip=$# -v operands="$operands" '
	/^usage:/ || /^  --/ {
		all = $1 == "usage:" || $1 ~ /,$/
		for (line = $0; match(line, /--[a-z][a-z-]*/); line = all ? substr(line, RSTART + RLENGTH) : "")
			print substr(line, RSTART, RLENGTH)
	}
	/^  [a-z]/ && operands == "" { print $(skip + 1) }' <<<"$said"
}

_stet() {
	local cur=${COMP_WORDS[COMP_CWORD]} words=() i
	case ${COMP_WORDS[COMP_CWORD - 1]} in
	--config) return ;; # a file: the default
	--data)
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		return
		;;
	esac
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--config | --data | --site) ((i++)) ;;
		-*) ;;
		help) [ ${#words[@]} -eq 0 ] || words+=(help) ;;
		*) words+=("${COMP_WORDS[i]}") ;;
		esac
	done
	# Options are offered to who asks for them: they are not in the way of files.
	mapfile -t COMPREPLY < <(compgen -W "$(_stet_next "${COMP_WORDS[0]}" "${words[@]}")" -- "$cur" |
		sort -u | if [ -n "$cur" ]; then cat; else grep -v '^-'; fi)
}
complete -o default -F _stet stet

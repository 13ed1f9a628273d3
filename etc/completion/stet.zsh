#compdef stet
# zsh completion of stet(1). It asks "stet help", so it knows what there is, modules of others included.

local -a so_far found
local i

case $words[CURRENT-1] in
(--config | --data)
	_files
	return
	;;
esac
for ((i = 2; i < CURRENT; i++)); do
	case $words[i] in
	(--config | --data | --site) ((i++)) ;;
	(-*) ;;
	(help) (( $#so_far )) && so_far+=(help) ;;
	(*) so_far+=("$words[i]") ;;
	esac
done
if [[ $words[CURRENT] == -* ]]; then
	while (( $#so_far )) && ! $words[1] help $so_far >/dev/null 2>&1; do
		so_far[-1]=()
	done
	found=(${(fu)"$($words[1] help $so_far 2>/dev/null | grep -e '^usage:' -e '^  --' |
		grep -o -e '--[a-z][a-z-]*')"})
else
	found=(${(fu)"$($words[1] help $so_far 2>/dev/null |
		awk -v n=$(( $#so_far + 1 )) '/^  [a-z]/ { print $n }')"})
fi
if (( $#found )); then
	compadd -a found
else
	_files
fi

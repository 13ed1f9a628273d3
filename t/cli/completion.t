#!/bin/sh
# completion.t - the completions of etc/completion offer what "stet help" lists. TAP. A shell that is not installed is
# skipped.
build=${STET_BUILD:-.} source=${STET_SOURCE:-.}
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-completion-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/empty"
build=$(cd "$build" && pwd) source=$(cd "$source" && pwd)
ln -s "$build/.libs/stet" "$work/bin/stet"
PATH=$work/bin:$PATH
cd "$work/empty" || exit 99
export LD_LIBRARY_PATH="$build/.libs" STET_MODULE_PATH="$build/modules/.libs" STET_PLUGIN_PATH=

# A script for each shell that prints the completions for a command line: the arguments are its words, the last one as
# far as it was typed.
cat >"$work/bash" <<-'END'
	. "$STET_SOURCE/etc/completion/stet.bash"
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
	_stet
	printf '%s\n' "${COMPREPLY[@]}"
END
cat >"$work/zsh" <<-'END'
	compadd() { printf '%s\n' ${(M)found:#$words[CURRENT]*} }
	_files() { }
	complete_it() { . "$STET_SOURCE/etc/completion/stet.zsh" }
	words=("$@") CURRENT=$#
	complete_it
END
cat >"$work/fish" <<-'END'
	source $STET_SOURCE/etc/completion/stet.fish
	complete -C (string join ' ' -- $argv) | string replace -r '\t.*' '' | string match -v -- '*/*'
END
export STET_SOURCE="$source"

offered() {
	shell=$1
	shift
	case $shell in
	bash) bash --norc "$work/bash" "$@" ;;
	zsh) zsh -f "$work/zsh" "$@" ;;
	fish) HOME=$work fish --no-config "$work/fish" "$@" ;;
	esac 2>&1 | sort -u | tr '\n' ' ' | sed 's/^ *//; s/ *$//'
}

count=0
# is SHELL EXPECTED WORDS...
is() {
	shell=$1 want=$2
	shift 2
	count=$((count + 1))
	if ! command -v "$shell" >/dev/null 2>&1; then
		echo "ok $count - $shell: $* # SKIP $shell is not installed"
		return
	fi
	got=$(offered "$shell" "$@")
	if [ "$got" = "$want" ]; then
		echo "ok $count - $shell: $*"
	else
		echo "not ok $count - $shell: $*"
		printf '# wanted: %s\n# got: %s\n' "$want" "$got"
	fi
}

# Prints, from the help, the N-th word of each command that begins with these words.
commands() {
	n=$(($# + 1))
	stet help "$@" | awk -v n=$n '/^  [a-z]/ { print $n }' | sort -u | tr '\n' ' ' | sed 's/ *$//'
}

# Prints, from the help, the options of a command: those in its usage, or at the beginning of a line.
options() {
	stet help "$@" | grep -e '^usage:' -e '^  --' | grep -o -e '--[a-z][a-z-]*' | sort -u |
		tr '\n' ' ' | sed 's/ *$//'
}

echo 1..30
for shell in bash zsh fish; do
	is $shell "$(commands)" stet ''
	is $shell "$(commands user)" stet user ''
	is $shell "$(commands webhook)" stet --data /nowhere webhook ''
	is $shell token stet to
	is $shell 'remove replay' stet webhook re
	is $shell "$(options token add)" stet token add ann@example.org --
	is $shell "$(options import jsonl)" stet import jsonl file --
	is $shell "$(options)" stet --
	is $shell user stet help us
	is $shell '' stet nonsense ''
done

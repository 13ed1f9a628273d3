# command.sh - lets tests of the command run on PostgreSQL (t/engine.h): t/cli/command.sh reads it if T_ENGINE says so.
# A site that a test names by --data, or by --config in a file of its own, gets the keys of its database: the command
# reads a copy of the file that has them. A data directory that was removed and comes again has other tables.
# shellcheck shell=sh disable=SC2154
: "${T_ENGINE_URI:?t/engine/run sets it}" "${T_ENGINE_DIR:?}"
mkdir -p "$work/.engine/conf"

# Prints the keys for a data directory. What is known of it is its schema, and its inode after the last command.
engine_keys() {
	key=$(printf %s "$1" | cksum | tr ' ' _) schema='' inode=''
	[ ! -f "$work/.engine/$key" ] || read -r schema inode <"$work/.engine/$key"
	[ "$inode" = - ] || [ "$inode" = "$(stat -c %i "$1" 2>/dev/null)" ] || schema=''
	if [ -z "$schema" ]; then
		schema=c_${key}_$(date +%s%N)
		ln -s "$1/files" "$T_ENGINE_DIR/files/$schema"
		echo "$schema -" >"$work/.engine/$key"
	fi
	echo "$key $1" >>"$work/.engine/used"
	printf 'database = "%s" database-schema = "%s" database-timeout = 60s files-directory = "%s"\n' \
		"$T_ENGINE_URI" "$schema" "$T_ENGINE_DIR/files/$schema"
}

# Copies a configuration with the keys behind each `data`, on its line, since errors name lines.
engine_conf() {
	while IFS= read -r line || [ -n "$line" ]; do
		head=$(printf '%s\n' "$line" |
			sed -n '/database/!s/^\(\(.*[{[:blank:]]\)\{0,1\}data[[:blank:]]*=[[:blank:]]*"[^"]*"\).*/\1/p')
		data=${head%\"} data=${data##*\"}
		[ -z "$head" ] || line="$head $(engine_keys "$data")${line#"$head"}"
		printf '%s\n' "$line"
	done
}

# The directory of files is made when the site is there: the command says whether it has made the site's.
engine_note() {
	while read -r key data; do
		[ -d "$data" ] || continue
		mkdir -p "$data/files"
		read -r schema inode <"$work/.engine/$key"
		echo "$schema $(stat -c %i "$data")" >"$work/.engine/$key"
	done <"$work/.engine/used"
}

sql() {
	read -r schema inode <"$work/.engine/$(printf %s "$1" | cksum | tr ' ' _)" &&
		psql -X -q -d "$T_ENGINE_URI" -c "SET search_path = \"$schema\"" -c "$2"
}

conf_of() {
	engine_conf <"$1" >"$work/.engine/conf/${1##*/}"
	echo "$work/.engine/conf/${1##*/}"
}

# In a shell of its own: tests have variables of these names.
program() (
	: >"$work/.engine/used"
	left=$#
	case " $* " in *' --data '*' --config '* | *' --config '*' --data '*) left=0 ;; esac # which is an error
	while [ "$left" -gt 0 ]; do
		word=$1 left=$((left - 1))
		shift
		# What is no file stays as it is, and so does an option without its value.
		kind=$word
		[ "$left" -gt 0 ] && { [ "$word" != --config ] || [ -f "$1" ]; } || kind=''
		case $kind in
		--data)
			conf=data.conf
			printf 'site "main" {\n data = "%s"\n}\n' "$1" | engine_conf >"$work/.engine/conf/$conf"
			;;
		--config)
			conf=${1##*/}
			conf_of "$1" >/dev/null
			;;
		*)
			set -- "$@" "$word"
			continue
			;;
		esac
		shift
		left=$((left - 1))
		set -- "$@" --config "$work/.engine/conf/$conf"
	done
	"$build/.libs/stet" "$@"
	status=$?
	engine_note
	exit "$status"
)

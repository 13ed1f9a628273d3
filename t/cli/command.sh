# command.sh - for tests of the command as built: runs it, and checks its outcome. TAP. Needs $work, a directory that
# belongs to the test.
# shellcheck shell=sh
build=${STET_BUILD:-.}
# Run the program itself: libtool's wrapper script takes longer than most commands.
LD_LIBRARY_PATH=$(cd "$build" && pwd)/.libs
export LD_LIBRARY_PATH STET_MODULE_PATH="$build/modules/.libs" STET_PLUGIN_PATH= STET_HELPER_PATH="$build/helpers/image"
count=0 status=0 out='' err=''

# Runs the program.
program() {
	"$build/.libs/stet" "$@"
}
# Runs a statement on the database of the site in a directory. Fails if there is no program to do so.
sql() {
	command -v sqlite3 >/dev/null 2>&1 && sqlite3 "$1/stet.db" "$2"
}
# Prints the name of a configuration as a daemon gets it.
conf_of() {
	echo "$1"
}
if [ "${T_ENGINE:-sqlite}" != sqlite ]; then
	# shellcheck source=t/engine/command.sh
	. "${STET_SOURCE:-.}/t/engine/command.sh"
fi

# Runs the command; sets status, out and err.
run() {
	program "$@" >"$work/out" 2>"$work/err"
	status=$?
	out=$(cat "$work/out")
	# On a loaded machine slow hooks are logged, which is not an error of the command.
	err=$(grep -v ' took [0-9]* ms$' "$work/err")
}

# Reports a test: NAME, the expected exit status, and patterns for the output and the errors.
is() {
	count=$((count + 1))
	good=y
	[ "$status" = "$2" ] || good=n
	# shellcheck disable=SC2254
	case $out in $3) ;; *) good=n ;; esac
	# shellcheck disable=SC2254
	case $err in $4) ;; *) good=n ;; esac
	if [ $good = y ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf '# exit %s\n' "$status"
		printf '%s\n' "out: $out" "err: $err" | cut -c 1-2000 | sed 's/^/# /'
	fi
}

# Reports a test as skipped, since a tool is missing.
skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2 is not installed"
}

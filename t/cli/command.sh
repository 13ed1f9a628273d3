# command.sh - for tests of the command as built: run it, and judge what it did. TAP. Needs $work, a
# directory of the test's own.
# shellcheck shell=sh
build=${STET_BUILD:-.}
# The program itself: libtool's script in front of it takes longer than most commands.
LD_LIBRARY_PATH=$(cd "$build" && pwd)/.libs
export LD_LIBRARY_PATH STET_MODULE_PATH="$build/modules/.libs" STET_PLUGIN_PATH= STET_HELPER_PATH="$build/helpers/image"
count=0 status=0 out='' err=''

# Run the command; its outcome is in status, out and err.
run() {
	"$build/.libs/stet" "$@" >"$work/out" 2>"$work/err"
	status=$?
	out=$(cat "$work/out")
	# A loaded machine makes hooks slow, which is said; it is no error of the command.
	err=$(grep -v ' took [0-9]* ms$' "$work/err")
}

# The test of this name: the exit status, and patterns that the output and the errors match.
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

# The test of this name is not run, for want of a tool.
skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2 is not installed"
}

# system.sh - for tests in a system of their own, which etc/packaging/system.sh makes in $root. TAP. Needs $work, a
# directory of the test's own, and $here, the directory of this file.
# shellcheck shell=sh
# shellcheck source=etc/packaging/system.sh
. "$here/../../etc/packaging/system.sh"
count=0 failed=0 root=$work/root

skip() {
	echo "1..0 # SKIP $*"
	exit 0
}

# Makes a bare system of this release in $root; skips the tests if that is impossible.
make_root() {
	[ "$(id -u)" -eq 0 ] || skip 'only root may change its root'
	command -v debootstrap >/dev/null || skip 'there is no debootstrap'
	command -v curl >/dev/null || skip 'there is no curl'
	mkdir "$root"
	if ! unpack_or_make "$1" >"$work/debootstrap" 2>&1; then
		tail -n 5 "$work/debootstrap" | sed 's/^/# /'
		skip 'no bare system could be made'
	fi
}

# What a way to stet takes: the packages that are installed besides those of a bare system, and the time. HACKING quotes
# what tell_count prints (WAY, more for the end of the line).
count_packages() {
	inside dpkg-query -W -f '.\n' | wc -l
}
begin_count() {
	before=$(count_packages) begun=$(date +%s)
}
tell_count() {
	echo "# $suite, $1: $(($(count_packages) - before)) packages, $(($(date +%s) - begun)) s${2:-}"
}

# One test: a sentence, and the command that must succeed.
is() {
	name=$1
	shift
	count=$((count + 1))
	if "$@" >"$work/out" 2>&1; then
		echo "ok $count - $name"
	else
		failed=$((failed + 1))
		echo "not ok $count - $name"
		tail -n 30 "$work/out" | sed 's/^/# /'
	fi
}

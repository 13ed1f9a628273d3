# system.sh - for tests in a system of their own: made by debootstrap from the mirror that apt is set up for, or
# taken from the directory STET_SYSTEMS, which keeps SUITE.tar for the next time. TAP. Needs $work, a directory
# of the test's own; the system is in $root.
# shellcheck shell=sh
count=0 failed=0 root=$work/root

skip() {
	echo "1..0 # SKIP $*"
	exit 0
}

# The release of Debian that this machine has.
suite_here() {
	sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

unpack_or_make() {
	mirror=$(awk '/^deb / { print $2; exit } /^URIs:/ { print $2; exit }' /etc/apt/sources.list \
		/etc/apt/sources.list.d/debian.sources 2>/dev/null)
	kept=${STET_SYSTEMS:-/nonexistent}/$1.tar
	if [ -f "$kept" ]; then
		tar -C "$root" -xf "$kept"
		return
	fi
	debootstrap --variant=minbase "$1" "$root" ${mirror:+"$mirror"} || return 1
	[ -z "${STET_SYSTEMS:-}" ] || { mkdir -p "$STET_SYSTEMS" && tar -C "$root" -cf "$kept" .; }
}

# A bare system of this release, in $root; skips the tests where none can be made.
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

# In the system: a command. What it mounts and leaves running ends with it.
inside() {
	# shellcheck disable=SC2016 # for the shell inside
	unshare --mount --pid --fork --kill-child env LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive CI= MAKEFLAGS= \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
		chroot "$root" sh -c 'mount -t proc proc /proc && exec "$@"' inside "$@"
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

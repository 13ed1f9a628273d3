# system.sh - a bare Debian system in the directory $root, for the scripts that source this file. debootstrap makes it
# from the mirror that apt of this machine uses. Where STET_SYSTEMS names a directory, SUITE.tar is kept there and
# unpacked the next time.
# shellcheck shell=sh

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

# In the system: a command. What it mounts and leaves running ends with it.
inside() {
	# shellcheck disable=SC2016 # for the shell inside
	unshare --mount --pid --fork --kill-child env LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive CI= MAKEFLAGS= \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
		chroot "$root" sh -c 'mount -t proc proc /proc && exec "$@"' inside "$@"
}

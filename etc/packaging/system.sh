# system.sh - a bare Debian system in the directory $root, for the scripts that source this file. debootstrap makes it
# from the mirror that apt of this machine uses. Where STET_SYSTEMS names a directory, SUITE.tar is kept there and
# unpacked the next time.
# shellcheck shell=sh

# The release of Debian that this machine has.
suite_here() {
	sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# What apt of this machine knows of Debian (STET_APT, for tests: another directory than /etc/apt): one line each in the
# lists, paragraphs in the other. Any may be missing.
paragraphs=${STET_APT:-/etc/apt}/sources.list.d/debian.sources
lists="${STET_APT:-/etc/apt}/sources.list ${paragraphs%sources}list"

# The first of the mirrors; nothing where none is known.
mirror_here() {
	# shellcheck disable=SC2086 # two names
	cat $lists "$paragraphs" 2>/dev/null |
		sed -n -e 's|^deb  *\(\[[^]]*\] *\)\{0,1\}\(http[^ ]*\) .*|\2|p' -e 's|^URIs: *\(http[^ ]*\).*|\1|p' |
		head -n 1
}

# For a system of the release SUITE: the package sources of this machine, for security updates, but no password in their
# URLs. Where there are none, those that debootstrap wrote stay.
copy_sources() {
	# shellcheck disable=SC2086
	cat $lists 2>/dev/null | sed -n "/^deb .*[ /]$1/{/ cdrom:/d;s|//[^/@]*@|//|;p;}" >"$root/etc/apt/own.list"
	if [ -f "$paragraphs" ]; then
		sed 's|//[^/@]*@|//|' "$paragraphs" >"$root/etc/apt/sources.list.d/debian.sources"
	elif [ ! -s "$root/etc/apt/own.list" ]; then
		rm "$root/etc/apt/own.list"
		return
	fi
	mv "$root/etc/apt/own.list" "$root/etc/apt/sources.list"
	[ -s "$root/etc/apt/sources.list" ] || rm "$root/etc/apt/sources.list"
}

unpack_or_make() {
	mirror=$(mirror_here)
	kept=${STET_SYSTEMS:-/nonexistent}/$1.tar
	if [ -f "$kept" ]; then
		tar -C "$root" -xf "$kept"
		return
	fi
	debootstrap --variant=minbase "$1" "$root" ${mirror:+"$mirror"} || return 1
	[ -z "${STET_SYSTEMS:-}" ] || { mkdir -p "$STET_SYSTEMS" && tar -C "$root" -cf "$kept" .; }
}

# In the system: a command. What it mounts and leaves running ends with it. TMPDIR is a directory of this machine.
inside() {
	# shellcheck disable=SC2016 # for the shell inside
	unshare --mount --pid --fork --kill-child env -u TMPDIR LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive CI= MAKEFLAGS= \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
		chroot "$root" sh -c 'mount -t proc proc /proc && exec "$@"' inside "$@"
}

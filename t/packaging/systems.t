#!/bin/sh
# systems.t - what bootstrap says about packages on other systems than Debian (etc/packaging/needs): their names, or why
# stet does not run there. TAP.
set -u
source=$(cd "${STET_SOURCE:-.}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-systems-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
count=0 failed=0

# Runs a copy of bootstrap as if on a system with these lines in os-release, as root, without dpkg, and with few
# programs in PATH.
mkdir -p "$work/tree/etc/packaging" "$work/bin"
cp "$source/bootstrap" "$work/tree" && cp "$source/etc/packaging/needs" "$work/tree/etc/packaging" || exit 99
for program in sh dirname sed awk id cat; do
	ln -s "$(command -v "$program")" "$work/bin/$program" || exit 99
done
on() {
	printf '%s\n' "$1" >"$work/os-release"
	shift
	PATH=$work/bin STET_OS_RELEASE="$work/os-release" sh "$work/tree/bootstrap" "$@" >"$work/said" 2>&1
}
# NAME STATUS LINES OPTION WORDS ...: fails unless bootstrap ends with STATUS and prints all the words.
says() {
	name=$1 expected=$2 lines=$3 option=$4 good=true
	shift 4
	count=$((count + 1))
	# shellcheck disable=SC2086 # an option, or none
	on "$lines" $option
	[ $? -eq "$expected" ] || good=false
	for words; do
		grep -qF -e "$words" "$work/said" || good=false
	done
	if $good; then
		echo "ok $count - $name"
	else
		failed=$((failed + 1))
		echo "not ok $count - $name"
		sed 's/^/# /' "$work/said"
	fi
}

says fedora_has_names_of_its_own 1 'ID=fedora' '' 'nobody has tried' 'dnf install gcc' ' libtool-ltdl-devel ' ' vips-devel '
says what_is_like_fedora_has_them_too 1 'ID="rocky"
ID_LIKE="rhel centos fedora"' '' 'dnf install gcc'
says arch_has_names_of_its_own 1 'ID=arch' '' 'pacman -S --needed gcc' ' libvips '
says alpine_is_refused_in_words 1 'ID=alpine' '' 'needs the GNU C library' 'container image'
says an_unknown_system_learns_the_names_of_debian 1 'ID=unheard' '' 'as Debian calls them' ' libvips-dev '
says a_system_without_a_name_does_so_too 1 '' '' 'as Debian calls them'
says ubuntu_has_the_names_of_debian 0 'ID=ubuntu
ID_LIKE=debian' --packages libvips-dev pkgconf
says the_names_alone_are_one_a_line 0 'ID=fedora' --packages vips-devel

# Each line of the table has a name for each system.
count=$((count + 1))
if awk '!/^#/ && NF != 3 { print "# " $0; bad = 1 } END { exit bad }' "$source/etc/packaging/needs"; then
	echo "ok $count - the_table_is_whole"
else
	failed=$((failed + 1))
	echo "not ok $count - the_table_is_whole"
fi

# The table contains the build dependencies of the Debian packages, and no other libraries.
count=$((count + 1))
sed -n '/^Build-Depends:/,/^[^ B]/p' "$source/etc/packaging/debian/control" | grep -o 'lib[a-z0-9-]*-dev\|zlib1g-dev' |
	LC_ALL=C sort >"$work/control"
sed '/^#/d' "$source/etc/packaging/needs" | grep -o '^lib[a-z0-9-]*-dev\|^zlib1g-dev' | grep -v '^libc6-dev' |
	LC_ALL=C sort >"$work/needs"
if diff "$work/control" "$work/needs" >"$work/diff"; then
	echo "ok $count - the_packages_of_debian_are_built_with_the_same"
else
	failed=$((failed + 1))
	echo "not ok $count - the_packages_of_debian_are_built_with_the_same"
	sed 's/^/# /' "$work/diff"
fi
echo "1..$count"
[ "$failed" -eq 0 ]

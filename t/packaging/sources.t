#!/bin/sh
# sources.t - where a system of its own gets its packages (etc/packaging/system.sh): from the lists of this machine's
# apt, in each form that Debian has given them. TAP.
set -u
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-sources-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
here=$(cd "$(dirname "$0")" && pwd)
export STET_APT="$work/apt"
# shellcheck source=t/packaging/system.sh
. "$here/system.sh"

# Starts again with standard input as the file FILE of apt.
given() {
	rm -rf "$work/apt" "$root"
	mkdir -p "$work/apt/sources.list.d" "$root/etc/apt/sources.list.d"
	cat >"$work/apt/$1"
	echo 'deb http://made.invalid/debian bookworm main' >"$root/etc/apt/sources.list"
	copy_sources bookworm
}
# Prints the mirror, and the apt sources of the system: sources.list FILE.
mirror_is() {
	[ "$(mirror_here)" = "$1" ] || { mirror_here; return 1; }
}
has() {
	diff - "$root/etc/apt/$1"
}
has_none() {
	[ ! -e "$root/etc/apt/$1" ]
}

given sources.list <<'END'
deb cdrom:[Debian GNU/Linux 12]/ bookworm main
# deb http://other.invalid/debian bookworm main
deb http://one.invalid/debian bookworm main contrib
deb-src http://one.invalid/debian bookworm main
deb http://two.invalid/security bookworm-security main
deb http://one.invalid/debian trixie main
END
is a_plain_list_has_a_mirror mirror_is http://one.invalid/debian
is a_plain_list_is_copied_for_the_release has sources.list <<'END'
deb http://one.invalid/debian bookworm main contrib
deb http://two.invalid/security bookworm-security main
END

given sources.list <<'END'
deb [arch=amd64 signed-by=/usr/share/keyrings/x.gpg] https://ann:secret@one.invalid/debian bookworm main
END
is options_of_a_line_are_no_mirror mirror_is https://ann:secret@one.invalid/debian
is no_password_comes_along has sources.list <<'END'
deb [arch=amd64 signed-by=/usr/share/keyrings/x.gpg] https://one.invalid/debian bookworm main
END

given sources.list.d/debian.sources <<'END'
Types: deb
URIs: http://ann:secret@one.invalid/debian
Suites: bookworm bookworm-updates
Components: main
END
is paragraphs_without_a_list_have_a_mirror mirror_is http://ann:secret@one.invalid/debian
is paragraphs_are_copied has sources.list.d/debian.sources <<'END'
Types: deb
URIs: http://one.invalid/debian
Suites: bookworm bookworm-updates
Components: main
END
is the_list_of_debootstrap_is_gone has_none sources.list

given sources.list.d/debian.list <<'END'
deb http://one.invalid/debian bookworm main
END
is a_list_in_the_directory_is_one_too mirror_is http://one.invalid/debian
is a_list_in_the_directory_is_copied has sources.list <<'END'
deb http://one.invalid/debian bookworm main
END

given nothing </dev/null
is without_lists_no_mirror_is_named mirror_is ''
is without_lists_that_of_debootstrap_stays has sources.list <<'END'
deb http://made.invalid/debian bookworm main
END
echo "1..$count"
[ "$failed" -eq 0 ]

#!/bin/sh
# configure.t - configure says in words where stet does not run: on another system than Linux, and with another
# C library than glibc (here: this one, which does not say so). TAP.
source=$(cd "${STET_SOURCE:-.}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
mkdir headers
printf '#include_next <features.h>\n#undef __GLIBC__\n' >headers/features.h

# NUMBER, NAME, arguments of configure
refused() {
	number=$1 name=$2
	shift 2
	if "$source/configure" -q "$@" >said 2>&1; then
		echo "not ok $number - $name"
	elif grep -q 'stet runs on Linux with the GNU C library' said; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		sed 's/^/# /' said
	fi
}
echo 1..2
refused 1 another_system_is_refused_in_words --build=x86_64-pc-linux-gnu --host=x86_64-unknown-freebsd14
refused 2 another_c_library_is_refused_in_words CPPFLAGS="-I$work/headers"

#!/bin/sh
# configure.t - configure explains why stet does not run on a system other than Linux, and with a C library other than
# glibc (here: a header that hides the macro of glibc). It names the packages of missing libraries. TAP.
source=$(cd "${STET_SOURCE:-.}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
mkdir headers
printf '#include_next <features.h>\n#undef __GLIBC__\n' >headers/features.h

# NUMBER, NAME, words, arguments of configure
refused() {
	number=$1 name=$2 words=$3
	shift 3
	if "$source/configure" -q "$@" >said 2>&1; then
		echo "not ok $number - $name"
	elif grep -q "$words" said; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		sed 's/^/# /' said
	fi
}
glibc='stet runs on Linux with the GNU C library'
echo 1..3
refused 1 another_system_is_refused_in_words "$glibc" --build=x86_64-pc-linux-gnu --host=x86_64-unknown-freebsd14
refused 2 another_c_library_is_refused_in_words "$glibc" CPPFLAGS="-I$work/headers"
refused 3 for_libraries_that_are_missing_bootstrap_is_named 'bootstrap --packages" names the packages' \
	PKG_CONFIG_LIBDIR="$work/none"

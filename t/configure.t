#!/bin/sh
# configure.t - configure explains why stet does not run on a system other than Linux, and with a C library other than
# glibc (here: a header that hides the macro of glibc). It names the packages of missing libraries, and the
# option that does without libpq. TAP.
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
# A pkg-config that does not know these libraries.
without() {
	printf '#!/bin/sh\ncase " $* " in %s) exit 1 ;; esac\nexec %s "$@"\n' "$2" "$(command -v pkg-config)" >"$1"
	chmod 755 "$1"
}
without "$work/no-libpq" '*libpq*'
without "$work/no-yaml" '*libpq*|*yaml*'
glibc='stet runs on Linux with the GNU C library'
echo 1..5
refused 1 another_system_is_refused_in_words "$glibc" --build=x86_64-pc-linux-gnu --host=x86_64-unknown-freebsd14
refused 2 another_c_library_is_refused_in_words "$glibc" CPPFLAGS="-I$work/headers"
refused 3 for_libraries_that_are_missing_bootstrap_is_named 'bootstrap --packages" names the packages' \
	PKG_CONFIG_LIBDIR="$work/none"
refused 4 without_libpq_the_option_to_leave_it_out_is_named 'With --without-postgresql stet is built without it' \
	PKG_CONFIG="$work/no-libpq"
refused 5 with_that_option_nothing_of_libpq_is_missed 'one of yaml' PKG_CONFIG="$work/no-yaml" --without-postgresql

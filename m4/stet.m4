# stet.m4 - macros of our own.

# STET_CC_FLAGS(VARIABLE, FLAGS): add to VARIABLE those flags that the compiler accepts.
AC_DEFUN([STET_CC_FLAGS],
[for stet_flag in $2; do
	AC_MSG_CHECKING([whether $CC accepts $stet_flag])
	stet_saved_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS -Werror $stet_flag"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
		[AC_MSG_RESULT([yes])
		$1="$$1 $stet_flag"],
		[AC_MSG_RESULT([no])])
	CFLAGS=$stet_saved_CFLAGS
done
AC_SUBST([$1])])

# STET_LACKS(WHAT, [MORE]): stop for want of a library. MORE begins with a line break.
AC_DEFUN([STET_LACKS],
[AC_MSG_ERROR([$1 is required, and is not there.
  "$srcdir/bootstrap --packages" names the packages that this system has for it and all else (README, Other systems).$2])])

# STET_NEEDS(VARIABLE, MODULES): PKG_CHECK_MODULES of what stet cannot do without.
AC_DEFUN([STET_NEEDS],
[PKG_CHECK_MODULES([$1], [$2], [], [STET_LACKS([one of $2 ($$1[]_PKG_ERRORS)])])])

# STET_POSTGRESQL(MODULES): LIBPQ_CFLAGS and LIBPQ_LIBS, --without-postgresql, the conditional HAVE_POSTGRESQL.
AC_DEFUN([STET_POSTGRESQL],
[AC_ARG_WITH([postgresql],
	[AS_HELP_STRING([--without-postgresql], [leave the module database-postgresql out: each site is on SQLite])],
	[], [with_postgresql=yes])
AS_IF([test "x$with_postgresql" != xno],
	[PKG_CHECK_MODULES([LIBPQ], [$1],
		[stet_libpq_version=`$PKG_CONFIG --modversion libpq`],
		[STET_LACKS([$1 ($LIBPQ_PKG_ERRORS)], [
  With --without-postgresql stet is built without it: then no site can have its database in PostgreSQL.])])])
AM_CONDITIONAL([HAVE_POSTGRESQL], [test "x$with_postgresql" != xno])])

# STET_PLATFORM: stop here, in words, where stet does not run.
AC_DEFUN([STET_PLATFORM],
[AC_REQUIRE([AC_CANONICAL_HOST])
AC_MSG_CHECKING([whether this is Linux with the GNU C library])
AS_CASE([$host_os], [linux*], [], [stet_platform=no])
AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <features.h>
#ifndef __GLIBC__
#error another C library
#endif]])], [], [stet_platform=no])
AC_MSG_RESULT([${stet_platform=yes}])
AS_IF([test "$stet_platform" = no],
	[AC_MSG_ERROR([stet runs on Linux with the GNU C library (glibc), for instance on Debian 12 and 13; this is $host.
  It relies on calls of that system: epoll, eventfd, signalfd, renameat2.])])])

# STET_SANITIZE: --enable-sanitize=LIST, SAN_CFLAGS, the conditional SANITIZED.
AC_DEFUN([STET_SANITIZE],
[AC_ARG_ENABLE([sanitize],
	[AS_HELP_STRING([--enable-sanitize=LIST], [build with -fsanitize=LIST (address,undefined or thread)])],
	[], [enable_sanitize=no])
SAN_CFLAGS=
AS_IF([test "x$enable_sanitize" != xno],
	[SAN_CFLAGS="-fsanitize=$enable_sanitize -fno-sanitize-recover=all -fno-omit-frame-pointer"
	AC_DEFINE([STET_SANITIZED], [1], [Define to 1 in sanitizer builds.])])
AC_SUBST([SAN_CFLAGS])
AM_CONDITIONAL([SANITIZED], [test "x$enable_sanitize" != xno])])

# STET_FORTIFY(VARIABLE): add the highest _FORTIFY_SOURCE that compiler, optimization and C library know:
# the C library says which one it takes. None with -O0.
AC_DEFUN([STET_FORTIFY],
[AC_MSG_CHECKING([for the level of _FORTIFY_SOURCE])
stet_level=none
stet_saved_CFLAGS=$CFLAGS
for stet_try in 3 2; do
	CFLAGS="$stet_saved_CFLAGS -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$stet_try -DFORTIFY_WANTED=$stet_try"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <features.h>
#if __USE_FORTIFY_LEVEL != FORTIFY_WANTED
#error not this level
#endif]], [])],
		[stet_level=$stet_try
		$1="$$1 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$stet_try"
		break])
done
CFLAGS=$stet_saved_CFLAGS
AC_MSG_RESULT([$stet_level])])

# STET_CF_NOTES(CFLAGS, LDFLAGS): protect the control flow (IBT and a shadow stack) where the compiler can. Each
# object we compile then has both notes. The linker gives a note to what it makes only if every input has
# it, and crti.o and Scrt1.o of Debian 12 have none. A shadow stack needs nothing of them, so the linker is
# told to note it. IBT is not forced: their _init has no endbr64, and the note would be untrue.
AC_DEFUN([STET_CF_NOTES],
[AC_MSG_CHECKING([whether $CC protects the control flow])
stet_saved_CFLAGS=$CFLAGS stet_saved_LDFLAGS=$LDFLAGS
CFLAGS="$CFLAGS -Werror -fcf-protection=full"
LDFLAGS="$LDFLAGS -Wl,--fatal-warnings,-z,shstk"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#ifndef __CET__
#error there is none on this machine
#endif]], [])],
	[AC_MSG_RESULT([yes])
	$1="$$1 -fcf-protection=full"
	$2="$$2 -Wl,-z,shstk"],
	[AC_MSG_RESULT([no])])
CFLAGS=$stet_saved_CFLAGS LDFLAGS=$stet_saved_LDFLAGS])

# STET_HARDEN: HARD_CFLAGS and HARD_LDFLAGS. Sanitizers bring their own checks.
AC_DEFUN([STET_HARDEN],
[AC_REQUIRE([STET_SANITIZE])
HARD_CFLAGS=
HARD_LDFLAGS=
AS_IF([test "x$enable_sanitize" = xno],
	[STET_FORTIFY([HARD_CFLAGS])
	STET_CC_FLAGS([HARD_CFLAGS],
		[-fstack-protector-strong -fstack-clash-protection -fno-plt])
	HARD_LDFLAGS="-Wl,-z,relro,-z,now"
	STET_CF_NOTES([HARD_CFLAGS], [HARD_LDFLAGS])])
AC_SUBST([HARD_CFLAGS])
AC_SUBST([HARD_LDFLAGS])])

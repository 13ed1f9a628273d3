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

# STET_HARDEN: HARD_CFLAGS and HARD_LDFLAGS. Sanitizers bring their own checks.
AC_DEFUN([STET_HARDEN],
[AC_REQUIRE([STET_SANITIZE])
HARD_CFLAGS=
HARD_LDFLAGS=
AS_IF([test "x$enable_sanitize" = xno],
	[HARD_CFLAGS="-D_FORTIFY_SOURCE=2"
	STET_CC_FLAGS([HARD_CFLAGS],
		[-fstack-protector-strong -fstack-clash-protection -fcf-protection -fno-plt])
	HARD_LDFLAGS="-Wl,-z,relro,-z,now"])
AC_SUBST([HARD_CFLAGS])
AC_SUBST([HARD_LDFLAGS])])

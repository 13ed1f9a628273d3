# Functions of helper programs (helpers/), in a process of the test.
check_PROGRAMS += t/helpers/blurhash.t t/helpers/confine.t t/helpers/riff.t
t_helpers_riff_t_SOURCES = t/helpers/riff.c helpers/image/riff.c helpers/image/riff.h
t_helpers_blurhash_t_SOURCES = t/helpers/blurhash.c helpers/image/blurhash.c helpers/image/blurhash.h
t_helpers_blurhash_t_LDADD = $(LDADD) -lm
t_helpers_confine_t_SOURCES = t/helpers/confine.c helpers/image/confine.c helpers/image/confine.h
# The same sources as stet-image (helpers/image/image.mk). A sanitizer needs more memory and more system calls than a
# worker may have.
t_helpers_confine_t_CPPFLAGS = $(AM_CPPFLAGS) $(SECCOMP_CFLAGS)
t_helpers_confine_t_CFLAGS = -std=gnu11 $(WARN_CFLAGS) $(HARD_CFLAGS)
t_helpers_confine_t_LDFLAGS = $(HARD_LDFLAGS)
t_helpers_confine_t_LDADD = $(CMOCKA_LIBS) $(SECCOMP_LIBS)

# check_PROGRAMS += t/unit/x.t, and its _SOURCES, _CPPFLAGS, _CFLAGS, _LDADD

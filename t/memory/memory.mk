# Allocations that fail.
check_LTLIBRARIES += t/memory/failing.la
t_memory_failing_la_SOURCES = t/memory/failing.c t/memory/failing.h
t_memory_failing_la_CFLAGS = $(AM_CFLAGS) -U_FORTIFY_SOURCE -fno-builtin
t_memory_failing_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
check_PROGRAMS += t/memory/memory.t
t_memory_memory_t_SOURCES = t/memory/memory.c t/memory/failing.h $(REMOTE_SOURCES)

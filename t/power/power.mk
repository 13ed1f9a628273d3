# Power cuts: records what a daemon does to its disk, and ends the record anywhere.
check_LTLIBRARIES += t/power/record.la
t_power_record_la_SOURCES = t/power/record.c t/power/record.h
t_power_record_la_CFLAGS = $(AM_CFLAGS) -U_FORTIFY_SOURCE
t_power_record_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
check_PROGRAMS += t/power/power.t
t_power_power_t_SOURCES = \
	t/power/power.c \
	t/power/content.c \
	t/power/content.h \
	t/power/disk.c \
	t/power/disk.h \
	t/power/load.c \
	t/power/load.h \
	t/power/reader.c \
	t/power/reader.h \
	t/power/record.h \
	$(REMOTE_SOURCES)

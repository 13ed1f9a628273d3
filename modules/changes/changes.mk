module_LTLIBRARIES += modules/changes.la
modules_changes_la_SOURCES = \
	modules/changes/changes.c \
	modules/changes/changes.h \
	modules/changes/feed.c \
	modules/changes/keep.c \
	modules/changes/note.c
modules_changes_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_changes_la_CFLAGS = $(MODULE_CFLAGS)
modules_changes_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_changes_la_LIBADD = libstet.la $(DEPS_LIBS)

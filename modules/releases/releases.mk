module_LTLIBRARIES += modules/releases.la
modules_releases_la_SOURCES = \
	modules/releases/ask.c \
	modules/releases/calendar.c \
	modules/releases/due.c \
	modules/releases/edit.c \
	modules/releases/items.c \
	modules/releases/kinds.c \
	modules/releases/missing.c \
	modules/releases/moved.c \
	modules/releases/part.c \
	modules/releases/parts.c \
	modules/releases/preview.c \
	modules/releases/problems.c \
	modules/releases/publish.c \
	modules/releases/releases.c \
	modules/releases/releases.h \
	modules/releases/show.c \
	modules/releases/store.c \
	modules/releases/undo.c
modules_releases_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_releases_la_CFLAGS = $(MODULE_CFLAGS)
modules_releases_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_releases_la_LIBADD = libstet.la $(DEPS_LIBS)

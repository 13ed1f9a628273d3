module_LTLIBRARIES += modules/history.la
modules_history_la_SOURCES = \
	modules/history/back.c \
	modules/history/clean.c \
	modules/history/history.c \
	modules/history/history.h \
	modules/history/list.c \
	modules/history/merge.c \
	modules/history/session.c \
	modules/history/sessions.c \
	modules/history/state.c \
	modules/history/take.c \
	modules/history/tracked.c \
	modules/history/undo.c
modules_history_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_history_la_CFLAGS = $(MODULE_CFLAGS)
modules_history_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_history_la_LIBADD = libstet.la $(DEPS_LIBS)

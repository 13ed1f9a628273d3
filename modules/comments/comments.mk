module_LTLIBRARIES += modules/comments.la
modules_comments_la_SOURCES = \
	modules/comments/admin.c \
	modules/comments/comments.c \
	modules/comments/comments.h \
	modules/comments/create.c \
	modules/comments/import.c \
	modules/comments/record.c \
	modules/comments/target.c \
	modules/comments/threads.c
modules_comments_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_comments_la_CFLAGS = $(MODULE_CFLAGS)
modules_comments_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_comments_la_LIBADD = libstet.la $(DEPS_LIBS)

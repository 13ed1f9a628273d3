module_LTLIBRARIES += modules/users.la
modules_users_la_SOURCES = \
	modules/users/admin.c \
	modules/users/author.c \
	modules/users/commands.c \
	modules/users/record.c \
	modules/users/users.c \
	modules/users/users.h
modules_users_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_users_la_CFLAGS = $(MODULE_CFLAGS)
modules_users_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_users_la_LIBADD = libstet.la $(DEPS_LIBS)

module_LTLIBRARIES += modules/auth.la
modules_auth_la_SOURCES = \
	modules/auth/auth.c \
	modules/auth/auth.h \
	modules/auth/proof.c \
	modules/auth/tokens.c \
	modules/auth/users.c
modules_auth_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_auth_la_CFLAGS = $(MODULE_CFLAGS)
modules_auth_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_auth_la_LIBADD = libstet.la $(DEPS_LIBS)

module_LTLIBRARIES += modules/oauth.la
modules_oauth_la_SOURCES = \
	modules/oauth/client.c modules/oauth/discovery.c modules/oauth/grant.c modules/oauth/oauth.c \
	modules/oauth/oauth.h modules/oauth/reply.c modules/oauth/scope.c
modules_oauth_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_oauth_la_CFLAGS = $(MODULE_CFLAGS)
modules_oauth_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_oauth_la_LIBADD = libstet.la $(DEPS_LIBS)

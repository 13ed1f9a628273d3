module_LTLIBRARIES += modules/oauth.la
modules_oauth_la_SOURCES = \
	modules/oauth/apps.c \
	modules/oauth/authorize.c \
	modules/oauth/bearer.c \
	modules/oauth/client.c \
	modules/oauth/clients.c \
	modules/oauth/clients.h \
	modules/oauth/consent.c \
	modules/oauth/device.c \
	modules/oauth/devicepage.c \
	modules/oauth/discovery.c \
	modules/oauth/document.c \
	modules/oauth/grant.c \
	modules/oauth/language.c \
	modules/oauth/limits.c \
	modules/oauth/metadata.c \
	modules/oauth/narrow.c \
	modules/oauth/oauth.c \
	modules/oauth/oauth.h \
	modules/oauth/page.c \
	modules/oauth/register.c \
	modules/oauth/reply.c \
	modules/oauth/scope.c \
	modules/oauth/sweep.c \
	modules/oauth/token.c \
	modules/oauth/translations.c \
	modules/oauth/words.c
modules_oauth_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_oauth_la_CFLAGS = $(MODULE_CFLAGS)
modules_oauth_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_oauth_la_LIBADD = libstet.la $(DEPS_LIBS)

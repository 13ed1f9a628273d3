module_LTLIBRARIES += modules/oidc.la
modules_oidc_la_SOURCES = \
	modules/oidc/account.c \
	modules/oidc/callback.c \
	modules/oidc/discover.c \
	modules/oidc/idtoken.c \
	modules/oidc/idtoken.h \
	modules/oidc/oidc.c \
	modules/oidc/oidc.h \
	modules/oidc/provider.c \
	modules/oidc/start.c
modules_oidc_la_CPPFLAGS = $(MODULE_CPPFLAGS) $(CJOSE_CFLAGS)
modules_oidc_la_CFLAGS = $(MODULE_CFLAGS)
modules_oidc_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_oidc_la_LIBADD = libstet.la $(DEPS_LIBS) $(CJOSE_LIBS)

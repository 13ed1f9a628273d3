# Signing in by accounts elsewhere, with a provider made here.
ISSUER = t/module/oidc/issuer.c t/module/oidc/issuer.h t/module/oidc/trip.c t/module/oidc/trip.h \
	t/module/lib/browser.c t/module/lib/browser.h t/module/lib/neighbour.c t/module/lib/neighbour.h \
	t/module/lib/people.c t/module/lib/people.h
check_PROGRAMS += t/module/oidc/asked.t t/module/oidc/oidc.t
t_module_oidc_asked_t_SOURCES = t/module/oidc/asked.c $(ISSUER)
t_module_oidc_asked_t_CPPFLAGS = $(AM_CPPFLAGS) $(CJOSE_CFLAGS)
t_module_oidc_asked_t_LDADD = $(LDADD) $(CJOSE_LIBS) -lpthread
t_module_oidc_oidc_t_SOURCES = t/module/oidc/oidc.c $(ISSUER)
t_module_oidc_oidc_t_CPPFLAGS = $(AM_CPPFLAGS) $(CJOSE_CFLAGS)
t_module_oidc_oidc_t_LDADD = $(LDADD) $(CJOSE_LIBS) -lpthread
check_PROGRAMS += t/http/providers.t
t_http_providers_t_SOURCES = t/http/providers.c $(REMOTE_SOURCES)

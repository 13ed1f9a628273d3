# Signing in by accounts elsewhere, with a provider made here.
check_PROGRAMS += t/module/oidc/oidc.t
t_module_oidc_oidc_t_SOURCES = t/module/oidc/oidc.c t/module/oidc/issuer.c t/module/oidc/issuer.h \
	t/module/lib/browser.c t/module/lib/browser.h t/module/lib/neighbour.c t/module/lib/neighbour.h \
	t/module/lib/people.c t/module/lib/people.h
t_module_oidc_oidc_t_CPPFLAGS = $(AM_CPPFLAGS) $(CJOSE_CFLAGS)
t_module_oidc_oidc_t_LDADD = $(LDADD) $(CJOSE_LIBS) -lpthread

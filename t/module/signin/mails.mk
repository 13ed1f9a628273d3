# Signing in by mail, and invitations.
check_PROGRAMS += t/module/signin/mails.t
t_module_signin_mails_t_SOURCES = t/module/signin/mails.c t/module/lib/browser.c \
	t/module/lib/browser.h t/module/lib/inside.c t/module/lib/inside.h t/module/lib/people.c \
	t/module/lib/people.h $(POSTBOX) $(AUTHENTICATOR_SOURCES)
t_module_signin_mails_t_LDADD = $(LDADD) $(TLS_LIBS) -lpthread

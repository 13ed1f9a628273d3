# Signing in by mail, and invitations.
MAILED = t/module/lib/mailed.c t/module/lib/mailed.h t/module/lib/browser.c t/module/lib/browser.h \
	t/module/lib/inside.c t/module/lib/inside.h $(POSTBOX)

check_PROGRAMS += t/module/signin/mails.t
t_module_signin_mails_t_SOURCES = t/module/signin/mails.c $(MAILED)
t_module_signin_mails_t_LDADD = $(LDADD) $(TLS_LIBS) -lpthread
check_PROGRAMS += t/module/signin/invites.t
t_module_signin_invites_t_SOURCES = \
	t/module/signin/invites.c \
	$(MAILED) \
	t/module/lib/people.c \
	t/module/lib/people.h \
	$(AUTHENTICATOR_SOURCES)
t_module_signin_invites_t_LDADD = $(LDADD) $(TLS_LIBS) -lpthread
check_PROGRAMS += t/module/signin/languages.t
t_module_signin_languages_t_SOURCES = \
	t/module/signin/languages.c \
	modules/signin/mailwords.c \
	modules/signin/translations.c \
	modules/signin/words.c \
	t/module/lib/wording.h \
	$(MAILED)
t_module_signin_languages_t_CPPFLAGS = $(AM_CPPFLAGS) $(FIDO_CFLAGS)
t_module_signin_languages_t_LDADD = $(LDADD) $(TLS_LIBS) -lpthread

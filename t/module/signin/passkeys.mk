# Passkeys: verdicts on WebAuthn ceremonies.
VERDICT_SOURCES = \
	modules/signin/webauthn.c \
	modules/signin/attest.c \
	modules/signin/webauthn.h \
	t/module/lib/verdict.h
AUTHENTICATOR_SOURCES = t/module/lib/authenticator.c t/module/lib/authenticator.h

check_PROGRAMS += t/module/signin/webauthn.t
t_module_signin_webauthn_t_SOURCES = t/module/signin/webauthn.c $(VERDICT_SOURCES) $(AUTHENTICATOR_SOURCES)
t_module_signin_webauthn_t_LDADD = $(LDADD) $(FIDO_LIBS) $(TLS_LIBS)

check_PROGRAMS += t/module/signin/attest.t
t_module_signin_attest_t_SOURCES = t/module/signin/attest.c $(VERDICT_SOURCES)
t_module_signin_attest_t_LDADD = $(LDADD) $(FIDO_LIBS)

# Passkeys through the API.
check_PROGRAMS += t/module/signin/passkeys.t
t_module_signin_passkeys_t_SOURCES = \
	t/module/signin/passkeys.c \
	t/module/lib/ceremony.c \
	t/module/lib/ceremony.h \
	t/module/lib/browser.c \
	t/module/lib/browser.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(AUTHENTICATOR_SOURCES)
t_module_signin_passkeys_t_LDADD = $(LDADD) $(TLS_LIBS)

check_PROGRAMS += t/module/signin/founder.t
t_module_signin_founder_t_SOURCES = \
	t/module/signin/founder.c \
	$(AUTHENTICATOR_SOURCES) \
	t/module/lib/browser.c \
	t/module/lib/browser.h \
	t/module/lib/people.c \
	t/module/lib/people.h
t_module_signin_founder_t_LDADD = $(LDADD) $(TLS_LIBS)

check_PROGRAMS += t/http/grants.t
t_http_grants_t_SOURCES = \
	t/http/grants.c \
	$(CONSENTS) \
	$(CROWD) \
	$(AUTHENTICATOR_SOURCES) \
	$(REMOTE_SOURCES)
t_http_grants_t_LDADD = $(LDADD) $(TLS_LIBS)
check_PROGRAMS += t/http/passkeys.t
t_http_passkeys_t_SOURCES = t/http/passkeys.c $(CROWD) $(AUTHENTICATOR_SOURCES) $(REMOTE_SOURCES)
t_http_passkeys_t_LDADD = $(LDADD) $(TLS_LIBS)

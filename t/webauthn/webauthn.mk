# Verdicts on passkeys, compared with those of another implementation.
NPM_SUITES += webauthn
webauthn: t/webauthn/verdict
EXTRA_PROGRAMS += t/webauthn/verdict
t_webauthn_verdict_SOURCES = t/webauthn/verdict.c $(VERDICT_SOURCES)
t_webauthn_verdict_LDADD = $(DEPS_LIBS) $(FIDO_LIBS)
CLEANFILES += t/webauthn/verdict
EXTRA_DIST += \
	t/webauthn/README \
	t/webauthn/main.mjs \
	t/webauthn/package-lock.json \
	t/webauthn/package.json

module_LTLIBRARIES += modules/signin.la
modules_signin_la_SOURCES = \
	modules/signin/account.c \
	modules/signin/asked.c \
	modules/signin/attest.c \
	modules/signin/challenge.c \
	modules/signin/codes.c \
	modules/signin/cookie.c \
	modules/signin/translations.c \
	modules/signin/transport.c \
	modules/signin/enrol.c \
	modules/signin/event.c \
	modules/signin/founder.c \
	modules/signin/invite.c \
	modules/signin/known.c \
	modules/signin/link.c \
	modules/signin/look.c \
	modules/signin/magic.c \
	modules/signin/mails.c \
	modules/signin/mailwords.c \
	modules/signin/page.c \
	modules/signin/page.h \
	modules/signin/party.c \
	modules/signin/passkey.c \
	modules/signin/passkey.h \
	modules/signin/recover.c \
	modules/signin/session.c \
	modules/signin/setup.c \
	modules/signin/signin.c \
	modules/signin/signin.h \
	modules/signin/sweep.c \
	modules/signin/webauthn.c \
	modules/signin/webauthn.h \
	modules/signin/words.c
nodist_modules_signin_la_SOURCES = modules/signin/files.c
modules_signin_la_CPPFLAGS = $(MODULE_CPPFLAGS) $(FIDO_CFLAGS)
modules_signin_la_CFLAGS = $(MODULE_CFLAGS)
modules_signin_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_signin_la_LIBADD = libstet.la $(DEPS_LIBS) $(FIDO_LIBS)

# style.css and script.js as arrays of their lines, for page.c.
SIGNIN_LINES = sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/	"/' -e 's/$$/\\n",/'
modules/signin/files.c: $(srcdir)/modules/signin/style.css $(srcdir)/modules/signin/script.js
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for name in style:css script:js; do \
	    file=$${name%:*} && \
	    echo "extern const char *const page_$${file}_lines[];" && \
	    echo "const char *const page_$${file}_lines[] = {" && \
	    $(SIGNIN_LINES) $(srcdir)/modules/signin/$$file.$${name#*:} && \
	    echo "	(void *)0" && echo "};" || exit 1; \
	done >$@.tmp && mv $@.tmp $@

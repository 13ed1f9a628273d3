# Signing in: sessions, links, setup.
check_PROGRAMS += t/module/signin/sessions.t
t_module_signin_sessions_t_SOURCES = \
	t/module/signin/sessions.c \
	t/module/lib/browser.c \
	t/module/lib/browser.h \
	t/module/lib/people.c \
	t/module/lib/people.h

check_PROGRAMS += t/module/signin/ways.t
t_module_signin_ways_t_SOURCES = \
	t/module/signin/ways.c \
	t/module/lib/browser.c \
	t/module/lib/browser.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/people.c \
	t/module/lib/people.h

check_PROGRAMS += t/module/signin/pages.t
t_module_signin_pages_t_SOURCES = t/module/signin/pages.c t/module/lib/browser.c t/module/lib/browser.h

# Limits of everything that takes a guess, in the modules signin, oauth and oidc.
check_PROGRAMS += t/module/signin/guesses.t
t_module_signin_guesses_t_SOURCES = \
	t/module/signin/guesses.c \
	t/module/lib/browser.c \
	t/module/lib/browser.h \
	t/module/lib/day.c \
	t/module/lib/day.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

# What the audit log is told, of the modules signin and oauth.
check_PROGRAMS += t/module/signin/recorded.t
t_module_signin_recorded_t_SOURCES = t/module/signin/recorded.c $(FLOW) $(AUTHENTICATOR_SOURCES)
t_module_signin_recorded_t_LDADD = $(LDADD) $(TLS_LIBS)

# Statements that fail, of the modules signin and oauth.
check_PROGRAMS += t/module/signin/faults.t
t_module_signin_faults_t_SOURCES = t/module/signin/faults.c $(FLOW) $(AUTHENTICATOR_SOURCES)
t_module_signin_faults_t_LDADD = $(LDADD) $(TLS_LIBS)

# Known and unknown addresses.
check_PROGRAMS += t/module/signin/alike.t
t_module_signin_alike_t_SOURCES = \
	t/module/signin/alike.c \
	t/module/lib/browser.c \
	t/module/lib/browser.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
t_module_signin_alike_t_LDADD = $(LDADD) -lm

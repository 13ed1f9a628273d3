# Signing in: sessions, links, setup.
check_PROGRAMS += t/module/signin/sessions.t
t_module_signin_sessions_t_SOURCES = t/module/signin/sessions.c t/module/lib/browser.c \
	t/module/lib/browser.h t/module/lib/people.c t/module/lib/people.h

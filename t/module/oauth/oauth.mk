# The authorization server.
FLOW = t/module/lib/flow.c t/module/lib/flow.h t/module/lib/browser.c t/module/lib/browser.h \
	t/module/lib/inside.c t/module/lib/inside.h t/module/lib/people.c t/module/lib/people.h
check_PROGRAMS += t/module/oauth/consent.t t/module/oauth/discovery.t t/module/oauth/tokens.t
t_module_oauth_consent_t_SOURCES = t/module/oauth/consent.c $(FLOW)
t_module_oauth_discovery_t_SOURCES = t/module/oauth/discovery.c
t_module_oauth_tokens_t_SOURCES = t/module/oauth/tokens.c $(FLOW)
check_PROGRAMS += t/module/oauth/refusals.t
t_module_oauth_refusals_t_SOURCES = \
	t/module/oauth/refusals.c \
	t/module/oauth/refusals.h \
	t/module/oauth/misuse.c \
	$(FLOW)
check_PROGRAMS += t/module/oauth/clients.t
t_module_oauth_clients_t_SOURCES = \
	t/module/oauth/clients.c \
	t/http/openssl.c \
	t/http/openssl.h \
	t/module/lib/day.c \
	t/module/lib/day.h \
	$(FLOW) \
	t/module/lib/neighbour.c \
	t/module/lib/neighbour.h
t_module_oauth_clients_t_LDADD = $(LDADD) -lpthread
check_PROGRAMS += t/module/oauth/devices.t
t_module_oauth_devices_t_SOURCES = \
	t/module/oauth/devices.c \
	t/module/lib/browser.c \
	t/module/lib/day.c \
	t/module/lib/day.h \
	t/module/lib/browser.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/people.c \
	t/module/lib/people.h
check_PROGRAMS += t/http/documents.t
t_http_documents_t_SOURCES = t/http/documents.c $(REMOTE_SOURCES)
t_http_documents_t_LDADD = $(LDADD) -lpthread
check_PROGRAMS += t/module/oauth/languages.t
t_module_oauth_languages_t_SOURCES = \
	t/module/oauth/languages.c \
	modules/oauth/translations.c \
	modules/oauth/words.c \
	t/module/lib/wording.h \
	$(FLOW)

# Events for other machines.
check_PROGRAMS += t/module/webhooks.t
t_module_webhooks_t_SOURCES = t/module/webhooks.c t/module/posts.c t/module/posts.h \
	t/module/inside.c t/module/inside.h t/module/neighbour.c t/module/neighbour.h \
	t/module/told.c t/module/told.h
t_module_webhooks_t_LDADD = $(LDADD) -lpthread

check_PROGRAMS += t/http/webhooks.t
t_http_webhooks_t_SOURCES = t/http/webhooks.c t/module/neighbour.c t/module/neighbour.h \
	$(REMOTE_SOURCES)
t_http_webhooks_t_LDADD = $(LDADD) -lpthread

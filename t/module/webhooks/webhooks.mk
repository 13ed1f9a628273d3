# Events for other machines.
check_PROGRAMS += t/module/webhooks/webhooks.t
t_module_webhooks_webhooks_t_SOURCES = \
	t/module/webhooks/webhooks.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/neighbour.c \
	t/module/lib/neighbour.h \
	t/module/lib/told.c \
	t/module/lib/told.h
t_module_webhooks_webhooks_t_LDADD = $(LDADD) -lpthread

check_PROGRAMS += t/module/webhooks/backlog.t
t_module_webhooks_backlog_t_SOURCES = \
	t/module/webhooks/backlog.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/neighbour.c \
	t/module/lib/neighbour.h \
	t/module/lib/told.c \
	t/module/lib/told.h
t_module_webhooks_backlog_t_LDADD = $(LDADD) -lpthread

check_PROGRAMS += t/module/webhooks/purges.t
t_module_webhooks_purges_t_SOURCES = \
	t/module/webhooks/purges.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/neighbour.c \
	t/module/lib/neighbour.h \
	t/module/lib/told.c \
	t/module/lib/told.h
t_module_webhooks_purges_t_LDADD = $(LDADD) -lpthread

check_PROGRAMS += t/http/webhooks.t
t_http_webhooks_t_SOURCES = t/http/webhooks.c t/module/lib/neighbour.c t/module/lib/neighbour.h \
	$(REMOTE_SOURCES)
t_http_webhooks_t_LDADD = $(LDADD) -lpthread

# What modules seal with the key of the site.
check_PROGRAMS += t/module/webhooks/sealed.t
t_module_webhooks_sealed_t_SOURCES = \
	t/module/webhooks/sealed.c \
	t/module/lib/bytes.c \
	t/module/lib/bytes.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/neighbour.c \
	t/module/lib/neighbour.h \
	t/module/lib/told.c \
	t/module/lib/told.h
t_module_webhooks_sealed_t_LDADD = $(LDADD) -lpthread

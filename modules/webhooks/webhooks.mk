module_LTLIBRARIES += modules/webhooks.la
modules_webhooks_la_SOURCES = \
	modules/webhooks/backlog.c \
	modules/webhooks/check.c \
	modules/webhooks/delivery.c \
	modules/webhooks/event.c \
	modules/webhooks/hooks.c \
	modules/webhooks/purge.c \
	modules/webhooks/queue.c \
	modules/webhooks/send.c \
	modules/webhooks/subscriber.c \
	modules/webhooks/target.c \
	modules/webhooks/webhooks.c \
	modules/webhooks/webhooks.h
modules_webhooks_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_webhooks_la_CFLAGS = $(MODULE_CFLAGS)
modules_webhooks_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_webhooks_la_LIBADD = libstet.la $(DEPS_LIBS)

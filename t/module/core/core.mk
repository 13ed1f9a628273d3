# What the core does for every module: answers to repeated keys.
check_PROGRAMS += t/module/core/idempotency.t
t_module_core_idempotency_t_SOURCES = \
	t/module/core/idempotency.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/people.c \
	t/module/lib/people.h \
	$(POSTS)

# Who may do what: every op, as everybody, on every kind of item.
check_PROGRAMS += t/module/core/rights.t
t_module_core_rights_t_SOURCES = \
	t/module/core/rights.c \
	t/module/lib/matrix.c \
	t/module/lib/matrix.h \
	t/module/lib/routes.c \
	t/module/lib/routes.h \
	t/module/lib/expected.c \
	t/module/lib/expected.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h
EXTRA_DIST += t/module/core/rights.expect
check_PROGRAMS += t/module/core/public.t
t_module_core_public_t_SOURCES = t/module/core/public.c t/module/lib/routes.c t/module/lib/routes.h
check_PROGRAMS += t/module/core/variants.t
t_module_core_variants_t_SOURCES = t/module/core/variants.c t/module/lib/routes.c t/module/lib/routes.h

# What every route asks of the database.
check_PROGRAMS += t/module/core/plans.t
t_module_core_plans_t_SOURCES = \
	t/module/core/plans.c \
	t/module/core/plans.def \
	t/module/core/taken.c \
	t/module/core/taken.h \
	t/module/lib/expected.c \
	t/module/lib/expected.h \
	t/module/lib/people.c \
	t/module/lib/people.h \
	t/module/lib/plancheck.c \
	t/module/lib/plancheck.h \
	t/module/lib/authenticator.c \
	t/module/lib/authenticator.h \
	$(POSTS)
t_module_core_plans_t_LDADD = $(LDADD) $(TLS_LIBS)
EXTRA_DIST += t/module/core/plans.expect
check_PROGRAMS += t/module/core/statements.t
t_module_core_statements_t_SOURCES = \
	t/module/core/statements.c \
	t/module/lib/expected.c \
	t/module/lib/expected.h \
	t/module/lib/people.c \
	t/module/lib/people.h
EXTRA_DIST += t/module/core/statements.expect

# Requests to other machines, against a server on loopback.
check_PROGRAMS += t/module/core/rebind.t
t_module_core_rebind_t_SOURCES = t/module/core/rebind.c t/module/lib/inside.c t/module/lib/inside.h
t_module_core_rebind_t_LDADD = $(LDADD) -lpthread
check_PROGRAMS += t/module/core/fetch.t
t_module_core_fetch_t_SOURCES = \
	t/module/core/fetch.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/neighbour.c \
	t/module/lib/neighbour.h \
	t/http/openssl.c \
	t/http/openssl.h
t_module_core_fetch_t_LDADD = $(LDADD) -lpthread

check_PROGRAMS += t/module/core/absence.t
t_module_core_absence_t_SOURCES = t/module/core/absence.c $(SEARCHED)

check_PROGRAMS += t/module/core/tables.t
t_module_core_tables_t_SOURCES = \
	t/module/core/tables.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)
EXTRA_t_module_core_tables_t_DEPENDENCIES = t/plugins/grabber/grabber.la
check_LTLIBRARIES += t/plugins/grabber/grabber.la
t_plugins_grabber_grabber_la_SOURCES = t/plugins/grabber.c
t_plugins_grabber_grabber_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_grabber_grabber_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_grabber_grabber_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_grabber_grabber_la_LIBADD = libstet.la $(DEPS_LIBS)

# Mails of modules, against a server on loopback.
POSTBOX = t/module/lib/postbox.c t/module/lib/postbox.h
check_PROGRAMS += t/module/core/mail.t
t_module_core_mail_t_SOURCES = \
	t/module/core/mail.c \
	t/module/lib/bytes.c \
	t/module/lib/bytes.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTBOX)
t_module_core_mail_t_LDADD = $(LDADD) -lssl -lcrypto -lpthread
check_PROGRAMS += t/http/mail.t
t_http_mail_t_SOURCES = t/http/mail.c $(POSTBOX) $(REMOTE_SOURCES)
t_http_mail_t_LDADD = $(LDADD) -lssl -lcrypto -lpthread
check_PROGRAMS += t/http/mailkills.t
t_http_mailkills_t_SOURCES = t/http/mailkills.c $(POSTBOX) $(REMOTE_SOURCES)
t_http_mailkills_t_LDADD = $(LDADD) $(CODINGS_LIBS) -lssl -lcrypto -lpthread

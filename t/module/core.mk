# What the core does for every module: answers to repeated keys.
check_PROGRAMS += t/module/idempotency.t
t_module_idempotency_t_SOURCES = t/module/idempotency.c t/module/inside.c t/module/inside.h \
	t/module/people.c t/module/people.h $(POSTS)

# Who may do what: every op, as everybody, on every kind of item.
check_PROGRAMS += t/module/rights.t
t_module_rights_t_SOURCES = t/module/rights.c t/module/matrix.c t/module/matrix.h \
	t/module/routes.c t/module/routes.h t/module/expected.c t/module/expected.h \
	t/module/inside.c t/module/inside.h
EXTRA_DIST += t/module/rights.expect
check_PROGRAMS += t/module/variants.t
t_module_variants_t_SOURCES = t/module/variants.c t/module/routes.c t/module/routes.h

# What every route asks of the database.
check_PROGRAMS += t/module/plans.t
t_module_plans_t_SOURCES = t/module/plans.c t/module/expected.c t/module/expected.h \
	t/module/people.c t/module/people.h t/module/plancheck.c t/module/plancheck.h $(POSTS)
EXTRA_DIST += t/module/plans.expect

# Requests to other machines, against a server on loopback.
check_PROGRAMS += t/module/fetch.t
t_module_fetch_t_SOURCES = t/module/fetch.c t/module/inside.c t/module/inside.h \
	t/module/neighbour.c t/module/neighbour.h \
	t/http/openssl.c t/http/openssl.h
t_module_fetch_t_LDADD = $(LDADD) -lpthread

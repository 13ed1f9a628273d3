# The audit log: what is recorded; that it shows when it was changed, retention.
check_PROGRAMS += t/module/audit/audit.t
t_module_audit_audit_t_SOURCES = \
	t/module/audit/audit.c \
	t/module/lib/records.c \
	t/module/lib/records.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/people.c \
	t/module/lib/people.h

check_PROGRAMS += t/module/audit/chain.t
t_module_audit_chain_t_SOURCES = \
	t/module/audit/chain.c \
	t/module/lib/records.c \
	t/module/lib/records.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

# The audit log: what is recorded; that it shows when it was changed, retention.
check_PROGRAMS += t/module/audit.t
t_module_audit_t_SOURCES = t/module/audit.c t/module/records.c t/module/records.h \
	t/module/posts.c t/module/posts.h t/module/inside.c t/module/inside.h \
	t/module/people.c t/module/people.h

check_PROGRAMS += t/module/chain.t
t_module_chain_t_SOURCES = t/module/chain.c t/module/records.c t/module/records.h \
	t/module/posts.c t/module/posts.h t/module/inside.c t/module/inside.h

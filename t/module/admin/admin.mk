check_PROGRAMS += t/module/admin/policy.t
t_module_admin_policy_t_SOURCES = \
	t/module/admin/policy.c \
	modules/admin/words.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/wording.h
check_PROGRAMS += t/module/admin/views.t
t_module_admin_views_t_SOURCES = t/module/admin/views.c $(POSTS)

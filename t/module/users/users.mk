check_PROGRAMS += t/module/users/users.t
t_module_users_users_t_SOURCES = t/module/users/users.c t/module/lib/people.c t/module/lib/people.h

# What a user made and what acts later, of all modules.
check_PROGRAMS += t/module/users/outlived.t
t_module_users_outlived_t_SOURCES = \
	t/module/users/outlived.c \
	t/module/lib/browser.c \
	t/module/lib/browser.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/people.c \
	t/module/lib/people.h \
	$(POSTS)

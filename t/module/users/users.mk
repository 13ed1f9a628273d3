check_PROGRAMS += t/module/users/users.t
t_module_users_users_t_SOURCES = t/module/users/users.c t/module/lib/people.c t/module/lib/people.h

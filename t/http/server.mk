# The daemon: configuration, and what it says on its sockets.
check_PROGRAMS += t/unit/conf.t
t_unit_conf_t_SOURCES = t/unit/conf.c
t_unit_conf_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_unit_conf_t_CFLAGS = $(TEST_CFLAGS)
t_unit_conf_t_LDADD = $(TEST_LDADD)

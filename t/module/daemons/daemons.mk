check_PROGRAMS += t/module/daemons/daemons.t
t_module_daemons_daemons_t_SOURCES = t/module/daemons/daemons.c

check_PROGRAMS += t/module/oauth/discovery.t
t_module_oauth_discovery_t_SOURCES = t/module/oauth/discovery.c

check_PROGRAMS += t/unit/net/body.t
t_unit_net_body_t_SOURCES = t/unit/net/body.c

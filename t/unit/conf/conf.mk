check_PROGRAMS += t/unit/conf/conf.t
t_unit_conf_conf_t_SOURCES = t/unit/conf/conf.c
check_PROGRAMS += t/unit/conf/confdatabase.t
t_unit_conf_confdatabase_t_SOURCES = t/unit/conf/confdatabase.c
check_PROGRAMS += t/unit/conf/retention.t
t_unit_conf_retention_t_SOURCES = t/unit/conf/retention.c
check_PROGRAMS += t/unit/conf/confdriver.t
t_unit_conf_confdriver_t_SOURCES = t/unit/conf/confdriver.c

check_PROGRAMS += t/unit/site/migrate.t
t_unit_site_migrate_t_SOURCES = t/unit/site/migrate.c t/unit/lib/store.h
check_PROGRAMS += t/unit/site/plugins.t
t_unit_site_plugins_t_SOURCES = t/unit/site/plugins.c
check_PROGRAMS += t/unit/site/site.t
t_unit_site_site_t_SOURCES = t/unit/site/site.c

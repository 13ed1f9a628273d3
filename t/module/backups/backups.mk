check_PROGRAMS += t/module/backups/backups.t
t_module_backups_backups_t_SOURCES = t/module/backups/backups.c

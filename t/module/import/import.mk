check_PROGRAMS += t/module/import/probe.t
t_module_import_probe_t_SOURCES = t/module/import/probe.c t/module/lib/neighbour.c t/module/lib/neighbour.h
t_module_import_probe_t_LDADD = $(LDADD) -lpthread

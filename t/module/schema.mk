# Collections, fields, field types, exports; snapshots under changes; a field type of a plugin.
check_PROGRAMS += t/module/schema.t
t_module_schema_t_SOURCES = t/module/schema.c t/module/inside.c t/module/inside.h
t_module_schema_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_module_schema_t_CFLAGS = $(TEST_CFLAGS)
t_module_schema_t_LDADD = $(HARNESS_LDADD)

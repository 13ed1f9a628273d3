# Collections, fields, field types, exports; snapshots under changes; a field type of a plugin.
check_PROGRAMS += t/module/schema.t
t_module_schema_t_SOURCES = t/module/schema.c t/module/inside.c t/module/inside.h

check_PROGRAMS += t/module/types.t
t_module_types_t_SOURCES = t/module/types.c t/module/inside.c t/module/inside.h

check_PROGRAMS += t/module/fields.t
t_module_fields_t_SOURCES = t/module/fields.c t/module/definitions.c t/module/definitions.h \
	t/module/inside.c t/module/inside.h

check_PROGRAMS += t/module/fieldchange.t
t_module_fieldchange_t_SOURCES = t/module/fieldchange.c t/module/definitions.c \
	t/module/definitions.h t/module/inside.c t/module/inside.h

check_PROGRAMS += t/module/snapshot.t
t_module_snapshot_t_SOURCES = t/module/snapshot.c t/module/inside.c t/module/inside.h
EXTRA_t_module_snapshot_t_DEPENDENCIES = t/plugins/colour.la

check_LTLIBRARIES += t/plugins/colour.la
t_plugins_colour_la_SOURCES = t/plugins/colour.c
t_plugins_colour_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_colour_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_colour_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_colour_la_LIBADD = libstet.la $(DEPS_LIBS)

check_PROGRAMS += t/module/export.t
t_module_export_t_SOURCES = t/module/export.c t/module/inside.c t/module/inside.h

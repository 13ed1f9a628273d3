# Collections, fields, field types, exports, plans; snapshots under changes; a field type of a plugin.
check_PROGRAMS += t/module/schema/schema.t
t_module_schema_schema_t_SOURCES = t/module/schema/schema.c t/module/lib/inside.c t/module/lib/inside.h

check_PROGRAMS += t/module/schema/types.t
t_module_schema_types_t_SOURCES = t/module/schema/types.c t/module/lib/inside.c t/module/lib/inside.h

check_PROGRAMS += t/module/schema/fields.t
t_module_schema_fields_t_SOURCES = \
	t/module/schema/fields.c \
	t/module/lib/definitions.c \
	t/module/lib/definitions.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/schema/fieldchange.t
t_module_schema_fieldchange_t_SOURCES = \
	t/module/schema/fieldchange.c \
	t/module/lib/definitions.c \
	t/module/lib/definitions.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/schema/snapshot.t
t_module_schema_snapshot_t_SOURCES = t/module/schema/snapshot.c t/module/lib/inside.c t/module/lib/inside.h
EXTRA_t_module_schema_snapshot_t_DEPENDENCIES = t/plugins/colour.la

check_LTLIBRARIES += t/plugins/colour.la
t_plugins_colour_la_SOURCES = t/plugins/colour.c
t_plugins_colour_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_colour_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_colour_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_colour_la_LIBADD = libstet.la $(DEPS_LIBS)

check_PROGRAMS += t/module/schema/export.t
t_module_schema_export_t_SOURCES = t/module/schema/export.c t/module/lib/inside.c t/module/lib/inside.h

check_PROGRAMS += t/module/schema/longnames.t
t_module_schema_longnames_t_SOURCES = t/module/schema/longnames.c $(SEARCHED)

check_PROGRAMS += t/module/schema/plan.t
t_module_schema_plan_t_SOURCES = t/module/schema/plan.c t/module/lib/inside.c t/module/lib/inside.h

check_PROGRAMS += t/module/schema/blocktypes.t
t_module_schema_blocktypes_t_SOURCES = \
	t/module/schema/blocktypes.c \
	t/module/lib/definitions.c \
	t/module/lib/definitions.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

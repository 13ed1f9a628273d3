module_LTLIBRARIES += modules/schema.la
modules_schema_la_SOURCES = \
	modules/schema/ages.c \
	modules/schema/apply.c \
	modules/schema/blockdefs.c \
	modules/schema/blockfiles.c \
	modules/schema/blocks.c \
	modules/schema/blockset.c \
	modules/schema/blocktypes.c \
	modules/schema/blocktypes.h \
	modules/schema/build.c \
	modules/schema/cells.c \
	modules/schema/addresses.c \
	modules/schema/collections.c \
	modules/schema/ddl.c \
	modules/schema/define.c \
	modules/schema/export.c \
	modules/schema/fieldindex.c \
	modules/schema/fields.c \
	modules/schema/indexes.c \
	modules/schema/mediavalue.c \
	modules/schema/ops.c \
	modules/schema/ownblocks.c \
	modules/schema/promises.c \
	modules/schema/record.c \
	modules/schema/scalar.c \
	modules/schema/schema.c \
	modules/schema/schema.h \
	modules/schema/snapshot.c \
	modules/schema/structured.c \
	modules/schema/transfer.c \
	modules/schema/transfer.h \
	modules/schema/types.c \
	modules/schema/typescript.c
modules_schema_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_schema_la_CFLAGS = $(MODULE_CFLAGS)
modules_schema_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_schema_la_LIBADD = libstet.la $(DEPS_LIBS)

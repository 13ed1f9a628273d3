module_LTLIBRARIES += modules/transfer.la
modules_transfer_la_SOURCES = \
	modules/transfer/carried.c \
	modules/transfer/doubts.c \
	modules/transfer/export.c \
	modules/transfer/files.c \
	modules/transfer/import.c \
	modules/transfer/kinds.c \
	modules/transfer/rows.c \
	modules/transfer/schema.c \
	modules/transfer/transfer.c \
	modules/transfer/transfer.h
modules_transfer_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_transfer_la_CFLAGS = $(MODULE_CFLAGS)
modules_transfer_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_transfer_la_LIBADD = libstet.la $(DEPS_LIBS)

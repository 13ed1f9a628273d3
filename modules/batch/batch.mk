module_LTLIBRARIES += modules/batch.la
modules_batch_la_SOURCES = \
	modules/batch/batch.c
modules_batch_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_batch_la_CFLAGS = $(MODULE_CFLAGS)
modules_batch_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_batch_la_LIBADD = libstet.la $(DEPS_LIBS)

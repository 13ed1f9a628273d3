module_LTLIBRARIES += modules/import.la
modules_import_la_SOURCES = \
	modules/import/analyze.c \
	modules/import/batch.c \
	modules/import/batch.h \
	modules/import/build.c \
	modules/import/build.h \
	modules/import/clean.c \
	modules/import/clean.h \
	modules/import/command.c \
	modules/import/convert/blocks.c \
	modules/import/convert/blocks.h \
	modules/import/convert/check.c \
	modules/import/convert/convert.c \
	modules/import/convert/convert.h \
	modules/import/convert/fence.c \
	modules/import/convert/figure.c \
	modules/import/convert/flow.c \
	modules/import/convert/flow.h \
	modules/import/convert/handle.h \
	modules/import/convert/handlers.c \
	modules/import/convert/html.c \
	modules/import/convert/html.h \
	modules/import/convert/kept.c \
	modules/import/convert/para.c \
	modules/import/convert/places.c \
	modules/import/convert/places.h \
	modules/import/convert/shortcode.c \
	modules/import/convert/table.c \
	modules/import/copies.c \
	modules/import/copying.c \
	modules/import/credit.c \
	modules/import/entry.c \
	modules/import/execute.c \
	modules/import/fields.c \
	modules/import/import.c \
	modules/import/import.h \
	modules/import/job_control.c \
	modules/import/job_ops.c \
	modules/import/job_report.c \
	modules/import/job_work.c \
	modules/import/jobs.h \
	modules/import/local.c \
	modules/import/map.c \
	modules/import/markup/inline.c \
	modules/import/markup/markup.c \
	modules/import/markup/markup.h \
	modules/import/markup/object.c \
	modules/import/markup/part.h \
	modules/import/markup/place.c \
	modules/import/markup/put.c \
	modules/import/markup/same.c \
	modules/import/markup/table.c \
	modules/import/media.c \
	modules/import/media.h \
	modules/import/menu.c \
	modules/import/outcome.c \
	modules/import/passes.c \
	modules/import/prepare.c \
	modules/import/probe.c \
	modules/import/report.c \
	modules/import/rewrite.c \
	modules/import/rules.c \
	modules/import/run.h \
	modules/import/section.c \
	modules/import/source.c \
	modules/import/source.h \
	modules/import/stages.c \
	modules/import/stages.h \
	modules/import/stages_media.c \
	modules/import/suggest.c \
	modules/import/suggest.h \
	modules/import/talk.c \
	modules/import/terms.c \
	modules/import/text.c \
	modules/import/uploads.c \
	modules/import/uploads.h \
	modules/import/urls.c \
	modules/import/urls.h \
	modules/import/variant.c \
	modules/import/write.c \
	modules/import/wxr.c \
	modules/import/wxr.h
modules_import_la_CPPFLAGS = $(MODULE_CPPFLAGS) $(XML_CFLAGS) $(CODINGS_CFLAGS) $(GUMBO_CFLAGS) \
	-I$(top_srcdir)/modules/import
modules_import_la_CFLAGS = $(MODULE_CFLAGS)
modules_import_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_import_la_LIBADD = libstet.la $(DEPS_LIBS) $(XML_LIBS) $(CODINGS_LIBS) $(GUMBO_LIBS) -lm

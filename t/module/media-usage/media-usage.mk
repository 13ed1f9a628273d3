# Which content refers to which media items.
check_PROGRAMS += t/module/media-usage/written.t
t_module_media_usage_written_t_SOURCES = t/module/media-usage/written.c $(USED)

check_PROGRAMS += t/module/media-usage/urls.t
t_module_media_usage_urls_t_SOURCES = t/module/media-usage/urls.c t/module/lib/pictures.c t/module/lib/pictures.h \
	$(USED)

check_PROGRAMS += t/module/media-usage/holders.t
t_module_media_usage_holders_t_SOURCES = \
	t/module/media-usage/holders.c \
	t/module/lib/pictures.c \
	t/module/lib/pictures.h \
	$(USED)

check_LTLIBRARIES += t/plugins/posters/posters.la
t_plugins_posters_posters_la_SOURCES = t/plugins/posters.c
t_plugins_posters_posters_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_posters_posters_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_posters_posters_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_posters_posters_la_LIBADD = libstet.la $(DEPS_LIBS)

check_PROGRAMS += t/module/media-usage/coverage.t
t_module_media_usage_coverage_t_SOURCES = t/module/media-usage/coverage.c $(USED)

check_PROGRAMS += t/module/media-usage/schema.t
t_module_media_usage_schema_t_SOURCES = t/module/media-usage/schema.c $(USED)

check_PROGRAMS += t/module/media-usage/work.t
t_module_media_usage_work_t_SOURCES = t/module/media-usage/work.c $(USED)

check_PROGRAMS += t/module/media-usage/read.t
t_module_media_usage_read_t_SOURCES = t/module/media-usage/read.c $(USED)

check_PROGRAMS += t/module/media-usage/verify.t
t_module_media_usage_verify_t_SOURCES = t/module/media-usage/verify.c $(USED)

check_PROGRAMS += t/module/media-usage/model.t
t_module_media_usage_model_t_SOURCES = \
	t/module/media-usage/model.c \
	t/module/media-usage/fullscan.c \
	t/module/media-usage/values.c \
	t/module/media-usage/steps.c \
	t/module/media-usage/elsewhere.c \
	t/module/media-usage/changes.h \
	t/module/lib/imported.c \
	t/module/lib/imported.h \
	t/module/media-usage/fullscan.h \
	t/module/lib/chance.h \
	$(USED)

dist_check_SCRIPTS += t/cli/usage.t

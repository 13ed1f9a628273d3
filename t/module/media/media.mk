# The media library, inside the process; over HTTP: t/http/media.c, t/http/library.c.
dist_check_SCRIPTS += t/cli/media.t
check_PROGRAMS += \
	t/module/media/changed.t \
	t/module/media/clips.t \
	t/module/media/fields.t \
	t/module/media/headers.t \
	t/module/media/hostile.t \
	t/module/media/images.t \
	t/module/media/metrics.t \
	t/module/media/register.t \
	t/module/media/service.t \
	t/module/media/tool.t
t_module_media_changed_t_SOURCES = \
	t/module/media/changed.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h
t_module_media_clips_t_SOURCES = \
	t/module/media/clips.c \
	t/module/lib/clips.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h
t_module_media_fields_t_SOURCES = t/module/media/fields.c t/module/lib/posts.c t/module/lib/posts.h
t_module_media_headers_t_SOURCES = t/module/media/headers.c t/module/lib/clips.h modules/media/clip.c \
	modules/media/clip.h
t_module_media_headers_t_LDADD = $(LDADD) -lm
t_module_media_hostile_t_SOURCES = \
	t/module/media/hostile.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/pictures.c \
	t/module/lib/pictures.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h
t_module_media_images_t_SOURCES = \
	t/module/media/images.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/pictures.c \
	t/module/lib/pictures.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h
t_module_media_metrics_t_SOURCES = \
	t/module/media/metrics.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/metric.c \
	t/module/lib/metric.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h
t_module_media_register_t_SOURCES = \
	t/module/media/register.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h
t_module_media_service_t_SOURCES = \
	t/module/media/service.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/pictures.c \
	t/module/lib/pictures.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h
t_module_media_tool_t_SOURCES = \
	t/module/media/tool.c \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/neighbour.c \
	t/module/lib/neighbour.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h
t_module_media_tool_t_LDADD = $(LDADD) -lpthread

check_LTLIBRARIES += t/plugins/porter/porter.la
t_plugins_porter_porter_la_SOURCES = t/plugins/porter.c
t_plugins_porter_porter_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_porter_porter_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_porter_porter_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_porter_porter_la_LIBADD = libstet.la $(DEPS_LIBS)

check_LTLIBRARIES += t/plugins/frames/frames.la
t_plugins_frames_frames_la_SOURCES = t/plugins/frames.c
t_plugins_frames_frames_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_frames_frames_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_frames_frames_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_frames_frames_la_LIBADD = libstet.la $(DEPS_LIBS)

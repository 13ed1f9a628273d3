# What administration pages begin with.
check_PROGRAMS += t/module/manifest/manifest.t
t_module_manifest_manifest_t_SOURCES = \
	t/module/manifest/manifest.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h
EXTRA_t_module_manifest_manifest_t_DEPENDENCIES = t/plugins/diary/diary.la

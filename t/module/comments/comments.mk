# Comments of readers: what the public does, what moderators do; how often a client may.
check_PROGRAMS += t/module/comments/comments.t
t_module_comments_comments_t_SOURCES = \
	t/module/comments/comments.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/comments/moderation.t
t_module_comments_moderation_t_SOURCES = \
	t/module/comments/moderation.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/comments/limit.t
t_module_comments_limit_t_SOURCES = t/module/comments/limit.c t/module/lib/inside.c t/module/lib/inside.h

check_LTLIBRARIES += t/plugins/censor/censor.la
t_plugins_censor_censor_la_SOURCES = t/plugins/censor.c
t_plugins_censor_censor_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_censor_censor_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_censor_censor_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_censor_censor_la_LIBADD = libstet.la $(DEPS_LIBS)

# Comments of readers: what the public does, what moderators do; how often a client may.
check_PROGRAMS += t/module/comments.t
t_module_comments_t_SOURCES = t/module/comments.c $(POSTS) t/module/inside.c t/module/inside.h

check_PROGRAMS += t/module/moderation.t
t_module_moderation_t_SOURCES = t/module/moderation.c $(POSTS) t/module/inside.c t/module/inside.h

check_PROGRAMS += t/module/limit.t
t_module_limit_t_SOURCES = t/module/limit.c t/module/inside.c t/module/inside.h

check_LTLIBRARIES += t/module/censor/censor.la
t_module_censor_censor_la_SOURCES = t/module/censor.c
t_module_censor_censor_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_module_censor_censor_la_CFLAGS = $(MODULE_CFLAGS)
t_module_censor_censor_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_module_censor_censor_la_LIBADD = libstet.la $(DEPS_LIBS)

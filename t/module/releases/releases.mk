# Releases: published and undone as a whole, over REST and as tools.
check_PROGRAMS += t/module/releases/releases.t
t_module_releases_releases_t_SOURCES = \
	t/module/releases/releases.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h

# What releases refuse, and what they withstand.
check_PROGRAMS += t/module/releases/refused.t
t_module_releases_refused_t_SOURCES = \
	t/module/releases/refused.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h

# Releases as a whole: previews, what is missing, what they make and delete.
check_PROGRAMS += t/module/releases/whole.t
t_module_releases_whole_t_SOURCES = \
	t/module/releases/whole.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h

# What was before each write of menus, widgets, taxonomies, bylines, settings; sessions of assistants, and their undo.
check_PROGRAMS += t/module/history/history.t
t_module_history_history_t_SOURCES = \
	t/module/history/history.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h

# Random sessions with changes by others between: none of those is lost.
check_PROGRAMS += t/module/history/chance.t
t_module_history_chance_t_SOURCES = \
	t/module/history/chance.c \
	t/module/lib/chance.h \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h

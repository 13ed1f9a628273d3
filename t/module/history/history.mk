# What was before each write of menus, widgets, taxonomies, bylines, settings; sessions of assistants, and their undo.
check_PROGRAMS += t/module/history/history.t
t_module_history_history_t_SOURCES = \
	t/module/history/history.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/people.c \
	t/module/lib/people.h \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h

# Who sees and takes back what assistants did.
check_PROGRAMS += t/module/history/rights.t
t_module_history_rights_t_SOURCES = \
	t/module/history/rights.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/people.c \
	t/module/lib/people.h

# Random sessions with changes of others between them, and their undo.
check_PROGRAMS += t/module/history/model.t
t_module_history_model_t_SOURCES = \
	t/module/history/model.c \
	$(POSTS) \
	t/module/lib/chance.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/people.c \
	t/module/lib/people.h

# The undo of a session with more records than a call takes back, and the tool for it.
check_PROGRAMS += t/module/history/many.t
t_module_history_many_t_SOURCES = \
	t/module/history/many.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	t/module/lib/people.c \
	t/module/lib/people.h \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h

# Search: what is found, and by whom; how it is indexed.
SEARCHED = t/module/searched.c t/module/searched.h t/module/posts.c t/module/posts.h \
	t/module/inside.c t/module/inside.h
check_PROGRAMS += t/module/search.t
t_module_search_t_SOURCES = t/module/search.c $(SEARCHED)

check_PROGRAMS += t/module/poll.t
t_module_poll_t_SOURCES = t/module/poll.c $(SEARCHED)

check_PROGRAMS += t/module/indexes.t
t_module_indexes_t_SOURCES = t/module/indexes.c $(SEARCHED)

check_PROGRAMS += t/module/absence.t
t_module_absence_t_SOURCES = t/module/absence.c $(SEARCHED)

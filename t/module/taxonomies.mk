# Taxonomies: definitions, terms and their places; terms of items, and how many a term has.
check_PROGRAMS += t/module/taxonomies.t
t_module_taxonomies_t_SOURCES = t/module/taxonomies.c t/module/posts.c t/module/posts.h \
	t/module/inside.c t/module/inside.h

check_PROGRAMS += t/module/terms.t
t_module_terms_t_SOURCES = t/module/terms.c t/module/posts.c t/module/posts.h \
	t/module/inside.c t/module/inside.h

check_PROGRAMS += t/module/tagged.t
t_module_tagged_t_SOURCES = t/module/tagged.c t/module/posts.c t/module/posts.h \
	t/module/inside.c t/module/inside.h

# Taxonomies: definitions, terms and their places; terms of items, and how many a term has.
check_PROGRAMS += t/module/taxonomies/taxonomies.t
t_module_taxonomies_taxonomies_t_SOURCES = \
	t/module/taxonomies/taxonomies.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/taxonomies/terms.t
t_module_taxonomies_terms_t_SOURCES = \
	t/module/taxonomies/terms.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/taxonomies/tagged.t
t_module_taxonomies_tagged_t_SOURCES = \
	t/module/taxonomies/tagged.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/taxonomies/facets.t
t_module_taxonomies_facets_t_SOURCES = \
	t/module/taxonomies/facets.c \
	t/module/lib/chance.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h

check_PROGRAMS += t/module/taxonomies/beside.t
t_module_taxonomies_beside_t_SOURCES = \
	t/module/taxonomies/beside.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/taxonomies/sought.t
t_module_taxonomies_sought_t_SOURCES = \
	t/module/taxonomies/sought.c \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

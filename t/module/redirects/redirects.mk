# Old slugs of items lead on: what is answered, and a model of it.
check_PROGRAMS += t/module/redirects/redirects.t
t_module_redirects_redirects_t_SOURCES = \
	t/module/redirects/redirects.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h

check_PROGRAMS += t/module/redirects/property.t
t_module_redirects_property_t_SOURCES = \
	t/module/redirects/property.c \
	t/module/lib/chance.h \
	$(POSTS)

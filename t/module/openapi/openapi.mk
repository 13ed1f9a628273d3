# The description of the API.
check_PROGRAMS += t/module/openapi/openapi.t
t_module_openapi_openapi_t_SOURCES = \
	t/module/openapi/openapi.c \
	$(POSTS) \
	t/module/lib/inside.c \
	t/module/lib/inside.h

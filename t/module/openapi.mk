# The description of the API.
check_PROGRAMS += t/module/openapi.t
t_module_openapi_t_SOURCES = t/module/openapi.c $(POSTS) t/module/inside.c t/module/inside.h

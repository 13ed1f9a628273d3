# The description of the API.
check_PROGRAMS += t/module/openapi.t
t_module_openapi_t_SOURCES = t/module/openapi.c $(POSTS) t/module/inside.c t/module/inside.h
t_module_openapi_t_CPPFLAGS = $(TEST_CPPFLAGS)
t_module_openapi_t_CFLAGS = $(TEST_CFLAGS)
t_module_openapi_t_LDADD = $(HARNESS_LDADD)

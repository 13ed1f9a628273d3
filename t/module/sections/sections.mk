check_PROGRAMS += t/module/sections/sections.t
t_module_sections_sections_t_SOURCES = t/module/sections/sections.c t/module/lib/posts.c t/module/lib/posts.h

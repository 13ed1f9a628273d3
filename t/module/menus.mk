# Menus, their items and what they point to; sections; widgets.
check_PROGRAMS += t/module/menus.t
t_module_menus_t_SOURCES = t/module/menus.c t/module/posts.c t/module/posts.h

check_PROGRAMS += t/module/menuitems.t
t_module_menuitems_t_SOURCES = t/module/menuitems.c t/module/posts.c t/module/posts.h

check_PROGRAMS += t/module/sections.t
t_module_sections_t_SOURCES = t/module/sections.c t/module/posts.c t/module/posts.h

check_PROGRAMS += t/module/widgets.t
t_module_widgets_t_SOURCES = t/module/widgets.c t/module/posts.c t/module/posts.h

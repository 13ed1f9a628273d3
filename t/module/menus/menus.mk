# Menus, their items and what they point to; sections; widgets.
check_PROGRAMS += t/module/menus/menus.t
t_module_menus_menus_t_SOURCES = t/module/menus/menus.c t/module/lib/posts.c t/module/lib/posts.h

check_PROGRAMS += t/module/menus/menuitems.t
t_module_menus_menuitems_t_SOURCES = t/module/menus/menuitems.c t/module/lib/posts.c t/module/lib/posts.h

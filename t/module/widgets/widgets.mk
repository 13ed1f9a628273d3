check_PROGRAMS += t/module/widgets/widgets.t
t_module_widgets_widgets_t_SOURCES = t/module/widgets/widgets.c t/module/lib/posts.c t/module/lib/posts.h

# Which content refers to which media items.
check_PROGRAMS += t/module/media-usage/written.t
t_module_media_usage_written_t_SOURCES = t/module/media-usage/written.c $(USED)

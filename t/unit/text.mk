check_PROGRAMS += t/unit/text.t t/unit/cursor.t
t_unit_text_t_SOURCES = t/unit/text.c
t_unit_cursor_t_SOURCES = t/unit/cursor.c

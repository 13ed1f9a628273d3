check_PROGRAMS += t/unit/call/cursor.t
t_unit_call_cursor_t_SOURCES = t/unit/call/cursor.c
check_PROGRAMS += t/unit/call/json.t
t_unit_call_json_t_SOURCES = t/unit/call/json.c
check_PROGRAMS += t/unit/call/metrics.t
t_unit_call_metrics_t_SOURCES = t/unit/call/metrics.c
check_PROGRAMS += t/unit/call/text.t
t_unit_call_text_t_SOURCES = t/unit/call/text.c

check_PROGRAMS += t/unit/json.t t/unit/op.t
t_unit_json_t_SOURCES = t/unit/json.c
t_unit_op_t_SOURCES = t/unit/op.c

check_PROGRAMS += t/unit/op/lane.t
t_unit_op_lane_t_SOURCES = t/unit/op/lane.c t/unit/lib/store.h t/unit/lib/gate.h
check_PROGRAMS += t/unit/op/op.t
t_unit_op_op_t_SOURCES = t/unit/op/op.c
check_PROGRAMS += t/unit/op/slow.t
t_unit_op_slow_t_SOURCES = t/unit/op/slow.c t/unit/lib/counter.h t/unit/lib/store.h

check_PROGRAMS += t/unit/base/activity.t
t_unit_base_activity_t_SOURCES = t/unit/base/activity.c
check_PROGRAMS += t/unit/base/pace.t
t_unit_base_pace_t_SOURCES = t/unit/base/pace.c
check_PROGRAMS += t/unit/base/fair.t
t_unit_base_fair_t_SOURCES = t/unit/base/fair.c

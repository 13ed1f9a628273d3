check_PROGRAMS += t/unit/module/descriptor.t
t_unit_module_descriptor_t_SOURCES = t/unit/module/descriptor.c
check_PROGRAMS += t/unit/module/pagerow.t
t_unit_module_pagerow_t_SOURCES = t/unit/module/pagerow.c
check_PROGRAMS += t/unit/module/generation.t
t_unit_module_generation_t_SOURCES = t/unit/module/generation.c
check_PROGRAMS += t/unit/module/module.t
t_unit_module_module_t_SOURCES = t/unit/module/module.c

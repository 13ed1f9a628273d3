core_module = \
	core/module/descriptor.c core/module/entry.c core/module/generation.c core/module/hook.c \
	core/module/module.c core/module/module.h core/module/running.c core/module/running.h

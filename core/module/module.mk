core_module = \
	core/module/capability.c core/module/capability.h \
	core/module/culprit.c core/module/culprit.h core/module/descriptor.c \
	core/module/descriptor.h core/module/filestamp.c core/module/filestamp.h core/module/generation.c \
	core/module/generation.h core/module/hook.c core/module/hook.h core/module/includerow.c core/module/includerow.h core/module/checkrow.c core/module/checkrow.h core/module/columnrow.c core/module/columnrow.h core/module/metricrow.c core/module/metricrow.h core/module/series.c core/module/series.h \
	core/module/mailrow.c \
	core/module/mailrow.h core/module/module.c \
	core/module/module.h core/module/oprow.c core/module/oprow.h core/module/pagerow.c core/module/pagerow.h core/module/running.c \
	core/module/running.h core/module/service.c core/module/transferrow.c core/module/transferrow.h

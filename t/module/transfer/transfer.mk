# A site as files.
check_PROGRAMS += t/module/transfer/model.t
t_module_transfer_model_t_SOURCES = \
	t/module/transfer/model.c \
	t/module/transfer/steps.c \
	t/module/transfer/values.c \
	t/module/transfer/state.h \
	t/module/lib/chance.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h \
	$(POSTS)

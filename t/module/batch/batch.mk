check_PROGRAMS += t/module/batch/batch.t
t_module_batch_batch_t_SOURCES = \
	t/module/batch/batch.c \
	t/module/lib/rpc.c \
	t/module/lib/rpc.h \
	t/module/lib/posts.c \
	t/module/lib/posts.h \
	t/module/lib/inside.c \
	t/module/lib/inside.h

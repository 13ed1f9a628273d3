core_op = \
	core/op/answer.c core/op/answer.h core/op/args.c core/op/args.h core/op/csrf.c core/op/csrf.h core/op/dispatch.c \
	core/op/dispatch.h core/op/encode.c core/op/encode.h core/op/file.c core/op/file.h \
	core/op/header.c core/op/header.h core/op/idempotency.c core/op/idempotency.h \
	core/op/inside.c core/op/inside.h core/op/limit.c core/op/limit.h core/op/open.c core/op/open.h core/op/precondition.c \
	core/op/precondition.h core/op/readpool.c core/op/readpool.h \
	core/op/reply.c core/op/reply.h core/op/slow.c core/op/slow.h core/op/turns.c core/op/turns.h \
	core/op/waiting.c core/op/waiting.h

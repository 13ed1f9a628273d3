core_net = \
	core/net/accesslog.c core/net/accesslog.h core/net/body.c core/net/body.h core/net/bodyroom.c \
	core/net/bodyroom.h core/net/conn.c core/net/conn.h core/net/connset.c core/net/connset.h \
	core/net/cors.c core/net/cors.h core/net/filesend.c core/net/filesend.h core/net/lend.c \
	core/net/lend.h core/net/listen.c core/net/listen.h core/net/reject.c core/net/reject.h \
	core/net/send.c core/net/send.h core/net/spool.c core/net/spool.h core/net/stream.c \
	core/net/stream.h core/net/tls.c core/net/tls.h core/net/transport.c core/net/transport.h \
	core/net/wait.c core/net/wait.h core/net/weight.c core/net/weight.h core/net/worker.c \
	core/net/worker.h

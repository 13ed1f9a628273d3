core_http = \
	core/http/address.c \
	core/http/address.h \
	core/http/condition.c \
	core/http/condition.h \
	core/http/http1.c \
	core/http/http1.h \
	core/http/httpdate.c \
	core/http/httpdate.h \
	core/http/multipart.c \
	core/http/multipart.h \
	core/http/origin.c \
	core/http/origin.h \
	core/http/percent.c \
	core/http/percent.h \
	core/http/range.c \
	core/http/range.h \
	core/http/router.c \
	core/http/router.h

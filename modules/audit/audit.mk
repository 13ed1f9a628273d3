module_LTLIBRARIES += modules/audit.la
modules_audit_la_SOURCES = \
	modules/audit/audit.c \
	modules/audit/audit.h \
	modules/audit/chain.c \
	modules/audit/head.c \
	modules/audit/list.c \
	modules/audit/resume.c \
	modules/audit/retention.c \
	modules/audit/subject.c \
	modules/audit/tool.c \
	modules/audit/verify.c
modules_audit_la_CPPFLAGS = $(MODULE_CPPFLAGS)
modules_audit_la_CFLAGS = $(MODULE_CFLAGS)
modules_audit_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_audit_la_LIBADD = libstet.la $(DEPS_LIBS)

module_LTLIBRARIES += modules/media.la
modules_media_la_SOURCES = \
	modules/media/add.c \
	modules/media/beside.c \
	modules/media/bulk.c \
	modules/media/check.c \
	modules/media/clip.c \
	modules/media/clip.h \
	modules/media/commands.c \
	modules/media/digest.c \
	modules/media/drawing.c \
	modules/media/edit.c \
	modules/media/find.c \
	modules/media/folder.c \
	modules/media/gone.c \
	modules/media/image/image.c \
	modules/media/image/image.h \
	modules/media/image/imageproc.c \
	modules/media/image/imageproc.h \
	modules/media/image/imagewire.h \
	modules/media/image/probe.c \
	modules/media/image/rendition.c \
	modules/media/image/rendition.h \
	modules/media/item.c \
	modules/media/kept.c \
	modules/media/list.c \
	modules/media/look.c \
	modules/media/media.c \
	modules/media/media.h \
	modules/media/picture.c \
	modules/media/quota.c \
	modules/media/register.c \
	modules/media/rendition.c \
	modules/media/serve.c \
	modules/media/signature.c \
	modules/media/svg/allow.c \
	modules/media/svg/clean.c \
	modules/media/svg/svg.h \
	modules/media/sweep.c \
	modules/media/target.c \
	modules/media/targeturl.c \
	modules/media/type.c \
	modules/media/upload.c \
	modules/media/usage.c
modules_media_la_CPPFLAGS = $(MODULE_CPPFLAGS) $(MAGIC_CFLAGS) $(EXPAT_CFLAGS) -I$(top_srcdir)/modules/media \
	-DHELPER_PATH='"$(helperdir)"'
modules_media_la_CFLAGS = $(MODULE_CFLAGS)
modules_media_la_LDFLAGS = $(MODULE_LDFLAGS)
modules_media_la_LIBADD = libstet.la $(DEPS_LIBS) $(MAGIC_LIBS) $(EXPAT_LIBS) -lm

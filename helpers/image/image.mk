# stet-image, which decodes images. libvips has no sanitizers in it, and they make calls that the list
# of confine.c does not have: the program is built without them, its own functions are tested with them.
helperdir = $(libexecdir)/stet
helper_PROGRAMS = helpers/image/stet-image
helpers_image_stet_image_SOURCES = \
	modules/media/image/imagewire.h \
	helpers/image/blurhash.c \
	helpers/image/blurhash.h \
	helpers/image/confine.c \
	helpers/image/confine.h \
	helpers/image/decode.c \
	helpers/image/decode.h \
	helpers/image/main.c \
	helpers/image/riff.c \
	helpers/image/riff.h
helpers_image_stet_image_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)/modules/media $(VIPS_CFLAGS) $(SECCOMP_CFLAGS)
helpers_image_stet_image_CFLAGS = -std=gnu11 $(WARN_CFLAGS) $(HARD_CFLAGS)
helpers_image_stet_image_LDFLAGS = $(HARD_LDFLAGS)
helpers_image_stet_image_LDADD = $(VIPS_LIBS) $(SECCOMP_LIBS) -lm

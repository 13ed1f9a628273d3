core_work = \
	core/work/beforecommit.c \
	core/work/credential.c \
	core/work/fetch.c core/work/fetch.h core/work/filedir.c core/work/filedir.h \
	core/work/filedriver.c core/work/filedriver.h core/work/image.c core/work/imageproc.c core/work/imageproc.h core/work/imagewire.h core/work/rendition.c core/work/rendition.h core/work/jobs.c core/work/jobs.h \
	core/work/mail.c core/work/mail.h core/work/mailtext.c core/work/mailtext.h \
	core/work/outbox.c \
	core/work/outbox.h core/work/sealed.c core/work/sealed.h core/work/sitekey.c \
	core/work/sitekey.h core/work/smtp.c core/work/smtp.h core/work/store.c core/work/store.h \
	core/work/storecheck.c core/work/storecheck.h core/work/usage.c core/work/tempfile.c core/work/tempfile.h core/work/transfer.c core/work/transfer.h core/work/vault.c core/work/vault.h
# files in a bucket
core_work += \
	core/work/filecache.c core/work/filecache.h core/work/files3.c core/work/files3.h \
	core/work/s3.c core/work/s3.h core/work/s3ask.c core/work/s3ask.h \
	core/work/s3sign.c core/work/s3sign.h core/work/s3xml.c core/work/s3xml.h \
	core/work/secretfile.c core/work/secretfile.h core/work/storemove.c core/work/storeurl.c

# Tests of the daemon over its sockets.
# The module probe has the ops that these tests call.
check_LTLIBRARIES += t/plugins/probe.la
t_plugins_probe_la_SOURCES = t/plugins/probe.c
t_plugins_probe_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_probe_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_probe_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_probe_la_LIBADD = libstet.la $(DEPS_LIBS)

HTTP_SOURCES = \
	t/http/daemon.c \
	t/http/daemon.h \
	t/http/process.c \
	t/http/openssl.c \
	t/http/openssl.h \
	t/http/watcher.c \
	t/http/watcher.h
check_PROGRAMS += \
	t/http/requests.t \
	t/http/bodies.t \
	t/http/limits.t \
	t/http/streams.t \
	t/http/lifecycle.t \
	t/http/refused.t \
	t/http/idempotency.t \
	t/http/files.t \
	t/http/parts.t
t_http_idempotency_t_SOURCES = t/http/idempotency.c $(HTTP_SOURCES)
t_http_requests_t_SOURCES = t/http/requests.c $(HTTP_SOURCES)
t_http_bodies_t_SOURCES = t/http/bodies.c $(HTTP_SOURCES)
t_http_limits_t_SOURCES = t/http/limits.c $(HTTP_SOURCES)
FILED_SOURCES = t/http/filed.c t/http/filed.h $(HTTP_SOURCES)
t_http_parts_t_SOURCES = t/http/parts.c $(FILED_SOURCES)
t_http_files_t_SOURCES = t/http/files.c $(FILED_SOURCES)
t_http_streams_t_SOURCES = t/http/streams.c $(HTTP_SOURCES)
check_PROGRAMS += t/http/readers.t
t_http_readers_t_SOURCES = t/http/readers.c $(HTTP_SOURCES)
check_LTLIBRARIES += t/plugins/stuck/looper.la
t_plugins_stuck_looper_la_SOURCES = t/plugins/looper.c
t_plugins_stuck_looper_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_stuck_looper_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_stuck_looper_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_stuck_looper_la_LIBADD = libstet.la $(DEPS_LIBS)
check_LTLIBRARIES += t/plugins/dawdler/dawdler.la
t_plugins_dawdler_dawdler_la_SOURCES = t/plugins/dawdler.c
t_plugins_dawdler_dawdler_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_dawdler_dawdler_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_dawdler_dawdler_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_dawdler_dawdler_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/http/turns.t
t_http_turns_t_SOURCES = t/http/turns.c $(HTTP_SOURCES)
check_PROGRAMS += t/http/readpool.t
t_http_readpool_t_SOURCES = t/http/readpool.c $(HTTP_SOURCES)
check_PROGRAMS += t/http/stuck.t
t_http_stuck_t_SOURCES = t/http/stuck.c $(HTTP_SOURCES)
check_PROGRAMS += t/http/stops.t
t_http_stops_t_SOURCES = t/http/stops.c $(HTTP_SOURCES)
check_PROGRAMS += t/http/keys.t
t_http_keys_t_SOURCES = t/http/keys.c $(HTTP_SOURCES)
t_http_lifecycle_t_SOURCES = t/http/lifecycle.c $(HTTP_SOURCES)
t_http_refused_t_SOURCES = t/http/refused.c $(HTTP_SOURCES)

# Acknowledged writes survive kills.
check_PROGRAMS += t/http/storm.t
t_http_storm_t_SOURCES = \
	t/http/storm.c \
	t/http/storm.h \
	t/http/storm_ask.c \
	t/http/storm_backup.c \
	t/http/storm_pages.c \
	t/http/storm_things.c
t_http_storm_t_LDADD = $(DEPS_LIBS) -lpthread

# The product as people meet it: bundled modules, the command, tokens.
REMOTE_SOURCES = t/http/remote.c t/http/remote.h $(HTTP_SOURCES)
PSQL = t/http/psql.c t/http/psql.h
PGSITE = t/http/pgsite.c t/http/pgsite.h $(PSQL) $(REMOTE_SOURCES)
BYSTANDER = t/http/bystander.c t/http/bystander.h
CROWD = t/http/crowd.c t/http/crowd.h
CONSENTS = t/http/consents.c t/http/consents.h
check_PROGRAMS += t/http/articles.t
t_http_articles_t_SOURCES = t/http/articles.c $(REMOTE_SOURCES)
check_PROGRAMS += t/http/answers.t
check_LTLIBRARIES += t/plugins/mirror.la
t_plugins_mirror_la_SOURCES = t/plugins/mirror.c
t_plugins_mirror_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_mirror_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_mirror_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_mirror_la_LIBADD = libstet.la $(DEPS_LIBS)
t_http_answers_t_SOURCES = t/http/answers.c $(REMOTE_SOURCES)
check_PROGRAMS += t/http/codings.t
t_http_codings_t_SOURCES = t/http/codings.c $(REMOTE_SOURCES)
t_http_codings_t_LDADD = $(LDADD) $(CODINGS_LIBS)
check_PROGRAMS += t/http/searched.t
t_http_searched_t_SOURCES = t/http/searched.c $(REMOTE_SOURCES)
check_PROGRAMS += t/http/public.t
t_http_public_t_SOURCES = t/http/public.c $(REMOTE_SOURCES)
check_PROGRAMS += t/http/origins.t
t_http_origins_t_SOURCES = t/http/origins.c $(REMOTE_SOURCES)
check_PROGRAMS += t/http/full.t
t_http_full_t_SOURCES = t/http/full.c t/http/tmpdisk.c t/http/tmpdisk.h $(REMOTE_SOURCES)
check_PROGRAMS += t/http/backupfull.t
t_http_backupfull_t_SOURCES = \
	t/http/backupfull.c \
	t/http/tmpdisk.c \
	t/http/tmpdisk.h \
	$(REMOTE_SOURCES)
check_PROGRAMS += t/http/plugins.t
t_http_plugins_t_SOURCES = t/http/plugins.c $(REMOTE_SOURCES)
# A plugin that calls the core with invalid values.
check_LTLIBRARIES += t/plugins/blunderer.la
t_plugins_blunderer_la_SOURCES = t/plugins/blunderer.c
t_plugins_blunderer_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_blunderer_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_blunderer_la_LDFLAGS = $(TEST_PLUGIN_LDFLAGS)
t_plugins_blunderer_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/http/blunders.t
t_http_blunders_t_SOURCES = t/http/blunders.c $(REMOTE_SOURCES)
# Plugins that crash.
check_LTLIBRARIES += t/plugins/crasher.la t/plugins/newer/crasher.la
t_plugins_crasher_la_SOURCES = t/plugins/crasher.c
t_plugins_crasher_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_crasher_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_crasher_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_crasher_la_LIBADD = libstet.la $(DEPS_LIBS)
t_plugins_newer_crasher_la_SOURCES = t/plugins/crasher.c
t_plugins_newer_crasher_la_CPPFLAGS = $(MODULE_CPPFLAGS) -DNEWER
t_plugins_newer_crasher_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_newer_crasher_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_newer_crasher_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/http/crashes.t
t_http_crashes_t_SOURCES = t/http/crashes.c $(REMOTE_SOURCES)
check_PROGRAMS += t/http/unmigrated.t
t_http_unmigrated_t_SOURCES = t/http/unmigrated.c $(REMOTE_SOURCES)
check_PROGRAMS += t/http/doctor.t
t_http_doctor_t_SOURCES = t/http/doctor.c $(REMOTE_SOURCES)
check_PROGRAMS += t/http/secrets.t
t_http_secrets_t_SOURCES = t/http/secrets.c $(REMOTE_SOURCES)
check_PROGRAMS += t/http/batch.t
t_http_batch_t_SOURCES = t/http/batch.c $(REMOTE_SOURCES)

check_PROGRAMS += t/http/pgkills.t
t_http_pgkills_t_SOURCES = t/http/pgkills.c $(PGSITE)
t_http_pgkills_t_LDADD = $(LDADD) -lpthread
check_PROGRAMS += t/http/pgload.t
t_http_pgload_t_SOURCES = t/http/pgload.c $(PGSITE)
t_http_pgload_t_LDADD = $(LDADD) -lpthread
check_PROGRAMS += t/http/pgbuilds.t
t_http_pgbuilds_t_SOURCES = t/http/pgbuilds.c $(PGSITE)
t_http_pgbuilds_t_LDADD = $(LDADD) -lpthread
check_PROGRAMS += t/http/pghangs.t
t_http_pghangs_t_SOURCES = t/http/pghangs.c $(PGSITE)
t_http_pghangs_t_LDADD = $(LDADD) -lpthread

# Several daemons of one site, in PostgreSQL.
DAEMONS = t/http/daemons.c t/http/daemons.h $(PSQL) $(REMOTE_SOURCES)
check_PROGRAMS += t/http/alike.t
t_http_alike_t_SOURCES = t/http/alike.c $(DAEMONS)
FETCH = t/http/fetch.c t/http/fetch.h
check_PROGRAMS += t/http/daemonchanges.t t/http/daemonkills.t
t_http_daemonchanges_t_SOURCES = t/http/daemonchanges.c $(FETCH) $(DAEMONS)
t_http_daemonchanges_t_LDADD = $(LDADD) $(CURL_LIBS) -lpthread
t_http_daemonkills_t_SOURCES = t/http/daemonkills.c $(FETCH) $(DAEMONS)
t_http_daemonkills_t_LDADD = $(LDADD) $(CURL_LIBS) -lpthread
check_PROGRAMS += t/http/leases.t
t_http_leases_t_SOURCES = t/http/leases.c t/module/lib/neighbour.c t/module/lib/neighbour.h \
	t/module/lib/postbox.c t/module/lib/postbox.h t/http/uploads.c t/http/uploads.h $(DAEMONS)
t_http_leases_t_LDADD = $(LDADD) -lssl -lcrypto -lpthread
check_PROGRAMS += t/http/guesses.t
t_http_guesses_t_SOURCES = t/http/guesses.c $(DAEMONS)
check_PROGRAMS += t/http/overseen.t
t_http_overseen_t_SOURCES = t/http/overseen.c $(DAEMONS)
t_http_overseen_t_LDADD = $(LDADD) -lpthread
check_PROGRAMS += t/http/heard.t
t_http_heard_t_SOURCES = t/http/heard.c $(DAEMONS)
t_http_heard_t_LDADD = $(LDADD) -lpthread
check_PROGRAMS += t/http/pgreads.t
t_http_pgreads_t_SOURCES = t/http/pgreads.c $(PGSITE)
t_http_pgreads_t_LDADD = $(LDADD) -lpthread
check_PROGRAMS += t/http/races.t
t_http_races_t_SOURCES = t/http/races.c $(REMOTE_SOURCES)
check_PROGRAMS += t/http/signin.t
t_http_signin_t_SOURCES = t/http/signin.c $(CROWD) $(POSTBOX) $(REMOTE_SOURCES)
t_http_signin_t_LDADD = $(LDADD) -lssl -lcrypto -lpthread
# Requests from very many addresses.
check_PROGRAMS += t/http/flood.t
t_http_flood_t_SOURCES = t/http/flood.c $(BYSTANDER) $(REMOTE_SOURCES)
t_http_flood_t_LDADD = $(LDADD) -lpthread
# Clients that hoard the daemon's memory.
check_PROGRAMS += t/http/hoard.t
t_http_hoard_t_SOURCES = \
	t/http/hoard.c \
	t/http/hoarder.c \
	t/http/hoarder.h \
	t/http/uploads.c \
	t/http/uploads.h \
	$(BYSTANDER) \
	$(REMOTE_SOURCES)
t_http_hoard_t_LDADD = $(LDADD) -lssl -lcrypto -lpthread
check_PROGRAMS += t/http/schedule.t
t_http_schedule_t_SOURCES = t/http/schedule.c $(REMOTE_SOURCES)
# This test has the command, for commits of another process.
check_PROGRAMS += t/http/wait.t
t_http_wait_t_SOURCES = t/http/wait.c $(REMOTE_SOURCES)
check_PROGRAMS += t/http/notify.t
t_http_notify_t_SOURCES = t/http/notify.c $(HTTP_SOURCES)
check_PROGRAMS += t/http/tls.t
t_http_tls_t_SOURCES = t/http/tls.c $(HTTP_SOURCES)
t_http_tls_t_CPPFLAGS = $(AM_CPPFLAGS) $(TLS_CFLAGS)
t_http_tls_t_LDADD = $(LDADD) $(TLS_LIBS)
# The same over TLS, with the openssl command as its client.
check_PROGRAMS += t/http/bodies_tls.t t/http/files_tls.t t/http/requests_tls.t t/http/streams_tls.t
t_http_files_tls_t_SOURCES = t/http/files.c $(FILED_SOURCES)
t_http_files_tls_t_CPPFLAGS = $(AM_CPPFLAGS) -DOVER_TLS
t_http_bodies_tls_t_SOURCES = t/http/bodies.c $(HTTP_SOURCES)
t_http_bodies_tls_t_CPPFLAGS = $(AM_CPPFLAGS) -DOVER_TLS
t_http_requests_tls_t_SOURCES = t/http/requests.c $(HTTP_SOURCES)
t_http_requests_tls_t_CPPFLAGS = $(AM_CPPFLAGS) -DOVER_TLS
t_http_streams_tls_t_SOURCES = t/http/streams.c $(HTTP_SOURCES)
t_http_streams_tls_t_CPPFLAGS = $(AM_CPPFLAGS) -DOVER_TLS
# The listener for monitoring.
check_PROGRAMS += t/http/watch.t
t_http_watch_t_SOURCES = t/http/watch.c $(FILED_SOURCES)
check_PROGRAMS += t/http/rates.t
t_http_rates_t_SOURCES = t/http/rates.c $(REMOTE_SOURCES)

# Backups of a site that is served.
check_PROGRAMS += t/http/backup.t
t_http_backup_t_SOURCES = t/http/backup.c $(REMOTE_SOURCES)

check_PROGRAMS += t/http/sites.t
t_http_sites_t_SOURCES = t/http/sites.c $(HTTP_SOURCES)

# Files that a module keeps.
check_PROGRAMS += t/http/kept.t
t_http_kept_t_SOURCES = t/http/kept.c $(REMOTE_SOURCES)

# The media library.
check_PROGRAMS += t/http/media.t t/http/library.t t/http/mediakills.t
check_PROGRAMS += t/http/decoders.t
t_http_decoders_t_SOURCES = t/http/decoders.c t/http/uploads.c t/http/uploads.h $(REMOTE_SOURCES)
t_http_decoders_t_LDADD = $(LDADD) $(CODINGS_LIBS)
check_PROGRAMS += t/http/avif.t t/http/corpus.t t/http/fieldtypes.t t/http/metadata.t t/http/renditions.t t/http/svg.t
t_http_corpus_t_SOURCES = t/http/corpus.c t/http/uploads.c t/http/uploads.h $(REMOTE_SOURCES)
t_http_svg_t_SOURCES = t/http/svg.c t/http/uploads.c t/http/uploads.h $(REMOTE_SOURCES)
t_http_metadata_t_SOURCES = \
	t/http/metadata.c \
	t/http/uploads.c \
	t/http/uploads.h \
	t/module/lib/pictures.c \
	t/module/lib/pictures.h \
	$(REMOTE_SOURCES)
t_http_metadata_t_LDADD = $(LDADD) $(CODINGS_LIBS)
t_http_fieldtypes_t_SOURCES = \
	t/http/fieldtypes.c \
	t/http/uploads.c \
	t/http/uploads.h \
	$(REMOTE_SOURCES)
t_http_avif_t_SOURCES = t/http/avif.c t/http/uploads.c t/http/uploads.h $(REMOTE_SOURCES)
t_http_renditions_t_SOURCES = \
	t/http/renditions.c \
	t/http/uploads.c \
	t/http/uploads.h \
	t/module/lib/pictures.c \
	t/module/lib/pictures.h \
	$(REMOTE_SOURCES)
t_http_media_t_SOURCES = t/http/media.c t/http/uploads.c t/http/uploads.h $(REMOTE_SOURCES)
check_PROGRAMS += t/http/uploadurl.t
t_http_uploadurl_t_SOURCES = \
	t/http/uploadurl.c \
	t/http/uploads.c \
	t/http/uploads.h \
	$(CONSENTS) \
	$(REMOTE_SOURCES)
check_PROGRAMS += t/http/importing.t
t_http_importing_t_SOURCES = t/http/importing.c t/http/uploads.c t/http/uploads.h $(REMOTE_SOURCES)
check_PROGRAMS += t/http/usagekills.t
t_http_usagekills_t_SOURCES = t/http/usagekills.c $(REMOTE_SOURCES)
t_http_mediakills_t_SOURCES = \
	t/http/mediakills.c \
	t/http/uploads.c \
	t/http/uploads.h \
	$(REMOTE_SOURCES)
t_http_library_t_SOURCES = t/http/library.c t/http/uploads.c t/http/uploads.h $(REMOTE_SOURCES)

# The headers of the HTML pages.
check_PROGRAMS += t/http/pages.t
t_http_pages_t_SOURCES = t/http/pages.c $(REMOTE_SOURCES)
# The examples of stet-api(7).
check_PROGRAMS += t/http/apipage.t
t_http_apipage_t_SOURCES = t/http/apipage.c $(REMOTE_SOURCES)
# How the files of the admin pages are served.
check_PROGRAMS += t/http/adminpages.t
t_http_adminpages_t_SOURCES = t/http/adminpages.c $(REMOTE_SOURCES)
# How the files of plugin pages are served.
check_LTLIBRARIES += t/plugins/pager/pager.la
t_plugins_pager_pager_la_SOURCES = t/plugins/pager.c
t_plugins_pager_pager_la_CPPFLAGS = $(MODULE_CPPFLAGS)
t_plugins_pager_pager_la_CFLAGS = $(MODULE_CFLAGS)
t_plugins_pager_pager_la_LDFLAGS = $(MODULE_LDFLAGS) -rpath /nowhere
t_plugins_pager_pager_la_LIBADD = libstet.la $(DEPS_LIBS)
check_PROGRAMS += t/http/pluginpages.t
t_http_pluginpages_t_SOURCES = t/http/pluginpages.c $(REMOTE_SOURCES)
# The same with files in a bucket, and while files move to the bucket and back.
BUCKETSITE = t/http/bucketsite.c t/http/bucketsite.h t/http/uploads.c t/http/uploads.h $(BUCKET) $(REMOTE_SOURCES)
check_PROGRAMS += t/http/s3.t t/http/s3full.t t/http/mediamove.t
check_PROGRAMS += t/http/s3kills.t
t_http_s3full_t_SOURCES = t/http/s3full.c t/http/tmpdisk.c t/http/tmpdisk.h $(BUCKETSITE)
t_http_s3full_t_LDADD = $(LDADD) $(TLS_LIBS)
t_http_s3kills_t_SOURCES = t/http/mediakills.c $(BUCKETSITE)
t_http_s3kills_t_CPPFLAGS = $(AM_CPPFLAGS) -DIN_BUCKET
t_http_s3kills_t_LDADD = $(LDADD) $(TLS_LIBS)
t_http_s3_t_SOURCES = t/http/s3.c $(BUCKETSITE)
t_http_s3_t_LDADD = $(LDADD) $(TLS_LIBS)
t_http_mediamove_t_SOURCES = t/http/mediamove.c $(BUCKETSITE)
t_http_mediamove_t_LDADD = $(LDADD) $(TLS_LIBS)
check_PROGRAMS += t/http/importjob.t
t_http_importjob_t_SOURCES = t/http/importjob.c t/http/uploads.c t/http/uploads.h $(REMOTE_SOURCES)

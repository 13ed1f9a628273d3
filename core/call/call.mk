core_call = \
	core/call/adopt.c core/call/adopt.h core/call/ask.c core/call/call.c core/call/call.h \
	core/call/caller.h core/call/cursor.c core/call/error.c core/call/error.h core/call/finding.c core/call/form.c core/call/held.c core/call/held.h core/call/html.c core/call/id.c core/call/id.h \
	core/call/job.h core/call/json.c core/call/json.h core/call/jsonread.c core/call/jsonread.h core/call/jsonschema.c core/call/loaded.h \
	core/call/memory.c core/call/memory.h core/call/metrics.c core/call/metrics.h \
	core/call/importer.c core/call/include.c core/call/nul.c core/call/owner.c core/call/owner.h core/call/pagefile.c core/call/path.c core/call/principal.c \
	core/call/principal.h core/call/shape.c core/call/shape.h core/call/site.c core/call/site.h \
	core/call/stamp.h core/call/status.c core/call/status.h core/call/text.c core/call/timing.c \
	core/call/timing.h core/call/unsent.c core/call/unsent.h core/call/widen.c core/call/widen.h \
	core/call/tempfile.c core/call/tempfile.h

core_call = \
	core/call/call.c core/call/call.h core/call/cursor.c core/call/id.c core/call/json.c \
	core/call/jsonschema.c core/call/metrics.c core/call/metrics.h core/call/owner.c \
	core/call/path.c core/call/principal.c core/call/shape.c core/call/status.c core/call/text.c \
	core/call/text.h core/call/timing.c core/call/timing.h core/call/widen.c core/call/widen.h

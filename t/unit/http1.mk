check_PROGRAMS += t/unit/http1.t t/unit/chunk.t t/unit/multipart.t t/unit/smuggle.t
t_unit_http1_t_SOURCES = t/unit/http1.c
t_unit_chunk_t_SOURCES = t/unit/chunk.c
t_unit_multipart_t_SOURCES = t/unit/multipart.c
t_unit_smuggle_t_SOURCES = t/unit/smuggle.c
check_PROGRAMS += t/unit/range.t
t_unit_range_t_SOURCES = t/unit/range.c

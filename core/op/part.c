/* part.c - registers the part of a call that belongs to op/. */
#include "op/part.h"

struct call_part op_part_id = { .size = sizeof(struct op_part) };

CALL_PART_ADD(op_part_id)

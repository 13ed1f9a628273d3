/* part.c - registers the part of a call that belongs to op/. */
#include "op/part.h"

struct call_part op_part_id = { .size = sizeof(struct op_part) };

__attribute__((constructor)) static void
add_part(void)
{
	call_part_add(&op_part_id);
}

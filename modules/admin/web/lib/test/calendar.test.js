// calendar.test.js - the weeks that the calendar of scheduled items shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOf, weeksOf } from "../../pages/calendar/days.js";

const days = (month, first, now) => weeksOf(month, first, now).flat().map(dayOf);

test("a month has whole weeks, from the first day of the week on", () => {
	const all = days("2026-02", 1, new Date(2026, 4, 5));

	assert.equal(all[0], "2026-01-26");
	assert.equal(all.at(-1), "2026-03-01");
	assert.equal(days("2026-02", 0, new Date(2026, 4, 5))[0], "2026-02-01");
});
test("at the end of the present month the two weeks after today are shown", () => {
	const all = days("2026-11", 1, new Date(2026, 10, 30));

	assert.equal(all[0], "2026-10-26");
	assert.ok(all.includes("2026-12-07") && all.includes("2026-12-14"));
	assert.equal(all.length % 7, 0);
	assert.ok(!days("2026-11", 1, new Date(2026, 9, 30)).includes("2026-12-07"), "not in another month");
	assert.equal(days("2026-11", 1, new Date(2026, 10, 2)).at(-1), "2026-12-06", "nor at its beginning");
});

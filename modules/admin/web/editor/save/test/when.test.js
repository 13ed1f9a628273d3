// when.test.js - times of a zone in summer and winter, and around clock changes: hours that are skipped or repeated.
import assert from "node:assert/strict";
import test from "node:test";
import { fromZone, toZone } from "../../../lib/when.js";

test("a clock in a zone and UTC", () => {
	assert.equal(fromZone("2026-11-30T07:00", "Europe/London"), "2026-11-30T07:00:00.000Z");
	assert.equal(fromZone("2026-07-01T07:00", "Europe/London"), "2026-07-01T06:00:00.000Z");
	assert.equal(fromZone("2026-07-01T07:00", "Asia/Kathmandu"), "2026-07-01T01:15:00.000Z");
	assert.equal(fromZone("2026-01-01T00:30", "America/New_York"), "2026-01-01T05:30:00.000Z");
	for (const zone of ["Europe/Berlin", "America/St_Johns", "Pacific/Auckland", "UTC"])
		assert.equal(toZone(fromZone("2026-03-01T12:34", zone), zone), "2026-03-01T12:34");
});

test("the hour that is left out, and the one that comes twice", () => {
	assert.equal(fromZone("2026-03-29T02:30", "Europe/Berlin"), "2026-03-29T01:30:00.000Z");
	assert.equal(fromZone("2026-10-25T02:30", "Europe/Berlin"), "2026-10-25T00:30:00.000Z");
	assert.equal(fromZone("", "UTC"), null);
	assert.equal(toZone(null, "UTC"), "");
});

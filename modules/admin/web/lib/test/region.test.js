// region.test.js - dates and numbers have the form of the person's region, whatever the language of the pages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hourOf, localeOf } from "../region.js";

test("the browser's entry for the language decides, if it names a region", () => {
	assert.equal(localeOf("en", "", ["en-GB", "en"]), "en-GB");
	assert.equal(localeOf("en", "", ["en", "en-GB", "en-US"]), "en-GB");
	assert.equal(localeOf("de", "", ["en-US", "de-AT"]), "de-AT");
});
test("otherwise the region of another of its languages", () => {
	assert.equal(localeOf("en", "", ["de-AT", "de"]), "en-AT");
	assert.equal(localeOf("en", "", ["en", "de-DE"]), "en-DE");
	assert.equal(localeOf("fr", "", ["zh-Hant-HK"]), "fr-HK");
	const day = new Intl.DateTimeFormat(localeOf("en", "", ["de-AT"])).format(new Date("2026-11-30T12:00:00Z"));
	assert.equal(day, "30/11/2026");
});
test("without any region it is the language", () => {
	assert.equal(localeOf("en", "", ["en"]), "en");
	assert.equal(localeOf("en", "", []), "en");
	assert.equal(localeOf("en", "", ["de"]), "en");
});
test("a chosen region goes before all, unless it is none", () => {
	assert.equal(localeOf("en", "CH", ["en-US"]), "en-CH");
	for (const wrong of ["<b>", "usa", 7, null, {}]) assert.equal(localeOf("en", wrong, ["en-US"]), "en-US");
});
test("a tag of the browser that is none does no harm", () => {
	assert.equal(localeOf("en", "", ["x_y", "en-GB"]), "en-GB");
});
test("an hour has as many digits as the region writes", () => {
	const form = (locale) => hourOf(new Intl.DateTimeFormat(locale, { timeStyle: "short" }));

	assert.deepEqual(["en-US", "es-ES"].map(form), ["numeric", "numeric"]);
	assert.deepEqual(["en-GB", "de-DE", "fr-FR"].map(form), ["2-digit", "2-digit", "2-digit"]);
});

// fold.test.js - filters of pages fold texts as the server's search does.
import assert from "node:assert/strict";
import test from "node:test";
import { fold, holds } from "../fold.js";

/** Results of stet_fold (t/unit/db/folding.c, t/module/search/folded.c). */
const FOLDED = {
	Ærø: "aero",
	Straße: "strasse",
	STRAẞE: "strasse",
	ŁÓDŹ: "lodz",
	İstanbul: "istanbul",
	"d’Été": "d'ete",
	ʻokina: "'okina",
	"Zu\u0308rich\u0301": "zurich",
	"\uff26\uff35": "fu",
	"so\u00adft": "soft",
	ﬁne: "fine",
	Ⅷ: "viii",
	Ǆ: "dz",
	Όσος: "οσοσ",
	Йод: "иод",
	Ґанок: "ганок",
	"\uff76\uff9e\uff77\uff9e": "ガギ",
	"か\u3099": "が",
	は: "は",
	"\u1112\u1161\u11ab\u1100\u116e\u11a8": "한국",
	किताब: "किताब",
	ไทย: "ไทย",
	مكتبة: "مكتبه",
	کتاب: "كتاب",
	"۱۲": "12",
	"“a”–b": '"a"-b',
	"": "",
};

test("a text is folded as the server folds it", () => {
	for (const [text, folded] of Object.entries(FOLDED)) assert.equal(fold(text), folded, text);
});

test("a filter ignores case, accents and blanks around what is typed, and keeps letters apart", () => {
	for (const [text, typed] of [
		["In Łódź", " lodz "],
		["Straße", "STRASSE"],
		["Ünlü", "unlu"],
		["Привет", "привет"],
		["a", ""],
	])
		assert.ok(holds(text, typed), `${typed} in ${text}`);
	for (const [text, typed] of [
		["はな", "ばな"],
		["한국", "하"],
		["किताब", "कता"],
		["a", "b"],
	])
		assert.ok(!holds(text, typed), `${typed} in ${text}`);
});

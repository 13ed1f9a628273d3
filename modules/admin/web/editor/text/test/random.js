// random.js - random Portable Text from a seed, with every kind of fault.

/** A generator of numbers in [0, 1) (mulberry32). */
export function generator(seed) {
	let a = seed >>> 0;

	return () => {
		a = (a + 0x6d2b79f5) >>> 0;
		let t = a;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
}

export class Random {
	constructor(seed) {
		this.next = generator(seed);
		this.keys = 0;
	}

	int(n) {
		return Math.floor(this.next() * n);
	}

	pick(list) {
		return list[this.int(list.length)];
	}

	chance(p) {
		return this.next() < p;
	}

	key() {
		return `k${this.keys++}`;
	}

	words() {
		const words = [
			"stand",
			"beside",
			"a jet",
			"noise ",
			" two  spaces",
			"ünïcode",
			"日本",
			"line\nbreak",
			"x",
			"\u200f\u05d0",
			"<b>",
			"&amp;",
			"😀",
		];

		return Array.from({ length: 1 + this.int(4) }, () => this.pick(words)).join(this.pick(["", " "]));
	}

	/** Members that no schema knows. */
	foreign() {
		return this.chance(0.15)
			? {
					[this.pick(["data-x", "__proto__x", "constructor", "alignment", "0"])]:
						this.pick([null, 1.5, "v", { a: [1] }, []]),
				}
			: {};
	}

	span(defs) {
		const marks = ["strong", "em", "underline", "highlight", "strike-through", ...defs].filter(() =>
			this.chance(0.2),
		);

		return {
			_type: "span",
			...(this.chance(0.9) ? { _key: this.key() } : {}),
			...this.foreign(),
			text: this.chance(0.08) ? "" : this.words(),
			...(marks.length > 0 || this.chance(0.4) ? { marks } : {}),
		};
	}

	inline(defs) {
		return Array.from({ length: 1 + this.int(4) }, () =>
			this.chance(0.12)
				? {
						_type: this.pick(["footnoteReference", "emoji"]),
						label: this.pick(["1", "2", "b"]),
						...(this.chance(0.9) ? { _key: this.key() } : {}),
						n: this.int(9),
					}
				: this.span(defs),
		);
	}

	defs() {
		return Array.from({ length: this.chance(0.4) ? 1 + this.int(2) : 0 }, () =>
			this.chance(0.8)
				? {
						_type: "link",
						_key: this.key(),
						href: this.pick(["https://example.org/", "/a", "javascript:alert(1)"]),
						...this.foreign(),
					}
				: { _type: "comment", _key: this.key(), by: "ann" },
		);
	}

	text() {
		const defs = this.defs();
		const keys = defs.map((d) => d._key).filter(() => this.chance(0.8));
		const list = this.chance(0.25)
			? {
					listItem: this.pick(["bullet", "number", "tick"]),
					...(this.chance(0.8) ? { level: 1 + this.int(3) } : {}),
				}
			: {};

		return {
			_type: "block",
			...(this.chance(0.93) ? { _key: this.key() } : {}),
			...(this.chance(0.9)
				? { style: this.pick(["normal", "normal", "h2", "h3", "blockquote", "lede"]) }
				: {}),
			...list,
			...this.foreign(),
			...(defs.length > 0 || this.chance(0.4) ? { markDefs: defs } : {}),
			children: this.inline(keys),
		};
	}

	/** A text block that the schema cannot express. */
	odd() {
		const block = this.text();

		return this.pick([
			{ ...block, children: null },
			{ ...block, children: ["text"] },
			{ ...block, children: [{ _type: "span", text: 5 }] },
			{ ...block, level: "2" },
			{ ...block, children: [{ _type: "span", text: "x", marks: "strong" }] },
			{ ...block, markDefs: [{ href: "x" }] },
			{ ...block, style: 7 },
			{ ...block, children: [{ _type: "span", text: "x", marks: ["em", "em"] }] },
			{ ...block, _key: 4 },
			{ _type: "block" },
		]);
	}

	table() {
		const width = 1 + this.int(3);
		const cell = () => ({
			_type: "tableCell",
			...(this.chance(0.5) ? { _key: this.key() } : {}),
			content: this.inline([]),
			...(this.chance(0.3) ? { isHeader: this.chance(0.5) } : {}),
		});

		return {
			_type: "table",
			_key: this.key(),
			rows: Array.from({ length: 1 + this.int(3) }, () => ({
				_type: "tableRow",
				...(this.chance(0.8) ? { _key: this.key() } : {}),
				cells: Array.from({ length: width }, cell),
			})),
			...(this.chance(0.7) ? { hasHeaderRow: this.chance(0.5) } : {}),
		};
	}

	footnote() {
		const defs = this.defs();

		return {
			_type: "footnote",
			...(this.chance(0.9) ? { _key: this.key() } : {}),
			label: this.pick(["1", "2", "a", ...(this.chance(0.1) ? [5] : [])]),
			...this.foreign(),
			content: this.inline(defs.map((d) => d._key)),
			...(defs.length > 0 ? { markDefs: defs } : {}),
		};
	}

	callout() {
		return {
			_type: "callout",
			...(this.chance(0.9) ? { _key: this.key() } : {}),
			...(this.chance(0.8) ? { kind: this.pick(["note", "tip", "house", ""]) } : {}),
			...(this.chance(0.5) ? { title: this.words() } : {}),
			content: Array.from({ length: this.int(4) }, () =>
				this.chance(0.05) ? this.odd() : this.text(),
			),
			...this.foreign(),
		};
	}

	block() {
		const p = this.next();

		if (p < 0.72) return this.text();
		if (p < 0.78) return this.odd();
		if (p < 0.84) return this.table();
		if (p < 0.88) return this.footnote();
		if (p < 0.93) return this.callout();
		return this.pick([
			() => ({
				_type: "image",
				_key: this.key(),
				asset: { _type: "reference", _ref: "m1", url: "/x.png" },
				alt: "a",
			}),
			() => ({ _type: "code", _key: this.key(), code: "x < 1\n" }),
			() => ({
				_type: "mathml",
				src: "I \\propto U^8",
				_key: this.key(),
				deep: { a: [{ b: null }] },
			}),
			() => ({ _type: "htmlBlock", html: "<script>alert(1)</script>" }),
		])();
	}

	document() {
		const blocks = Array.from({ length: 1 + this.int(7) }, () => this.block());

		if (this.chance(0.03)) blocks.push(structuredClone(this.pick(blocks)));
		return blocks;
	}

	/** HTML as other programs put it on the clipboard, and malformed HTML. */
	html() {
		return Array.from({ length: 1 + this.int(4) }, () =>
			this.pick([
				() => `<p>${this.words()} <b>bold</b> <i>it</i></p>`,
				() => `<ul><li>${this.words()}<ol><li><p>in</p></li></ol></li><li>two</li></ul>`,
				() => "<script>window.ran = 1</script><style>p{}</style>",
				() =>
					'<img src=x onerror="window.ran = 1"><img src="https://example.org/a.png" alt="A">',
				() =>
					'<a href="javascript:window.ran=1">bad</a> <a href="https://example.org/" onclick="x()">good</a>',
				() => `<table><tr><th>a<td>${this.words()}<tr><td>1<td><p>x</p><p>y</p></table>`,
				() =>
					'<svg onload="window.ran=1"><text>t</text></svg><iframe srcdoc="<script>1</script>"></iframe>',
				() => "<pre>if (a) {\n\tb\n}</pre><hr><h2>Head</h2><blockquote><p>q</p></blockquote>",
				() =>
					'<p style="mso-list:l0 level2 lfo1"><span style="mso-list:Ignore">o</span>Word item</p>',
				() =>
					"<div><div><div>deep <span style='font-weight:700'>s</span><br>next</div></div></div>",
				() => "<p><b style='font-weight:normal'>docs</b>",
			])(),
		).join("\n");
	}
}

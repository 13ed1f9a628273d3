// peers-data.mjs - the posts that each server of peers.mjs has, and functions that store them over HTTP.

export const COUNT = 10000,
	FIRST = 10000; // numbers of five digits: item-10000 ... item-19999
export const PEOPLE = ["ann", "bob", "cay"];
export const TERMS = Array.from({ length: 30 }, (_, i) => `t${i}`);
export const TAGS = Array.from({ length: 10 }, (_, i) => `g${i}`);
export const OFF = ["search", "audit", "media-usage", "webhooks", "changes"]; // modules of stet that react to writes
export const COMMON = "pressure",
	RARE = "ornithopter"; // words that half of the posts have, and words that ten posts have

const WORDS =
	`wing body layer flow plate shock cone nose edge angle speed heat wall stream vortex wake jet tunnel test model drag lift
	theory method result number field point surface boundary laminar turbulent supersonic transition separation mixing region`.split(
		/\s+/,
	);
const TEXT_SIZE = 2300; // bytes of text, so that a post has about 2.5 KB

// Returns the post of this number, the same for all servers.
export function post(number) {
	const i = number - FIRST,
		words = [];
	let seed = (number * 2654435761) % 4294967296,
		size = 0;

	while (size < TEXT_SIZE) {
		seed = (seed * 1664525 + 1013904223) % 4294967296;
		const word = WORDS[Math.floor((seed / 4294967296) * WORDS.length)];
		words.push(word);
		size += word.length + 1;
	}
	if (i % 2 === 0) words[7] = words[90] = COMMON;
	if (i % (COUNT / 10) === 0) words[20] = RARE;
	return {
		number,
		slug: `item-${number}`,
		title: `Item ${(i * 7919) % COUNT}`,
		kind: i % 8 === 0 ? "news" : "note",
		year: 1950 + (i % 70),
		text: words.join(" "),
		terms: [i % 30, (i + 7) % 30, (i + 19) % 30].map((n) => TERMS[n]),
		tags: [TAGS[i % 10]],
		author: PEOPLE[i % 3],
		near: FIRST + (i % 100),
	};
}

export const posts = () => Array.from({ length: COUNT }, (_, i) => post(FIRST + i));

// The body of a create, with members that all servers accept; %d is a counter.
export const newPost = { title: "New %d", kind: "note", year: 2001, text: post(FIRST + 1).text };

// Returns a function that calls a server's API and returns the JSON; it throws the server's error.
export function caller(origin, headers) {
	return async (method, path, body) => {
		const answer = await fetch(origin + path, {
			method,
			headers: { ...headers, ...(body && { "Content-Type": "application/json" }) },
			body: body && JSON.stringify(body),
		});
		const text = await answer.text();

		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
		return text === "" ? null : JSON.parse(text);
	};
}

// Calls fn for each element, 16 at the same time.
export async function each(all, fn) {
	let next = 0;

	await Promise.all(
		Array.from({ length: 16 }, async () => {
			while (next < all.length) await fn(all[next++]);
		}),
	);
}

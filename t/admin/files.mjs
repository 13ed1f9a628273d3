// files.mjs - files to upload: pictures of one colour each.
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

const CRC = Array.from({ length: 256 }, (_, n) => {
	for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
	return n >>> 0;
});

function chunk(type, data) {
	const body = Buffer.concat([Buffer.from(type, "latin1"), data]),
		out = Buffer.alloc(body.length + 8);
	let crc = 0xffffffff;

	for (const byte of body) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
	out.writeUInt32BE(data.length, 0);
	body.copy(out, 4);
	out.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4);
	return out;
}

// A PNG from one colour to another, from left to right; `noise` makes it large.
export function png(width, height, [from, to], noise = false) {
	const rows = Buffer.alloc(height * (1 + 3 * width)),
		head = Buffer.alloc(13);

	head.writeUInt32BE(width, 0);
	head.writeUInt32BE(height, 4);
	head.set([8, 2, 0, 0, 0], 8);
	for (let y = 0; y < height; y++)
		for (let x = 0; x < width; x++)
			for (let c = 0; c < 3; c++)
				rows[y * (1 + 3 * width) + 1 + 3 * x + c] = noise
					? Math.random() * 256
					: from[c] + ((to[c] - from[c]) * x) / width;
	return Buffer.concat([
		Buffer.from("89504e470d0a1a0a", "hex"),
		chunk("IHDR", head),
		chunk("IDAT", zlib.deflateSync(rows)),
		chunk("IEND", Buffer.alloc(0)),
	]);
}

// The path of a file with these bytes, below `work`.
export function fileOf(work, name, bytes) {
	fs.mkdirSync(path.join(work, "files"), { recursive: true });
	fs.writeFileSync(path.join(work, "files", name), bytes);
	return path.join(work, "files", name);
}

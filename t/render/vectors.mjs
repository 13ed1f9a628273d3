// vectors.mjs - HTML and addresses with which a page could be made to run somebody's script, and a judge of HTML that
// knows only what the renderer may write.

/** HTML of an htmlBlock. */
export const html = [
	"<script>hit()</script>",
	"<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
	"<script/x>hit()</script >",
	"<scr<script>ipt>hit()</scr</script>ipt>",
	"<script>hit()",
	"<<script>hit();//<</script>",
	"<img src=x onerror=hit()>",
	"<img src=/x.png onload=hit() alt=a>",
	'<img """><script>hit()</script>">',
	"<img src='/x.png' onerror='hit()'",
	"<img/src=/x.png/onerror=hit()>",
	"<img\tsrc=/x.png\nonerror\r=\fhit()>",
	"<img src=`javascript:hit()`>",
	"<img src=javascript:hit()>",
	"<img src=data:image/svg+xml,<svg/onload=hit()>>",
	"<img src=/x.png srcset='javascript:hit() 1x'>",
	"<img src=/x.png style='background:url(javascript:hit())'>",
	"<img src=/x.png lowsrc=javascript:hit() dynsrc=javascript:hit()>",
	'<a href="javascript:hit()">x</a>',
	"<a href=JaVaScRiPt:hit()>x</a>",
	'<a href=" javascript:hit()">x</a>',
	'<a href="java\nscript:hit()">x</a>',
	'<a href="java\tscript:hit()">x</a>',
	'<a href="java\0script:hit()">x</a>',
	'<a href="\u0001javascript:hit()">x</a>',
	'<a href="&#106;avascript:hit()">x</a>',
	'<a href="&#x6A;avascript&#58;hit()">x</a>',
	'<a href="&#0000106avascript:hit()">x</a>',
	'<a href="javascript&colon;hit()">x</a>',
	'<a href="java&Tab;script:hit()">x</a>',
	'<a href="java&NewLine;script:hit()">x</a>',
	'<a href="vbscript:hit()">x</a>',
	'<a href="data:text/html,<script>hit()</script>">x</a>',
	'<a href="data:text/html;base64,PHNjcmlwdD5oaXQoKTwvc2NyaXB0Pg==">x</a>',
	'<a href="blob:x">x</a><a href="filesystem:x">x</a><a href="view-source:x">x</a>',
	'<a href="https://a.example" href="javascript:hit()">x</a>',
	"<a href='x' onclick=hit()>x</a>",
	"<a href=x onmouseover='hit()' onfocus=hit() autofocus tabindex=0>x</a>",
	"<a xlink:href=javascript:hit()>x</a>",
	"<a href=x ping=//evil.example target=_top>x</a>",
	"<svg onload=hit()>",
	"<svg><script>hit()</script></svg>",
	"<svg><a xlink:href='javascript:hit()'><text>x</text></a></svg>",
	"<svg><animate onbegin=hit() attributeName=x dur=1s>",
	"<svg><style><img src=x onerror=hit()></style></svg>",
	"<svg></p><style><a id='</style><img src=1 onerror=hit()>'>",
	"<math><mtext><table><mglyph><style><img src onerror=hit()></style></mglyph></table></mtext></math>",
	"<math href=javascript:hit()>x</math>",
	"<noscript><p title='</noscript><img src=x onerror=hit()>'>",
	"<template><img src=x onerror=hit()></template>",
	"<textarea><img src=x onerror=hit()></textarea>",
	"<title><img src=x onerror=hit()></title>",
	"<xmp><img src=x onerror=hit()></xmp>",
	"<plaintext><img src=x onerror=hit()>",
	"<noembed><img src=x onerror=hit()></noembed>",
	"<noframes><img src=x onerror=hit()></noframes>",
	"<listing>&lt;img src=x onerror=hit()&gt;</listing>",
	"<iframe src=javascript:hit()></iframe>",
	"<iframe srcdoc='<script>hit()</script>'></iframe>",
	'<iframe src="data:text/html,<script>hit()</script>"></iframe>',
	"<iframe src=https://a.example/ onload=hit() title='\"><script>hit()</script>'></iframe>",
	"<object data=javascript:hit()></object>",
	"<object type=text/html data='data:text/html,<script>hit()</script>'><param name=x value=y></object>",
	"<embed src=javascript:hit()>",
	"<embed code=x type=application/x-shockwave-flash allowscriptaccess=always>",
	"<applet code=x></applet>",
	"<form action=javascript:hit()><input type=submit></form>",
	"<form><button formaction=javascript:hit()>x</button></form>",
	"<isindex action=javascript:hit() type=image>",
	"<input onfocus=hit() autofocus>",
	"<select onfocus=hit() autofocus><option>x</select>",
	"<keygen autofocus onfocus=hit()>",
	"<video src=x onerror=hit()>",
	"<video poster=javascript:hit()></video>",
	"<video><source onerror=hit() src=x></video>",
	"<audio src=x onerror=hit() autoplay></audio>",
	"<details open ontoggle=hit()>x</details>",
	"<marquee onstart=hit()>x</marquee>",
	"<body onload=hit()>",
	"<html manifest=x onclick=hit()>",
	"<head><base href=javascript:/></head>",
	"<base href=//evil.example/>",
	"<meta http-equiv=refresh content='0;url=javascript:hit()'>",
	"<link rel=stylesheet href=//evil.example/x.css>",
	"<style>@import '//evil.example/x.css';</style>",
	"<style>*{background:url(javascript:hit())}</style>",
	"<div style='width:expression(hit())'>x</div>",
	"<div style=behavior:url(x.htc)>x</div>",
	"<table background=javascript:hit()><td background=javascript:hit()>x",
	"<frameset onload=hit()><frame src=javascript:hit()></frameset>",
	"<layer src=x></layer><ilayer src=x></ilayer><bgsound src=javascript:hit()>",
	"<x onclick=hit() style=position:fixed;inset:0>x</x>",
	"<x-element onpointerenter=hit()>x</x-element>",
	"<!--><img src=x onerror=hit()>-->",
	"<!--!><img src=x onerror=hit()>-->",
	"<!---><img src=x onerror=hit()>-->",
	"<!-- --!><img src=x onerror=hit()> -->",
	"<!doctype html [<!ENTITY x '<img src=x onerror=hit()>'>]>&x;",
	"<![CDATA[<img src=x onerror=hit()>]]>",
	"<?xml version='1.0'?><img src=x onerror=hit()>",
	"<?php echo '>' ?><img src=x onerror=hit()>",
	"</div></div></article><img src=x onerror=hit()>",
	"</p><p>",
	'<p title="\'><img src=x onerror=hit()>">x</p>',
	"<p title='\"><img src=x onerror=hit()>'>x</p>",
	'<p title=x"><img src=x onerror=hit()>',
	"<p title=`><img src=x onerror=hit()>`>x</p>",
	"<p title='&quot;&gt;&lt;img src=x onerror=hit()&gt;'>x</p>",
	"<p lang='\" onclick=hit() x=\"'>x</p>",
	"&lt;script&gt;hit()&lt;/script&gt;",
	"&lt;img src=x onerror=hit()&gt;",
	"\ufeff<script>hit()</script>",
	"\0<\0script>hit()</\0script>",
	"<s\0cript>hit()</s\0cript>",
	"<%00script>hit()</script>",
	"\u2028<img src=x\u2028onerror=hit()>",
	"<ſcript>hit()</ſcript>",
	"<a href='\u3000javascript:hit()'>x</a>",
	"<b <script>hit()</script>0",
	"<b/onclick=hit()//>x",
	"<b =onclick=hit()>x",
	"<b a='>' onclick=hit()>x",
	"<p __proto__=x constructor=y onclick=hit()>x</p>",
	"<__proto__ onclick=hit()>x</__proto__>",
	"<constructor onclick=hit()>",
	"<time datetime='\"><script>hit()</script>'>x</time>",
	"<ol type='\" onclick=hit() \"'><li value='x\" onclick=hit()'>x",
];

/** Values for any member: addresses, names, texts. */
export const values = [
	"javascript:hit()",
	"JAVASCRIPT:hit()",
	" \tjava\nscript:hit()",
	"java\0script:hit()",
	"data:text/html,<script>hit()</script>",
	"vbscript:hit()",
	'"><script>hit()</script>',
	"'><img src=x onerror=hit()>",
	'" onclick="hit()" x="',
	"</code></pre><script>hit()</script>",
	"url(javascript:hit());background:red;position:fixed",
	"__proto__",
	"constructor",
	"//evil.example/x",
	"\\\\evil.example\\x",
	'https://a.example/"onload=hit()',
	"<b>",
	"&lt;script&gt;",
];

const elements = new Set(
	(
		"a abbr address article aside audio b bdi bdo blockquote br caption cite code col colgroup data dd del details dfn div dl " +
		"dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label li main mark nav ol p picture pre q rp rt " +
		"ruby s samp section small source span strong sub summary sup table tbody td tfoot th thead time tr u ul var video wbr"
	).split(" "),
);
const attributes = new Set(
	(
		"alt aria-label checked class colspan controls data-key data-player data-type datetime decoding dir disabled download height " +
		"href id lang loading loop muted open playsinline poster preload rel reversed role rowspan scope sizes span src srcset start " +
		"style target title type value width"
	).split(" "),
);
const style =
	/^(--columns:\d+|(object-position:[\d.]+% [\d.]+%|background-color:#[\da-f]{3,8}|opacity:[-\d.e]+|min-height:[\d.]+[a-z%]+|text-align:(left|center|right))(;|$))+$/i;

const decode = (text) =>
	text
		.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&quot;", '"')
		.replaceAll("&amp;", "&");

/** Returns what is wrong with HTML of the renderer: a list of texts. */
export function judge(text) {
	const wrong = [],
		open = [];
	const empty = /^(br|col|hr|img|input|source|wbr)$/;

	if (/[\0]/.test(text)) wrong.push("a NUL");
	for (const [all, end, name, rest] of text.matchAll(/<(\/?)([^\s/>]*)([^>]*)>?/g)) {
		if (!elements.has(name) || !all.endsWith(">")) wrong.push(all);
		if (end) {
			if (open.pop() !== name || rest !== "") wrong.push(`${all} ends nothing`);
			continue;
		}
		if (!empty.test(name)) open.push(name);
		if (!/^( [a-z-]+(="[^"<>]*")?)*$/.test(rest)) wrong.push(all);
		for (const [, key, value = ""] of rest.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)) {
			const given = decode(value);
			if (!attributes.has(key)) wrong.push(`${key} in ${all}`);
			if (key === "style" && !style.test(given)) wrong.push(`style ${given}`);
			if (/^(href|src|poster|data-player)$/.test(key)) {
				const { protocol } = new URL(given, "https://here.example");
				if (!/^(https?|mailto|tel):$/.test(protocol)) wrong.push(`${key} ${given}`);
			}
		}
	}
	if (text.replace(/<[^>]*>/g, "").includes("<")) wrong.push("a loose <");
	if (open.length > 0) wrong.push(`open: ${open.join(" ")}`);
	return wrong;
}

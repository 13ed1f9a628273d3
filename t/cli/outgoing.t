#!/bin/sh
# outgoing.t - "stet export markdown" and "stet export jsonl": what they write and print; another site imports it, with
# the files of the library. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-outgoing-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"

# Runs the command on a site; sets status, out and err.
on() {
	site=$work/$1
	shift
	run --data "$site" "$@" </dev/null
}

# Makes a site with a collection.
site() {
	on "$1" init
	on "$1" call schema_create_collection slug=posts label=Posts
	for field in title:string content:portableText featured_image:image parts:json file:file; do
		on "$1" call schema_create_field collection=posts "slug=${field%:*}" "label=${field%:*}" "type=${field#*:}"
	done
}

mkdir "$work/in"
printf '\211PNG\r\n\032\n\0\0\0\015IHDR\0\0\0\001\0\0\0\001\010\0\0\0\0\072~\233U\000\000\000\012IDATx\332c\010\000\000\000R\000QZ\251\243\072\000\000\000\000IEND\256B\140\202one' >"$work/in/a picture (1).png"
site a
on a media add "$work/in/a picture (1).png" --alt 'In the library'
id=$(echo "$out" | cut -f 1)
on a media show "$id"
url=$(echo "$out" | grep -o '/_cms/api/media/file/[A-Za-z0-9._-]*' | head -n 1)
on a call content_create collection=posts slug=first status=published \
	"data={\"title\":\"First: a #1\",\"parts\":{\"n\":1.5,\"no\":[]},\"featured_image\":{\"id\":\"$id\",\"alt\":\"Said\"},\"file\":{\"id\":\"$id\"},\"content\":[{\"_type\":\"image\",\"_key\":\"a\",\"asset\":{\"_type\":\"reference\",\"_ref\":\"$id\",\"url\":\"$url\"},\"alt\":\"In it\"},{\"_type\":\"chart\",\"_key\":\"c\",\"values\":[1]}]}"
is 'an item with pictures' 0 '*"slug":"first"*' ''
on a call content_create collection=posts slug=later 'data={"title":"Later"}'

on a export markdown
is 'it wants a directory' 2 '' 'usage: stet export markdown DIRECTORY *'
on a export markdown "$work/written/"
is 'a directory of documents' 0 '' 'items	1
files	1'
out=$(cd "$work/written" && find . -type f | sort) err=''
is 'with the files beside them' 0 './media/*/a picture (1).png
./posts/first.md' ''
out=$(cat "$work/written/posts/first.md")
is 'a document has its values in front of its text' 0 '---
title: "First: a #1"
slug: "first"
date: *
draft: false
featured_image:
  src: "/media/*/a%20picture%20%281%29.png"
  alt: "Said"
parts:
  n: 1.5
  "no": \[\]
*
---

![[]In it*(/media/*a%20picture%20%281%29.png)

<!--block {"_type":"chart",*-->' ''
on a export markdown "$work/written"
is 'what is there is left alone' 1 '' '*written is not empty*'
on a export markdown "$work/all" --drafts --no-media
is 'drafts and addresses instead of files' 0 '' 'items	2
files	0'
out=$(cat "$work/all/posts/later.md" "$work/all/posts/first.md") err=''
is 'are as the options say' 0 '*draft: true*src: "http://localhost:8080/_cms/*' ''

site b
on b import from markdown "$work/written"
is 'another site imports it without a loss' 0 '*items	1 imported	0 skipped	0 failed*media	1 copied*' '*'
on b call content_get collection=posts id=first
is 'with the files in its own library' 0 '*"featured_image":{*"alt":"Said"*"provider":"local"*"filename":"a picture (1).png"*' ''
is 'in the text too' 0 '*"content":\[*"url":"/_cms/api/media/file/*"_type":"chart"*' ''
is 'and in fields' 0 '*"file":{*"provider":"local"*' ''
is 'values have their types' 0 '*"parts":{"n":1.5,"no":\[\]}*' ''

on a export jsonl --no-media
is 'lines have no files' 2 '' 'usage: stet export jsonl *'
on a export jsonl - --drafts --collection posts
is 'a line an item, and a line a file' 0 '{"type":"attachment",*
{*"slug":"first"*
{*"slug":"later","status":"draft"*' 'items	2
files	1'
on a export jsonl "$work/out.jsonl"
is 'a file of lines' 0 '' 'items	1
files	1'
site c
on c import from jsonl "$work/out.jsonl" --no-media
is 'which another site imports' 0 '*items	1 imported	0 skipped	0 failed*' '*'
on c call content_get collection=posts id=first
is 'with pictures at the first one' 0 '*"title":"First: a #1"*"src":"http://localhost:8080/_cms/api/media/file/*' ''
echo "1..$count"

#!/bin/sh
# archives.t - "stet import from" with tar archives, and with zip files inside zip files: what is in them is imported,
# what leads out of them is told; and with tables that spreadsheet programs have written. TAP.
work=$(mktemp -d "${TMPDIR:-/tmp}/stet-archives-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
# shellcheck source=t/cli/command.sh
. "${STET_SOURCE:-.}/t/cli/command.sh"
# shellcheck source=t/cli/site.sh
. "${STET_SOURCE:-.}/t/cli/site.sh"

put() {
	mkdir -p "$(dirname "$work/source/$1")"
	printf -- '---\ntitle: %s\n---\n%s\n' "$2" "$3" >"$work/source/$1"
}

# Packs the source into an archive: NAME, options of tar.
pack() {
	to=$1
	shift
	(cd "$work/source" && tar "$@" -f "$work/$to" .)
}

long=a-name-of-a-directory-that-is-much-longer-than-the-hundred-bytes-for-which-a-header-has-room-in-its-first-field
site
put docs/a.md A '[b](b.md) ![p](p.gif)'
put docs/b.md B x
put "docs/$long/$long.md" Long x
gif docs/p.gif
pack site.tar.gz -cz
on import from markdown "$work/site.tar.gz"
is 'a tar archive in gzip is a directory' 0 '*items	3 imported	0 skipped	0 failed*media	1 copied*' ''
on call content_get collection=docs id=a
is 'its links and pictures are found' 0 '*"href":"/docs/b"*"/_cms/api/media/file/*' ''
pack site.tar.gz --format=posix -c
on import from markdown "$work/site.tar.gz" --update
is 'a plain one with names of pax has the same' 0 '*known	0 updated	3 unchanged*' ''
pack site.tar.gz --format=ustar -cz --exclude='a-name*'
on import from markdown "$work/site.tar.gz" --update
is 'so has one of the oldest format' 0 '*known	0 updated	2 unchanged*' ''

site
put a.md A x
ln -s /etc/passwd "$work/source/b.md"
ln "$work/source/a.md" "$work/source/c.md"
pack links.tar -c
on import from markdown "$work/links.tar"
is 'links are told and not followed' 1 '*items	1 imported	0 skipped	2 failed*' '*b.md: It is a link, which is not followed*'
rm "$work/source/b.md" "$work/source/c.md"
put d.md D x
pack out.tar -cP --transform='s,^\./a\.md,../../a.md,'
on import from markdown "$work/out.tar"
is 'a name that leads out is told' 1 '*items	1 imported	0 skipped	1 failed*' '*../../a.md: Its name leads out of the archive*'
pack root.tar -cP --transform='s,^\./a\.md,/etc/a.md,'
on import from markdown "$work/root.tar" --dry-run
is 'so is one from the root' 1 '*' '*/etc/a.md: Its name leads out of the archive*'
pack twice.tar -c --transform='s,^\./a\.md,./d.md,'
on import from markdown "$work/twice.tar" --dry-run
is 'and the second file of one name' 1 '*' '*d.md: The archive has another file of this name*'

site
put a.md A x
pack good.tar.gz -cz
head -c 100 "$work/good.tar.gz" >"$work/cut.tar.gz"
on import from markdown "$work/cut.tar.gz"
is 'an archive that is cut off is refused' 1 '' '*'
pack whole.tar -c
head -c 1300 "$work/whole.tar" >"$work/cut.tar"
on import from markdown "$work/cut.tar"
is 'also without gzip' 1 '' '*The archive is cut off*'
dd if=/dev/zero of="$work/source/zeros.gif" bs=1048576 count=24 2>/dev/null
pack bomb.tar.gz -cz
on import from markdown "$work/bomb.tar.gz"
is 'one that unpacks to far more than its size is refused' 1 '' '*The file unpacks to far more than an export does*'

# ---- Notion ----

if command -v zip >/dev/null; then
	site
	id=1a2b3c4d5e6f47889900aabbccddee
	printf '# Home\n\n[Tides](Home%%20%s01/Tides%%20%s02.md)\n' $id $id >"$work/source/Home ${id}01.md"
	mkdir "$work/source/Home ${id}01"
	printf '# Tides\n\nText\n' >"$work/source/Home ${id}01/Tides ${id}02.md"
	(cd "$work/source" && zip -q ../Part-1.zip "Home ${id}01.md" && zip -qr ../Part-2.zip "Home ${id}01")
	(cd "$work" && zip -q0 export.zip Part-1.zip Part-2.zip)
	on import from notion "$work/export.zip"
	is 'the parts of an export of Notion are one' 0 '*items	2 imported	0 skipped	0 failed*' ''
	on call content_get collection=pages id=home
	is 'with links from part to part' 0 '*"href":"/tides"*' ''
	(cd "$work" && zip -q0 outer.zip export.zip Part-1.zip)
	on import from notion "$work/outer.zip" --dry-run
	is 'a zip file further inside is told' 1 '*' '*Part-1.zip: It is a zip file inside the export*'
	printf 'PK no zip' >"$work/Part-3.zip"
	(cd "$work" && zip -q0 bad.zip Part-1.zip Part-3.zip)
	on import from notion "$work/bad.zip" --dry-run
	is 'one that is damaged, too' 1 '*' '*Part-3.zip: It is no zip file that can be read*'
else
	for name in 'the parts of an export of Notion are one' 'with links from part to part' \
		'a zip file further inside is told' 'one that is damaged, too'; do
		skip "$name" zip
	done
fi

# ---- tables beside documents ----

site
mkdir "$work/source/posts"
printf 'sep=;\r\npost_id;title;is_published;post_date\r\n7.tides;"Tides; low";true;2024-05-02T10:00:00.000Z\r\n' |
	iconv -f UTF-8 -t UTF-16 >"$work/source/posts.csv"
echo '<p>Text</p>' >"$work/source/posts/7.tides.html"
on import from substack "$work/source"
is 'a list of posts may have semicolons and be UTF-16' 0 '*items	1 imported*' ''
on call content_get collection=posts id=tides
is 'its rows are read' 0 '*"title":"Tides; low"*' ''
site
id=1a2b3c4d5e6f47889900aabbccddee
printf 'Name;Size;Größe\nWall;3;groß\n' | iconv -f UTF-8 -t ISO-8859-1 >"$work/source/Tasks ${id}10.csv"
mkdir "$work/source/Tasks ${id}10"
printf '# Wall\n\nText\n' >"$work/source/Tasks ${id}10/Wall ${id}11.md"
on import from notion "$work/source" --set encoding=ISO-8859-1
is 'so may a database, in an encoding that is named' 0 '*items	1 imported*' ''
on call content_get collection=tasks id=wall
is 'with its values' 0 '*"size":"3"*"groß"*' ''
printf 'Name;"Size\nWall;3\n' >"$work/source/Tasks ${id}10.csv"
on import from notion "$work/source" --dry-run
is 'a table that cannot be read is told' 1 '*' "*Tasks ${id}10.csv: *the file ends within quotes*"

echo "1..$count"

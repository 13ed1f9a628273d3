/*
 * convert.c - conversion of post texts to Portable Text: each core block, classic HTML, and broken,
 * deep or malicious texts. Each row is a text and its value without keys.
 */
#include "harness.h"
#include "rows.h"
#include <stdlib.h>
#include <string.h>

#define SPAN(text) "{'_type':'span','text':'" text "'}"
#define MARKED(text, marks) "{'_type':'span','text':'" text "','marks':[" marks "]}"
#define LINK(href) "'markDefs':[{'_type':'link','href':'" href "'}]"
#define STYLED(style, spans) "{'_type':'block','style':'" style "','children':[" spans "]}"
#define NORMAL(spans) STYLED("normal", spans)
#define ITEM(item, level, spans)                                                     \
	"{'_type':'block','style':'normal','listItem':'" item "','level':" level "," \
	"'children':[" spans "]}"
#define BREAK "{'_type':'break','style':'lineBreak'}"
#define PARAGRAPH(html) "<!-- wp:paragraph -->\n" html "\n<!-- /wp:paragraph -->\n"

/* ---- text ---- */

static void
paragraphs_headings_and_lists(void **state)
{
	static const struct row rows[] = {
		{ "", "[]" },
		{ PARAGRAPH("<p></p>"), "[]" },
		{ PARAGRAPH("<p class='has-drop-cap'>One</p>") PARAGRAPH("<p>two\nlines</p>"),
		    "[" NORMAL(SPAN("One")) "," NORMAL(SPAN("two lines")) "]" },
		{ "<!-- wp:heading --><h2>A</h2><!-- /wp:heading -->"
		  "<!-- wp:heading {'level':4} --><h4>B</h4><!-- /wp:heading -->"
		  "<!-- wp:heading {'level':3} -->C<!-- /wp:heading -->",
		    "[" STYLED("h2", SPAN("A")) "," STYLED("h4", SPAN("B")) "," STYLED(
			"h3", SPAN("C")) "]" },
		{ "<!-- wp:list --><ul><!-- wp:list-item --><li>a<!-- wp:list {'ordered':true} -->"
		  "<ol><!-- wp:list-item --><li>b</li><!-- /wp:list-item --></ol>"
		  "<!-- /wp:list --></li><!-- /wp:list-item --><!-- wp:list-item --><li>c</li>"
		  "<!-- /wp:list-item --></ul><!-- /wp:list -->",
		    "[" ITEM("bullet", "1", SPAN("a")) "," ITEM("number", "2", SPAN("b")) "," ITEM(
			"bullet", "1", SPAN("c")) "]" },
		{ "<!-- wp:list --><ul><li>a<ul><li>b</li></ul></li></ul><!-- /wp:list -->",
		    "[" ITEM("bullet", "1", SPAN("a")) "," ITEM("bullet", "2", SPAN("b")) "]" },
		{ "<!-- wp:separator --><hr class='wp-block-separator'/><!-- /wp:separator -->"
		  "<!-- wp:spacer {'height':9} --><div></div><!-- /wp:spacer -->"
		  "<!-- wp:more --><!--more--><!-- /wp:more --><!-- wp:nextpage -->"
		  "<!--nextpage--><!-- /wp:nextpage -->",
		    "[" BREAK "," BREAK "," BREAK "," BREAK "]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

static void
quotes_keep_inner_blocks_and_who_said_it(void **state)
{
	static const struct row rows[] = {
		{ "<!-- wp:quote {'citation':'Ann'} --><blockquote class='wp-block-quote'>"
		  "<p>One</p><p>two</p></blockquote><!-- /wp:quote -->",
		    "[{'_type':'block','style':'blockquote','children':[{'_type':'span','text':'One'}"
		    "]},{'_type':'block','style':'blockquote','children':[{'_type':'span','text':'two'}"
		    "]},{'_type':'block','style':'normal','children':[{'_type':'span','text':'\342\200\224 "
		    "Ann'}]}]" },
		{ "<!-- wp:quote --><blockquote><!-- wp:paragraph --><p>in</p><!-- /wp:paragraph "
		  "--><!-- wp:quote --><blockquote><!-- wp:paragraph --><p>deep</p><!-- /wp:paragraph "
		  "--><cite>B</cite></blockquote><!-- /wp:quote --><cite>A <a href='/a'>x</a>"
		  "</cite></blockquote><!-- /wp:quote -->",
		    "[{'_type':'block','style':'blockquote','children':[{'_type':'span','text':'in'}"
		    "]},{'_type':'block','style':'blockquote','children':[{'_type':'span','text':'deep'}"
		    "]},{'_type':'block','style':'normal','children':[{'_type':'span','text':'\342\200\224 "
		    "B'}]},{'_type':'block','style':'normal','children':[{'_type':'span','text':'\342\200\224 "
		    "A '},{'_type':'span','text':'x','marks':['->/a']}],'markDefs':[{'_type':'link',"
		    "'href':'/a'}]}]" },
		{ "<!-- wp:pullquote --><figure class='wp-block-pullquote'><blockquote><p>"
		  "P</p><cite>C</cite></blockquote></figure><!-- /wp:pullquote -->",
		    "[{'_type':'pullquote','text':'P','citation':'C'}]" },
		{ "<!-- wp:quote -->bare<!-- /wp:quote -->",
		    "[{'_type':'block','style':'blockquote','children':[{'_type':'span','text':'bare'}"
		    "]}]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

static void
pictures_galleries_covers_and_media_beside_text(void **state)
{
	static const struct row rows[] = {
		{ "<!-- wp:image {'id':7,'align':'wide'} --><figure class='wp-block-image'>"
		  "<a href='/big'><img src='/a.jpg' alt='' class='wp-image-7'/></a><figcaption>"
		  "A <em>b</em> <a href='/c'>c</a></figcaption></figure><!-- /wp:image -->",
		    "[{'_type':'image','asset':{'_type':'reference','_ref':'01HERE','url':'/a.jpg'}"
		    ",'alt':'','link':'/big','caption':'A b c','links':[{'_type':'link','href':'/c'}"
		    "],'alignment':'wide'}]" },
		{ "<!-- wp:image --><figure><img src='/a.jpg'/></figure><!-- /wp:image -->",
		    "[{'_type':'image','asset':{'_type':'reference','_ref':'/a.jpg','url':'/a.jpg'}"
		    "}]" },
		{ "<!-- wp:image --><figure><img src=' /a.jpg\n'/></figure><!-- /wp:image -->",
		    "[{'_type':'image','asset':{'_type':'reference','_ref':'/a.jpg','url':'/a.jpg'}"
		    "}]" },
		{ "<!-- wp:gallery {'columns':2} --><figure class='wp-block-gallery'><!-- "
		  "wp:image {'id':8} --><figure><img src='/1.jpg' class='wp-image-8' alt='x'/>"
		  "<figcaption>one</figcaption></figure><!-- /wp:image --><figcaption class='blocks-gallery-caption'>"
		  "all</figcaption></figure><!-- /wp:gallery -->",
		    "[{'_type':'gallery','images':[{'_type':'image','asset':{'_type':'reference',"
		    "'_ref':'8','url':'/1.jpg'},'alt':'x','caption':'one'}],'columns':2,'caption':'all'}"
		    "]" },
		{ "<!-- wp:gallery {'ids':[7,9]} --><ul class='wp-block-gallery'><li class='blocks-gallery-item'>"
		  "<figure><img src='/7.jpg' data-id='7'/></figure></li></ul><!-- /wp:gallery "
		  "-->",
		    "[{'_type':'gallery','images':[{'_type':'image','asset':{'_type':'reference',"
		    "'_ref':'01HERE','url':'/7.jpg'}}]}]" },
		{ "<!-- wp:cover {'url':'/b.jpg','dimRatio':50,'overlayColor':'x','customOverlayColor':'#123',"
		  "'minHeight':0,'contentPosition':'top left'} --><div class='wp-block-cover'>"
		  "<img class='wp-block-cover__image-background' src='/b.jpg'/><div><!-- wp:paragraph "
		  "--><p>t</p><!-- /wp:paragraph --></div></div><!-- /wp:cover -->",
		    "[{'_type':'cover','backgroundImage':'/b.jpg','overlayOpacity':0.5,'overlayColor':'#123',"
		    "'minHeight':'0px','alignment':'left','content':[{'_type':'block','style':'normal',"
		    "'children':[{'_type':'span','text':'t'}]}]}]" },
		{ "<!-- wp:media-text {'mediaPosition':'right'} --><div><figure><img src='/m.jpg' "
		  "alt='m'/></figure><div><!-- wp:paragraph --><p>t</p><!-- /wp:paragraph "
		  "--></div></div><!-- /wp:media-text -->",
		    "[{'_type':'columns','columns':[{'_type':'column','content':[{'_type':'block',"
		    "'style':'normal','children':[{'_type':'span','text':'t'}]}]},{'_type':'column',"
		    "'content':[{'_type':'image','asset':{'_type':'reference','_ref':'/m.jpg',"
		    "'url':'/m.jpg'},'alt':'m'}]}]}]" },
		{ "<!-- wp:media-text --><div><figure><video src='/v.mp4'></video></figure>"
		  "<div><!-- wp:paragraph --><p>t</p><!-- /wp:paragraph --></div></div><!-- "
		  "/wp:media-text -->",
		    "[{'_type':'columns','columns':[{'_type':'column','content':[{'_type':'embed',"
		    "'url':'/v.mp4','provider':'video'}]},{'_type':'column','content':[{'_type':'block',"
		    "'style':'normal','children':[{'_type':'span','text':'t'}]}]}]}]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

static void
code_verse_and_raw_html(void **state)
{
	static const struct row rows[] = {
		{ "<!-- wp:code --><pre class='wp-block-code'><code>a &lt;b&gt;\n  c</code>"
		  "</pre><!-- /wp:code -->",
		    "[{'_type':'code','code':'a <b>\\n  c'}]" },
		{ "<!-- wp:preformatted --><pre>x<br>y <a href='/l'>l</a></pre><!-- /wp:preformatted "
		  "-->",
		    "[{'_type':'code','code':'x\\ny l','links':[{'_type':'link','href':'/l'}"
		    "]}]" },
		{ "<!-- wp:verse --><pre class='wp-block-verse'>roses\n  red</pre><!-- /wp:verse "
		  "-->",
		    "[{'_type':'code','code':'roses\\n  red','language':'text'}]" },
		{ "<!-- wp:html --><b>raw</b><script>x()</script><!-- /wp:html --><!-- wp:shortcode "
		  "-->[form id=1]<!-- /wp:shortcode -->",
		    "[{'_type':'htmlBlock','html':'<b>raw</b><script>x()</script>','originalBlockName':'core/html'}"
		    ",{'_type':'htmlBlock','html':'[form id=1]','originalBlockName':'core/shortcode'}"
		    "]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

static void
players_and_embeds(void **state)
{
	static const struct row rows[] = {
		{ "<!-- wp:embed --><figure>none</figure><!-- /wp:embed --><!-- wp:embed {'url':1} /-->",
		    "[" NORMAL(SPAN("none")) "]" },
		{ "<!-- wp:embed {'url':'https://youtu.be/1','providerNameSlug':'youtube'}"
		  " --><figure class='wp-block-embed'><div class='wp-block-embed__wrapper'>"
		  "\nhttps://youtu.be/1\n</div><figcaption>Film</figcaption></figure><!-- "
		  "/wp:embed -->",
		    "[{'_type':'embed','url':'https://youtu.be/1','provider':'youtube','caption':'Film'}"
		    "]" },
		{ "<!-- wp:core-embed/twitter {'url':'https://x.com/a'} --><figure><div>https://x.com/a</div>"
		  "</figure><!-- /wp:core-embed/twitter -->",
		    "[{'_type':'embed','url':'https://x.com/a','provider':'twitter'}]" },
		{ "<!-- wp:video --><figure><video controls src='/v.mp4'></video><figcaption>"
		  "v</figcaption></figure><!-- /wp:video --><!-- wp:audio {'src':'/a.mp3'}"
		  " --><figure></figure><!-- /wp:audio -->",
		    "[{'_type':'embed','url':'/v.mp4','provider':'video','caption':'v'},{'_type':'embed',"
		    "'url':'/a.mp3','provider':'audio'}]" },
		{ "<!-- wp:html --><iframe src='https://e'></iframe><!-- /wp:html --><p><iframe "
		  "src='https://vimeo.com/1'></iframe></p>",
		    "[{'_type':'htmlBlock','html':'<iframe src=\\'https://e\\'></iframe>','originalBlockName':'core/html'}"
		    ",{'_type':'embed','url':'https://vimeo.com/1','provider':'vimeo'}]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

static void
tables_have_headers_footers_and_captions(void **state)
{
	static const struct row rows[] = {
		{ "<!-- wp:table --><figure class='wp-block-table'><table><thead><tr><th>h</th>"
		  "</tr></thead><tbody><tr><td>a <a href='/b'>b</a></td></tr></tbody><tfoot>"
		  "<tr><td>f</td></tr></tfoot></table><figcaption>cap</figcaption></figure>"
		  "<!-- /wp:table -->",
		    "[{'_type':'table','rows':[{'_type':'tableRow','cells':[{'_type':'tableCell',"
		    "'content':[{'_type':'span','text':'h'}],'isHeader':true}]},{'_type':'tableRow',"
		    "'cells':[{'_type':'tableCell','content':[{'_type':'span','text':'a '},{'_type':'span',"
		    "'text':'b','marks':['->/b']}],'markDefs':[{'_type':'link','href':'/b'}]}"
		    "]},{'_type':'tableRow','cells':[{'_type':'tableCell','content':[{'_type':'span',"
		    "'text':'f'}]}],'isFooter':true}],'hasHeaderRow':true,'caption':'cap'}]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

static void
buttons_files_columns_and_blocks_without_text(void **state)
{
	static const struct row rows[] = {
		{ "<!-- wp:buttons {'layout':{'type':'flex'}} --><div class='wp-block-buttons'>"
		  "<!-- wp:button {'className':'is-style-outline'} --><div class='wp-block-button "
		  "is-style-outline'><a class='wp-block-button__link' href='https://b'>Go</a>"
		  "</div><!-- /wp:button --><!-- wp:button --><div class='wp-block-button "
		  "is-style-odd'><a></a></div><!-- /wp:button --></div><!-- /wp:buttons -->",
		    "[{'_type':'buttons','buttons':[{'_type':'button','style':'outline','url':'https://b',"
		    "'text':'Go'},{'_type':'button','style':'default','text':'Button'}],'layout':'horizontal'}"
		    "]" },
		{ "<!-- wp:file {'href':'/f.pdf'} --><div class='wp-block-file'><a href='/f.pdf'>"
		  "F</a><a href='/f.pdf' class='wp-block-file__button' download>Get</a></div>"
		  "<!-- /wp:file -->",
		    "[{'_type':'file','url':'/f.pdf','filename':'F','downloadButtonText':'Get',"
		    "'showDownloadButton':true}]" },
		/* An image in a button becomes an image block. */
		{ "<!-- wp:buttons --><div><!-- wp:button --><div class='wp-block-button'><a "
		  "href='https://b'><img src='/i.png' alt='I'/></a></div><!-- /wp:button -->"
		  "</div><!-- /wp:buttons -->",
		    "[{'_type':'image','asset':{'_type':'reference','_ref':'/i.png','url':'/i.png'},"
		    "'alt':'I','link':'https://b'}]" },
		{ "<!-- wp:file {'href':'/f.pdf'} --><div class='wp-block-file'><a href='/f.pdf'>F"
		  "<img src='/i.png' alt=''/></a></div><!-- /wp:file -->",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span',"
		    "'text':'F','marks':['->/f.pdf']}],'markDefs':[{'_type':'link','href':'/f.pdf'}]},"
		    "{'_type':'image','asset':{'_type':'reference','_ref':'/i.png','url':'/i.png'},"
		    "'alt':'','link':'/f.pdf'}]" },
		{ "<!-- wp:social-links --><ul class='wp-block-social-links'><!-- wp:social-link "
		  "{'url':'https://s','service':'mastodon'} /--></ul><!-- /wp:social-links "
		  "-->",
		    "[{'_type':'block','style':'normal','listItem':'bullet','level':1,'children':[{'_type':'span',"
		    "'text':'mastodon','marks':['->https://s']}],'markDefs':[{'_type':'link',"
		    "'href':'https://s'}]}]" },
		{ "<!-- wp:details --><details><summary>Sum</summary><!-- wp:paragraph -->"
		  "<p>in</p><!-- /wp:paragraph --></details><!-- /wp:details -->",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'Sum',"
		    "'marks':['strong']}]},{'_type':'block','style':'normal','children':[{'_type':'span',"
		    "'text':'in'}]}]" },
		{ "<!-- wp:group --><div><!-- wp:columns --><div><!-- wp:column --><div><!-- "
		  "wp:paragraph --><p>l</p><!-- /wp:paragraph --></div><!-- /wp:column -->"
		  "<!-- wp:column --><div>loose</div><!-- /wp:column --></div><!-- /wp:columns "
		  "--></div><!-- /wp:group -->",
		    "[{'_type':'columns','columns':[{'_type':'column','content':[{'_type':'block',"
		    "'style':'normal','children':[{'_type':'span','text':'l'}]}]},{'_type':'column',"
		    "'content':[{'_type':'block','style':'normal','children':[{'_type':'span',"
		    "'text':'loose'}]}]}]}]" },
		{ "<!-- wp:block {'ref':4} /--><!-- wp:latest-posts /--><!-- wp:read-more "
		  "{'content':'More here'} /--><!-- wp:navigation-link {'label':'Home','url':'/h'}"
		  " /-->",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'More "
		    "here'}]},{'_type':'block','style':'normal','children':[{'_type':'span',"
		    "'text':'Home','marks':['->/h']}],'markDefs':[{'_type':'link','href':'/h'}"
		    "]}]" },
		{ "<!-- wp:acme/box {'a':1} --><div>text</div><!-- /wp:acme/box --><!-- wp:acme/wrap "
		  "--><div><!-- wp:paragraph --><p>in</p><!-- /wp:paragraph --></div><!-- "
		  "/wp:acme/wrap -->",
		    "[{'_type':'htmlBlock','html':'<div>text</div>','originalBlockName':'acme/box',"
		    "'originalAttrs':{'a':1}},{'_type':'block','style':'normal','children':[{'_type':'span',"
		    "'text':'in'}]}]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

static void
text_has_marks_links_and_lines(void **state)
{
	static const struct row rows[] = {
		{ "<!-- wp:paragraph --><p><b>a</b> <i>b</i><u>c</u><s>d</s><del>e</del><sup>"
		  "f</sup><sub>g</sub><code>h</code><mark>i</mark></p><!-- /wp:paragraph -->",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'a',"
		    "'marks':['strong']},{'_type':'span','text':' '},{'_type':'span','text':'b',"
		    "'marks':['em']},{'_type':'span','text':'c','marks':['underline']},{'_type':'span',"
		    "'text':'de','marks':['strike-through']},{'_type':'span','text':'f','marks':['superscript']}"
		    ",{'_type':'span','text':'g','marks':['subscript']},{'_type':'span','text':'h',"
		    "'marks':['code']},{'_type':'span','text':'i'}]}]" },
		{ "<!-- wp:paragraph --><p><a href='/x'>a</a> <a href='/x'>b</a> <a href='javascript:x()'>"
		  "c</a> <a href='mailto:a@b.c' target='_blank'>d</a></p><!-- /wp:paragraph "
		  "-->",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'a',"
		    "'marks':['->/x']},{'_type':'span','text':' '},{'_type':'span','text':'b',"
		    "'marks':['->/x']},{'_type':'span','text':' c '},{'_type':'span','text':'d',"
		    "'marks':['->mailto:a@b.c']}],'markDefs':[{'_type':'link','href':'/x'},"
		    "{'_type':'link','href':'mailto:a@b.c','blank':true}]}]" },
		{ "<!-- wp:paragraph --><p>a<br>b<br><br>c <img src='/i.png' alt='i'> d</p>"
		  "<!-- /wp:paragraph -->",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span',"
		    "'text':'a\\nb\\n\\nc'}]},"
		    "{'_type':'image','asset':{'_type':'reference','_ref':'/i.png','url':'/i.png'}"
		    ",'alt':'i'},{'_type':'block','style':'normal','children':[{'_type':'span',"
		    "'text':'d'}]}]" },
		{ "<!-- wp:paragraph --><p>&eacute; &amp; &lt; &hellip; caf\303\251<!-- gone "
		  "--><script>gone()</script><style>gone{}</style></p><!-- /wp:paragraph -->",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'\303\251 "
		    "& < \342\200\246 caf\303\251'}]}]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

static void
classic_text_has_paragraphs_and_shortcodes(void **state)
{
	static const struct row rows[] = {
		{ "One\n\ntwo\nthree\n\n<strong>four</strong>\r\n\r\nfive",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'One'}"
		    "]},{'_type':'block','style':'normal','children':[{'_type':'span','text':'two\\nthree'}"
		    "]},{'_type':'block','style':'normal','children':[{'_type':'span','text':'four',"
		    "'marks':['strong']}]},{'_type':'block','style':'normal','children':[{'_type':'span',"
		    "'text':'five'}]}]" },
		{ "<h3>T</h3>\nx\n<blockquote>q\n\nr</blockquote>\n<ul>\n<li>a</li>\n<li>b<ol>"
		  "<li>c</li></ol></li>\n</ul>\n<pre>p\n\nq</pre><hr />y<!--more-->z",
		    "[{'_type':'block','style':'h3','children':[{'_type':'span','text':'T'}]}"
		    ",{'_type':'block','style':'normal','children':[{'_type':'span','text':'x'}"
		    "]},{'_type':'block','style':'blockquote','children':[{'_type':'span','text':'q'}"
		    "]},{'_type':'block','style':'blockquote','children':[{'_type':'span','text':'r'}"
		    "]},{'_type':'block','style':'normal','listItem':'bullet','level':1,'children':[{'_type':'span',"
		    "'text':'a'}]},{'_type':'block','style':'normal','listItem':'bullet','level':1,"
		    "'children':[{'_type':'span','text':'b'}]},{'_type':'block','style':'normal',"
		    "'listItem':'number','level':2,'children':[{'_type':'span','text':'c'}]}"
		    ",{'_type':'code','code':'p\\n\\nq'},{'_type':'break','style':'lineBreak'}"
		    ",{'_type':'block','style':'normal','children':[{'_type':'span','text':'y'}"
		    "]},{'_type':'break','style':'lineBreak'},{'_type':'block','style':'normal',"
		    "'children':[{'_type':'span','text':'z'}]}]" },
		{ "[caption id='attachment_7' align='alignleft' width='300']<a href='/l'><img "
		  "class='wp-image-7' src='/i.jpg' alt='' /></a> The <em>text</em>[/caption] "
		  "after",
		    "[{'_type':'image','asset':{'_type':'reference','_ref':'01HERE','url':'/i.jpg'}"
		    ",'alt':'','link':'/l','caption':'The text','alignment':'left'},{'_type':'block',"
		    "'style':'normal','children':[{'_type':'span','text':'after'}]}]" },
		/* Without an image in it, a caption becomes text, and no caption of the image
		 * before it. */
		{ "<img src='/i.jpg' alt=''/>\n\n[caption id='a']Alone <em>here</em>[/caption]",
		    "[{'_type':'image','asset':{'_type':'reference','_ref':'/i.jpg','url':'/i.jpg'},"
		    "'alt':''},{'_type':'block','style':'normal','children':[{'_type':'span','text':"
		    "'Alone '},{'_type':'span','text':'here','marks':['em']}]}]" },
		{ "a [embed width='3']https://vimeo.com/9[/embed] b [audio mp3='/a.mp3'][/audio] "
		  "[video src=/v.mp4] [gallery ids='7,9' columns='2'] [gallery] [other x='1']y[/other] "
		  "[[audio src='/n']]",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'a'}"
		    "]},{'_type':'embed','url':'https://vimeo.com/9','provider':'vimeo'},{'_type':'block',"
		    "'style':'normal','children':[{'_type':'span','text':'b'}]},{'_type':'embed',"
		    "'url':'/a.mp3','provider':'audio'},{'_type':'embed','url':'/v.mp4','provider':'video'}"
		    ",{'_type':'gallery','images':[{'_type':'image','asset':{'_type':'reference',"
		    "'_ref':'01HERE'}},{'_type':'image','asset':{'_type':'reference','_ref':'9'}"
		    "}],'columns':2},{'_type':'block','style':'normal','children':[{'_type':'span',"
		    "'text':'[gallery] [other x=\\'1\\']y[/other] [[audio src=\\'/n\\']]'}]}"
		    "]" },
		{ "[gallery ids='9' link='file']",
		    "[{'_type':'gallery','images':[{'_type':'image','asset':{'_type':'reference',"
		    "'_ref':'9'},'link':'/?attachment_id=9'}]}]" },
		{ "[youtube=http://www.youtube.com/watch?v=a1] [vimeo 12] [dailymotion id=x8] "
		  "[soundcloud url='https://soundcloud.com/a'][/soundcloud][youtube][vimeo a=b]",
		    "[{'_type':'embed','url':'http://www.youtube.com/watch?v=a1','provider':'youtube'},"
		    "{'_type':'embed','url':'https://vimeo.com/12','provider':'vimeo'},"
		    "{'_type':'embed','url':'https://www.dailymotion.com/video/x8'},"
		    "{'_type':'embed','url':'https://soundcloud.com/a','provider':'soundcloud'},"
		    "{'_type':'block','style':'normal','children':[{'_type':'span','text':"
		    "'[youtube][vimeo a=b]'}]}]" },
		{ "<a href='/b'><img src='/t.jpg?a=1&amp;b=2&#038;c=3'></a>",
		    "[{'_type':'image','asset':{'_type':'reference','_ref':'/t.jpg?a=1&b=2&c=3',"
		    "'url':'/t.jpg?a=1&b=2&c=3'},'link':'/b'}]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

static void
items_of_lists_have_numbers_and_boxes(void **state)
{
	static const struct row rows[] = {
		/* Only the first block of an item has its number or its box. */
		{ "<ol start='3'><li><p>a</p><p>b</p></li><li>c</li></ol><ul><li><input type='checkbox' "
		  "checked> d</li><li><p><input type='checkbox'>e</p></li><li>f <input type='checkbox'>"
		  "</li></ul><ol start='-1'><li>g</li></ol><ol start='9999999999'><li>h</li></ol>",
		    "[{'_type':'block','style':'normal','listItem':'number','level':1,'start':3,"
		    "'children':[{'_type':'span','text':'a'}]},{'_type':'block','style':'normal',"
		    "'listItem':'number','level':1,'children':[{'_type':'span','text':'b'}]},"
		    "{'_type':'block','style':'normal','listItem':'number','level':1,'children':["
		    "{'_type':'span','text':'c'}]},{'_type':'block','style':'normal','listItem':'bullet',"
		    "'level':1,'checked':true,'children':[{'_type':'span','text':'d'}]},{'_type':'block',"
		    "'style':'normal','listItem':'bullet','level':1,'checked':false,'children':["
		    "{'_type':'span','text':'e'}]},{'_type':'block','style':'normal','listItem':'bullet',"
		    "'level':1,'children':[{'_type':'span','text':'f'}]},{'_type':'block','style':'normal',"
		    "'listItem':'number','level':1,'children':[{'_type':'span','text':'g'}]},"
		    "{'_type':'block','style':'normal','listItem':'number','level':1,'children':["
		    "{'_type':'span','text':'h'}]}]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

static void
what_is_broken_loses_no_text(void **state)
{
	static const struct row rows[] = {
		{ "<!-- wp:paragraph --><p>open <b>bold",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'open "
		    "'},{'_type':'span','text':'bold','marks':['strong']}]}]" },
		{ "<!-- wp:group --><!-- wp:quote --><p>a</p><!-- /wp:group --><p>b</p><!-- "
		  "/wp:quote --> c",
		    "[{'_type':'block','style':'blockquote','children':[{'_type':'span','text':'a'}"
		    "]},{'_type':'block','style':'normal','children':[{'_type':'span','text':'b'}"
		    "]},{'_type':'block','style':'normal','children':[{'_type':'span','text':'c'}"
		    "]}]" },
		{ "<!-- wp:paragraph {bad} --><p>d</p><!-- /wp:paragraph --><!-- /wp:list "
		  "-->e",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'d'}"
		    "]},{'_type':'block','style':'normal','children':[{'_type':'span','text':'e'}"
		    "]}]" },
		{ "f <!-- g",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'f "
		    "g'}]}]" },
		{ "<!-- wp:paragraph <p>h</p>",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'wp:paragraph'}"
		    "]},{'_type':'block','style':'normal','children':[{'_type':'span','text':'h'}"
		    "]}]" },
		{ "i <a href='/j",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'i "
		    "<a href=\\'/j'}]}]" },
		{ "<table><tr><td>k</table><li>l",
		    "[{'_type':'table','rows':[{'_type':'tableRow','cells':[{'_type':'tableCell',"
		    "'content':[{'_type':'span','text':'k'}]}]}],'hasHeaderRow':false},{'_type':'block',"
		    "'style':'normal','listItem':'bullet','level':1,'children':[{'_type':'span',"
		    "'text':'l'}]}]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

static void
keys_and_bytes_are_the_same_each_time(void **state)
{
	const char *text =
	    PARAGRAPH("<p>a <a href='/b'>c</a></p>") "<!-- wp:acme/x -->d<!-- /wp:acme/x -->"
						     "<!-- wp:block {'ref':1} /-->";
	struct convert_report first, second;
	json_t *a = rows_convert(text, &first), *b = rows_convert(text, &second);
	char *x = json_dumps(a, 0), *y = json_dumps(b, 0);

	(void)state;
	assert_string_equal(x, y);
	assert_int_equal(first.blocks, 2);
	assert_int_equal(first.unknown, 1);
	assert_int_equal(first.references, 1);
	assert_memory_equal(&first, &second, sizeof(first));
	free(x);
	free(y);
	json_decref(a);
	json_decref(b);
}

/* A player may separate two words without a blank; neither is lost. */
static void
a_word_around_a_player_is_not_lost(void **state)
{
	(void)state;
	json_decref(rows_convert("<a><video>a><><a>n<video src=\"v\">a><>", NULL));
	json_decref(rows_convert("<p>one<video src=\"v\"></video>two</p>", NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_around_a_player_is_not_lost),
		cmocka_unit_test(paragraphs_headings_and_lists),
		cmocka_unit_test(quotes_keep_inner_blocks_and_who_said_it),
		cmocka_unit_test(pictures_galleries_covers_and_media_beside_text),
		cmocka_unit_test(code_verse_and_raw_html),
		cmocka_unit_test(players_and_embeds),
		cmocka_unit_test(tables_have_headers_footers_and_captions),
		cmocka_unit_test(buttons_files_columns_and_blocks_without_text),
		cmocka_unit_test(text_has_marks_links_and_lines),
		cmocka_unit_test(classic_text_has_paragraphs_and_shortcodes),
		cmocka_unit_test(items_of_lists_have_numbers_and_boxes),
		cmocka_unit_test(what_is_broken_loses_no_text),
		cmocka_unit_test(keys_and_bytes_are_the_same_each_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

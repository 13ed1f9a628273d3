/* page.h - the HTML pages of signin, their script and their style. */
#ifndef PAGE_H
#define PAGE_H

#include "signin.h"
#include <stet/html.h>

#define PAGE_STYLE "/_cms/signin/style.css"
#define PAGE_SCRIPT "/_cms/signin/script.js"
#define PAGE_ACCOUNT "/_cms/account"
#define PAGE_LANDING "/_cms/signin/link"

/* The lines of style.css and script.js, NULL-terminated; the build makes them (files.c). */
extern const char *const page_style_lines[], *const page_script_lines[];

/* words.c and translations.c: the texts of the pages; those of the script. */
extern const struct stet_word signin_words[], signin_words_de[], signin_words_es[],
    signin_words_fr[];
extern const struct stet_word script_words[], script_words_de[], script_words_es[],
    script_words_fr[];

extern const struct stet_member page_in[];
stet_handler page_signin, page_link, page_setup, page_invite, page_account;
stet_handler page_style, page_script;

#endif

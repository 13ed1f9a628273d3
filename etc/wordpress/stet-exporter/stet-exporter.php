<?php
/**
 * Plugin Name: Stet Exporter
 * Description: Lets a stet site import this site: its content, drafts, terms, comments, menus and settings, over the REST API, for users who may export.
 * Version: 0.1.0
 * Requires at least: 5.6
 * Requires PHP: 7.2
 * License: MIT
 *
 * The routes are below stet/v1. All but probe want a user who may export: an application password
 * of one. Nothing is written. A request reads one page, so memory does not grow with the site.
 */

namespace Stet\Exporter;

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

const VERSION = '0.1.0';
const SPACE   = 'stet/v1';

/* Post types and taxonomies that only WordPress itself needs. */
const INTERNAL_TYPES = array( 'revision', 'nav_menu_item', 'custom_css', 'customize_changeset', 'oembed_cache', 'user_request', 'wp_global_styles', 'wp_navigation', 'wp_template', 'wp_template_part', 'wp_font_family', 'wp_font_face', 'attachment', 'wp_block' );
const INTERNAL_TAXONOMIES = array( 'nav_menu', 'link_category', 'wp_theme', 'wp_template_part_area', 'wp_pattern_category' );
const STATUSES = array( 'publish', 'future', 'draft', 'pending', 'private' );

/* ---- routes ---- */

function may_export() {
	return current_user_can( 'export' );
}

function page_args( $most ) {
	return array(
		'page'     => array( 'type' => 'integer', 'default' => 1, 'minimum' => 1 ),
		'per_page' => array( 'type' => 'integer', 'default' => 50, 'minimum' => 1, 'maximum' => $most ),
	);
}

function route( $path, $args = array(), $public = false ) {
	register_rest_route(
		SPACE,
		'/' . $path,
		array(
			'methods'             => 'GET',
			'callback'            => __NAMESPACE__ . '\\' . $path,
			'permission_callback' => $public ? '__return_true' : __NAMESPACE__ . '\\may_export',
			'args'                => $args,
		)
	);
}

add_action(
	'rest_api_init',
	function () {
		route( 'probe', array(), true );
		route( 'analyze' );
		route( 'taxonomies' );
		route( 'menus' );
		route( 'options' );
		route( 'media', page_args( 500 ) );
		route( 'comments', page_args( 500 ) );
		route(
			'content',
			page_args( 100 ) + array(
				'post_type' => array( 'type' => 'string', 'required' => true ),
				'status'    => array( 'type' => 'string', 'enum' => array( 'any', 'publish' ), 'default' => 'any' ),
			)
		);
	}
);

/* A page of a list, with how many there are. */
function listed( $items, $total, $request ) {
	return array(
		'items'    => $items,
		'total'    => (int) $total,
		'pages'    => (int) ceil( $total / $request['per_page'] ),
		'page'     => $request['page'],
		'per_page' => $request['per_page'],
	);
}

/* ---- the site ---- */

function types() {
	return array_filter(
		get_post_types( array(), 'objects' ),
		function ( $type ) {
			return ! in_array( $type->name, INTERNAL_TYPES, true );
		}
	);
}

function counts( $name ) {
	$all   = (array) wp_count_posts( $name );
	$found = array();
	foreach ( STATUSES as $status ) {
		$found[ $status ] = isset( $all[ $status ] ) ? (int) $all[ $status ] : 0;
	}
	return $found;
}

function site() {
	return array(
		'title'       => get_bloginfo( 'name', 'raw' ),
		'description' => get_bloginfo( 'description', 'raw' ),
		'url'         => site_url(),
		'home'        => home_url(),
		'language'    => get_bloginfo( 'language' ),
		'timezone'    => wp_timezone_string(),
	);
}

/* A tag such as pt-BR of a locale such as pt_BR. */
function tag( $locale ) {
	return str_replace( '_', '-', (string) $locale );
}

/* The plugin that translates the site; null: there is none. */
function i18n() {
	if ( function_exists( 'pll_languages_list' ) ) {
		return array(
			'plugin'         => 'polylang',
			'default_locale' => tag( pll_default_language( 'locale' ) ),
			'locales'        => array_map( __NAMESPACE__ . '\\tag', pll_languages_list( array( 'fields' => 'locale' ) ) ),
		);
	}
	if ( defined( 'ICL_SITEPRESS_VERSION' ) ) {
		$languages = (array) apply_filters( 'wpml_active_languages', array() );
		return array(
			'plugin'         => 'wpml',
			'default_locale' => (string) apply_filters( 'wpml_default_language', null ),
			'locales'        => array_keys( $languages ),
		);
	}
	return null;
}

function with_i18n( $answer ) {
	$i18n = i18n();
	return null === $i18n ? $answer : $answer + array( 'i18n' => $i18n );
}

/* For everybody: that the exporter is here, and what the site tells in public anyway. */
function probe() {
	$found = array();
	foreach ( types() as $type ) {
		if ( $type->public ) {
			$found[] = array(
				'name'  => $type->name,
				'label' => $type->label,
				'count' => counts( $type->name )['publish'],
			);
		}
	}
	return with_i18n(
		array(
			'stet_exporter' => VERSION,
			'site'          => site(),
			'capabilities'  => array( 'application_passwords' => wp_is_application_passwords_available() ),
			'post_types'    => $found,
		)
	);
}

/* ---- analysis ---- */

/* Custom fields of a type, the most frequent first, with one value of each. */
function fields( $type ) {
	global $wpdb;
	$rows = $wpdb->get_results(
		$wpdb->prepare(
			"SELECT m.meta_key, COUNT(*) AS n, MAX(LEFT(m.meta_value, 100)) AS sample FROM {$wpdb->postmeta} m"
			. " JOIN {$wpdb->posts} p ON p.ID = m.post_id WHERE p.post_type = %s AND p.post_status <> 'auto-draft'"
			. ' GROUP BY m.meta_key ORDER BY n DESC, m.meta_key LIMIT 1000',
			$type
		)
	);
	return array_map(
		function ( $row ) {
			return array( 'key' => $row->meta_key, 'count' => (int) $row->n, 'sample' => $row->sample );
		},
		$rows
	);
}

function analyzed_types() {
	$found = array();
	foreach ( types() as $type ) {
		$counts  = counts( $type->name );
		$found[] = array(
			'name'          => $type->name,
			'label'         => $type->label,
			'total'         => array_sum( $counts ),
			'by_status'     => $counts,
			'supports'      => (object) get_all_post_type_supports( $type->name ),
			'taxonomies'    => array_values( get_object_taxonomies( $type->name ) ),
			'custom_fields' => fields( $type->name ),
			'hierarchical'  => $type->hierarchical,
		);
	}
	return $found;
}

function analyzed_taxonomies() {
	$found = array();
	foreach ( get_taxonomies( array(), 'objects' ) as $taxonomy ) {
		if ( in_array( $taxonomy->name, INTERNAL_TAXONOMIES, true ) ) {
			continue;
		}
		$found[] = array(
			'name'         => $taxonomy->name,
			'label'        => $taxonomy->label,
			'hierarchical' => $taxonomy->hierarchical,
			'term_count'   => (int) wp_count_terms( array( 'taxonomy' => $taxonomy->name, 'hide_empty' => false ) ),
			'object_types' => array_values( $taxonomy->object_type ),
		);
	}
	return $found;
}

/* Who has written something. */
function authors() {
	global $wpdb;
	$names = implode( ',', array_fill( 0, count( STATUSES ), '%s' ) );
	$rows  = $wpdb->get_results(
		$wpdb->prepare(
			"SELECT post_author, COUNT(*) AS n FROM {$wpdb->posts} WHERE post_status IN ($names)"
			. " AND post_type NOT IN ('revision', 'nav_menu_item', 'attachment') GROUP BY post_author ORDER BY n DESC LIMIT 5000",
			STATUSES
		)
	);
	$found = array();
	foreach ( $rows as $row ) {
		$user = get_userdata( (int) $row->post_author );
		if ( $user ) {
			$found[] = author( $user ) + array( 'post_count' => (int) $row->n );
		}
	}
	return $found;
}

function analyze() {
	$media = (array) wp_count_attachments();
	unset( $media['trash'] );
	return with_i18n(
		array(
			'site'        => site(),
			'post_types'  => analyzed_types(),
			'taxonomies'  => analyzed_taxonomies(),
			'authors'     => authors(),
			'attachments' => array( 'count' => array_sum( $media ), 'by_type' => (object) $media ),
		)
	);
}

/* ---- content ---- */

function author( $user ) {
	return array(
		'id'           => (int) $user->ID,
		'login'        => $user->user_login,
		'email'        => $user->user_email,
		'display_name' => $user->display_name,
	);
}

function terms_of( $post ) {
	$found = array();
	foreach ( get_object_taxonomies( $post->post_type ) as $taxonomy ) {
		$terms = get_the_terms( $post, $taxonomy );
		foreach ( is_array( $terms ) ? $terms : array() as $term ) {
			$found[ $taxonomy ][] = array( 'id' => $term->term_id, 'name' => $term->name, 'slug' => $term->slug );
		}
	}
	return (object) $found;
}

function picture( $id ) {
	$url = wp_get_attachment_url( $id );
	if ( ! $url ) {
		return null;
	}
	$post = get_post( $id );
	$data = wp_get_attachment_metadata( $id );
	return array(
		'id'          => (int) $id,
		'url'         => $url,
		'filename'    => wp_basename( $url ),
		'mime_type'   => $post->post_mime_type,
		'title'       => $post->post_title,
		'alt'         => (string) get_post_meta( $id, '_wp_attachment_image_alt', true ),
		'caption'     => $post->post_excerpt,
		'description' => $post->post_content,
		'width'       => isset( $data['width'] ) ? (int) $data['width'] : null,
		'height'      => isset( $data['height'] ) ? (int) $data['height'] : null,
	);
}

/* Custom fields; of those of WordPress and its plugins the ones that a reader knows. */
function meta_of( $post ) {
	$found = array();
	foreach ( get_post_meta( $post->ID ) as $key => $values ) {
		$known = 0 === strpos( $key, '_yoast_wpseo_' ) || 0 === strpos( $key, '_rank_math_' ) || '_wp_old_slug' === $key;
		if ( ( is_protected_meta( $key, 'post' ) && ! $known ) || 'footnotes' === $key ) {
			continue;
		}
		$found[ $key ] = maybe_unserialize( end( $values ) );
	}
	return (object) $found;
}

/* Locale and translation group. */
function variant( $post ) {
	if ( function_exists( 'pll_get_post_language' ) && pll_get_post_language( $post->ID ) ) {
		$ids = array_map( 'intval', array_values( pll_get_post_translations( $post->ID ) ) );
		sort( $ids );
		return array( 'locale' => tag( pll_get_post_language( $post->ID, 'locale' ) ) )
			+ ( count( $ids ) > 1 ? array( 'translation_group' => 'pll-' . implode( '-', $ids ) ) : array() );
	}
	if ( defined( 'ICL_SITEPRESS_VERSION' ) ) {
		$details = apply_filters( 'wpml_post_language_details', null, $post->ID );
		$group   = apply_filters( 'wpml_element_trid', null, $post->ID, 'post_' . $post->post_type );
		return is_array( $details ) && ! empty( $details['language_code'] )
			? array( 'locale' => $details['language_code'], 'translation_group' => 'trid-' . (int) $group )
			: array();
	}
	return array();
}

function item( $post ) {
	$user = get_userdata( (int) $post->post_author );
	$item = array(
		'id'           => $post->ID,
		'post_type'    => $post->post_type,
		'status'       => $post->post_status,
		'slug'         => $post->post_name,
		'link'         => get_permalink( $post ),
		'title'        => $post->post_title,
		'content'      => $post->post_content,
		'excerpt'      => $post->post_excerpt,
		'date'         => $post->post_date,
		'date_gmt'     => $post->post_date_gmt,
		'modified'     => $post->post_modified,
		'modified_gmt' => $post->post_modified_gmt,
		'author'       => $user ? author( $user ) : null,
		'parent'       => $post->post_parent ? (int) $post->post_parent : null,
		'menu_order'   => (int) $post->menu_order,
		'password'     => $post->post_password,
		'taxonomies'   => terms_of( $post ),
		'meta'         => meta_of( $post ),
	) + variant( $post );
	if ( has_post_thumbnail( $post ) ) {
		$item['featured_image'] = picture( get_post_thumbnail_id( $post ) );
	}
	if ( function_exists( 'get_fields' ) ) {
		$item['acf'] = (object) get_fields( $post->ID, false );
	}
	return $item;
}

function content( $request ) {
	if ( 'wp_block' !== $request['post_type'] && ! isset( types()[ $request['post_type'] ] ) ) {
		return new \WP_Error( 'stet_no_type', 'There is no such type of posts.', array( 'status' => 404 ) );
	}
	$query = new \WP_Query(
		array(
			'post_type'              => $request['post_type'],
			'post_status'            => 'any' === $request['status'] ? STATUSES : array( 'publish' ),
			'posts_per_page'         => $request['per_page'],
			'paged'                  => $request['page'],
			'orderby'                => 'ID',
			'order'                  => 'ASC',
			'suppress_filters'       => true, /* all languages */
			'ignore_sticky_posts'    => true,
			'update_post_term_cache' => true,
		)
	);
	return listed( array_map( __NAMESPACE__ . '\\item', $query->posts ), $query->found_posts, $request );
}

function media( $request ) {
	$query = new \WP_Query(
		array(
			'post_type'        => 'attachment',
			'post_status'      => 'inherit',
			'posts_per_page'   => $request['per_page'],
			'paged'            => $request['page'],
			'orderby'          => 'ID',
			'order'            => 'ASC',
			'fields'           => 'ids',
			'suppress_filters' => true,
		)
	);
	$items = array_filter( array_map( __NAMESPACE__ . '\\picture', $query->posts ) );
	return listed( array_values( $items ), $query->found_posts, $request );
}

/* ---- the rest ---- */

function taxonomies() {
	$found = array();
	foreach ( get_taxonomies( array(), 'objects' ) as $taxonomy ) {
		if ( in_array( $taxonomy->name, INTERNAL_TAXONOMIES, true ) ) {
			continue;
		}
		$terms   = get_terms( array( 'taxonomy' => $taxonomy->name, 'hide_empty' => false ) );
		$found[] = array(
			'name'         => $taxonomy->name,
			'label'        => $taxonomy->label,
			'hierarchical' => $taxonomy->hierarchical,
			'object_types' => array_values( $taxonomy->object_type ),
			'terms'        => array_map(
				function ( $term ) {
					return array(
						'id'          => $term->term_id,
						'name'        => $term->name,
						'slug'        => $term->slug,
						'description' => $term->description,
						'parent'      => $term->parent,
						'count'       => $term->count,
					);
				},
				is_array( $terms ) ? $terms : array()
			),
		);
	}
	return $found;
}

function entry( $item ) {
	return array(
		'id'          => (int) $item->ID,
		'parent_id'   => (int) $item->menu_item_parent,
		'sort_order'  => (int) $item->menu_order,
		'type'        => $item->type,
		'object_type' => $item->object,
		'object_id'   => (int) $item->object_id,
		'url'         => $item->url,
		'title'       => $item->title,
		'attr_title'  => $item->attr_title,
		'target'      => $item->target,
		'classes'     => array_values( array_filter( (array) $item->classes ) ),
	);
}

function menus() {
	$places = array();
	foreach ( (array) get_nav_menu_locations() as $place => $id ) {
		$places[ $id ][] = $place;
	}
	$found = array();
	foreach ( wp_get_nav_menus() as $menu ) {
		$items   = wp_get_nav_menu_items( $menu->term_id, array( 'post_status' => 'publish' ) );
		$found[] = array(
			'id'        => $menu->term_id,
			'name'      => $menu->name,
			'slug'      => $menu->slug,
			'locations' => isset( $places[ $menu->term_id ] ) ? $places[ $menu->term_id ] : array(),
			'items'     => array_map( __NAMESPACE__ . '\\entry', $items ? $items : array() ),
		);
	}
	return $found;
}

function options() {
	$logo = (int) get_theme_mod( 'custom_logo' );
	$icon = (int) get_option( 'site_icon' );
	return array(
		'site_title'       => get_bloginfo( 'name', 'raw' ),
		'site_description' => get_bloginfo( 'description', 'raw' ),
		'custom_logo'      => $logo ? picture( $logo ) : null,
		'site_icon'        => $icon ? picture( $icon ) : null,
		'timezone'         => wp_timezone_string(),
		'posts_per_page'   => (int) get_option( 'posts_per_page' ),
	);
}

function comment( $comment ) {
	return array(
		'id'           => (int) $comment->comment_ID,
		'post_id'      => (int) $comment->comment_post_ID,
		'parent_id'    => $comment->comment_parent ? (int) $comment->comment_parent : null,
		'author_name'  => $comment->comment_author,
		'author_email' => $comment->comment_author_email,
		'body'         => $comment->comment_content,
		'date_gmt'     => $comment->comment_date_gmt,
		'status'       => '1' === $comment->comment_approved ? 'approved' : 'pending',
	);
}

/* What people have said; no spam, nothing from the trash. */
function comments( $request ) {
	$query = array(
		'type'    => 'comment',
		'status'  => 'all',
		'orderby' => 'comment_ID',
		'order'   => 'ASC',
	);
	$page  = $query + array( 'number' => $request['per_page'], 'paged' => $request['page'] );
	return listed(
		array_map( __NAMESPACE__ . '\\comment', get_comments( $page ) ),
		get_comments( $query + array( 'count' => true ) ),
		$request
	);
}

/** Test cases: templates and Go's output. A conformance test renders the same templates with Go. */
import type { Value } from './values.ts';

const known = { controlPlane: { version: 'v1.35.0' } };

export const CASES: readonly { template: string; data: Value; text: string }[] = [
  { template: 'no action, { or }', data: known, text: 'no action, { or }' },
  { template: 'v={{ .controlPlane.version }};', data: known, text: 'v=v1.35.0;' },
  { template: '{{.controlPlane.version}}{{ $.controlPlane.version }}', data: known, text: 'v1.35.0v1.35.0' },
  { template: '{{ .controlPlane }}', data: known, text: 'map[version:v1.35.0]' },
  { template: '{{ . }}', data: {}, text: 'map[]' },
  { template: '{{ .nothing }}|{{ .nothing.at.all }}', data: known, text: '<no value>|<no value>' },
  { template: 'a {{- /* gone */ -}} b', data: known, text: 'ab' },
  { template: 'a\n{{- .controlPlane.version -}}\n\tb', data: known, text: 'av1.35.0b' },
  { template: '{{ if .controlPlane }}yes{{ else }}no{{ end }}', data: known, text: 'yes' },
  { template: '{{ if .controlPlane }}yes{{ else }}no{{ end }}', data: {}, text: 'no' },
  { template: '{{ if not .controlPlane }}none{{ end }}', data: {}, text: 'none' },
  {
    template: '{{ if eq .a "1" }}one{{ else if eq .a "2" }}two{{ else }}many{{ end }}',
    data: { a: '2' },
    text: 'two',
  },
  { template: '{{ if eq .a "1" }}one{{ else if eq .a "2" }}two{{ else }}many{{ end }}', data: { a: '' }, text: 'many' },
  {
    template: '{{ with .controlPlane }}{{ .version }}{{ $.b }}{{ else }}no{{ end }}',
    data: { ...known, b: '!' },
    text: 'v1.35.0!',
  },
  { template: '{{ with .c }}x{{ else with .controlPlane }}{{ .version }}{{ end }}', data: known, text: 'v1.35.0' },
  {
    template: '{{ if and .a (or .b .c) }}{{ if .b }}b{{ end }}in{{ end }}',
    data: { a: 'x', b: '', c: 'y' },
    text: 'in',
  },
  { template: '{{ or .a "other" }}{{ and .a "other" }}', data: { a: '' }, text: 'other' },
  { template: '{{ .a | printf "%s-%s" "x" }}', data: { a: 'y' }, text: 'x-y' },
  { template: '{{ printf "%v %s 100%%" .n .a }}', data: { n: 3, a: 'é' }, text: '3 é 100%' },
  { template: '{{ len .a }}{{ len .m }}', data: { a: 'é', m: { x: 1, y: 2 } }, text: '22' },
  { template: '{{ eq .a "x" "y" }} {{ ne .a "y" }} {{ eq .gone .gone }}', data: { a: 'y' }, text: 'true false true' },
  {
    template: '{{ lt "v1.34.0" .v }} {{ ge .v "v1.35" }} {{ le 3 3 }} {{ gt -1 2 }}',
    data: { v: 'v1.35.1' },
    text: 'true true true false',
  },
  { template: '{{ "a\\tb\\u00e9\\"" }}{{ `raw\\n` }}{{ true }}', data: {}, text: 'a\tbé"raw\\ntrue' },
  { template: '{{ if eq (len .a) 0 }}empty{{ end }}', data: { a: '' }, text: 'empty' },
  {
    template: '{{ .a }} {{ .b }} {{ .c }} {{ .d }} {{ .e }} {{ .f }}',
    data: { a: 4, b: 2.5, c: 1_000_000, d: 0.00001, e: [1, 'x', null], f: { k: true, a: {} } },
    text: '4 2.5 1e+06 1e-05 [1 x <nil>] map[a:map[] k:true]',
  },
  { template: '{{ range .l }}<{{ . }}>{{ else }}none{{ end }}', data: { l: ['a', 'b'] }, text: '<a><b>' },
  { template: '{{ range .l }}<{{ . }}>{{ else }}none{{ end }}', data: { l: [] }, text: 'none' },
  {
    template: '{{ range $i, $v := .l }}{{ if $i }}, {{ end }}{{ $i }}={{ $v.k }}{{ end }}',
    data: { l: [{ k: 'a' }, { k: 'b' }] },
    text: '0=a, 1=b',
  },
  { template: '{{ range $k, $v := .m }}{{ $k }}:{{ $v }};{{ end }}', data: { m: { b: 2, a: 1 } }, text: 'a:1;b:2;' },
  { template: '{{ $x := .a }}{{ range .l }}{{ $x = . }}{{ end }}{{ $x }}', data: { a: 'z', l: ['p', 'q'] }, text: 'q' },
  { template: '{{ with $x := .a }}{{ $x }}{{ $.a }}{{ end }}', data: { a: 'y' }, text: 'yy' },
  {
    template: '{{ index .l 1 }}{{ index .m "k" }}{{ index .n 0 "q" }}',
    data: { l: ['a', 'b'], m: { k: 'c' }, n: [{ q: 'd' }] },
    text: 'bcd',
  },
  { template: '{{ print 1 2 "a" 3 }}|{{ printf "%d-%q" (len .l) "x" }}', data: { l: [1] }, text: '1 2a3|1-"x"' },
  {
    template: '{{ (index .l 0).k }}{{ eq .n 2.0 }}{{ gt .n 1.5 }}',
    data: { l: [{ k: 'v' }], n: 2 },
    text: 'vtruetrue',
  },
  {
    template: '{{ slice .a 1 3 }}|{{ slice .a 2 }}|{{ slice .l 1 2 }}',
    data: { a: 'é!b', l: ['p', 'q'] },
    text: '\uFFFD!|!b|[q]',
  },
  { template: '{{ printf "%.2s|%5s|%-5s|%.1q" .a .a .a .a }}', data: { a: 'éab' }, text: 'éa|  éab|éab  |"é"' },
  {
    template: '{{ printf "%4d|%04d|%-4d|%05d|%5v|%.1v" 7 7 7 -7 .n .a }}',
    data: { a: 'ab', n: true },
    text: '   7|0007|7   |-0007| true|a',
  },
];

/** Cases that set Go's option `missingkey=error`. */
export const STRICT_CASES: readonly { template: string; data: Value; text: string }[] = [
  { template: '{{ .a.b }}{{ if .a.c }}{{ end }}', data: { a: { b: 'x', c: '' } }, text: 'x' },
  { template: '{{ index . "nothing" }}', data: {}, text: '<no value>' },
  { template: '{{ if false }}{{ .nothing }}{{ end }}', data: {}, text: '' },
];

/** Templates that fail with `missingkey=error`. */
export const STRICT_REFUSED: readonly { template: string; says: RegExp; data: Value }[] = [
  { template: '{{ .nothing }}', says: /^uses a map that has no entry for key "nothing"$/, data: {} },
  { template: '{{ if .a.b }}{{ end }}', says: /no entry for key "b"/, data: { a: {} } },
  { template: '{{ $.b }}', says: /no entry for key "b"/, data: { a: {} } },
  { template: '{{ with .a }}{{ .b }}{{ end }}', says: /no entry for key "b"/, data: { a: { c: 1 } } },
  { template: '{{ (index . "a").b }}', says: /no entry for key "b"/, data: { a: { c: 1 } } },
];

/** Templates that fail in Go, too, or only here (`onlyHere`) because the feature is not supported. */
export const REFUSED: readonly { template: string; says: RegExp; onlyHere?: boolean; data?: Value }[] = [
  { template: '{{ define "x" }}{{ end }}', says: /^uses define, which is not supported here$/, onlyHere: true },
  { template: '{{ range .controlPlane }}{{ break }}{{ end }}', says: /^uses break, which/, onlyHere: true },
  { template: '{{ $v }}', says: /a variable that is not defined/ },
  { template: '{{ if true }}{{ $v := 1 }}{{ end }}{{ $v }}', says: /a variable that is not defined/ },
  { template: '{{ range .controlPlane.version }}{{ end }}', says: /ranges over what is neither/ },
  { template: '{{ index .controlPlane 1 }}', says: /calls index on what has no such items/ },
  { template: '{{ if false }}{{ js "x" }}{{ end }}', says: /^uses js, which/, onlyHere: true },
  { template: '{{ printf "%x" "x" }}', says: /printf with a format/, onlyHere: true },
  { template: '{{ slice .controlPlane.version 3 99 }}', says: /^calls slice with an index that is out of range$/ },
  { template: '{{ slice .controlPlane.version 3 2 }}', says: /^calls slice with an index that is out of range$/ },
  { template: '{{ slice .controlPlane }}', says: /^slices what is neither a text nor a list$/ },
  { template: '{{ printf "%+d" 1 }}', says: /printf with a format/, onlyHere: true },
  { template: '{{ include "x" }}', says: /^uses include, which/ },
  { template: '{{ hunter2 }}', says: /^uses a function or keyword, which is not supported here$/ },
  { template: '{{ .controlPlane.version.major }}', says: /a field of something that is not a map/ },
  { template: '{{ if .controlPlane }}', says: /an if that does not end/ },
  { template: 'x{{ end }}', says: /an end that belongs to nothing/ },
  { template: '{{ if .a }}{{ else }}{{ else }}{{ end }}', says: /an else that does not end/ },
  { template: '{{ .controlPlane', says: /does not end/ },
  { template: '{{ }}', says: /empty action in line 1/ },
  { template: '{{ eq "a" 1 }}', says: /different types/ },
  { template: '{{ eq .n 2 }}', says: /different types/, data: { n: 2 } },
  { template: '{{ not }}', says: /calls not with 0 arguments/ },
  { template: '{{ .a .b }}', says: /after something that is not a function/ },
  { template: '{{ (.a }}', says: /not closed/ },
  { template: '{{ .a ? }}', says: /line 1 that is not supported/ },
];

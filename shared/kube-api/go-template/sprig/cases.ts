/** Test cases: templates with sprig's functions, and Go's output with `sprig.HermeticTxtFuncMap`. */
import type { Value } from '../values.ts';

const DATA: Value = {
  s: 'abc',
  e: '',
  n: 3,
  v: 'v1.34.2',
  l: ['b', 'a', 'b'],
  m: { k: 'v', b: 1 },
  t: true,
};

export const SPRIG_CASES: readonly { template: string; data: Value; text: string }[] = (
  [
    ['{{ default "x" .e }}{{ default "x" .s }}{{ .gone | default "y" }}', 'xabcy'],
    ['{{ empty 0 }} {{ empty .m }} {{ coalesce .e .gone .s }}', 'true false abc'],
    ['{{ ternary "yes" "no" .t }} {{ .t | ternary 1 2 }}', 'yes 1'],
    ['{{ upper .s }}{{ lower "ABC" }}{{ title "two words" }}', 'ABCabcTwo Words'],
    ['{{ trim "  a " }}|{{ trimAll "-" "--a-" }}|{{ trimPrefix "v" .v }}|{{ trimSuffix "c" .s }}', 'a|a|1.34.2|ab'],
    [
      '{{ replace "." "-" .v }} {{ contains "b" .s }} {{ hasPrefix "ab" .s }} {{ hasSuffix "x" .s }}',
      'v1-34-2 true true false',
    ],
    [
      '{{ repeat 3 "ab" }} {{ substr 1 2 .s }} {{ trunc 2 .s }} {{ trunc -2 .s }} {{ nospace "a b c" }}',
      'ababab b ab bc abc',
    ],
    ['{{ quote .s 1 }} {{ squote .s }} {{ cat "a" 1 .s }}', '"abc" "1" \'abc\' a 1 abc'],
    ['{{ indent 2 "a\\nb" }}|{{ nindent 2 "a" }}', '  a\n  b|\n  a'],
    ['{{ join "," .l }} {{ splitList "." "a.b" }} {{ toString .n }} {{ toStrings .l }}', 'b,a,b [a b] 3 [b a b]'],
    ['{{ b64enc .s }} {{ b64dec "YWJj" }} {{ sha256sum "" | trunc 8 }}', 'YWJj abc e3b0c442'],
    [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a group in the syntax of Go.
      '{{ regexMatch "^a.c$" .s }} {{ regexFind "[bc]+" .s }} {{ regexReplaceAll "([bc])" .s "<${1}>" }}',
      'true bc a<b><c>',
    ],
    ['{{ add 1 .n 2 }} {{ add1 .n }} {{ sub 5 .n }} {{ mul 2 .n }} {{ div 7 2 }} {{ mod 7 4 }}', '6 4 2 6 3 3'],
    ['{{ max 1 5 3 }} {{ min 4 2 }} {{ int "12" }} {{ float64 "1.5" }} {{ until 3 }}', '5 2 12 1.5 [0 1 2]'],
    ['{{ first .l }}{{ last .l }}{{ rest .l }}{{ initial .l }}{{ append .l "z" }}', 'bb[a b][b a][b a b z]'],
    [
      '{{ prepend .l "z" }}{{ concat .l (list 1) }}{{ reverse (list 1 2) }}{{ uniq .l }}{{ without .l "b" }}',
      '[z b a b][b a b 1][2 1][b a][a]',
    ],
    ['{{ has "a" .l }} {{ sortAlpha .l }} {{ list 1 "a" }}', 'true [a b b] [1 a]'],
    [
      '{{ get .m "k" }}{{ get .m "none" }} {{ hasKey .m "b" }} {{ dict "a" 1 }} {{ keys .m | sortAlpha }}',
      'v true map[a:1] [b k]',
    ],
    ['{{ kindOf .n }} {{ kindOf 1 }} {{ kindIs "map" .m }} {{ kindOf .gone }}', 'float64 int true invalid'],
    ['{{ toJson .m }} {{ toJson .l }} {{ toJson 1 }}', '{"b":1,"k":"v"} ["b","a","b"] 1'],
    [
      '{{ semverCompare ">= 1.34" .v }} {{ semverCompare "^1.35.0" .v }} {{ semverCompare "~1.34.1" .v }}',
      'true false true',
    ],
    [
      '{{ semverCompare ">=1.30, <1.34" .v }} {{ semverCompare "1.x || 3" .v }} {{ semverCompare "!=1.34.2" .v }}',
      'false true false',
    ],
    [
      '{{ semverCompare ">= v1.24.0" "v1.25.0-alpha.1" }} {{ semverCompare ">=1.25.0-0" "v1.25.0-alpha.1" }}',
      'false true',
    ],
    ['{{ semverCompare ">1.33" .v }} {{ semverCompare "<=1.34" .v }} {{ semverCompare "=1.34" .v }}', 'true true true'],
    ['{{ deepEqual .l (list "b" "a" "b") }} {{ all 1 .e }} {{ any 0 .s }}', 'true false true'],
  ] as const
).map(([template, text]) => ({ template, data: DATA, text }));

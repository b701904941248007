import { describe, expect, it } from 'vitest';
import { BUILTINS } from './functions.ts';
import { parseTemplate } from './parse.ts';
import { renderGoTemplate } from './render.ts';
import { SPRIG } from './sprig/sprig.ts';
import type { Value } from './values.ts';

const DATA: Value = { random: 'x', cluster: { name: 'a' }, machineSet: { name: 'b' } };

const TOO_MUCH = 'takes too many steps or produces too much text';

/** `$a` has 8 times 2 to the power of `times` characters. */
const doubled = (times: number): string => `{{ $a := "12345678" }}${'{{ $a = print $a $a }}'.repeat(times)}`;
const ENDLESS = '{{ range until 10000 }}{{ range until 10000 }}';

const HOSTILE: readonly { what: string; template: string; says?: string }[] = [
  { what: 'loops within loops', template: '{{range$}}'.repeat(40) + '{{end}}'.repeat(40) },
  { what: 'an empty loop in another', template: `${ENDLESS}{{ end }}{{ end }}` },
  { what: 'a loop with calls', template: `${ENDLESS}{{ $a := and 1 1 }}{{ end }}{{ end }}` },
  { what: 'a text that is doubled', template: doubled(40) },
  {
    what: 'a list that contains itself twice',
    template: `{{ $a := list "x" }}${'{{ $a = list $a $a }}'.repeat(60)}{{ $a }}`,
  },
  { what: 'a large text that is printed often', template: `${doubled(14)}${'{{ $a }}'.repeat(500)}` },
  { what: 'a large text that is searched often', template: `${doubled(14)}${'{{ contains "y" $a }}'.repeat(500)}` },
  { what: 'a replacement at every position', template: `${doubled(12)}{{ replace "" $a $a }}` },
  { what: 'a replacement of every match', template: `${doubled(12)}{{ regexReplaceAll "(1)" $a $a }}` },
  { what: 'a large separator', template: `${doubled(13)}{{ join $a (until 10000) }}` },
  { what: 'an indentation of many lines', template: '{{ indent 100000 (repeat 1000 "\\n") }}' },
  { what: 'a large regular expression', template: `{{ regexMatch "${'(a{0,1000})'.repeat(90)}" "aaaa" }}` },
  { what: 'a comparison of each item with each other one', template: '{{ uniq (until 10000) }}' },
  {
    what: 'lists that are nested deeply',
    template: `{{ $a := list }}${'{{ $a = list $a }}'.repeat(300)}`,
    says: 'has values that are nested too deeply',
  },
  {
    what: 'branches that are nested deeply',
    template: '{{ if .a }}'.repeat(5000) + '{{ end }}'.repeat(5000),
    says: 'has more than 200 branches within each other',
  },
  {
    what: 'a long sequence of conditions',
    template: `{{ if .a }}${'{{ else if .a }}'.repeat(5000)}{{ end }}`,
    says: 'has more than 200 branches within each other',
  },
  {
    what: 'parentheses that are nested deeply',
    template: `{{ ${'('.repeat(5000)}1${')'.repeat(5000)} }}`,
    says: 'has too many parentheses within each other',
  },
  {
    what: 'many arguments',
    template: `{{ print ${'1 '.repeat(5000)} }}`,
    says: 'calls a function with more than 1000 arguments',
  },
  { what: 'an integer of many digits', template: `{{ ${'1'.repeat(5000)} }}`, says: 'has a number that is too large' },
  {
    what: 'wide fields',
    template: `{{ printf "${'%1000s'.repeat(9)}"${' ""'.repeat(9)} }}`,
    says: 'calls printf with',
  },
];

describe('the budget of a template', () => {
  it.each(HOSTILE)('refuses $what', ({ template, says = TOO_MUCH }) => {
    expect(() => renderGoTemplate(template, DATA, SPRIG)).toThrow(says);
  });

  it('suffices for a large file with many actions', () => {
    const template = `${'#'.repeat(40)}{{ if .random }}{{ .random | upper | quote }}{{ end }}\n`.repeat(4000);
    expect(renderGoTemplate(template, DATA, SPRIG)).toHaveLength(44 * 4000);
  });

  it('lets 64-bit integers overflow as in Go', () => {
    expect(renderGoTemplate('{{ mul 9223372036854775807 2 }} {{ add1 9223372036854775807 }}', {}, SPRIG)).toBe(
      '-2 -9223372036854775808',
    );
  });

  it.each([
    ['spaces in front of an action', `a${' '.repeat(4_000_000)}b{{- 1 }}`],
    ['actions in many lines', '{{ "" }}\n'.repeat(400_000)],
    ['a pipe of many functions', `{{ 1${' | print'.repeat(400_000)} }}`],
    // A quadratic parser would exceed the test's timeout.
  ])('suffices to parse %s, in linear time', (_, template) => {
    expect(parseTemplate(template, BUILTINS)).not.toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { OpenApiSchema, ValidationRule } from '../resource.ts';
import { validateRules } from './rules.ts';

const FIELDS: NonNullable<OpenApiSchema['properties']> = {
  name: { type: 'string' },
  n: { type: 'integer' },
  d: { type: 'number' },
  x: { 'x-kubernetes-int-or-string': true },
  m: { type: 'object', additionalProperties: { type: 'integer' } },
  tags: { type: 'array', items: { type: 'string' } },
  since: { type: 'string', format: 'date-time' },
  'a-b.c': { type: 'string' },
  namespace: { type: 'string' },
};

const VALUE = {
  name: 'ab',
  n: 4,
  d: 2,
  x: '3',
  m: { p: 1 },
  tags: ['x', 'y'],
  since: '2026-01-02T03:04:05.25Z',
  'a-b.c': 'q',
  namespace: 'w',
};

const schemaOf = (...rules: (string | ValidationRule)[]): OpenApiSchema => ({
  type: 'object',
  properties: FIELDS,
  'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});

const lines = (schema: OpenApiSchema, value: unknown = VALUE, old?: unknown): string[] =>
  validateRules(schema, value, old).map(({ type, field, detail }) => `${type} ${field} ${detail}`);

const details = (...rules: (string | ValidationRule)[]): string[] =>
  validateRules(schemaOf(...rules), VALUE, undefined).map(({ detail }) => detail);

describe('rules that hold', () => {
  it.each([
    "self.name == 'ab' && self.n > 3.5 && self.d < 3",
    "self.tags.all(t, t.size() == 1) && self.tags.exists_one(t, t == 'x') && !self.tags.exists(t, t == 'z')",
    "self.tags.map(t, t + '!').join('-') == 'x!-y!' && self.tags.filter(t, t != 'x') == ['y']",
    "self.m.all(k, self.m[k] == 1) && 'p' in self.m && has(self.m.p) && !has(self.m.q)",
    "self.?name.orValue('none') == 'ab' && optional.none().orValue(1) == 1 && self.m.?q.orValue(7) == 7",
    "self.a__dash__b__dot__c == 'q' && self.__namespace__ == 'w'",
    "type(self.x) == string && (self.x == 3 || self.x == '3')",
    "self.since > timestamp('2026-01-01T00:00:00Z') && self.since.getMilliseconds() == 250",
    "duration('1h30m') == duration('5400s') && string(duration('90m')) == '5400s'",
    'self.d / 4.0 == 0.5 && 7 / 2 == 3 && -7 % 3 == -1 && 2u + 3u == 5u',
    "'Ünïcode'.size() == 7 && 'abcabc'.indexOf('c', 3) == 5 && 'abcabc'.lastIndexOf('a') == 3",
    "'a,b,c'.split(',', 2) == ['a', 'b,c'] && 'aXbX'.replace('X', '', 1) == 'abX' && 'abc'.charAt(1) == 'b'",
    "'%s has %d of %.2f, %x %b %e'.format(['a', 3, 1.5, 255, 5, 1200.0]) == 'a has 3 of 1.50, ff 101 1.200000×10⁰³'",
    "strings.quote('a\"') == '\"a\\\\\"\"' && 'TÜ'.lowerAscii() == 'tÜ'",
    "'abc123def45'.find('[0-9]+') == '123' && 'a1b22'.findAll('[0-9]+') == ['1', '22']",
    "[3, 1, 2].sum() == 6 && [3, 1].max() == 3 && [1, 2, 2].isSorted() && ['a', 'b'].indexOf('b') == 1",
    '[1, 2, 2].distinct() == [1, 2] && [1, 2, 3].slice(1, 3) == [2, 3] && [2, 1].sort() == [1, 2]',
    '[[1], [2, 3]].flatten() == [1, 2, 3] && [1, 2].reverse() == [2, 1] && lists.range(3) == [0, 1, 2]',
    "sets.contains([1, 2, 3], [2]) && sets.intersects([1], [1, 2]) && sets.equivalent(['a'], ['a', 'a'])",
    "quantity('1Gi').isGreaterThan(quantity('1G'))",
    "!quantity('500m').add(quantity('0.5')).isInteger() && quantity('1.5k').asApproximateFloat() == 1500.0",
    "isQuantity('10Mi') && !isQuantity('10XX') && quantity('1k').compareTo(quantity('1000')) == 0",
    "ip('10.0.0.1').family() == 4 && ip('::1').isLoopback() && !isIP('10.0.0.256') && ip.isCanonical('::1')",
    "cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16'))",
    "string(cidr('10.1.2.3/8').masked()) == '10.0.0.0/8' && cidr('fd00::/8').prefixLength() == 8 && !isCIDR('10.0.0.0')",
    "url('https://a.example:8443/p?x=1').getPort() == '8443' && isURL('/path') && !isURL('no url')",
    "url('https://a.example:443/p').getHost() == 'a.example:443' && url('https://a/').getQuery().size() == 0",
    "!format.dns1123Label().validate('a-b').hasValue() && format.named('labelValue').value().validate('-').hasValue()",
    "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('v1.2', true).minor() == 2 && !isSemver('1.2')",
    "optional.of(self.n).optMap(n, n + n).value() == 8 && self.name.matches('^a.$') && matches('ab', 'b')",
    'false && 1 / 0 == 1 ? false : true',
    "{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v + 1) == {'b': 3} && [1, 2].transformList(i, v, i + v) == [1, 3]",
    "self.tags.sortBy(t, t == 'x' ? 2 : 1) == ['y', 'x'] && [optional.of(1), optional.none()].unwrapOpt() == [1]",
    "[?self.?name, ?optional.none()] == ['ab'] && {?'a': self.m.?p} == {'a': 1}",
    "self.since.getHours('Europe/Berlin') == 4 && self.namespace == 'w'",
    "string(timestamp('2026-03-04T05:06:07+02:00')) == '2026-03-04T05:06:07+02:00' && 'ab'.replace('', '-') == '-a-b-'",
    '1 / 0 == 1 || true',
    'dyn(self.n) == 4 && int(2.9) == 2 && string(true) == "true" && double("1.5") == 1.5',
    'self.n in [1, 4] && !(5 in [1, 4]) && {"a": 1}.a == 1 && [1, 2][1] == 2',
  ])('%s', (rule) => {
    expect(details(rule)).toEqual([]);
  });
});

describe('rules that do not hold', () => {
  it('are reported with the message, the message expression or the rule itself', () => {
    const schema = schemaOf(
      "self.name == 'a'",
      { rule: 'self.n == 5', message: ' has to be 5 ' },
      { rule: 'self.n == 6', messageExpression: "'not ' + string(self.n) + '\\n'" },
      { rule: 'self.n == 7', messageExpression: "'a\\nb'", message: 'fallback' },
      { rule: 'self.n == 8', messageExpression: 'self.name.charAt(9)', reason: 'FieldValueForbidden', fieldPath: '.n' },
      { rule: 'self.n == 9', reason: 'FieldValueRequired', fieldPath: ".m['a.b']", message: 'key' },
      { rule: 'self.n == 10', reason: 'FieldValueDuplicate', fieldPath: "['a-b.c']" },
    );
    expect(lines(schema)).toEqual([
      "FieldValueInvalid  failed rule: self.name == 'a'",
      'FieldValueInvalid  has to be 5',
      'FieldValueInvalid  not 4',
      'FieldValueInvalid  fallback',
      'FieldValueForbidden n failed rule: self.n == 8',
      'FieldValueRequired m[a.b] key',
      'FieldValueDuplicate a-b.c ',
    ]);
  });

  it('are found in all nested values, also in allOf', () => {
    const item: OpenApiSchema = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 3' }] };
    const schema: OpenApiSchema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: item },
        map: { type: 'object', additionalProperties: item },
        part: {
          type: 'object',
          properties: { deep: item },
          allOf: [
            {
              type: 'object',
              properties: { deep: { type: 'integer' } },
              'x-kubernetes-validations': [{ rule: 'self.deep > 90' }],
            },
          ],
        },
      },
    };
    const value = { list: [1, 5], map: { a: 9, 'b/c': 2 }, part: { deep: 4 } };
    expect(validateRules(schema, value, undefined, 'value').map(({ field }) => field)).toEqual([
      'value.list[1]',
      'value.map[a]',
      'value.part',
      'value.part.deep',
    ]);
  });

  it('compare with the previous value only if there is one', () => {
    const keeps: OpenApiSchema = {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'stays' }],
    };
    const schema: OpenApiSchema = { type: 'object', properties: { n: keeps, l: { type: 'array', items: keeps } } };
    expect(lines(schema, { n: 2, l: [2] }, { n: 1, l: [1] })).toEqual(['FieldValueInvalid n stays']);
    expect(lines(schema, { n: 2 }, {})).toEqual([]);
    expect(lines(schema, { n: 2 })).toEqual([]);
  });
});

describe('rules that cannot be evaluated', () => {
  it.each([
    ["self.m['q'] == 1", 'no such key: q'],
    ['self.tags[7] == "a"', 'index out of bounds: 7'],
    ['self.tags[dyn(7.0)] == "a"', 'index out of bounds: 7'],
    ['self.tags[dyn(0.0)] == "a"', 'unsupported index: 0'],
    ['self.x.foo == 1', 'no such key: foo'],
    ['self.x.all(i, true)', "got 'types.String', expected iterable type"],
    ["semver('1.2.3-01').major() == 1", 'Numeric PreRelease version must not contain leading zeroes "01"'],
    ["timestamp('9999-12-31T23:59:59Z') + duration('1s') > self.since", 'timestamp overflow'],
    ['1 / 0 == 1', 'division by zero'],
    ['self.n % 0 == 1', 'modulus by zero'],
    ['self.n + 9223372036854775807 > 1', 'integer overflow'],
    ['int(self.name) == 3', "type conversion error from 'string' to 'int'"],
    ["duration(self.name) > duration('1s')", "type conversion error from 'string' to 'google.protobuf.Duration'"],
    [
      "quantity('zz').isInteger()",
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    ["self.name.charAt(99) == 'a'", 'index out of range: 99'],
    ["self.name.matches('(' + self.name)", 'error parsing regexp: missing closing ): `(ab`'],
    [
      "ip('x').family() == 4",
      'IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP',
    ],
  ])('%s', (rule, why) => {
    expect(details(rule)).toEqual([`${why} evaluating rule: ${rule}`]);
  });

  it('report a call without a matching overload', () => {
    const rule = 'self.x + 1 == 3';
    const why = "'no such overload': call arguments did not match a supported operator, function or macro signature";
    expect(details({ rule, message: 'm' })).toEqual([`${why} for rule: m`]);
  });

  it.each([
    ['self.missing == 3', "1:5: undefined field 'missing'\n | self.missing == 3\n | ....^"],
    ['has(self.nope)', "1:4: undefined field 'nope'\n | has(self.nope)\n | ...^"],
    ["self.name + 1 == 'a'", "1:11: found no matching overload for '_+_' applied to '(string, int)'"],
    ['self.d == 2', "1:8: found no matching overload for '_==_' applied to '(double, int)'"],
    ['self.d + 1 == 3.0', "1:8: found no matching overload for '_+_' applied to '(double, int)'"],
    ["'ell' in 'hello'", "1:7: found no matching overload for '@in' applied to '(string, string)'"],
    ['self.tags.indexOf(3) > 1', "1:18: found no matching overload for 'indexOf' applied to 'list(string).(int)'"],
    ['self.tags.all(t, t.nope == 1)', "1:19: type 'string' does not support field selection"],
    ['foo(self)', "1:4: undeclared reference to 'foo' (in container '')"],
    ['self.name.foo()', "1:14: undeclared reference to 'foo' (in container '')"],
    ['bar == 1', "1:1: undeclared reference to 'bar' (in container '')"],
    ["self.name.matches('(')", '1:19: invalid matches argument'],
    ["self.n in [1, 'a']", "1:15: expected type 'int' but found 'string'"],
    [
      "'%d'.format(['a']) == ''",
      '1:14: error during formatting: decimal clause can only be used on integers, was given string',
    ],
    ['self.tags.all(t, t, true)', '1:18: duplicate variable name: t'],
    ["duration('x') > duration('1s')", '1:10: invalid duration argument'],
    ['self.n == 4 &&\n self.name == 3', "2:12: found no matching overload for '_==_' applied to '(string, int)'"],
  ])('are refused when they are compiled: %s', (rule, why) => {
    expect(details(rule)).toEqual([
      expect.stringContaining(`rule compile error: compilation failed: ERROR: <input>:${why}`),
    ]);
  });

  it('are refused if their result is not a boolean', () => {
    expect(details('self.name')).toEqual(['rule compile error: cel expression must evaluate to a bool']);
  });

  it('are refused if they are not expressions', () => {
    expect(details('self.name ==')).toEqual([
      expect.stringContaining('compilation failed: ERROR: <input>:1:13: Syntax error:'),
    ]);
  });
});

describe('rules that cost too much', () => {
  const numbers = Array.from({ length: 3000 }, (_, index) => index);

  it('stop at the cost limit of one call, together with all later rules', () => {
    const schema: OpenApiSchema = {
      type: 'array',
      items: { type: 'integer' },
      'x-kubernetes-validations': [{ rule: 'self.all(x, self.all(y, x + y >= 0))' }, { rule: 'false' }],
    };
    expect(lines(schema, numbers)).toEqual([
      "FieldValueInvalid  'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.all(x, self.all(y, x + y >= 0))",
    ]);
  });

  it('share a cost budget', () => {
    const cheap: OpenApiSchema = {
      type: 'array',
      items: { type: 'integer' },
      'x-kubernetes-validations': [{ rule: `self.all(x, !'${'a'.repeat(3000)}'.contains('b'))` }],
    };
    const schema: OpenApiSchema = { type: 'array', items: cheap };
    const value = Array.from({ length: 16 }, () => numbers);
    expect(lines(schema, value).at(-1)).toMatch(/running out of cost budget, no further validation rules will be run$/);
  });

  it('do not evaluate a regular expression for long', () => {
    const started = performance.now();
    expect(details("('a' + 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' + '!').matches('^(a+)+$')")).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

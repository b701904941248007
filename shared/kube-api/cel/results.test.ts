import { describe, expect, it } from 'vitest';
import { validateRules } from './rules.ts';

const SCHEMA = {
  type: 'object',
  properties: { list: { type: 'array', items: { type: 'integer' } }, since: { type: 'string', format: 'date-time' } },
} as const;

const VALUE = { list: [3, 1], since: '2026-03-04T05:06:07Z' };

const faults = (rule: string): string[] =>
  validateRules({ ...SCHEMA, 'x-kubernetes-validations': [{ rule, message: 'false' }] }, VALUE, undefined).map(
    ({ detail }) => detail.replace(/ evaluating rule:.*$/s, '').replace(/ for rule:.*$/s, ''),
  );

// test/conformance/cel/ compares the same expressions with upstream's libraries.
describe('rules that hold in Kubernetes', () => {
  it.each([
    '"ab".findAll("a*") == ["a", ""]',
    '"baaab".findAll("a*") == ["", "aaa", ""]',
    '"aXbX".findAll("X?") == ["", "X", "X"]',
    '"foobar".findAll("(?:foo)?", 2) == ["foo", ""]',
    '"aaa".indexOf("", 99) == 3',
    '"aaa".lastIndexOf("", 2) == 2',
    '"aaa".lastIndexOf("", 99) == 3',
    '"aaa".lastIndexOf("a", 3) == -1',
    '"aaa".lastIndexOf("a") == 2',
    '"".lastIndexOf("a", 1) == -1',
    '!isSemver("1.2.3 ", true)',
    '!isSemver(" v1.2.3", true)',
    'isSemver("v01.2", true)',
    'semver("18446744073709551615.0.0").major() == -1',
    'isQuantity("k") && !isQuantity("Ei") && !isQuantity("e-10")',
    'quantity("1234567890123456789").asApproximateFloat() == 1.234567890123457e+18',
    'timestamp("2026-03-04T05:06:07+24:60") < timestamp("2026-03-04T05:06:07+00:00")',
    'timestamp("2026-03-04T5:06:07,5Z") == timestamp("2026-03-04T05:06:07.5Z")',
    'self.since.getHours("-1:30") == 3',
    'self.since.getMinutes("08:5") == 11',
    '!isURL("http://us er@host/") && !isURL("http://us%zz@host/") && isURL("http://a@b@c/")',
    '!isURL("http://ho%41st/") && url("http://%E4%BD%A0/").getHost() == "你"',
    '!isURL("http://[1.2.3.4]/") && !isURL("http://[abc]/") && !isURL("http://a[b]c/")',
    'url("http://[fe80::1%25en%41]:80/").getHostname() == "fe80::1%enA"',
    'url("/a%2fb/ü").getEscapedPath() == "/a/b/%C3%BC"',
    'url("/?ü=ü").getQuery() == {"ü": ["ü"]}',
    'url("HTTP://h/") == url("http://h/")',
    'dyn({1: "a"})[1u] == "a" && dyn({1: "a"})[1.0] == "a"',
    '{1u: "a"}[1u] == "a" && 1u in {1u: "a"}',
    'dyn(1.0) in {1u: "a"} && !(dyn(1.5) in {1u: "a"})',
    'dyn({1: 1})[?1u].orValue(9) == 1',
    'dyn({1: 1}) == dyn({1u: 1})',
    '{1u: 1, 1u: 2}.size() == 1',
    '[10, 20][?dyn(1.0)].orValue(9) == 20',
    'self.list[?dyn(1.0)].hasValue()',
  ])('%s', (rule) => {
    expect(faults(rule)).toEqual([]);
  });
});

describe('rules that fail in Kubernetes', () => {
  it.each([
    ['has(dyn([1]).a)', "unsupported index type 'string' in list"],
    ['has([dyn([1])][0].a)', "unsupported index type 'string' in list"],
    ['dyn(self.list).?a.hasValue()', "unsupported index type 'string' in list"],
    ['self.list[?dyn(1.0)].value() == 1', 'unsupported index: 1'],
    ['[10][dyn(1e30)] == 1', 'unsupported index value 1e+30 in list'],
    ['dyn({1: "a"})[double("Inf")] == 1', 'no such key: +Inf'],
    [
      '[1, 2].transformMapEntry(i, v, i == 0 ? {dyn(1): i} : {dyn(1u): i}).size() == 2',
      'insert failed: key 1 already exists',
    ],
    ['self.since.getHours("us/eastern") == 0', 'unknown time zone us/eastern'],
    ['self.since.getHours("UTc") == 0', 'unknown time zone UTc'],
    ['self.since.getHours("+01") == 0', 'unknown time zone +01'],
    ['self.since.getHours("08:xx") == 0', 'strconv.Atoi: parsing "xx": invalid syntax'],
    ['self.since.getHours("999999999999999:00") == 0', 'timestamp overflow'],
    [
      'url("http://[::1%25]/").getHost() == ""',
      'URL parse error during conversion from string: parse "http://[::1%25]/": invalid host: ParseAddr("::1%"): unable to parse IP',
    ],
    [
      'url("/?a#%zz").getHost() == ""',
      'URL parse error during conversion from string: parse "/?a#%zz": invalid URL escape "%zz"',
    ],
    ['semver("1.2+b", true).major() == 1', 'short version cannot contain PreRelease/Build meta data'],
  ])('%s', (rule, fault) => {
    expect(faults(rule)).toEqual([fault]);
  });

  it.each(['+25:00', '-25:00', '+14:61', '+99:99'])('a time with the offset %s', (offset) => {
    expect(faults(`timestamp("2026-03-04T05:06:07${offset}").getHours() == 0`)).toEqual([
      expect.stringContaining('invalid timestamp argument'),
    ]);
  });
});

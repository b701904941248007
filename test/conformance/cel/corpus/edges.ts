/** Expressions at the edges of the libraries: empty matches, unusual offsets, escapes, and numbers of several types. */

const searches = ['"Hello, Wörld"', '""', '"aaa"', '"😀a"'].flatMap((text) =>
  ['""', '"l"', '"aa"', '"😀"'].flatMap((part) => [
    `${text}.indexOf(${part})`,
    `${text}.lastIndexOf(${part})`,
    ...[-1, 0, 2, 3, 12, 99].flatMap((at) => [
      `${text}.indexOf(${part}, ${at})`,
      `${text}.lastIndexOf(${part}, ${at})`,
    ]),
  ]),
);

const matches = [
  '"ab".findAll("a*")',
  '"baaab".findAll("a*")',
  '"xaax".findAll("a*", 2)',
  '"äaä".findAll("a*")',
  '"abc".findAll("|b")',
  '"abab".findAll("b|")',
  '"aXbX".findAll("X?")',
  '"".findAll("a*")',
  '"😀b".findAll("b*")',
  '"foobar".findAll("(?:foo)?")',
  '"a b".findAll("\\\\b|a")',
];

const times = [
  '2026-03-04T05:06:07+25:00',
  '2026-03-04T05:06:07+14:60',
  '2026-03-04T05:06:07-24:60',
  '2026-03-04T05:06:07+14:61',
  '2026-03-04T05:06:07,5Z',
  '2026-03-04T05:06:07.Z',
  '2026-03-04T5:06:07Z',
  '2026-03-04T24:00:00Z',
  '2026-03-04T05:06:07+1:00',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
].map((text) => `timestamp("${text}")`);

const zones = ['+25:00', '8:00', '-1:30', '-0:30', '08:5', '08:xx', ':30', '1:2:3', 'utc', 'us/eastern', '+01'].map(
  (zone) => `self.since.getHours("${zone}")`,
);

const versions = [
  '1.2.3 ',
  ' 1.2.3',
  'v1.2.3 ',
  '1.2+b',
  '0001',
  'v',
  '..',
  '1.é.3',
  '18446744073709551615.0.0',
].flatMap((text) => [`isSemver("${text}")`, `isSemver("${text}", true)`, `semver("${text}", true).major()`]);

const quantities = [
  'k',
  'Ki',
  'Ei',
  'e3',
  'e-10',
  '.',
  '12E-3',
  '1e',
  '1e+3',
  '1e19',
  '1234567890123456789',
  '1.e3',
].flatMap((text) => [
  `isQuantity("${text}")`,
  `quantity("${text}").isInteger()`,
  `quantity("${text}").asApproximateFloat()`,
]);

const urls = [
  'http://us er@host/',
  'http://us%zz@host/',
  'http://a@b@c/',
  'http://u:p%40@host/',
  'http://[::1]]:80',
  'http://[1.2.3.4]/',
  'http://[fe80::1%25en%41]:80/',
  'http://[fe80::1%25]/',
  'http://a[b]c/',
  'http://ho%41st/',
  'http://%E4%BD%A0/',
  'http://a:80:90/',
  'x://a:80:90/',
  'http://a#b',
  '/a%2fb/ü',
  '/?ü=ü',
  '/?a#%zz',
  '//u@h/p#f',
  'HTTP://h/#x y',
  'a:b?c#d',
].flatMap((text) => [
  `isURL("${text}")`,
  ...['getHost', 'getHostname', 'getPort', 'getEscapedPath', 'getQuery'].map((name) => `url("${text}").${name}()`),
  `string(url("${text}"))`,
  `url("${text}") == url("http://h/#x%20y")`,
]);

const keys = ['1', '1u', '1.0', '1.5', '-1.0', '1e30', '"1"', 'true', 'double("Inf")'];

const members = ['{1: "a"}', '{1u: "a"}', '{-1: "a"}', 'self.map'].flatMap((map) =>
  keys.flatMap((key) => [
    `dyn(${map})[dyn(${key})]`,
    `dyn(${key}) in dyn(${map})`,
    `dyn(${map})[?dyn(${key})].orValue(dyn(9))`,
  ]),
);

const items = ['[10, 20]', 'self.list'].flatMap((list) =>
  keys.flatMap((key) => [
    `dyn(${list})[dyn(${key})]`,
    `dyn(${list})[?dyn(${key})].hasValue()`,
    `dyn(${list})[?dyn(${key})].orValue(dyn(9))`,
  ]),
);

const others = [
  'has(dyn([1]).a)',
  'has([dyn([1])][0].a)',
  'has([dyn(1)][0].a)',
  'has([dyn({"a": 1})][0].a)',
  'has(dyn(self.list).a)',
  'has(optional.of(dyn([1])).a)',
  'dyn([1]).?a.hasValue()',
  'dyn({1: 1}) == dyn({1u: 1})',
  '{1u: 1, 1u: 2}.size()',
  '[1, 2].transformMapEntry(i, v, i == 0 ? {dyn(1): i} : {dyn(1u): i}).size()',
];

export const EDGES: readonly string[] = [
  ...searches,
  ...matches,
  ...times,
  ...zones,
  ...versions,
  ...quantities,
  ...urls,
  ...members,
  ...items,
  ...others,
];

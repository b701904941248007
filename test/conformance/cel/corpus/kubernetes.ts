/** Expressions with Kubernetes' own types, over the values of values.ts. */

const ADDRESSES = [
  '1.2.3.4',
  '::1',
  '2001:db8::1',
  '2001:DB8::1',
  '2001:0db8::1',
  '::ffff:1.2.3.4',
  'fe80::1%eth0',
  '1.2.3.04',
  '1.2.3',
  '256.1.1.1',
  '127.0.0.1',
  '0.0.0.0',
  '::',
  '224.0.0.1',
  '239.1.1.1',
  '169.254.1.1',
  'fe80::1',
  'ff02::1',
  'ff0e::1',
  'fd00::1',
  '255.255.255.255',
  '',
  'x',
  '1:2:3:4:5:6:7:8',
  '1:2:3:4:5:6:7',
  '::1.2.3.4',
];

const BLOCKS = ['10.0.0.0/8', '10.1.2.3/8', 'fd00::/8', '::1/128', '10.0.0.0', '10.0.0.0/33', '10.0.0.0/08', '10.0.0.0/-1', 'x/8', '::ffff:1.2.3.4/112', '0.0.0.0/0'];

const QUANTITIES = ['1', '1k', '1Ki', '1.5Gi', '500m', '100n', '1u', '-3', '+3', '1e3', '1E3', '1e-3', '.5', '5.', '0', '0.0000000001', '1.5Ei', '9223372036854775808', '12345678901234567890Ei', '1e400', '1ki', '1 k', 'x', '', '1.2.3', '--1', '1M', '1P'];

const VERSIONS = ['1.2.3', '0.0.0', '1.2.3-alpha.1', '1.2.3-alpha.1+build', '1.2.3+b', 'v1.2.3', '1.2', '1', '01.2.3', '1.2.3-01', '1.2.3-', '1.2.3.4', 'x', '', '1.2.3-a..b', '99999999999999999999.1.1', '1.2.x', '-1.2.3'];

const URLS = [
  'https://user:secret@example.com:8443/a/b%20c?x=1&y=2&x=3#frag',
  'http://example.com',
  'http://example.com/',
  'https://example.com:443/p',
  'https://[::1]:8080/p?q',
  'https://[2001:db8::1]/p',
  'ftp://a.b/c',
  'mailto:a@b.c',
  '/path/only?x=y',
  '//host/path',
  'example.com/path',
  'https://',
  'http:///p',
  'https://a b/',
  'http://a/b c',
  'http://a/%zz',
  'http://a:port/',
  'http://a:99999/',
  '',
  '?x=1',
  '#f',
  '*',
  'HTTP://EXAMPLE.com/A',
  'http://exa_mple.com/ü',
  'http://a/?x=%20&y=a+b&z',
  'http://a/?x=1;y=2',
  'custom-scheme+1.0://h/p',
  '1http://a/',
];

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  dns1123Label: ['abc', 'a-b', '-a', 'A', 'a.b', 'a'.repeat(64), ''],
  dns1123Subdomain: ['a.b', 'a..b', 'A.b', 'a'.repeat(254)],
  dns1035Label: ['a1', '1a', 'a-', ''],
  qualifiedName: ['a/b', 'a', 'a/b/c', '/b', 'a_b.c', 'A/b', 'x'.repeat(64)],
  dns1123LabelPrefix: ['a-', 'a', '-a', 'a--', '-'],
  dns1123SubdomainPrefix: ['a.b-', 'a.', 'a'],
  dns1035LabelPrefix: ['a-', '1-'],
  labelValue: ['', 'a', '-a', 'a b', 'x'.repeat(64)],
  uri: ['https://a/b', '/p', 'a', '', 'http://a b', '//x', 'a:b', '#f'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '123E4567-E89B-12D3-A456-426614174000', '123e4567', ''],
  byte: ['aGVsbG8=', 'aGVsbG8', 'a', '', '====', 'aGVs\\nbG8='],
  date: ['2026-03-04', '2026-13-04', '2026-02-30', '26-3-4', ''],
  datetime: ['2026-03-04T05:06:07Z', '2026-03-04 05:06:07Z', '2026-03-04T05:06:07', '2026-03-04T05:06:07.123+01:00', '2026-03-04T25:06:07Z', ''],
};

const ip = [
  ...ADDRESSES.flatMap((text) => [`isIP('${text}')`, `ip('${text}')`, `string(ip('${text}'))`, `ip.isCanonical('${text}')`]),
  ...ADDRESSES.flatMap((text) =>
    ['isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast', 'family'].map(
      (name) => `ip('${text}').${name}()`,
    ),
  ),
  "ip('1.2.3.4') == ip('1.2.3.4')",
  "ip('::1') == ip('0:0::1')",
  'ip(self.s)',
  'isIP(self.long)',
  'ip(1)',
  "ip('1.2.3.4').foo()",
  "ip('1.2.3.4') < ip('1.2.3.5')",
  "[ip('1.2.3.4')]",
  ...BLOCKS.flatMap((text) => [
    `isCIDR('${text}')`,
    `cidr('${text}')`,
    `string(cidr('${text}'))`,
    `cidr('${text}').masked()`,
    `string(cidr('${text}').masked())`,
    `cidr('${text}').prefixLength()`,
    `string(cidr('${text}').ip())`,
    `cidr('${text}').containsIP('10.1.2.3')`,
    `cidr('${text}').containsIP(ip('fd00::1'))`,
    `cidr('${text}').containsCIDR('10.2.0.0/16')`,
    `cidr('${text}').containsCIDR(cidr('10.0.0.0/7'))`,
  ]),
  "cidr('10.0.0.0/8').containsIP('x')",
  "cidr('10.0.0.0/8').containsCIDR('x')",
  "cidr('10.0.0.0/8') == cidr('10.0.0.0/8')",
  "cidr('10.0.0.0/8') == cidr('10.1.0.0/8')",
  "cidr('10.0.0.0/8').containsIP(self.s)",
];

const quantities = [
  ...QUANTITIES.flatMap((text) => [
    `isQuantity('${text}')`,
    `quantity('${text}').isInteger()`,
    `quantity('${text}').asInteger()`,
    `quantity('${text}').asApproximateFloat()`,
    `quantity('${text}').sign()`,
  ]),
  "quantity('1k') == quantity('1000')",
  "quantity('1k').compareTo(quantity('1Ki'))",
  "quantity('1k').isGreaterThan(quantity('1Ki'))",
  "quantity('1k').isLessThan(quantity('1Ki'))",
  "quantity('1k').add(quantity('1Ki')).asInteger()",
  "quantity('1k').add(20).sub(quantity('1500m')).asApproximateFloat()",
  "quantity('1k').sub(2000).sign()",
  "quantity('9223372036854775807').add(1).isInteger()",
  "quantity('1k') < quantity('2k')",
  "quantity('1k') + quantity('2k')",
  'quantity(self.s)',
  "quantity('1k').foo",
  "quantity('1k').add('1')",
];

const versions = [
  ...VERSIONS.flatMap((text) => [
    `isSemver('${text}')`,
    `isSemver('${text}', true)`,
    `semver('${text}').major()`,
    `semver('${text}', true).patch()`,
    `semver('${text}').compareTo(semver('1.2.3'))`,
  ]),
  "semver('1.2.3-alpha') == semver('1.2.3-alpha+x')",
  "semver('1.2.3-alpha.2').isLessThan(semver('1.2.3-alpha.10'))",
  "semver('1.2.3-alpha').isGreaterThan(semver('1.2.3-1'))",
  "semver('v01.02', true).minor()",
  "semver('1.2.3', self.b).minor()",
  'semver(self.s)',
];

const urls = [
  ...URLS.flatMap((text) => [
    `isURL('${text}')`,
    ...['getScheme', 'getHost', 'getHostname', 'getPort', 'getEscapedPath', 'getQuery'].map(
      (name) => `url('${text}').${name}()`,
    ),
  ]),
  "url('http://a/') == url('http://a/')",
  "url('http://a/') == url('http://A/')",
  'url(self.s)',
  "url('http://a/?x=1').getQuery()['x']",
];

const formats = [
  ...Object.entries(FORMATS).flatMap(([name, texts]) =>
    texts.flatMap((text) => [
      `format.${name}().validate('${text}').hasValue()`,
      `format.${name}().validate('${text}').orValue([])`,
    ]),
  ),
  "format.named('dns1123Label').value().validate('A').value()",
  "format.named('nothing').hasValue()",
  'format.named(self.s).hasValue()',
  'format.nothing()',
  'format.dns1123Label().validate(self.long).hasValue()',
  'format.uri().validate(self.long).hasValue()',
  "format.dns1123Label() == format.named('dns1123Label').value()",
  'format.dns1123Label() == format.uuid()',
  'format.dns1123Label()',
];

const others = [
  'authorizer',
  "authorizer.path('/').check('get').allowed()",
  "self.s.path('/')",
  'self.item.name()',
  "jsonpatch.escapeKey('a/b')",
  'Nothing{}',
  'Nothing{a: 1}.a',
  'google.protobuf.Timestamp{}',
  'google.protobuf.Nothing{}',
  'self.s{}',
];

export const KUBERNETES: readonly string[] = [...ip, ...quantities, ...versions, ...urls, ...formats, ...others];

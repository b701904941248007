/** For tests only: requests that no client would send, determined only by the seed. */

export interface WrongRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | undefined;
}

type Numbers = () => number;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
const TYPES = [
  ...['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'text/plain', '', 'a/b;c=d;;'],
  ...['application/json-patch+json', 'application/merge-patch+json', 'application/strategic-merge-patch+json'],
  ...['application/apply-patch+yaml', 'application/apply-patch+cbor'],
];
const ACCEPTS = [
  ...[
    'application/json',
    '*/*',
    '',
    'application/cbor',
    'application/json;as=Table;g=meta.k8s.io;v=v1',
    ';;,,=',
    'application/yaml',
  ],
  ...['application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1', 'application/json;as=Nonsense'],
];
const QUERIES = [
  ...[
    'watch=1&timeoutSeconds=1',
    'limit=-1',
    'limit=1e99',
    'limit=1',
    'continue=%00',
    'continue=e30',
    'dryRun=Some',
    'dryRun=All',
  ],
  ...[
    'labelSelector=a%20in%20(',
    'labelSelector=!!a',
    `labelSelector=${'a%3Db,'.repeat(500)}`,
    'labelSelector=a%20notin%20()',
  ],
  ...[
    'fieldSelector=spec.__proto__%3D1',
    'fieldSelector=%3D%3D',
    'fieldSelector=metadata.name%3Dx',
    'fieldValidation=Perhaps',
  ],
  ...[
    'resourceVersion=-1',
    'resourceVersion=99999999999999999999',
    'resourceVersion=0&resourceVersionMatch=Exact',
    'resourceVersionMatch=No',
  ],
  ...[
    `fieldManager=${'m'.repeat(300)}`,
    'force=maybe',
    'includeObject=All',
    'propagationPolicy=Sideways',
    'gracePeriodSeconds=x',
  ],
  ...[
    'watch=true&sendInitialEvents=true&timeoutSeconds=1',
    'watch=true&resourceVersion=999999999&timeoutSeconds=1',
    '%',
    '=&=&&',
  ],
];
const VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    -1,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER + 2,
    '',
    '\u0000',
    '\ud800',
    'x'.repeat(5000),
    [],
    {},
    [[]],
    [null],
  ],
  ...[
    { toString: 1 },
    { constructor: { prototype: {} } },
    { a: { b: { c: [1, { d: null }] } } },
    '__proto__',
    'default',
  ],
];
const RAW = [
  ...[
    '{',
    '[',
    '"',
    '{"a":',
    'nul',
    '{"__proto__":{"a":1}}',
    '{"metadata":{"__proto__":1}}',
    '[{"op":"add","path":"/__proto__/x","value":1}]',
  ],
  ...[
    '[{"op":"move"}]',
    '[{"op":"nonsense","path":"/a"}]',
    '[{"op":"replace","path":"nowhere","value":1}]',
    '[null]',
    '\ufeff{}',
  ],
  ...[
    'a: &a [*a,*a]',
    'a: !!js/function x',
    '- - - -',
    '? ? ?',
    'k8s\u0000\u0001\u0002',
    'k8s\u0000',
    '{"a":1}{"b":2}',
    '{"a":1,"a":2}',
  ],
  ...[
    '['.repeat(100_000),
    '{"a":'.repeat(5_000),
    `{"spec":{"x":${'['.repeat(900)}${']'.repeat(900)}}}`,
    '[[[[['.repeat(20),
  ],
];

const pick = <T>(next: Numbers, list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;

/** Puts a value that does not belong there at a random place. */
const spoil = (next: Numbers, value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null || (depth > 0 && next() < 0.25)) return pick(next, VALUES);
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  const keys = Object.keys(copy);
  const key =
    keys.length === 0 || next() < 0.2
      ? pick(next, ['spec', 'status', 'x', 'metadata', '0', 'constructor'])
      : pick(next, keys);
  (copy as Record<string, unknown>)[key] = spoil(next, (copy as Record<string, unknown>)[key], depth + 1);
  return copy;
};

const cut = (next: Numbers, bytes: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  const copy = Uint8Array.from(bytes.subarray(0, Math.floor(next() * bytes.length)));
  if (copy.length > 0) copy[Math.floor(next() * copy.length)] = Math.floor(next() * 256);
  return copy;
};

const bodyOf = (next: Numbers, good: object): Uint8Array<ArrayBuffer> => {
  const kind = next();
  if (kind < 0.3) return Uint8Array.from(Buffer.from(pick(next, RAW)));
  if (kind < 0.5) return cut(next, Buffer.from(JSON.stringify(good)));
  if (kind < 0.6) return Uint8Array.from({ length: Math.floor(next() * 200) }, () => Math.floor(next() * 256));
  return Uint8Array.from(Buffer.from(JSON.stringify(spoil(next, good))));
};

/** One request to one of the paths, with a body that is close to `good` or very different. */
export const wrongRequest = (next: Numbers, paths: readonly string[], good: object): WrongRequest => {
  const method = pick(next, METHODS);
  const path =
    pick(next, paths) + (next() < 0.2 ? pick(next, ['/', '/x/y/z', '%00', '%', '/..', '//', '/status', '/scale']) : '');
  const query = next() < 0.6 ? `?${pick(next, QUERIES)}${next() < 0.3 ? `&${pick(next, QUERIES)}` : ''}` : '';
  return {
    method,
    path: path + query,
    headers: { 'content-type': pick(next, TYPES), accept: pick(next, ACCEPTS) },
    body: method === 'GET' || method === 'HEAD' ? undefined : bodyOf(next, good),
  };
};

import { createServer } from 'node:https';
import { listenLocally } from '../../../infra/local/machines/listen.ts';
import { isObject, type JsonObject } from '../../../shared/kube-api/json.ts';
import { makeClusterPems } from '../../../shared/workload/test-server.ts';
import { convertAll } from './hook-conversions.ts';

/** The address of a webhook server. The first segment of the path selects the server's behaviour. */
export interface Hooks {
  url: string;
  caBundle: string;
}

export interface HookServer extends Hooks {
  close(): Promise<void>;
}

interface Reply {
  code?: number;
  /** The fields of `response`, or the whole body as text. */
  response?: JsonObject;
  text?: string;
}

const patched = (operations: unknown, more: JsonObject = {}): Reply => ({
  response: {
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
    ...more,
  },
});

/** Values that differ between the servers. */
const HIDDEN = new Set(['resourceVersion', 'uid', 'creationTimestamp', 'time']);

/** Every leaf of a value with its path, so that requests can be compared field by field. */
const leavesOf = (value: unknown, path: string): [string, string][] => {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item, at) => leavesOf(item, `${path}[${at}]`));
  if (isObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, member]) =>
      HIDDEN.has(key) ? [[`${path}.${key}`, '…'] as [string, string]] : leavesOf(member, `${path}.${key}`),
    );
  }
  return [[path, JSON.stringify(value)]];
};

/** Denies the request and returns all of its fields as causes. */
const tell = (request: JsonObject): Reply => ({
  response: {
    allowed: false,
    status: {
      code: 418,
      reason: 'Told',
      message: 'this is what was asked',
      details: { causes: leavesOf(request, 'request').map(([field, message]) => ({ reason: 'Told', field, message })) },
    },
  },
});

const colorOf = ({ object }: JsonObject): unknown =>
  isObject(object) && isObject(object.spec) ? object.spec.color : undefined;

const BEHAVIOURS: Readonly<Record<string, (request: JsonObject) => Reply>> = {
  allow: () => ({ response: { allowed: true } }),
  warn: () => ({ response: { allowed: true, warnings: ['first warning', 'second warning'] } }),
  deny: () => ({ response: { allowed: false, warnings: ['mind this'] } }),
  'deny-with-message': () => ({ response: { allowed: false, status: { message: 'not today' } } }),
  'deny-with-reason': () => ({ response: { allowed: false, status: { reason: 'Forbidden', code: 403 } } }),
  'deny-with-success': () => ({
    response: { allowed: false, status: { status: 'Success', code: 200, message: 'well' } },
  }),
  'deny-blue': (request) => ({
    response: { allowed: colorOf(request) !== 'blue', status: { message: 'no blue', code: 409, reason: 'Conflict' } },
  }),
  tell,
  'no-response': () => ({ text: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }) }),
  'other-version': () => ({
    text: JSON.stringify({ apiVersion: 'admission.k8s.io/v1beta1', kind: 'AdmissionReview', response: {} }),
  }),
  'in-v1': () => ({
    text: JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { allowed: false, status: { message: 'not in v1' } },
    }),
  }),
  'other-uid': () => ({ response: { uid: 'other', allowed: true } }),
  'patch-without-type': () => ({ response: { allowed: true, patch: Buffer.from('[]').toString('base64') } }),
  'type-without-patch': () => ({ response: { allowed: true, patchType: 'JSONPatch' } }),
  'other-type': () => patched([{ op: 'add', path: '/spec/size', value: 1 }], { patchType: 'Merge' }),
  error: () => ({ code: 500, text: 'broken' }),
  label: () => patched([{ op: 'add', path: '/metadata/labels', value: { by: 'webhook' } }]),
  paint: () => patched([{ op: 'add', path: '/spec/color', value: 'blue' }]),
  grow: ({ object }) => {
    if (!isObject(object)) return { response: { allowed: true } };
    const { size = 0 } = (object.spec ?? {}) as { size?: number };
    return patched([{ op: 'add', path: '/spec/size', value: size + 1 }]);
  },
  follow: ({ object }) => {
    if (!isObject(object)) return { response: { allowed: true } };
    const { size = 0 } = (object.spec ?? {}) as { size?: number };
    const labels = { size: String(size) };
    return patched([{ op: 'add', path: '/metadata/labels', value: labels }]);
  },
  spoil: () => patched([{ op: 'add', path: '/spec/color', value: 'green' }]),
  rename: () => patched([{ op: 'replace', path: '/metadata/name', value: 'other' }]),
  'patch-nothing': () => patched([]),
  undecodable: () => patched({ op: 'add' }),
  'warn-and-label': () =>
    patched([{ op: 'add', path: '/metadata/labels', value: { by: 'webhook' } }], { warnings: ['labelled'] }),
};

const replyTo = (path: string, review: JsonObject): { code: number; body: string } => {
  if (review.kind === 'ConversionReview') return convertAll(review);
  const { request } = review as { request: JsonObject & { uid: string } };
  const behaviour = BEHAVIOURS[path.split(/[/?]/)[1] ?? ''];
  if (!behaviour) return { code: 404, body: '' };
  const { code = 200, text, response } = behaviour(request);
  const answer = {
    apiVersion: review.apiVersion,
    kind: 'AdmissionReview',
    response: { uid: request.uid, ...response },
  };
  return { code, body: text ?? JSON.stringify(answer) };
};

/** Starts a webhook server on a free loopback port for each name. One authority signs all certificates. */
export const startHooks = async (names: readonly string[]): Promise<ReadonlyMap<string, HookServer>> => {
  const { ca, server: pems } = await makeClusterPems();
  const caBundle = Buffer.from(ca.certificatePem).toString('base64');
  const start = async (): Promise<HookServer> => {
    const server = createServer({ cert: pems.certificatePem, key: pems.privateKeyPem }, async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { code, body } = replyTo(request.url ?? '', JSON.parse(Buffer.concat(chunks).toString()) as JsonObject);
      response.writeHead(code, { 'content-type': 'application/json' }).end(body);
    });
    // An API server reuses connections that have been idle for longer than Node's five seconds.
    const { port, close } = await listenLocally(server);
    return { url: `https://127.0.0.1:${port}`, caBundle, close };
  };
  return new Map(await Promise.all(names.map(async (name) => [name, await start()] as const)));
};

import type { Scenario } from '../scenario.ts';
import { get, jsonPatch, mergePatch, post, strategicPatch } from './requests.ts';
import { CONFIG_MAP, EVENT, MACHINE, SECRET } from './subjects.ts';

const uid = '11111111-2222-3333-4444-555555555555';
const owner = (name: string, id: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: id });

const strategic: Scenario = {
  name: 'ConfigMap: is patched strategically',
  steps: (namespace) => {
    const all = CONFIG_MAP.collection(namespace);
    const one = `${all}/one`;
    return [
      post(all, CONFIG_MAP.object('one', { finalizers: ['example.com/a'], ownerReferences: [owner('x', uid)] })),
      strategicPatch(one, { data: { a: '9', c: '3', b: null } }),
      strategicPatch(one, { metadata: { finalizers: ['example.com/b'] } }),
      strategicPatch(one, { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } }),
      strategicPatch(one, { metadata: { ownerReferences: [owner('y', uid.replaceAll('5', '6'))] } }),
      strategicPatch(one, { metadata: { ownerReferences: [{ uid, $patch: 'delete' }] } }),
      strategicPatch(one, { metadata: { ownerReferences: [{ name: 'z' }] } }),
      strategicPatch(one, { data: { $patch: 'replace', only: 'this' } }),
      strategicPatch(one, { data: { $patch: 'sideways' } }),
      strategicPatch(one, { $retainKeys: ['data'], data: { x: 'y' } }),
      strategicPatch(one, { data: ['x'] }),
      strategicPatch(one, '['),
      strategicPatch(one, 'null'),
      strategicPatch(one, { metadata: { $setElementOrder: [] } }),
      strategicPatch(one, { data: null }),
      get(one),
    ];
  },
};

const jsonOperations: Scenario = {
  name: 'Machine: is patched by each operation of a JSON patch',
  steps: (namespace) => {
    const all = MACHINE.collection(namespace);
    const patch = (...operations: object[]) => jsonPatch(`${all}/one`, operations);
    return [
      post(all, MACHINE.object('one', { labels: { a: 'b' } })),
      patch({ op: 'add', path: '/metadata/labels/c', value: 'd' }),
      patch({ op: 'replace', path: '/metadata/labels/missing', value: 'd' }),
      patch({ op: 'copy', from: '/metadata/labels/a', path: '/metadata/labels/e' }),
      patch({ op: 'move', from: '/metadata/labels/e', path: '/metadata/labels/f' }),
      patch({ op: 'test', path: '/metadata/labels/a', value: 'b' }, { op: 'remove', path: '/metadata/labels/a' }),
      patch({ op: 'test', path: '/metadata/labels/a', value: 'b' }),
      patch({ op: 'add', path: '/metadata/annotations/x', value: 'y' }),
      patch({ op: 'add', path: '/metadata/annotations', value: { 'a~b/c': 'd' } }),
      patch({ op: 'remove', path: '/metadata/annotations/a~0b~1c' }),
      patch(
        { op: 'add', path: '/metadata/finalizers', value: [] },
        { op: 'add', path: '/metadata/finalizers/-', value: 'a.b/c' },
      ),
      patch({ op: 'add', path: '/metadata/finalizers/7', value: 'a.b/d' }),
      patch({ op: 'add', path: '/metadata/finalizers/', value: 'a.b/d' }),
      patch({ op: 'remove', path: '/metadata/finalizers/' }),
      patch({ op: 'copy', from: '/metadata/finalizers/', path: '/metadata/annotations/x' }),
      patch({ op: 'remove', path: '/spec' }),
      patch({ op: 'replace', path: '', value: {} }),
      patch({ op: 'add', path: 'no-slash', value: 1 }),
      patch({ op: 'add', path: '/spec/version' }),
      patch({ path: '/spec/version', value: 'x' }),
      jsonPatch(`${all}/one`, 'null'),
      jsonPatch(`${all}/one`, '[]'),
      jsonPatch(`${all}/one`, '[7]'),
      jsonPatch(`${all}/one`, '[{"op":'),
      patch(...Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'Machine' }))),
      get(`${all}/one`),
    ];
  },
};

const immutable: Scenario = {
  name: 'ConfigMap and Secret: are immutable on request',
  steps: (namespace) =>
    [CONFIG_MAP, SECRET].flatMap(({ collection, object }) => [
      post(collection(namespace), { ...object('one'), immutable: true }),
      mergePatch(`${collection(namespace)}/one`, { data: { a: 'eA==' } }),
      mergePatch(`${collection(namespace)}/one`, { immutable: false }),
      mergePatch(`${collection(namespace)}/one`, { immutable: null, data: null }),
      mergePatch(`${collection(namespace)}/one`, { metadata: { labels: { a: 'b' } } }),
    ]),
};

const secrets: Scenario = {
  name: 'Secret: is validated by its type',
  steps: (namespace) => {
    const all = SECRET.collection(namespace);
    const typed = (name: string, type: string, more: object = {}) => ({ ...SECRET.object(name), type, ...more });
    return [
      post(all, typed('a', 'kubernetes.io/tls')),
      post(all, typed('b', 'kubernetes.io/basic-auth')),
      post(all, typed('c', 'kubernetes.io/ssh-auth')),
      post(all, typed('d', 'kubernetes.io/dockerconfigjson', { stringData: { '.dockerconfigjson': '{' } })),
      post(all, typed('e', 'kubernetes.io/dockercfg')),
      post(all, typed('f', 'cluster.x-k8s.io/secret')),
      post(all, typed('g', '', { stringData: { a: 'wins' } })),
      post(all, typed('h', 'x', { data: { a: 'not base64!' } })),
      post(all, typed('i', 'x', { data: { 'not a key!': '' } })),
      post(all, typed('j', 'x', { data: null })),
      post(all, typed('k', 'kubernetes.io/service-account-token')),
      mergePatch(`${all}/f`, { data: { a: null, b: 'MQ==' }, stringData: { b: 'x' } }),
      strategicPatch(`${all}/f`, { stringData: { c: 'y' } }),
    ];
  },
};

const events: Scenario = {
  name: 'Event: has its own rules',
  steps: (namespace) => {
    const all = EVENT.collection(namespace);
    const about = (more: object) => ({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'one', ...more });
    return [
      post(all, { ...EVENT.object('a'), involvedObject: about({ namespace }) }),
      post(all, { ...EVENT.object('b'), involvedObject: about({ namespace: 'other' }) }),
      post(all, { ...EVENT.object('c'), involvedObject: undefined }),
      post(all, {
        ...EVENT.object('d'),
        involvedObject: about({ namespace }),
        eventTime: '2020-01-01T00:00:00.123456Z',
      }),
      post(all, { ...EVENT.object('e'), involvedObject: about({ namespace }), firstTimestamp: 'yesterday' }),
      post(all, { ...EVENT.object('f'), involvedObject: about({ namespace }), firstTimestamp: null }),
      post(all, { ...EVENT.object('g'), involvedObject: about({ namespace }), series: { count: 2 } }),
      strategicPatch(`${all}/a`, { count: 5, lastTimestamp: '2020-01-02T00:00:00Z' }),
    ];
  },
};

export const PATCHES: readonly Scenario[] = [strategic, jsonOperations, immutable, secrets, events];

import type { Scenario } from '../scenario.ts';
import { AS_TABLE, get, jsonPatch, mergePatch, post, put, remove, strategicPatch } from './requests.ts';
import { CONFIG_MAP } from './subjects.ts';

const path = (name: string): string => `/api/v1/namespaces/${name}`;
const object = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...metadata },
});

/** Namespace is the only cluster-scoped kind here. The scenario creates a second namespace in addition to its own. */
export const NAMESPACES: readonly Scenario[] = [
  {
    name: 'Namespace: is created, read and changed',
    steps: (namespace) => {
      const other = `${namespace}-other`;
      return [
        get(path(namespace)),
        get(path(namespace), AS_TABLE),
        get(path('missing')),
        post('/api/v1/namespaces', object(other, { labels: { a: 'b' } })),
        post('/api/v1/namespaces', object(other)),
        post('/api/v1/namespaces', object('Not_A_Name')),
        post('/api/v1/namespaces', object('has.dots')),
        post('/api/v1/namespaces', object('x'.repeat(64))),
        mergePatch(path(other), { metadata: { labels: { c: 'd' } } }),
        strategicPatch(path(other), { metadata: { annotations: { e: 'f' } } }),
        jsonPatch(path(other), [{ op: 'remove', path: '/metadata/labels/a' }]),
        (past) => put(path(other), past[10]?.body),
        put(path(other), object(other)),
        mergePatch(path(other), { metadata: { labels: { 'kubernetes.io/metadata.name': null } } }),
        mergePatch(`${path(other)}/status`, { status: { phase: 'Terminating' } }),
        get(`${path(other)}/status`),
        get(`/api/v1/namespaces?labelSelector=kubernetes.io/metadata.name%3D${other}`),
        get(`/api/v1/namespaces?fieldSelector=status.phase%3DActive,metadata.name%3D${other}`),
        remove('/api/v1/namespaces'),
        remove(path('default')),
        remove(path('missing')),
        remove(`${path(other)}?dryRun=All`),
      ];
    },
  },
  {
    name: 'Namespace: accepts changes and no new objects while it is deleted',
    steps: (namespace) => {
      const other = `${namespace}-other`;
      return [
        post('/api/v1/namespaces', object(other, { finalizers: ['example.com/a'] })),
        remove(path(other)),
        post(CONFIG_MAP.collection(other), CONFIG_MAP.object('late')),
        get(path(other)),
        mergePatch(path(other), { metadata: { labels: { a: 'b' } } }),
        mergePatch(`${path(other)}/status`, { status: { phase: 'Terminating' } }),
        mergePatch(path(other), { metadata: { finalizers: null } }),
        get(path(other)),
      ];
    },
  },
];

import type { JsonObject } from '../../../../shared/kube-api/json.ts';
import type { Scenario } from '../scenario.ts';
import { AS_TABLE, applyPatch, get, jsonPatch, mergePatch, post, put, strategicPatch } from './requests.ts';
import { CONFIG_MAP, MACHINE, type Subject } from './subjects.ts';

/** Nulls in place of the values of a list or map, and resource versions such as `0` or null: Go reads both as empty. */

const RBAC = 'rbac.authorization.k8s.io/v1';
const RULE = { verbs: ['get'], apiGroups: [''], resources: ['x'] };
const ADMIN = { kind: 'ClusterRole', name: 'admin' };

const METADATA: readonly JsonObject[] = [
  { finalizers: [null] },
  { ownerReferences: [null] },
  { ownerReferences: [{}] },
  { ownerReferences: [{ apiVersion: null, kind: null, name: null, uid: null }] },
  { labels: { a: null }, annotations: { b: null } },
  { resourceVersion: '0' },
  { resourceVersion: null },
  { generateName: null, uid: null, selfLink: null },
];

const metadata = ({ title, collection, object }: Subject): Scenario => ({
  name: `${title}: has nulls in its metadata`,
  steps: (namespace) => {
    const all = collection(namespace);
    return [
      ...METADATA.map((given, index) => post(all, object(`n${index}`, given))),
      post(all, object('one')),
      ...METADATA.map((given) => mergePatch(`${all}/one`, { metadata: given })),
      put(`${all}/one`, object('one', { resourceVersion: '0' })),
      jsonPatch(`${all}/one`, [{ op: 'remove', path: '/metadata/resourceVersion' }]),
      applyPatch(`${all}/two?fieldManager=m`, object('two', { resourceVersion: '0' })),
    ];
  },
});

/** Each kind in its own scenario, because Windlass counts the versions of each kind separately. */
const lists: readonly [kind: string, group: string, plural: string, bodies: readonly JsonObject[]][] = [
  ['Role', RBAC, 'roles', [{ rules: [{ ...RULE, verbs: [null] }] }, { rules: [null] }, { rules: [RULE] }]],
  [
    'RoleBinding',
    RBAC,
    'rolebindings',
    [
      { roleRef: ADMIN, subjects: [null] },
      { roleRef: ADMIN, subjects: null },
      { roleRef: ADMIN, subjects: [] },
    ],
  ],
  ['ServiceAccount', 'v1', 'serviceaccounts', [{ secrets: [{ name: 'a', namespace: null }] }]],
  ['ConfigMap', 'v1', 'configmaps', [{ data: { a: null }, binaryData: { b: null } }]],
  ['Secret', 'v1', 'secrets', [{ data: { a: null }, stringData: { b: null } }, { data: { a: 'e\nA==\r\n' } }]],
];

const contents = ([kind, apiVersion, plural, bodies]: (typeof lists)[number]): Scenario => ({
  name: `${kind}: has nulls in its lists and maps`,
  steps: (namespace) => {
    const all = `/${apiVersion === 'v1' ? 'api' : 'apis'}/${apiVersion}/namespaces/${namespace}/${plural}`;
    const object = (body: object, index: number) => ({ apiVersion, kind, metadata: { name: `n${index}` }, ...body });
    return [...bodies.map((body, index) => post(all, object(body, index))), get(all, AS_TABLE)];
  },
});

const quotas: Scenario = {
  name: 'ResourceQuota: has unusual quantities',
  steps: (namespace) => {
    const all = `/api/v1/namespaces/${namespace}/resourcequotas`;
    const quota = (name: string, spec?: object | null) => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name },
      spec,
    });
    const limit = (configmaps: unknown) => ({ hard: { configmaps } });
    return [
      post(all, quota('a', limit(null))),
      get(`${all}/a`),
      post(all, quota('b', { hard: null })),
      post(all, quota('c', {})),
      post(all, quota('d')),
      post(all, quota('e', limit('5'))),
      mergePatch(`${all}/e`, { spec: limit(null) }),
      strategicPatch(`${all}/e`, { spec: { hard: { secrets: 3, configmaps: '2' } } }),
      strategicPatch(`${all}/e`, { spec: { hard: { secrets: null } } }),
      put(`${all}/e`, quota('e', { hard: { configmaps: null, secrets: '1' } })),
      jsonPatch(`${all}/e`, [{ op: 'add', path: '/spec/hard/configmaps', value: null }]),
      applyPatch(`${all}/f?fieldManager=m`, quota('f', limit(null))),
      applyPatch(`${all}/f?fieldManager=m`, quota('f', { hard: {} })),
      ...[-1, '1k', '1e3', '1Ki', '1 ', '0', 7].map((given, index) => post(all, quota(`q${index}`, limit(given)))),
    ];
  },
};

export const NULLS: readonly Scenario[] = [...[MACHINE, CONFIG_MAP].map(metadata), ...lists.map(contents), quotas];

import type { JsonObject } from '../../../../shared/kube-api/json.ts';
import type { Scenario } from '../scenario.ts';
import { AS_PARTIAL, AS_TABLE, applyPatch, get, mergePatch, post, remove, send, strategicPatch } from './requests.ts';

/** Built-in kinds that the other tables do not contain, from creation to deletion and in every representation. */

interface Kind {
  apiVersion: string;
  kind: string;
  /** The path of the collection, with `{namespace}` if the kind is namespaced. */
  path: string;
  body: JsonObject;
}

const ADMISSION = 'admissionregistration.k8s.io/v1';
const RBAC = 'rbac.authorization.k8s.io/v1';

/** A rule for a group that does not exist, so that it affects no other scenario. */
const NOWHERE = {
  apiGroups: ['none.example.com'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['nones'],
};
const HOOK = {
  name: 'a.example.com',
  clientConfig: { url: 'https://127.0.0.1:1/x' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [NOWHERE],
};
const RULE = { verbs: ['get'], apiGroups: [''], resources: ['x'] };
const INSIDE = `/apis/${RBAC}/namespaces/{namespace}`;

const KINDS: readonly Kind[] = [
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    path: '/api/v1/namespaces/{namespace}/resourcequotas',
    body: { spec: { hard: { configmaps: '5', secrets: '3' } } },
  },
  { apiVersion: RBAC, kind: 'Role', path: `${INSIDE}/roles`, body: { rules: [RULE] } },
  { apiVersion: RBAC, kind: 'ClusterRole', path: `/apis/${RBAC}/clusterroles`, body: { rules: [RULE] } },
  {
    apiVersion: RBAC,
    kind: 'RoleBinding',
    path: `${INSIDE}/rolebindings`,
    body: { roleRef: { kind: 'Role', name: 'a' }, subjects: [{ kind: 'User', name: 'u' }] },
  },
  {
    apiVersion: RBAC,
    kind: 'ClusterRoleBinding',
    path: `/apis/${RBAC}/clusterrolebindings`,
    body: { roleRef: { kind: 'ClusterRole', name: 'a' }, subjects: [{ kind: 'Group', name: 'g' }] },
  },
  ...['Validating', 'Mutating'].map((sort) => ({
    apiVersion: ADMISSION,
    kind: `${sort}WebhookConfiguration`,
    path: `/apis/${ADMISSION}/${sort.toLowerCase()}webhookconfigurations`,
    body: { webhooks: [HOOK] },
  })),
  {
    apiVersion: ADMISSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    path: `/apis/${ADMISSION}/validatingadmissionpolicybindings`,
    body: { spec: { policyName: 'x', validationActions: ['Deny'] } },
  },
];

const life = ({ apiVersion, kind, path, body }: Kind): Scenario => ({
  name: `${kind}: lives`,
  steps: (namespace) => {
    const all = path.replace('{namespace}', namespace);
    const name = `${namespace}-one`;
    const one = `${all}/${name}`;
    const object = { apiVersion, kind, metadata: { name }, ...body };
    return [
      post(`${all}?dryRun=All`, object),
      post(all, object),
      get(one, AS_TABLE),
      get(one, AS_PARTIAL),
      send('HEAD', one),
      mergePatch(one, { metadata: { labels: { a: 'b' } } }),
      applyPatch(`${one}?fieldManager=m&force=true`, object),
      strategicPatch(one, { metadata: { labels: { c: 'd' } } }),
      get(`${all}?labelSelector=c%3Dd&fieldSelector=metadata.name%3D${name}`, AS_TABLE),
      get(`${all}?fieldSelector=spec.x%3D1`),
      mergePatch(one, { metadata: { finalizers: ['example.com/a'] } }),
      remove(one),
      get(one, AS_TABLE),
      mergePatch(one, { metadata: { finalizers: null } }),
      post(all, { ...object, bogus: 1 }),
      remove(`${one}?gracePeriodSeconds=0`),
      get(one),
    ];
  },
});

export const CLUSTER_KINDS: readonly Scenario[] = KINDS.map(life);

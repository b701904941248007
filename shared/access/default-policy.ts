import type { ClusterRole, ClusterRoleBinding, PolicyRule } from '../kinds/index.ts';
import { RBAC_GROUP } from '../kinds/schema/rbac.ts';
import type { ResourceDefinition } from '../kube-api/resource.ts';
import { ADOPT } from './adopt-verb.ts';
import { AUTHENTICATED, EDITORS, MASTERS, MONITORING, VIEWERS } from './masters.ts';

/**
 * The default roles and bindings: those of Kubernetes, for the served kinds. `view` reads everything but Secrets,
 * `edit` writes namespaced objects, `admin` can also bind these roles to others.
 */

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const EVERY_VERB = [...READ, ...WRITE].sort();

const AGGREGATE = 'rbac.authorization.k8s.io/aggregate-to-';

/** Upstream's annotation: missing parts of these objects are restored unless it is set to `false`. */
export const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate';
const BOOTSTRAPPING = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

const rule = (apiGroup: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources: [...resources].sort(),
  verbs: [...verbs],
});

const metadata = (name: string, labels: Record<string, string> = {}) => ({
  name,
  labels: { ...BOOTSTRAPPING, ...labels },
  annotations: { [AUTO_UPDATE]: 'true' },
});

const clusterRole = (name: string, rules: PolicyRule[], aggregatedTo?: string): ClusterRole => ({
  apiVersion: `${RBAC_GROUP}/v1`,
  kind: 'ClusterRole',
  metadata: metadata(name, aggregatedTo ? { [`${AGGREGATE}${aggregatedTo}`]: 'true' } : {}),
  rules,
});

const aggregated = (name: string, aggregatedTo?: string): ClusterRole => ({
  ...clusterRole(name, [], aggregatedTo),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [`${AGGREGATE}${name}`]: 'true' } }] },
});

const toGroup = (role: string, group: string, name = role): ClusterRoleBinding => ({
  apiVersion: `${RBAC_GROUP}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: metadata(name),
  subjects: [{ apiGroup: RBAC_GROUP, kind: 'Group', name: group }],
  roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: role },
});

const readable = ({ plural, statusSubresource, scale }: ResourceDefinition): string[] => [
  plural,
  ...(statusSubresource ? [`${plural}/status`] : []),
  ...(scale ? [`${plural}/scale`] : []),
];

/** Without `status`, which only controllers write. */
const writable = ({ plural, scale }: ResourceDefinition): string[] => [plural, ...(scale ? [`${plural}/scale`] : [])];

/** One rule for each group of Cluster API and its providers. */
const rulesByGroup = (
  kinds: readonly ResourceDefinition[],
  resourcesOf: (kind: ResourceDefinition) => string[],
  verbs: readonly string[],
): PolicyRule[] =>
  [...Map.groupBy(kinds, ({ group }) => group)].map(([group, ofGroup]) =>
    rule(group, [...new Set(ofGroup.flatMap(resourcesOf))], verbs),
  );

const isOfClusterApi = ({ group }: ResourceDefinition): boolean => group.endsWith('cluster.x-k8s.io');

const DISCOVERY = ['/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez', '/openapi', '/openapi/*', '/readyz'];
const PUBLIC = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

const reviews = ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'];

/** For every authenticated user: public information, and their own rights. */
const basicRoles = (): ClusterRole[] => [
  clusterRole('system:basic-user', [
    rule('authorization.k8s.io', reviews, ['create']),
    rule('authentication.k8s.io', ['selfsubjectreviews'], ['create']),
  ]),
  clusterRole('system:discovery', [{ nonResourceURLs: [...DISCOVERY, '/version', '/version/'], verbs: ['get'] }]),
  clusterRole('system:public-info-viewer', [{ nonResourceURLs: PUBLIC, verbs: ['get'] }]),
  // Definitions of kinds reveal no more than discovery does, and clusterctl needs them.
  clusterRole('windlass:discovery', [rule('apiextensions.k8s.io', ['customresourcedefinitions'], READ)]),
];

/** The path that Prometheus requests. Upstream's role has other paths that are not served here. */
const monitoringRole = (): ClusterRole =>
  clusterRole('system:monitoring', [
    {
      nonResourceURLs: ['/healthz', '/healthz/*', '/livez', '/livez/*', '/metrics', '/readyz', '/readyz/*'],
      verbs: ['get'],
    },
  ]);

/** As in upstream, users can read the quotas that limit them, but only administrators can write them. */
const READ_BY_ALL = [
  'configmaps',
  'events',
  'namespaces',
  'resourcequotas',
  'resourcequotas/status',
  'serviceaccounts',
];

const aggregatedRoles = (kinds: readonly ResourceDefinition[]): ClusterRole[] => {
  const clusterApi = kinds.filter(isOfClusterApi);
  const inNamespaces = clusterApi.filter(({ namespaced }) => namespaced);
  return [
    clusterRole('system:aggregate-to-view', [rule('', READ_BY_ALL, READ)], 'view'),
    clusterRole('windlass:aggregate-to-view', rulesByGroup(clusterApi, readable, READ), 'view'),
    clusterRole(
      'system:aggregate-to-edit',
      [
        rule('', ['secrets'], EVERY_VERB),
        rule('', ['configmaps', 'events', 'serviceaccounts'], WRITE),
        rule('', ['serviceaccounts'], ['impersonate']),
        rule('coordination.k8s.io', ['leases'], EVERY_VERB),
      ],
      'edit',
    ),
    clusterRole('windlass:aggregate-to-edit', rulesByGroup(inNamespaces, writable, WRITE), 'edit'),
    clusterRole(
      'system:aggregate-to-admin',
      [
        rule('authorization.k8s.io', ['localsubjectaccessreviews'], ['create']),
        rule(RBAC_GROUP, ['roles', 'rolebindings'], EVERY_VERB),
      ],
      'admin',
    ),
    // A user who creates objects for existing resources sets the fields that controllers otherwise fill in
    // (admit-own.ts).
    clusterRole(
      'windlass:aggregate-to-admin',
      [rule('', ['configmaps', 'secrets'], [ADOPT]), ...rulesByGroup(inNamespaces, ({ plural }) => [plural], [ADOPT])],
      'admin',
    ),
    aggregated('view', 'edit'),
    aggregated('edit', 'admin'),
    aggregated('admin'),
  ];
};

export const defaultClusterRoles = (kinds: readonly ResourceDefinition[]): ClusterRole[] => [
  clusterRole('cluster-admin', [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ]),
  ...basicRoles(),
  monitoringRole(),
  ...aggregatedRoles(kinds),
];

export const defaultClusterRoleBindings = (): ClusterRoleBinding[] => [
  toGroup('cluster-admin', MASTERS),
  toGroup('edit', EDITORS, EDITORS),
  toGroup('view', VIEWERS, VIEWERS),
  toGroup('system:monitoring', MONITORING),
  ...basicRoles().map(({ metadata: { name } }) => toGroup(name, AUTHENTICATED)),
];

import type { Attributes, User } from '../../../../shared/kube-api/server/user.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { clusterRoleBinding } from './kinds.ts';

interface Rule {
  verbs: readonly string[];
  group?: string;
  resources: readonly string[];
  /** Only objects with these names. */
  names?: readonly string[];
  namespace?: string;
  subresources?: readonly string[];
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete'];

const matches = (rule: Rule, { verb, group = '', resource = '', subresource, namespace, name }: Attributes): boolean =>
  rule.verbs.includes(verb) &&
  (rule.group ?? '') === group &&
  rule.resources.includes(resource) &&
  (rule.subresources ?? ['']).includes(subresource ?? '') &&
  (rule.names === undefined || rule.names.includes(name ?? '')) &&
  (rule.namespace === undefined || rule.namespace === namespace);

const CERTIFICATES: Rule = {
  verbs: ['create', ...READ],
  group: 'certificates.k8s.io',
  resources: ['certificatesigningrequests'],
};

/**
 * The permissions that kubeadm's bootstrap-token phase and the roles system:node-bootstrapper and kubeadm:get-nodes
 * grant.
 */
const BOOTSTRAPPER: readonly Rule[] = [
  CERTIFICATES,
  { verbs: ['get'], resources: ['nodes'] },
  {
    verbs: ['get'],
    resources: ['configmaps'],
    namespace: 'kube-system',
    names: ['kubeadm-config', 'kubelet-config', 'kube-proxy'],
  },
];

const LEASE = { group: 'coordination.k8s.io', resources: ['leases'], namespace: 'kube-node-lease' };

/** The node authorizer and NodeRestriction, without their graph of the objects that pods mount. */
const nodeRules = (name: string): readonly Rule[] => [
  CERTIFICATES,
  { verbs: READ, resources: ['nodes', 'services', 'pods', 'configmaps', 'secrets'] },
  { verbs: ['create'], resources: ['nodes', 'pods', 'events'] },
  { verbs: WRITE, resources: ['nodes'], names: [name], subresources: ['', 'status'] },
  { verbs: WRITE, resources: ['pods'], subresources: ['', 'status', 'eviction'] },
  { verbs: ['update', 'patch'], resources: ['events'] },
  { ...LEASE, verbs: ['create'] },
  { ...LEASE, verbs: ['get', ...WRITE], names: [name] },
];

const EVERYONE: readonly Rule[] = [
  { verbs: ['get'], resources: ['configmaps'], namespace: 'kube-public', names: ['cluster-info'] },
];

const NODE_USER = 'system:node:';

const rulesOf = ({ name, groups }: User): readonly Rule[] => [
  ...EVERYONE,
  ...(groups.includes('system:bootstrappers') ? BOOTSTRAPPER : []),
  ...(groups.includes('system:nodes') && name.startsWith(NODE_USER) ? nodeRules(name.slice(NODE_USER.length)) : []),
];

const MASTERS = 'system:masters';

/**
 * The role system:public-info-viewer, and, for authenticated users, the roles system:discovery and system:basic-user.
 */
const PUBLIC_PATHS = /^\/(healthz|livez|readyz|version)(\/|$)/;
const KNOWN_PATHS =
  /^\/(api|apis|openapi)(\/[^/]+)?(\/[^/]+)?\/?$|^\/openapi\/|^\/apis\/(authentication|authorization)\.k8s\.io\/v1\//;

const mayUsePath = (groups: readonly string[], path: string): boolean =>
  PUBLIC_PATHS.test(path) || (groups.includes('system:authenticated') && KNOWN_PATHS.test(path));

/** The names of the groups that the cluster binds to cluster-admin. */
export type AdminGroups = () => Promise<readonly string[]>;

/** Reads the ClusterRoleBindings of a workload cluster, the only RBAC objects that are evaluated. */
export const boundAdminGroups =
  (objects: Pick<ObjectClient, 'list'>): AdminGroups =>
  async () =>
    (await objects.list(clusterRoleBinding))
      .filter(({ roleRef }) => roleRef?.name === 'cluster-admin')
      .flatMap(({ subjects = [] }) => subjects.filter(({ kind }) => kind === 'Group').map(({ name }) => name));

/**
 * Authorization with a fixed set of rules instead of RBAC, whose objects are stored but not evaluated, except for the
 * administrators. Paths that are not resources are checked with `path`.
 */
export const makeAuthorize =
  (adminGroups: AdminGroups) =>
  async (user: User, attributes: Attributes): Promise<boolean> => {
    if (user.groups.includes(MASTERS)) return true;
    const isAllowed =
      attributes.path === undefined
        ? rulesOf(user).some((rule) => matches(rule, attributes))
        : mayUsePath(user.groups, attributes.path);
    if (isAllowed) return true;
    const admins = await adminGroups();
    return user.groups.some((group) => admins.includes(group));
  };

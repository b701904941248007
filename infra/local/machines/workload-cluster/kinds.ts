import { configMap } from '../../../../shared/kinds/config-map/definition.ts';
import { event } from '../../../../shared/kinds/event/definition.ts';
import { namespace } from '../../../../shared/kinds/namespace/definition.ts';
import { secret } from '../../../../shared/kinds/secret/definition.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { OpenApiSchema, PrinterColumn, ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { age, leaseColumns, nodeColumns, podColumns, serviceColumns, signingRequestColumns } from './columns.ts';
import type { CertificateSigningRequest, ClusterRoleBinding, Lease, Node, Pod } from './objects.ts';
import { completeService, type Service } from './service-object.ts';
import type { Budget, DaemonSet, Deployment, ReplicaSet } from './workloads.ts';

const OPEN: OpenApiSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const mergedBy = (key: string): OpenApiSchema => ({
  type: 'array',
  items: OPEN,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': [key],
  'x-kubernetes-patch-merge-key': key,
  'x-kubernetes-patch-strategy': 'merge',
});

const withStatus = (...lists: [name: string, key: string][]): OpenApiSchema => ({
  ...OPEN,
  properties: {
    status: { ...OPEN, properties: Object.fromEntries(lists.map(([name, key]) => [name, mergedBy(key)])) },
  },
});

interface KindOptions {
  shortNames?: readonly string[];
  namespaced?: boolean;
  statusSubresource?: boolean;
  schema?: OpenApiSchema;
  columns?: readonly PrinterColumn[];
  selectableFields?: readonly string[];
}

type Extra<T extends KubeObject> = KindOptions &
  Pick<ResourceDefinition<T>, 'graceSeconds' | 'actions' | 'default' | 'initialStatus'>;

/** Fields are not validated: this server may accept objects that a real API server refuses (infra/local/SUPPORT.md). */
export const define = <T extends KubeObject>(
  apiVersion: string,
  kind: string,
  plural: string,
  options: Extra<T> = {},
): ResourceDefinition<T> => {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return {
    group,
    version,
    kind,
    plural,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    statusSubresource: false,
    schema: OPEN,
    columns: [age],
    builtIn: true,
    ...options,
  };
};

export const clusterScoped = { namespaced: false };

export const node = define<Node>('v1', 'Node', 'nodes', {
  ...clusterScoped,
  shortNames: ['no'],
  statusSubresource: true,
  schema: withStatus(['conditions', 'type'], ['addresses', 'type']),
  columns: nodeColumns,
  selectableFields: ['spec.unschedulable'],
});

/** A pod is ended by its kubelet, unless it has none or is already over (pkg/registry/core/pod/strategy.go). */
const podGraceSeconds = ({ spec, status }: Pod, asked: number | undefined): number => {
  if (!spec?.nodeName || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
  const wanted = asked ?? spec.terminationGracePeriodSeconds;
  if (typeof wanted !== 'number') return 30;
  return wanted < 0 ? 1 : wanted;
};

export const pod = define<Pod>('v1', 'Pod', 'pods', {
  shortNames: ['po'],
  statusSubresource: true,
  schema: withStatus(['conditions', 'type']),
  columns: podColumns,
  selectableFields: ['spec.nodeName', 'status.phase'],
  graceSeconds: podGraceSeconds,
});

export const lease = define<Lease>('coordination.k8s.io/v1', 'Lease', 'leases', { columns: leaseColumns });

export const certificateSigningRequest = define<CertificateSigningRequest>(
  'certificates.k8s.io/v1',
  'CertificateSigningRequest',
  'certificatesigningrequests',
  { ...clusterScoped, shortNames: ['csr'], statusSubresource: true, columns: signingRequestColumns },
);

export const serviceAccount = define('v1', 'ServiceAccount', 'serviceaccounts', { shortNames: ['sa'] });
export const service = define<Service>('v1', 'Service', 'services', {
  shortNames: ['svc'],
  statusSubresource: true,
  columns: serviceColumns,
  default: completeService,
  initialStatus: () => ({ loadBalancer: {} }),
});
export const replicaSet = define<ReplicaSet>('apps/v1', 'ReplicaSet', 'replicasets', {
  shortNames: ['rs'],
  statusSubresource: true,
});
export const podDisruptionBudget = define<Budget>('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets', {
  shortNames: ['pdb'],
  statusSubresource: true,
});
export const deployment = define<Deployment>('apps/v1', 'Deployment', 'deployments', {
  shortNames: ['deploy'],
  statusSubresource: true,
});
export const daemonSet = define<DaemonSet>('apps/v1', 'DaemonSet', 'daemonsets', {
  shortNames: ['ds'],
  statusSubresource: true,
});

export const persistentVolume = define('v1', 'PersistentVolume', 'persistentvolumes', {
  ...clusterScoped,
  shortNames: ['pv'],
  statusSubresource: true,
});
export const persistentVolumeClaim = define('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', {
  shortNames: ['pvc'],
  statusSubresource: true,
});
export const volumeAttachment = define('storage.k8s.io/v1', 'VolumeAttachment', 'volumeattachments', {
  ...clusterScoped,
  statusSubresource: true,
});

const RBAC = 'rbac.authorization.k8s.io/v1';
export const role = define(RBAC, 'Role', 'roles');
export const roleBinding = define(RBAC, 'RoleBinding', 'rolebindings');
export const clusterRole = define(RBAC, 'ClusterRole', 'clusterroles', clusterScoped);
export const clusterRoleBinding = define<ClusterRoleBinding>(
  RBAC,
  'ClusterRoleBinding',
  'clusterrolebindings',
  clusterScoped,
);

export { configMap, event, namespace, secret };

import { type ApiClient, isMissing, isTaken, type Json, MERGE_PATCH } from './api-client.ts';
import type { Taint } from './config.ts';
import { section, sections } from './fields.ts';
import { ADMINS_OF_KUBEADM } from './version.ts';

/** Objects that kubeadm writes with its admin certificate. */

/** Creates an object or replaces an existing one. */
export const put = async (api: ApiClient, collection: string, object: Json): Promise<void> => {
  const name = String(section(object, 'metadata').name);
  try {
    await api.call('POST', collection, object);
  } catch (error) {
    if (!isTaken(error)) throw error;
    const current = await api.call('GET', `${collection}/${name}`);
    const metadata = { ...section(current, 'metadata'), ...section(object, 'metadata') };
    await api.call('PUT', `${collection}/${name}`, { ...object, metadata });
  }
};

export const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;

export const configMap = (namespace: string, name: string, data: Record<string, string>): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});

const CONTROL_PLANE: Taint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };

const CONTROL_PLANE_LABELS = {
  'node-role.kubernetes.io/control-plane': '',
  'node.kubernetes.io/exclude-from-external-load-balancers': '',
};

/**
 * The mark-control-plane phase: labels the node and sets the taints of its registration, by default the one that keeps
 * workloads away. Resolves to undefined if the node is not registered yet, so that it can be retried.
 */
export const markControlPlane = async (
  api: ApiClient,
  nodeName: string,
  taints: Taint[] | undefined,
): Promise<true | undefined> => {
  const path = `/api/v1/nodes/${nodeName}`;
  let node: Json;
  try {
    node = await api.call('GET', path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const wanted = taints ?? [CONTROL_PLANE];
  const present = sections(section(node, 'spec'), 'taints');
  const others = present.filter((one) => !wanted.some(({ key, effect }) => key === one.key && effect === one.effect));
  const merged = [...others, ...wanted.map(({ key, value, effect }) => ({ key, ...(value ? { value } : {}), effect }))];
  const { resourceVersion } = section(node, 'metadata');
  const patch = { metadata: { resourceVersion, labels: CONTROL_PLANE_LABELS }, spec: { taints: merged } };
  await api.call('PATCH', path, patch, MERGE_PATCH);
  return true;
};

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

const binding = (name: string, role: string, group: string): Json => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }],
});

const TOKEN_GROUP = 'system:bootstrappers:kubeadm:default-node-token';

/**
 * The bindings that init creates. The simulated authorizer reads only that of the administrators; users and tools read
 * all.
 */
export const putBindings = async (api: ApiClient, admins: string): Promise<void> => {
  const bindings = [
    ...(admins === ADMINS_OF_KUBEADM ? [binding(admins, 'cluster-admin', admins)] : []),
    binding('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', TOKEN_GROUP),
    binding(
      'kubeadm:node-autoapprove-bootstrap',
      'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
      TOKEN_GROUP,
    ),
    binding(
      'kubeadm:node-autoapprove-certificate-rotation',
      'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
      'system:nodes',
    ),
  ];
  for (const one of bindings) await put(api, `${RBAC}/clusterrolebindings`, one);
};

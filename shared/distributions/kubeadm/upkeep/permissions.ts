import { parseVersion } from '../../../kinds/rules/version.ts';
import type { AnyObject } from '../../../workload/client.ts';

const GROUP = 'rbac.authorization.k8s.io';

const binding = (name: string, role: string, subject: { kind: 'User' | 'Group'; name: string }): AnyObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: GROUP, ...subject }],
});

/**
 * What kubeadm has granted since: `kubeadm upgrade` would make these bindings in a cluster that is older than they are,
 * and a machine that joins needs them. Its administrator is of a group of kubeadm's own from 1.29, its API server is no
 * system:masters to the kubelets from 1.37 (upstream: workload_cluster_rbac.go, which begins a few versions earlier).
 */
export const permissionsFor = (version: string): AnyObject[] => {
  const { minor } = parseVersion(version) ?? { minor: 0 };
  return [
    ...(minor >= 29
      ? [binding('kubeadm:cluster-admins', 'cluster-admin', { kind: 'Group', name: 'kubeadm:cluster-admins' })]
      : []),
    binding('kubeadm:apiserver-kubelet-client', 'system:kubelet-api-admin', {
      kind: 'User',
      name: 'kube-apiserver-kubelet-client',
    }),
  ];
};

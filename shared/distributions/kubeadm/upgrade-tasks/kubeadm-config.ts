import {
  StoredConfigurationError,
  updatedConfiguration,
  type WantedConfiguration,
} from '../../../bootstrap/kubeadm/stored-configuration.ts';
import type { ControlPlane } from '../../../kinds/contract-objects.ts';
import type { KubeadmControlPlane } from '../../../kinds/index.ts';
import { parseVersion } from '../../../kinds/rules/bootstrap/version.ts';
import type { AnyObject } from '../../../workload/client.ts';
import { type Change, type UpgradeTask, UpgradeTaskRefusedError } from '../../upgrade-tasks.ts';

const GROUP = 'rbac.authorization.k8s.io';

const binding = (name: string, role: string, subject: { kind: 'User' | 'Group'; name: string }): AnyObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: GROUP, ...subject }],
});

/**
 * Permissions that newer versions of kubeadm grant. `kubeadm upgrade` would create these bindings in an older cluster,
 * and a joining machine needs them. From 1.29, kubeadm's administrator is in a group of its own; from 1.37, its API
 * server is no longer in system:masters for the kubelets (upstream: workload_cluster_rbac.go, which begins a few
 * versions earlier).
 */
const permissionsFor = (version: string): AnyObject[] => {
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

const KEY = 'ClusterConfiguration';

/** kubeadm uploads its ClusterConfiguration to this ConfigMap, and reads it when a machine joins. */
export const KUBEADM_CONFIG: AnyObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kubeadm-config', namespace: 'kube-system' },
};

/** A change of the configuration in the ConfigMap, or none. Throws UpgradeTaskRefusedError if it cannot be read. */
export const changeConfiguration = (
  found: AnyObject | undefined,
  change: (text: string) => string | undefined,
): Change[] => {
  const data = found?.data as Record<string, string> | undefined;
  const text = data?.[KEY];
  if (!found || text === undefined) {
    throw new UpgradeTaskRefusedError(
      `ConfigMap kube-system/kubeadm-config has no ${KEY}, so that no machine could join`,
    );
  }
  try {
    const next = change(text);
    return next === undefined ? [] : [{ replace: { ...found, data: { ...data, [KEY]: next } } }];
  } catch (error) {
    if (error instanceof StoredConfigurationError) throw new UpgradeTaskRefusedError(error.message, { cause: error });
    throw error;
  }
};

const wantedBy = (controlPlane: ControlPlane): WantedConfiguration => {
  const { version, kubeadmConfigSpec } = (controlPlane as KubeadmControlPlane).spec;
  return {
    version,
    configuration: kubeadmConfigSpec?.clusterConfiguration,
    timeouts: kubeadmConfigSpec?.initConfiguration?.timeouts,
  };
};

/** What a joining machine must find: the permissions for its version of kubeadm, and the configuration. */
export const beforeRollout: UpgradeTask = {
  objects: [KUBEADM_CONFIG],
  plan: (controlPlane, [found]) => [
    ...permissionsFor(controlPlane.spec.version).map((ensure) => ({ ensure })),
    ...changeConfiguration(found, (text) => updatedConfiguration(text, wantedBy(controlPlane))),
  ],
};

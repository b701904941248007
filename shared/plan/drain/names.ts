/** Names with which users control the deletion of a machine, as in Cluster API. */
export const PRE_DRAIN_HOOK = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
export const PRE_TERMINATE_HOOK = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';

/**
 * The hook with which Cluster API's control planes keep a machine until its etcd member is gone. Here the workflow does
 * that.
 */
export const CONTROL_PLANE_HOOKS: readonly string[] = ['kcp-cleanup', 'rke2-cleanup'].map(
  (name) => `${PRE_TERMINATE_HOOK}/${name}`,
);

export const EXCLUDE_DRAIN = 'machine.cluster.x-k8s.io/exclude-node-draining';
export const EXCLUDE_VOLUMES = 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach';

/** The label of a pod that determines its drain behaviour: `skip` or `wait-completed`. */
export const DRAIN_LABEL = 'cluster.x-k8s.io/drain';

/** The annotation of a mirror pod, which the kubelet runs by itself. */
export const MIRROR_POD = 'kubernetes.io/config.mirror';

/** Some of the names, and the number of the others. */
export const nameSome = (names: readonly string[], most: number): string =>
  [...names.slice(0, most), ...(names.length > most ? [`... (${names.length - most} more)`] : [])].join(', ');

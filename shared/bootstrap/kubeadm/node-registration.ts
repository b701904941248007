import type { Fields } from './document.ts';
import type { Args, NodeRegistrationOptions, Taint } from './spec.ts';
import type { KubeadmApi } from './version.ts';

/**
 * Keeps pods off a new worker until the Machine's labels have been copied to its Node. The step that confirms the node
 * then removes it (Cluster API's NodeUninitializedTaint).
 */
const UNINITIALIZED_TAINT: Taint = { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' };

/** `extraArgs`: in v1beta4 a list; in v1beta3 a map, in which the last of two arguments with the same name is used. */
export const args = (api: KubeadmApi, list: Args | undefined): unknown => {
  if (list === undefined) return undefined;
  if (api === 'kubeadm.k8s.io/v1beta4') return list.map(({ name, value }) => ({ name, value }));
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
};

/**
 * `nodeRegistration` in both configurations. v1beta3 does not have `imagePullSerial`; as in upstream, it is left out
 * there.
 */
export const nodeRegistration = (api: KubeadmApi, options: NodeRegistrationOptions | undefined): Fields => ({
  name: options?.name,
  criSocket: options?.criSocket,
  taints: options?.taints,
  kubeletExtraArgs: args(api, options?.kubeletExtraArgs),
  ignorePreflightErrors: options?.ignorePreflightErrors,
  imagePullPolicy: options?.imagePullPolicy,
  imagePullSerial: api === 'kubeadm.k8s.io/v1beta4' ? options?.imagePullSerial : undefined,
});

/** The options of a worker: the user's, plus the uninitialized taint unless the user has set it. */
export const workerRegistration = (options: NodeRegistrationOptions | undefined): NodeRegistrationOptions => {
  const taints = options?.taints ?? [];
  const tainted = taints.some(
    ({ key, effect }) => key === UNINITIALIZED_TAINT.key && effect === UNINITIALIZED_TAINT.effect,
  );
  return { ...options, taints: tainted ? taints : [...taints, UNINITIALIZED_TAINT] };
};

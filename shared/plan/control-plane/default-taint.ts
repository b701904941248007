import type { V1Node } from '@kubernetes/client-node';
import type { BootstrapConfig, ControlPlane } from '../../kinds/contract-objects.ts';
import type { KubeadmConfigSpec, KubeadmControlPlane, Machine } from '../../kinds/index.ts';
import type { Initializer } from '../memory/initializer.ts';
import type { EtcdMembership } from './etcd-view.ts';

/** The label of control plane nodes, and the key of the taint that kubeadm gives them by default. */
export const CONTROL_PLANE_ROLE = 'node-role.kubernetes.io/control-plane';

/** The same taint in Kubernetes' text form. */
export const DEFAULT_TAINT = `${CONTROL_PLANE_ROLE}:NoSchedule`;

interface Taint {
  key?: string | undefined;
  effect?: string | undefined;
}

/** What the health of a control plane machine depends on, in addition to its node and its pods. */
export interface HealthFacts {
  machine: Machine;
  /** The machine's bootstrap configuration; absent if there is none, or if `needsConfig` did not require it. */
  config?: BootstrapConfig | null | undefined;
  /** Which machine ran `kubeadm init`; absent for clusters that were created elsewhere or by an earlier version. */
  initializer?: Initializer | undefined;
  controlPlane?: ControlPlane | null | undefined;
  /** What etcd reports about its members; absent if it did not respond, or is external. */
  etcd?: EtcdMembership | undefined;
}

const isDefault = ({ key, effect }: Taint): boolean => key === CONTROL_PLANE_ROLE && effect === 'NoSchedule';

/** Whether a node that registers with these taints gets the default taint: kubeadm adds it if none are given. */
export const registersTaint = (taints: readonly Taint[] | null | undefined): boolean =>
  taints === undefined || taints === null || taints.some(isDefault);

const isSettled = (node: V1Node, { spec }: Machine): boolean =>
  spec.taints?.some(isDefault) === true || node.spec?.taints?.some(isDefault) === true;

/** Whether only the bootstrap configuration can say if the node of a control plane machine lacks the default taint. */
export const needsConfig = (node: V1Node, machine: Machine): boolean => !isSettled(node, machine);

/** Like upstream's isKubeadmConfigForJoin (controlplane/kubeadm/pkg/filters.go). */
const isForJoin = ({ joinConfiguration }: KubeadmConfigSpec): boolean =>
  joinConfiguration?.controlPlane !== undefined ||
  (joinConfiguration?.nodeRegistration?.kubeletExtraArgs ?? []).length > 0;

const initRegistersTaint = ({ initConfiguration }: KubeadmConfigSpec): boolean =>
  registersTaint(initConfiguration?.nodeRegistration?.taints);

const wasRegisteredWithTaint = ({ machine, config, initializer, controlPlane }: HealthFacts): boolean => {
  if (!config) return false;
  if (initializer && initializer.machine === machine.metadata.uid) return initializer.tainted;
  const spec: KubeadmConfigSpec = config.spec ?? {};
  if (!isForJoin(spec)) return initRegistersTaint(spec);
  if (!registersTaint(spec.joinConfiguration?.nodeRegistration?.taints)) return false;
  // It is no longer known which machine has run `kubeadm init`, and its configuration looks like that of the others.
  const { kubeadmConfigSpec } = (controlPlane?.spec ?? {}) as Partial<KubeadmControlPlane['spec']>;
  return initializer !== undefined || initRegistersTaint(kubeadmConfigSpec ?? {});
};

/**
 * Whether the node of a control plane machine lacks the taint that keeps workloads off. The rules are those of
 * DefaultTaintIsMissing in Cluster API 1.14 (controlplane/kubeadm/pkg/control_plane.go): the machine's own taints count
 * first, then those with which kubeadm registered the node.
 */
export const lacksDefaultTaint = (node: V1Node, facts: HealthFacts): boolean => {
  if (node.spec?.taints?.some(isDefault)) return false;
  return facts.machine.spec.taints?.some(isDefault) === true || wasRegisteredWithTaint(facts);
};

/** The parts of KubeadmConfigSpec (bootstrap.cluster.x-k8s.io/v1beta2), under the names that the renderers use. */
import type { ExtraArgs } from '../../kinds/schema/kubeadm-cluster.ts';
import type { BootstrapFile, BootstrapUser, KubeadmConfigSpec } from '../../kinds/schema/kubeadm-config-spec.ts';

type Part<Parent, Key extends keyof Parent> = NonNullable<Parent[Key]>;
type Item<List> = List extends readonly (infer Each)[] ? Each : never;

export type { BootstrapFile, BootstrapUser, KubeadmConfigSpec };
export type Args = NonNullable<ExtraArgs>;

export type ClusterConfiguration = Part<KubeadmConfigSpec, 'clusterConfiguration'>;
export type ControlPlaneComponent = Part<ClusterConfiguration, 'controllerManager'>;
export type LocalEtcd = Part<Part<ClusterConfiguration, 'etcd'>, 'local'>;

export type InitConfiguration = Part<KubeadmConfigSpec, 'initConfiguration'>;
export type BootstrapToken = Item<Part<InitConfiguration, 'bootstrapTokens'>>;
export type NodeRegistrationOptions = Part<InitConfiguration, 'nodeRegistration'>;
export type Taint = Item<Part<NodeRegistrationOptions, 'taints'>>;
export type Timeouts = Part<InitConfiguration, 'timeouts'>;

export type JoinConfiguration = Part<KubeadmConfigSpec, 'joinConfiguration'>;
export type Discovery = Part<JoinConfiguration, 'discovery'>;
export type DiscoveryKubeConfig = Part<Part<Discovery, 'file'>, 'kubeConfig'>;

export type DiskSetup = Part<KubeadmConfigSpec, 'diskSetup'>;
export type Partition = Item<Part<DiskSetup, 'partitions'>>;
export type Filesystem = Item<Part<DiskSetup, 'filesystems'>>;

/** The facts about the cluster that the kubeadm files need, in addition to the KubeadmConfigSpec. */
export interface ClusterFacts {
  name: string;
  /** `preservesClientAddress`: the load balancer cannot lead a machine behind it back to that same machine. */
  endpoint: { host: string; port: number; preservesClientAddress?: boolean };
  podCidrs?: readonly string[];
  serviceCidrs?: readonly string[];
  /** `spec.clusterNetwork.serviceDomain`. */
  dnsDomain?: string;
  /** The machine's Kubernetes version, `v1.34.0`. */
  version: string;
}

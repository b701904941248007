/** The changes of a class and its cluster on both sides. */
import type { KubeObject } from '../../../shared/kube-api/object.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of which the steps change parts.
export type Any = any;

/** `Dev`: upstream's infrastructure in memory. */
export type Provider = 'AWS' | 'Dev';

const GROUPS = {
  clusters: 'cluster.x-k8s.io',
  clusterclasses: 'cluster.x-k8s.io',
  kubeadmcontrolplanetemplates: 'controlplane.cluster.x-k8s.io',
  kubeadmconfigtemplates: 'bootstrap.cluster.x-k8s.io',
  awsclustertemplates: 'infrastructure.cluster.x-k8s.io',
  awsmachinetemplates: 'infrastructure.cluster.x-k8s.io',
} as const;

/** An object of a story; in the story's namespace by default. */
export interface Target {
  plural: keyof typeof GROUPS;
  name: string;
  namespace?: string;
}

/** A change of an object, with its description. */
export interface Edit {
  what: string;
  of: Target;
  edit: (object: Any) => void;
}

/** `reason`: that of TopologyReconciled at the end. */
export interface Step extends Edit {
  reason?: string;
  /** Nothing may change except for the user's write. */
  isQuiet?: boolean;
  /** Only the status of the class changes. */
  isOfClass?: boolean;
  /** A write to the Cluster afterwards: upstream does not react to a change of a template. */
  afterwards?: Edit;
}

export interface Refusal extends Edit {
  method?: 'PUT' | 'DELETE';
  /** It is not refused at all, which may be surprising. */
  isAllowed?: boolean;
}

export interface Story {
  /** Also of its namespace. */
  name: string;
  about: string;
  /** The Cluster's name. */
  cluster: string;
  /**
   * The infrastructure of the upstream side. With that in memory machines come up on both sides; with AWS's kinds,
   * which nothing reconciles there, everything but the machines is compared, including the specs of infrastructure.
   */
  upstream: Provider;
  /** In the order of their creation. */
  objects(provider: Provider): KubeObject[];
  /** Kinds of the story beside MachineDeployments and kubeadm. */
  has?: readonly ('pools' | 'rke2')[];
  /** The reason of TopologyReconciled of the new cluster. */
  reason?: string;
  /** Why nothing but TopologyReconciled is compared while the topology cannot be carried out. */
  failsWhole?: string;
  refusals?: readonly Refusal[];
  steps: readonly Step[];
}

export const pathOf = ({ plural, name, namespace }: Target, story: Story): string =>
  `/apis/${GROUPS[plural]}/v1beta2/namespaces/${namespace ?? story.name}/${plural}/${name}`;

export const topologyOf = (edit: (topology: Any) => void) => (cluster: Any) => edit(cluster.spec.topology);

export const setVariable = (name: string, value: unknown) =>
  topologyOf((topology) => {
    const others = (topology.variables ?? []).filter((it: Any) => it.name !== name);
    topology.variables = [...others, { name, value }];
  });

export const setVariables = (values: Readonly<Record<string, unknown>>) => (cluster: Any) => {
  for (const [name, value] of Object.entries(values)) setVariable(name, value)(cluster);
};

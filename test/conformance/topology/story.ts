/** The changes to a class and its cluster that a story makes on both sides. */
import type { KubeObject } from '../../../shared/kube-api/object.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of which the steps change parts.
export type Any = any;

/** `Dev` is upstream's in-memory infrastructure. */
export type Provider = 'AWS' | 'Dev';

const GROUPS = {
  clusters: 'cluster.x-k8s.io',
  clusterclasses: 'cluster.x-k8s.io',
  kubeadmcontrolplanetemplates: 'controlplane.cluster.x-k8s.io',
  kubeadmconfigtemplates: 'bootstrap.cluster.x-k8s.io',
  awsclustertemplates: 'infrastructure.cluster.x-k8s.io',
  awsmachinetemplates: 'infrastructure.cluster.x-k8s.io',
} as const;

/** An object of a story, by default in the story's namespace. */
export interface Target {
  plural: keyof typeof GROUPS;
  name: string;
  namespace?: string;
}

/** A change to an object, with a description. */
export interface Edit {
  what: string;
  of: Target;
  edit: (object: Any) => void;
}

/** `reason` is the final reason of TopologyReconciled. */
export interface Step extends Edit {
  reason?: string;
  /** Whether nothing may change except for the user's own write. */
  isQuiet?: boolean;
  /** Whether only the status of the class changes. */
  isOfClass?: boolean;
  /** A subsequent write to the Cluster, because upstream does not react to the change of a template. */
  afterwards?: Edit;
}

export interface Refusal extends Edit {
  method?: 'PUT' | 'DELETE';
  /** Whether the change is allowed after all, which may be surprising. */
  isAllowed?: boolean;
}

export interface Story {
  /** The name of the story and of its namespace. */
  name: string;
  about: string;
  /** The name of the Cluster. */
  cluster: string;
  /**
   * The infrastructure on the upstream side. With `Dev`, machines come up on both sides. With `AWS`, whose kinds are
   * not reconciled upstream, everything but the machines is compared, including the specs of infrastructure objects.
   */
  upstream: Provider;
  /** The objects in the order of their creation. */
  objects(provider: Provider): KubeObject[];
  /** Kinds that the story uses in addition to MachineDeployments, or instead of kubeadm. */
  has?: readonly ('pools' | 'rke2')[];
  /** The reason of TopologyReconciled for the new cluster. */
  reason?: string;
  /**
   * If set, only TopologyReconciled and the status of the class are compared while the topology cannot be reconciled.
   * The text is the reason for this.
   */
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

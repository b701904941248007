/** What a class and its cluster go through on both sides. */
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

/** An object of a story; in the story's namespace unless it says otherwise. */
export interface Target {
  plural: keyof typeof GROUPS;
  name: string;
  namespace?: string;
}

/** A change of an object, and what it is. */
export interface Edit {
  what: string;
  of: Target;
  edit: (object: Any) => void;
}

/** `reason`: what TopologyReconciled says at the end. */
export interface Step extends Edit {
  reason?: string;
  /** Nothing is to come of it beside what the user has written. */
  isQuiet?: boolean;
  /** What is written to the Cluster afterwards: upstream does not look at a template when it changes. */
  afterwards?: Edit;
}

export interface Refusal extends Edit {
  method?: 'PUT' | 'DELETE';
  /** It is not refused at all, which may surprise. */
  isAllowed?: boolean;
}

export interface Story {
  /** Also of its namespace. */
  name: string;
  about: string;
  /** The Cluster's name. */
  cluster: string;
  /**
   * The infrastructure that upstream has. With that in memory machines come up on both sides; with AWS's kinds, which
   * nobody reconciles there, everything but the machines is compared, the specs of infrastructure included.
   */
  upstream: Provider;
  /** In the order of their creation. */
  objects(provider: Provider): KubeObject[];
  /** Kinds that the story has beside MachineDeployments and kubeadm. */
  has?: readonly ('pools' | 'rke2')[];
  /** What TopologyReconciled says of the new cluster. */
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

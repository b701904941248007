import type { V1Node } from '@kubernetes/client-node';
import type { BootstrapRequest } from '../distributions/distribution.ts';
import type { BootstrapConfig } from '../kinds/contract-objects.ts';
import type { Cluster, MachinePool } from '../kinds/index.ts';
import type {
  InfrastructureCluster,
  InfrastructureMachine,
  InfrastructureMachineTemplate,
  InfrastructurePool,
} from '../kinds/infrastructure.ts';
import type { KubeObject } from '../kube-api/object.ts';
import type { ResourceDefinition } from '../kube-api/resource.ts';
import type { OwnFields } from '../plan/annotations/controllers-own.ts';
import type { InstanceFacts } from '../plan/infrastructure/instance.ts';
import type { NodeAddress, NodePatch } from '../plan/machines/node-patch.ts';
import type { MemoryKind } from '../plan/memory/kind.ts';
import type { ConditionClaim } from '../plan/status/conditions.ts';

/** Does for nodes what a cloud controller manager does, if the cluster has none. Pure. */
export interface NodeController {
  /** The node of a machine that waits to be initialized; undefined if there is none. */
  uninitialized(nodes: readonly V1Node[], machine: InfrastructureMachine): V1Node | undefined;
  /** The addresses of such a node. Undefined while they are unknown; a text says why they will stay unknown. */
  addresses(node: V1Node, machine: InfrastructureMachine): NodeAddress[] | string | undefined;
  /** What else is changed on it; takes the taint away by which it waits. */
  initialization(node: V1Node, machine: InfrastructureMachine, cluster: InfrastructureCluster | null): NodePatch;
}

/** An infrastructure cluster with its Cluster. */
export interface PlacedCluster {
  readonly cluster: Cluster;
  readonly infrastructure: InfrastructureCluster;
}

/** A plan's lines before anything is done: one for each resource. Pure, so that a plan costs no call. */
export interface InfrastructurePreview {
  /** What the infrastructure creates; with `before`, the effects of a change. */
  change(after: PlacedCluster, before: PlacedCluster | undefined): readonly string[];
  /** What goes when the cluster is deleted. */
  deletion(infrastructure: InfrastructureCluster): readonly string[];
}

/** The limits of bootstrap data. */
export type BootFacts = Pick<BootstrapRequest, 'ignitionVersion' | 'installs' | 'joinsInService' | 'maxBytes'>;

/** What bootstrap data must know about the cluster's endpoint. */
export type EndpointFacts = Pick<BootstrapRequest, 'preservesClientAddress'>;

/** A MachinePool with the objects that its group is made from. */
export interface PlacedPool {
  readonly pool: MachinePool;
  readonly infrastructure: InfrastructurePool;
  /** Null: the pool refers to none. */
  readonly config: BootstrapConfig | null;
  readonly cluster: InfrastructureCluster;
}

/** What is done to the group of a pool. */
export interface PoolForecast {
  /** One thing each; the name of the MachinePool completes the sentence. */
  readonly lines: readonly string[];
  /** How many instances it gets, loses, and has replaced. */
  readonly instances: { readonly more: number; readonly fewer: number; readonly replaced: number };
}

/** A plan's lines about pools before anything is done. Pure, so that a plan costs no call. */
export interface PoolPreview {
  /** What the pool's group becomes; with `before`, what a change of any of its objects does to it. */
  change(after: PlacedPool, before: PlacedPool | undefined): PoolForecast;
  /** What goes with the pool. */
  deletion(pool: PlacedPool): PoolForecast;
}

/** The pools of a provider that has such. */
export interface PoolProvider {
  readonly kind: ResourceDefinition<InfrastructurePool>;
  /** Keeps the object until its group is gone. */
  readonly finalizer: string;
  /** What is remembered of a pool; holds the core's entries (CORE_POOL_MEMORY) as well. */
  readonly memory: MemoryKind;
  /** From a pool's record, the name of its group; undefined if the name is the one that Windlass gives. */
  takenOver(entries: Readonly<Record<string, string>>): string | undefined;
  /** What the image of the pool's machines requires of their bootstrap data. */
  boot(pool: InfrastructurePool): BootFacts;
  /** The desired state of the pool; without the fields that its controllers write. */
  wishes(pool: InfrastructurePool): unknown;
  /** Whether instances may be launched from now on without a change of any object. */
  mayLaunch(pool: InfrastructurePool): boolean;
  /** The pool whose status says which kubelet each instance runs, by provider id; undefined where it says so already. */
  withVersions(pool: InfrastructurePool, versions: ReadonlyMap<string, string>): InfrastructurePool | undefined;
  readonly preview: PoolPreview;
}

/**
 * Where machines come from: a cloud, hosts, a simulation. It contains everything that the core needs to know about a
 * provider, so neither planners nor steps name one. The group and kind of a reference select the provider
 * (`registry.ts`). Its *effects* are the steps of the workflows that its functions implement (`steps.ts`), and the
 * ports that functions of the core call (`functions/providers/ports.ts`). All of this is pure.
 */
export interface Infrastructure {
  /** Names the provider in the workflows, and its functions: lower case, as in `aws`. */
  readonly name: string;
  /**
   * Its objects are reconciled elsewhere, by Cluster API's contract (shared/outside): no function here serves its steps,
   * and the core writes nothing but metadata of its objects.
   */
  readonly isOutside?: true;
  readonly cluster: ResourceDefinition<InfrastructureCluster>;
  readonly machine: ResourceDefinition<InfrastructureMachine>;
  readonly machineTemplate: ResourceDefinition<InfrastructureMachineTemplate>;
  /** Further kinds whose status the provider's controllers write. */
  readonly others?: readonly ResourceDefinition[];
  /** Keep the objects until their resources are gone. Absent if the provider sets its own. */
  readonly finalizers: { readonly cluster?: string; readonly machine?: string };

  /** Fields of the spec of the provider's kinds that only controllers write, by `<plural>.<group>`. */
  readonly ownFields?: OwnFields;
  /** The controllers' records of the provider's objects; that of a cluster also contains the core's entries. */
  readonly memory?: { readonly cluster: MemoryKind; readonly machine?: MemoryKind };

  /** Absent: the provider keeps no groups of instances. */
  readonly pool?: PoolProvider;

  /** The facts of a machine. The answer may be read lazily; it holds for the object as it was given. */
  instance(machine: InfrastructureMachine): InstanceFacts;
  /** What the machine's image requires of its bootstrap data. */
  boot(machine: InfrastructureMachine): BootFacts;
  /** What the endpoint of the cluster means for a machine that boots behind it. */
  bootIn(cluster: InfrastructureCluster): EndpointFacts;
  /**
   * The spec of a new machine of a template. Whatever says which instance a machine has must be left out: all clones
   * would claim the same one.
   */
  clone(template: InfrastructureMachineTemplate): object;
  /** A machine with its instance marked as failed for a reason that a user must correct. */
  withFailure(machine: InfrastructureMachine, message: string | undefined, now: Date): InfrastructureMachine;
  /**
   * A cluster or machine with the condition `Paused`; undefined if it has nothing to report. Absent if the annotation
   * does not pause the provider's clusters.
   */
  withPaused?<T extends KubeObject>(object: T, paused: ConditionClaim, now: Date): T | undefined;
  /**
   * Whether the spec of a cluster, machine or pool names resources that the controllers made. Absent if the objects of
   * the provider stand for none.
   */
  namesResources?(object: KubeObject): boolean;
  /** Whether machines cannot be created now, because a required resource is missing or broken. */
  lacksFoundation(cluster: InfrastructureCluster): boolean;
  /**
   * Whether the running instance of a control plane machine has never been registered with the cluster's endpoint. Absent
   * where instances are not registered.
   */
  lacksEndpoint?(machine: InfrastructureMachine, cluster: InfrastructureCluster): boolean;

  readonly preview: InfrastructurePreview;

  /** The node on a machine, initialized or not; undefined if there is none, or more than one candidate. */
  findNode(nodes: readonly V1Node[], machine: InfrastructureMachine): V1Node | undefined;
  /** The instance that the provider id of a node names; undefined for nodes of other providers. */
  instanceOfNode(node: V1Node): string | undefined;
  /** Absent where nodes need no initialization. */
  readonly nodeController?: NodeController;
}

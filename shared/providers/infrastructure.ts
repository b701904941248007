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

/** Does what a cloud controller manager does for nodes, if the cluster has none. Pure. */
export interface NodeController {
  /** The node of a machine that waits for its initialization; undefined if there is none. */
  uninitialized(nodes: readonly V1Node[], machine: InfrastructureMachine): V1Node | undefined;
  /**
   * Whether the name of a node is exactly that of the machine's instance, and not only similar. Absent if no similar
   * name identifies a node.
   */
  hasWholeName?(node: V1Node, machine: InfrastructureMachine): boolean;
  /** The addresses of such a node. Undefined while they are unknown; a text says why they will stay unknown. */
  addresses(node: V1Node, machine: InfrastructureMachine): NodeAddress[] | string | undefined;
  /** The other changes of the node; removes the taint with which it waits. */
  initialization(node: V1Node, machine: InfrastructureMachine, cluster: InfrastructureCluster | null): NodePatch;
}

/** An infrastructure cluster with its Cluster. */
export interface PlacedCluster {
  readonly cluster: Cluster;
  readonly infrastructure: InfrastructureCluster;
}

/** The lines of a preview: one for each resource. Pure, so that a preview costs no call. */
export interface InfrastructurePreview {
  /** What the infrastructure creates; with `before`, the effects of a change. */
  change(after: PlacedCluster, before: PlacedCluster | undefined): readonly string[];
  /** What is deleted with the cluster. */
  deletion(infrastructure: InfrastructureCluster): readonly string[];
}

/** What an infrastructure requires of bootstrap data. */
export type BootFacts = Pick<BootstrapRequest, 'ignitionVersion' | 'installs' | 'joinsInService' | 'maxBytes'>;

/** The facts about the cluster's endpoint that bootstrap data need. */
export type EndpointFacts = Pick<BootstrapRequest, 'preservesClientAddress'>;

/** A MachinePool, with the objects from which its group is made. */
export interface PlacedPool {
  readonly pool: MachinePool;
  readonly infrastructure: InfrastructurePool;
  /** Null: the pool has no reference to one. */
  readonly config: BootstrapConfig | null;
  readonly cluster: InfrastructureCluster;
}

/** The expected changes of a pool's group. */
export interface PoolForecast {
  /** One sentence each, which the name of the MachinePool completes. */
  readonly lines: readonly string[];
  /** How many instances are added, removed and replaced. */
  readonly instances: { readonly more: number; readonly fewer: number; readonly replaced: number };
}

/** The lines of a preview about pools. Pure, so that a preview costs no call. */
export interface PoolPreview {
  /** The state of the pool's group; with `before`, the effects of a change of any of its objects. */
  change(after: PlacedPool, before: PlacedPool | undefined): PoolForecast;
  /** What is deleted with the pool. */
  deletion(pool: PlacedPool): PoolForecast;
}

/** The pools of a provider that supports them. */
export interface PoolProvider {
  readonly kind: ResourceDefinition<InfrastructurePool>;
  /** The finalizer that keeps the object until its group is gone. */
  readonly finalizer: string;
  /** What is recorded about a pool, including the core's entries (CORE_POOL_MEMORY). */
  readonly memory: MemoryKind;
  /** The name of a pool's group, from its record; undefined if it is the one that Windlass assigns. */
  takenOver(entries: Readonly<Record<string, string>>): string | undefined;
  /** What the image of the pool's machines requires of their bootstrap data. */
  boot(pool: InfrastructurePool): BootFacts;
  /** The desired state of the pool; without the fields that its controllers write. */
  wishes(pool: InfrastructurePool): unknown;
  /** Whether instances may be launched in the future without a change of any object. */
  mayLaunch(pool: InfrastructurePool): boolean;
  /**
   * The pool with the version of each instance's kubelet in its status, by provider id; undefined if the status already
   * contains them.
   */
  withVersions(pool: InfrastructurePool, versions: ReadonlyMap<string, string>): InfrastructurePool | undefined;
  readonly preview: PoolPreview;
}

/**
 * The origin of machines: a cloud, hosts, or a simulation. It contains everything that the core needs to know about a
 * provider, so neither planners nor steps name one. The group and kind of a reference select the provider
 * (`registry.ts`). Its *effects* are the steps of the workflows that its functions implement (`steps.ts`), and the
 * ports that functions of the core call (`functions/providers/ports.ts`). All code here is pure.
 */
export interface Infrastructure {
  /** The name of the provider in the workflows and of its functions, in lower case, such as `aws`. */
  readonly name: string;
  /**
   * Its objects are reconciled elsewhere, according to Cluster API's contract (shared/outside): no function here
   * implements its steps, and the core only writes metadata of its objects.
   */
  readonly isOutside?: true;
  readonly cluster: ResourceDefinition<InfrastructureCluster>;
  readonly machine: ResourceDefinition<InfrastructureMachine>;
  readonly machineTemplate: ResourceDefinition<InfrastructureMachineTemplate>;
  /** Additional kinds whose status the provider's controllers write. */
  readonly others?: readonly ResourceDefinition[];
  /** The finalizers that keep the objects until their resources are gone. Absent if the provider sets its own. */
  readonly finalizers: { readonly cluster?: string; readonly machine?: string };

  /** Fields of the spec of the provider's kinds that only controllers write, by `<plural>.<group>`. */
  readonly ownFields?: OwnFields;
  /** The controllers' records of the provider's objects. The record of a cluster also contains the core's entries. */
  readonly memory?: { readonly cluster: MemoryKind; readonly machine?: MemoryKind };

  /** Absent if the provider has no groups of instances. */
  readonly pool?: PoolProvider;

  /** The facts about a machine. They may be derived lazily, but always describe the object as it was passed. */
  instance(machine: InfrastructureMachine): InstanceFacts;
  /** What the machine's image requires of its bootstrap data. */
  boot(machine: InfrastructureMachine): BootFacts;
  /** What the endpoint of the cluster means for a machine that boots behind it. */
  bootIn(cluster: InfrastructureCluster): EndpointFacts;
  /**
   * The spec of a new machine from a template. Everything that identifies a machine's instance must be left out,
   * because all clones would claim the same one.
   */
  clone(template: InfrastructureMachineTemplate): object;
  /** A machine whose instance is marked as failed, for a reason that a user must correct. */
  withFailure(machine: InfrastructureMachine, message: string | undefined, now: Date): InfrastructureMachine;
  /**
   * A cluster or machine with the condition `Paused`; undefined if there is nothing to report. Absent if the annotation
   * does not pause the provider's clusters.
   */
  withPaused?<T extends KubeObject>(object: T, paused: ConditionClaim, now: Date): T | undefined;
  /**
   * Whether the spec of a cluster, machine or pool contains resources that the controllers have created. Absent if the
   * provider's objects do not represent resources.
   */
  namesResources?(object: KubeObject): boolean;
  /** Whether machines cannot be created now, because a required resource is missing or broken. */
  lacksFoundation(cluster: InfrastructureCluster): boolean;
  /**
   * Whether the running instance of a control plane machine has never been registered with the cluster's endpoint.
   * Absent if instances are not registered.
   */
  lacksEndpoint?(machine: InfrastructureMachine, cluster: InfrastructureCluster): boolean;

  readonly preview: InfrastructurePreview;

  /** The node on a machine, initialized or not; undefined if there is none, or more than one candidate. */
  findNode(nodes: readonly V1Node[], machine: InfrastructureMachine): V1Node | undefined;
  /** The instance in the provider id of a node; undefined for nodes of other providers. */
  instanceOfNode(node: V1Node): string | undefined;
  /** Absent if nodes need no initialization. */
  readonly nodeController?: NodeController;
}

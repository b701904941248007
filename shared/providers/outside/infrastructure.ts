import type {
  InfrastructureCluster,
  InfrastructureMachine,
  InfrastructureMachineTemplate,
} from '../../kinds/infrastructure.ts';
import { outsideKind } from '../../outside/kinds.ts';
import type { OutsideMachine } from '../../outside/view.ts';
import type { InstanceFacts } from '../../plan/infrastructure/instance.ts';
import { findNode } from '../../plan/machines/node.ts';
import type { Infrastructure } from '../infrastructure.ts';

/** The name of all external providers: no function implements their steps. */
export const OUTSIDE = 'outside';

const lastPartOf = (providerID: string | undefined): string | undefined => providerID?.split('/').at(-1) || undefined;

/**
 * The bootstrap data are final from the creation of the object on, because the provider may use them at any time. The
 * contract has no field for a lost instance: health checks detect it.
 */
const factsOf = ({ metadata, spec, status }: OutsideMachine): InstanceFacts => ({
  gone: false,
  running: status.ready === true,
  mayHaveRun: spec.providerID !== undefined,
  decidedAt: metadata.creationTimestamp,
  failed: false,
  interruptible: false,
  zone: status.failureDomain,
  fixesImage: false,
  name: lastPartOf(spec.providerID),
});

type Kinds = 'cluster' | 'machine' | 'machineTemplate';

const SUFFIXES: Readonly<Record<Kinds, string>> = {
  cluster: 'Cluster',
  machine: 'Machine',
  machineTemplate: 'MachineTemplate',
};

/**
 * The other kinds of a provider, derived from one of them. Machine and template always belong together, and the others
 * follow a convention.
 */
const kindsBy = (role: Kinds, kind: string): Readonly<Record<Kinds, string>> => {
  const stem = kind.endsWith(SUFFIXES[role]) ? kind.slice(0, -SUFFIXES[role].length) : kind;
  const machine = role === 'machineTemplate' ? kind.replace(/Template$/, '') : `${stem}Machine`;
  const usual = { cluster: `${stem}Cluster`, machine, machineTemplate: `${machine}Template` };
  return role === 'machine'
    ? { ...usual, machine: kind, machineTemplate: `${kind}Template` }
    : { ...usual, [role]: kind };
};

/**
 * A provider that reconciles its objects elsewhere, according to Cluster API's contract. One of its kinds identifies
 * it. The core only writes metadata of its objects, and runs no steps for them.
 */
export const outside = (role: Kinds, { apiGroup, kind }: { apiGroup: string; kind: string }): Infrastructure => {
  const kinds = kindsBy(role, kind);
  return {
    name: OUTSIDE,
    isOutside: true,
    cluster: outsideKind<InfrastructureCluster>('cluster', apiGroup, kinds.cluster),
    machine: outsideKind<InfrastructureMachine>('machine', apiGroup, kinds.machine),
    machineTemplate: outsideKind<InfrastructureMachineTemplate>('machineTemplate', apiGroup, kinds.machineTemplate),
    finalizers: {},
    instance: (machine) => factsOf(machine as OutsideMachine),
    boot: () => ({}),
    bootIn: () => ({}),
    clone: ({ spec }) => structuredClone(spec.template.spec),
    withFailure: (machine) => machine,
    lacksFoundation: () => false,
    preview: {
      change: (_after, before) => (before ? [] : [`is created by its provider, as ${kinds.cluster} asks for it`]),
      deletion: () => [`then the ${kinds.cluster} is deleted, and its provider deletes what it has created`],
    },
    findNode: (nodes, { spec }) => findNode(nodes, spec.providerID),
    instanceOfNode: ({ spec }) => lastPartOf(spec?.providerID),
  };
};

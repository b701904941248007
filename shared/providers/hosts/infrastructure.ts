import type { V1Node } from '@kubernetes/client-node';
import { type HostMachine, type HostMachineTemplate, kinds } from '../../kinds/index.ts';
import type { InfrastructureMachine } from '../../kinds/infrastructure.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';
import type { InstanceFacts } from '../../plan/infrastructure/instance.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { HOSTS_FINALIZER, readProviderId } from './names.ts';
import { findNodeOfHost, findUninitialized, initializationOf, nodeAddressesOf } from './nodes.ts';
import { PROVISION_FAILED, withHostReady } from './status.ts';

/** The core only passes objects of this provider's kinds. */
const machineOf = (object: InfrastructureMachine): HostMachine => object as HostMachine;

const factsOf = ({ spec, status }: HostMachine): InstanceFacts => ({
  gone: status?.state === 'Released',
  running: status?.state === 'Running',
  mayHaveRun: spec.providerID !== undefined,
  decidedAt: status?.decidedAt,
  failed: status?.conditions?.some(({ reason }) => reason === PROVISION_FAILED) === true,
  interruptible: false,
  zone: status?.host?.zone,
  fixesImage: false,
  name: readProviderId(spec.providerID)?.machineUid,
});

/** A clone must not contain the host of a machine: all clones would claim the same one. */
const withoutHost = ({ providerID: _, ...spec }: HostMachine['spec']): HostMachine['spec'] => spec;

/** Machines are existing hosts that are reached over SSH and become free again when their machine is gone. */
export const hosts: Infrastructure = {
  name: 'hosts',
  cluster: kinds.hostCluster,
  machine: kinds.hostMachine,
  machineTemplate: kinds.hostMachineTemplate,
  others: [kinds.host as unknown as ResourceDefinition],
  finalizers: HOSTS_FINALIZER,
  ownFields: {
    'hostmachines.infrastructure.windlass.dev': ['spec.providerID'],
    'hostmachinetemplates.infrastructure.windlass.dev': ['spec.template.spec.providerID'],
  },
  instance: (machine) => factsOf(machineOf(machine)),
  boot: () => ({}),
  bootIn: () => ({}),
  clone: ({ spec }) =>
    withoutHost(structuredClone(spec.template.spec) as HostMachineTemplate['spec']['template']['spec']),
  withFailure: (machine, message, now) =>
    withHostReady(
      machineOf(machine),
      message === undefined
        ? { status: 'False', severity: 'Info', reason: 'WaitingForBootstrapData' }
        : { status: 'False', severity: 'Error', reason: PROVISION_FAILED, message },
      now,
    ),
  lacksFoundation: () => false,
  findNode: (nodes, machine) => findNodeOfHost(nodes, machineOf(machine)),
  instanceOfNode: ({ spec }: V1Node) => readProviderId(spec?.providerID)?.machineUid,
  preview: {
    change: (_after, before) => (before ? [] : ['uses Hosts of the namespace; nothing is created']),
    deletion: () => ['its Hosts are reset and free again'],
  },
  nodeController: {
    uninitialized: (nodes, machine) => findUninitialized(nodes, machineOf(machine)),
    addresses: (_node, machine) => nodeAddressesOf(machineOf(machine)),
    initialization: (node, machine) => initializationOf(node, machineOf(machine)),
  },
};

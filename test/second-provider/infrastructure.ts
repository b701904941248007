import { findNode } from '../../shared/plan/machines/node.ts';
import type { Infrastructure } from '../../shared/providers/infrastructure.ts';
import { type PlainMachine, plainCluster, plainMachine, plainMachineTemplate } from './kinds.ts';

const PREFIX = 'plain://rack/';

/** The provider id of an instance. */
export const providerIdOf = (name: string): string => `${PREFIX}${name}`;

const nameOf = (providerId: string | undefined): string | undefined =>
  providerId?.startsWith(PREFIX) ? providerId.slice(PREFIX.length) : undefined;

/** Machines that are ready after a while, without a network, a load balancer or a node controller. */
export const plain: Infrastructure = {
  name: 'plain',
  cluster: plainCluster,
  machine: plainMachine,
  machineTemplate: plainMachineTemplate,
  finalizers: { cluster: 'plaincluster.example.com', machine: 'plainmachine.example.com' },
  instance: (machine) => {
    const { spec, status, metadata } = machine as PlainMachine;
    return {
      gone: status?.state === 'lost',
      running: status?.state === 'running',
      mayHaveRun: spec.providerID !== undefined,
      decidedAt: spec.providerID === undefined ? undefined : metadata.creationTimestamp,
      failed: false,
      interruptible: false,
      zone: spec.providerID === undefined ? undefined : 'rack',
      fixesImage: false,
      name: nameOf(spec.providerID),
    };
  },
  boot: () => ({}),
  bootIn: () => ({}),
  clone: ({ spec }) => structuredClone(spec.template.spec),
  withFailure: (machine, message = 'waits for its bootstrap data', now) => ({
    ...machine,
    status: {
      ...machine.status,
      conditions: [
        { type: 'Ready', status: 'False', reason: 'Failed', message, lastTransitionTime: now.toISOString() },
      ],
    },
  }),
  lacksFoundation: () => false,
  findNode: (nodes, { spec }) => findNode(nodes, spec.providerID),
  instanceOfNode: ({ spec }) => nameOf(spec?.providerID),
  preview: {
    change: (_after, before) => (before ? [] : ['makes nothing but an address']),
    deletion: () => ['then its address goes'],
  },
};

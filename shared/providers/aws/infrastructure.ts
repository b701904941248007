import { type AWSCluster, type AWSMachine, type AWSMachineTemplate, kinds } from '../../kinds/index.ts';
import type { InfrastructureCluster, InfrastructureMachine } from '../../kinds/infrastructure.ts';
import { INSTALL_ANNOTATION } from '../../kinds/rules/aws/wishes.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { type LegacyClaim, withLegacyCondition } from '../../plan/status/legacy-conditions.ts';
import type { Infrastructure, PlacedCluster } from '../infrastructure.ts';
import { AWS_FINALIZER } from './finalizers.ts';
import { lacksFoundation } from './load-balancer/record.ts';
import { preservesClientAddress } from './load-balancer/roles.ts';
import { maxIgnitionBytes } from './plan/delivery/ignition.ts';
import { instanceFacts, instanceOfNode } from './plan/instance-facts.ts';
import { lacksTarget } from './plan/launch/target.ts';
import { AWS_MEMORY } from './plan/memory.ts';
import {
  bearsNameOf,
  findNodeOfInstance,
  findUninitialized,
  initializationOf,
  nodeAddressesOf,
} from './plan/node-initialization.ts';
import { withPaused } from './plan/paused.ts';
import { deletionNotes, networkNotes } from './plan/preview/network.ts';
import { awsPools } from './pools.ts';

/** The core only passes objects of this provider's kinds. */
const machineOf = (object: InfrastructureMachine): AWSMachine => object as AWSMachine;
const clusterOf = (object: InfrastructureCluster): AWSCluster => object as AWSCluster;

const placed = ({ cluster, infrastructure }: PlacedCluster) => ({ cluster, infrastructure: clusterOf(infrastructure) });

/**
 * A template that names an instance, which was possible before version 0.2, would give all its machines the same one.
 */
const withoutInstance = ({ instanceID: _, providerID: __, ...spec }: AWSMachine['spec']): AWSMachine['spec'] => spec;

const failureClaim = (message: string | undefined): LegacyClaim => {
  const instanceReady = { type: 'InstanceReady', status: 'False' } as const;
  return message === undefined
    ? { ...instanceReady, severity: 'Info', reason: 'WaitingForBootstrapData' }
    : { ...instanceReady, severity: 'Error', reason: 'InstanceProvisionFailed', message };
};

const OWN_FIELDS = {
  'awsmachines.infrastructure.cluster.x-k8s.io': [
    'spec.instanceID',
    'spec.providerID',
    'spec.cloudInit.secretPrefix',
    'spec.cloudInit.secretCount',
  ],
  'awsmachinetemplates.infrastructure.cluster.x-k8s.io': [
    'spec.template.spec.instanceID',
    'spec.template.spec.providerID',
  ],
  'awsmachinepools.infrastructure.cluster.x-k8s.io': ['spec.providerID', 'spec.providerIDList'],
} as const;

/** Includes a VPC that the user provides: the object does not show who has created it. */
const namesResources = (object: KubeObject): boolean => {
  const { spec } = object as { spec?: { network?: { vpc?: { id?: string } }; providerID?: string } };
  return spec?.providerID !== undefined || spec?.network?.vpc?.id !== undefined;
};

/** Clusters on EC2, with the kinds of Cluster API's AWS provider. */
export const aws: Infrastructure = {
  name: 'aws',
  cluster: kinds.awsCluster,
  machine: kinds.awsMachine,
  machineTemplate: kinds.awsMachineTemplate,
  finalizers: AWS_FINALIZER,
  ownFields: OWN_FIELDS,
  memory: AWS_MEMORY,
  pool: awsPools,
  instance: (machine) => instanceFacts(machineOf(machine)),
  boot: (machine) => ({
    ignitionVersion: machineOf(machine).spec.ignition?.version,
    installs: machine.metadata.annotations?.[INSTALL_ANNOTATION] === 'true',
    maxBytes: maxIgnitionBytes(machineOf(machine).spec),
  }),
  bootIn: (cluster) => ({ preservesClientAddress: preservesClientAddress(clusterOf(cluster)) }),
  clone: ({ spec }) =>
    withoutInstance(structuredClone(spec.template.spec) as AWSMachineTemplate['spec']['template']['spec']),
  withFailure: (machine, message, now) => withLegacyCondition(machineOf(machine), failureClaim(message), now),
  withPaused,
  namesResources,
  lacksFoundation: (cluster) => lacksFoundation(clusterOf(cluster)),
  lacksEndpoint: (machine, cluster) => lacksTarget(machineOf(machine), clusterOf(cluster)),
  findNode: (nodes, machine) => findNodeOfInstance(nodes, machineOf(machine)),
  instanceOfNode,
  preview: {
    change: (after, before) => networkNotes(placed(after), before && placed(before)),
    deletion: (infrastructure) => deletionNotes(clusterOf(infrastructure)),
  },
  nodeController: {
    uninitialized: (nodes, machine) => findUninitialized(nodes, machineOf(machine)),
    hasWholeName: (node, machine) => bearsNameOf(machineOf(machine))(node),
    addresses: (node, machine) => nodeAddressesOf(node, machineOf(machine)),
    initialization: (node, machine, cluster) =>
      initializationOf(node, machineOf(machine), cluster ? clusterOf(cluster).spec.region : undefined),
  },
};

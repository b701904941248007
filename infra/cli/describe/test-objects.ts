/** A cluster of two machines, for tests. */
import type { Cluster, Event, Machine, MachineDeployment, MachineSet } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LABEL } from '../../../shared/plan/labels.ts';
import type { ClusterObjects } from './objects.ts';

export const NOW = new Date('2030-01-01T01:00:00Z');
const CREATED = '2030-01-01T00:50:00Z';

export const condition = (type: string, status: 'True' | 'False' | 'Unknown', more: object = {}) => ({
  type,
  status,
  reason: type,
  message: '',
  lastTransitionTime: '2030-01-01T00:55:00Z',
  ...more,
});

const object = (kind: string, name: string, owner: string | undefined, rest: object): KubeObject =>
  ({
    apiVersion: 'v1',
    kind,
    metadata: {
      namespace: 'default',
      name,
      uid: name,
      creationTimestamp: CREATED,
      ...(owner ? { ownerReferences: [{ uid: owner }] } : {}),
    },
    ...rest,
  }) as KubeObject;

const machine = (name: string, owner: string, labels: object, conditions: readonly object[]): Machine => {
  const made = object('Machine', name, owner, {
    spec: { version: 'v1.34.0', providerID: `aws:///us-east-1a/i-${name}` },
    status: { phase: 'Running', failureDomain: 'us-east-1a', nodeRef: { name: `node-${name}` }, conditions },
  });
  return { ...made, metadata: { ...made.metadata, labels } } as Machine;
};

interface Faults {
  cluster?: readonly object[];
  infrastructure?: readonly object[];
  machine?: readonly object[];
  instance?: readonly object[];
  events?: readonly Event[];
}

/** A cluster that is healthy except for the given conditions. */
export const clusterOf = (faults: Faults = {}): ClusterObjects => {
  const template = { template: { spec: { version: 'v1.34.0' } } };
  const good = [condition('Ready', 'True'), condition('Deleting', 'False')];
  const deployment = object('MachineDeployment', 'demo-md', undefined, { spec: { replicas: 1, ...template } });
  const set = object('MachineSet', 'demo-md-a', 'demo-md', { spec: { replicas: 1, ...template } });
  const instance = (name: string) =>
    object('AWSMachine', name, undefined, { status: { conditions: faults.instance ?? good } });
  return {
    cluster: object('Cluster', 'demo', undefined, {
      spec: { controlPlaneEndpoint: { host: 'demo.example', port: 6443 } },
      status: { conditions: faults.cluster ?? [condition('Available', 'True'), condition('RollingOut', 'False')] },
    }) as Cluster,
    infrastructure: object('AWSCluster', 'demo', undefined, { status: { conditions: faults.infrastructure ?? good } }),
    controlPlane: object('KubeadmControlPlane', 'demo-cp', undefined, {
      spec: { replicas: 1, version: 'v1.34.0' },
    }) as ClusterObjects['controlPlane'],
    deployments: [deployment as MachineDeployment],
    pools: [],
    sets: [set as MachineSet],
    machines: [
      machine('demo-cp-a', 'demo-cp', { [LABEL.controlPlane]: '' }, good),
      machine('demo-md-a-b', 'demo-md-a', { [LABEL.deploymentName]: 'demo-md' }, faults.machine ?? good),
    ],
    instances: new Map([['demo-md-a-b', instance('demo-md-a-b')]]),
    events: faults.events ?? [],
  };
};

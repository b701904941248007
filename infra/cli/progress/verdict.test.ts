import { describe, expect, it } from 'vitest';
import type { RancherCluster } from '../../../shared/kinds/index.ts';
import { begun, blocked, complete, worker } from './fixtures.ts';
import { isComplete, reasonsOf, replicasOf, shareOf } from './verdict.ts';

describe('the verdict on a cluster', () => {
  it('is "complete" when the cluster is Available and all its machines run', () => {
    expect(isComplete(complete)).toBe(true);
    expect(reasonsOf(complete)).toEqual([]);
    expect(shareOf(complete)).toBe(1);
  });

  it.each([
    ['a worker does not run yet', { ...complete, machines: [...complete.machines.slice(0, 1), worker('Provisioned')] }],
    ['a worker is missing', { ...complete, machines: complete.machines.slice(0, 1) }],
    ['a surplus machine still exists', { ...complete, machines: [...complete.machines, worker('Deleting', 'old')] }],
    ['it is not Available', { ...complete, cluster: begun.cluster }],
    ['it does not exist', { ...complete, cluster: undefined }],
  ])('is not "complete" while %s', (_reason, snapshot) => {
    expect(isComplete(snapshot)).toBe(false);
    expect(reasonsOf(snapshot)).not.toEqual([]);
    expect(shareOf(snapshot)).toBeLessThan(1);
  });

  it('is not "complete" before the Cluster of Rancher is Provisioned, which may need more nodes', () => {
    const rancher = (status: 'True' | 'False', observedGeneration: number): RancherCluster => ({
      ...{ apiVersion: 'clusterprovisioner.rke.io/v1alpha1', kind: 'Cluster', spec: { config: '' } },
      metadata: { name: 'demo', generation: 2 },
      status: {
        conditions: [
          { type: 'Provisioned', status, observedGeneration, message: '1 of 3 nodes run', lastTransitionTime: '' },
        ],
      },
    });
    const made = { ...complete, ofRancher: true };
    expect(isComplete({ ...made, rancher: rancher('True', 2) })).toBe(true);
    for (const unfinished of [undefined, rancher('True', 1), rancher('False', 2)]) {
      expect(isComplete({ ...made, ...(unfinished ? { rancher: unfinished } : {}) })).toBe(false);
    }
    const { cluster: _, ...absent } = { ...made, rancher: rancher('False', 2) };
    expect(reasonsOf(absent)).toEqual(['Cluster demo is not Provisioned: 1 of 3 nodes run']);
  });

  it('counts the machines of each owner', () => {
    expect(replicasOf(complete)).toEqual([
      { kind: 'KubeadmControlPlane', name: 'demo-cp', wanted: 1, running: 1 },
      { kind: 'MachineDeployment', name: 'demo-md', wanted: 1, running: 1 },
    ]);
  });

  it('gives the reasons for each machine, with the messages of the conditions', () => {
    expect(reasonsOf(blocked)).toEqual([
      'Cluster demo: Provisioned: not yet initialized',
      'AWSCluster demo-aws, NAT gateways: waiting: AddressLimitExceeded: The maximum number of addresses has been reached.',
      'AWSCluster demo-aws, load balancer: waiting',
      'KubeadmControlPlane demo-cp, API server: waiting',
      'Machine demo-cp-a: Provisioning: InstanceNotReady: pending',
      'KubeadmControlPlane demo-cp: 0 of 1 machines are Running',
      'MachineDeployment demo-md: 0 of 1 machines are Running',
    ]);
  });

  it('includes a share that increases from the first object to the last machine', () => {
    const empty = { ...begun, infrastructure: undefined, controlPlane: undefined, deployments: [], machines: [] };
    const shares = [empty, begun, { ...complete, machines: complete.machines.slice(0, 1) }, complete].map(shareOf);

    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(new Set(shares).size).toBe(4);
  });
});

/** A cluster whose control plane Machines belong to no control plane object is probed like all others. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Cluster, kinds, type MachineHealthCheck } from '../../../shared/kinds/index.ts';
import { KEY, labels, readyNode, world } from './test-probe.ts';

describe('the probe of a cluster without a control plane object', () => {
  let w: Awaited<ReturnType<typeof world>>;

  const write = (change: (cluster: Cluster) => Cluster) => w.objects.mutate(kinds.cluster, KEY, change);
  const removeMachine = async () => {
    const machine = await w.objects.get(kinds.machine, { ...KEY, name: 'm-1' });
    if (machine) await w.objects.delete(kinds.machine, machine);
  };

  beforeEach(async () => {
    const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' };
    w = await world({ nodeRef: { name: 'n-1' } }, { infrastructureRef });
  });

  it('reports that the API server answers, and the state of nodes, but nothing about control plane pods', async () => {
    await w.look();
    expect(await w.connection()).toMatchObject({ status: 'True', reason: 'ProbeSucceeded' });
    expect(await w.condition('NodeReady')).toMatchObject({ status: 'True' });
    expect(await w.condition('APIServerPodHealthy')).toBeUndefined();
    expect(w.state.patches).toMatchObject([['n-1', expect.anything()]]);
  });

  it('reports that the API server does not answer', async () => {
    await w.look();
    w.state.reachable = false;
    await w.look();
    expect(await w.connection()).toMatchObject({ status: 'False', message: 'connect ETIMEDOUT' });
    expect(await w.condition('NodeReady')).toMatchObject({ status: 'Unknown' });
  });

  it('evaluates health checks', async () => {
    const lastTransitionTime = w.clock.now().toISOString();
    const conditions = ['InfrastructureReady', 'ControlPlaneInitialized'].map((type) => {
      return { type, status: 'True' as const, reason: 'R', message: '', lastTransitionTime };
    });
    await write((cluster) => ({ ...cluster, status: { ...cluster.status, conditions } }) as Cluster);
    await w.put({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineHealthCheck',
      metadata: { name: 'all', namespace: 'default', labels },
      spec: { clusterName: 'red', selector: { matchLabels: labels } },
    } as MachineHealthCheck);
    w.state.nodes = [{ ...readyNode, metadata: { name: 'other' }, spec: {} }];
    await w.look();
    expect(await w.condition('HealthCheckSucceeded')).toMatchObject({ status: 'False', reason: 'NodeDeleted' });
  });

  it('starts when the infrastructure of the Cluster is provisioned if the user runs the control plane', async () => {
    await removeMachine();
    await w.look();
    expect(w.state.asked).toBe(0);
    await write(
      (cluster) => ({ ...cluster, status: { initialization: { infrastructureProvisioned: true } } }) as Cluster,
    );
    await w.look();
    expect(await w.connection()).toMatchObject({ status: 'True' });
  });
});

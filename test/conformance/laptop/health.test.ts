/**
 * Tests that unhealthy machines are replaced, on the whole laptop. An instance is stopped, so its kubelet does not
 * respond. The node lifecycle controller of the workload cluster marks the node as unreachable after 40 s, and the next
 * sweep evaluates the health check. The test starts sweeps itself instead of waiting for the schedule.
 */
import { StopInstancesCommand } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeadmControlPlane, Machine, MachineHealthCheck } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CONTROL_PLANE, CORE, conditionOf, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

const LABEL = 'cluster.x-k8s.io/control-plane';
const isControlPlane = ({ metadata }: Machine): boolean => LABEL in (metadata.labels ?? {});
const isRunning = ({ status }: Machine): boolean => status?.phase === 'Running';

let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
}, LIMIT);
afterAll(() => laptop?.stop());

const machines = async (which: 'control plane' | 'workers'): Promise<Machine[]> =>
  (await laptop.machines('quickstart')).filter((machine) => isControlPlane(machine) === (which === 'control plane'));

const withTwoWorkers = (object: KubeObject): KubeObject =>
  object.kind === 'MachineDeployment'
    ? ({ ...object, spec: { ...(object as { spec?: object }).spec, replicas: 2 } } as KubeObject)
    : object;

const check = (name: string, operator: 'Exists' | 'DoesNotExist') =>
  laptop.api.send('POST', `${CORE}/machinehealthchecks`, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { name, namespace: 'default' },
    spec: {
      clusterName: 'quickstart',
      selector: { matchExpressions: [{ key: LABEL, operator }] },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 5 }] },
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 1 } },
    },
  });

const stopInstance = async ({ spec }: Machine): Promise<void> => {
  const id = spec.providerID?.split('/').at(-1) ?? '';
  await laptop.ec2.send(new StopInstancesCommand({ InstanceIds: [id] }));
};

const IN_PROGRESS = 'controlplane.cluster.x-k8s.io/remediation-in-progress';
const SWEEP_MILLISECONDS = 5_000;

/** Runs sweeps until `broken` is gone and `count` machines are running. */
const replaced = async (which: 'control plane' | 'workers', broken: Machine, count: number): Promise<Machine[]> => {
  let swept = 0;
  return laptop.until(`${broken.metadata.name} is replaced`, async () => {
    if (Date.now() - swept > SWEEP_MILLISECONDS) {
      swept = Date.now();
      await laptop.runtime.invoke('Windlass-drift', {});
    }
    const now = await machines(which);
    const isGone = now.every(({ metadata }) => metadata.uid !== broken.metadata.uid);
    return isGone && now.length === count && now.every(isRunning) && now;
  });
};

const events = async (): Promise<string[]> =>
  (await laptop.list<KubeObject & { reason: string }>('/api/v1/namespaces/default/events')).map(({ reason }) => reason);

// The tests run in order: each continues where the previous one ended.
describe('a cluster with health checks', { timeout: LIMIT }, () => {
  it('is healthy', async () => {
    expect(await laptop.applyFile('examples/quickstart.yaml', withTwoWorkers)).toEqual([]);
    await check('workers', 'DoesNotExist');
    await check('control-plane', 'Exists');
    await laptop.until('all machines are found healthy', async () => {
      const checks = await laptop.list<MachineHealthCheck>(`${CORE}/machinehealthchecks`);
      const healthy = checks.map(({ status }) => status?.currentHealthy);
      return healthy.includes(3) && healthy.includes(2);
    });
    expect(await events()).not.toContain('MachineMarkedUnhealthy');
  });

  it('replaces a worker whose kubelet is unresponsive', async () => {
    const [broken] = await machines('workers');
    if (!broken) throw new Error('there is no worker');
    await stopInstance(broken);
    await replaced('workers', broken, 2);
    expect(await events()).toContain('MachineMarkedUnhealthy');
  });

  it('replaces a control plane machine of three, and etcd has three members again', async () => {
    const [broken] = await machines('control plane');
    if (!broken) throw new Error('there is no control plane');
    await stopInstance(broken);
    const now = await replaced('control plane', broken, 3);
    const path = `${CONTROL_PLANE}/kubeadmcontrolplanes/quickstart-control-plane`;
    // The replacement may be running before the next reconciliation records that the remediation is complete.
    const owner = await laptop.until('the remediation is over', async () => {
      const found = await laptop.get<KubeadmControlPlane>(path);
      const isOver = !(IN_PROGRESS in (found?.metadata.annotations ?? {}));
      return isOver && found?.status?.lastRemediation ? found : undefined;
    });
    expect(owner.status?.lastRemediation).toMatchObject({ machine: broken.metadata.name, retryCount: 0 });
    await laptop.until('the control plane is well', async () => {
      const found = await laptop.get<KubeadmControlPlane>(path);
      return conditionOf(found, 'EtcdClusterHealthy')?.status === 'True';
    });
    const marks = now.flatMap(
      ({ metadata }) => metadata.annotations?.['controlplane.cluster.x-k8s.io/remediation-for'] ?? [],
    );
    expect(marks).toHaveLength(1);
    expect(await events()).toContain('EtcdMemberRemoved');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PodTemplated, podSpecOf } from '../../../shared/distributions/kubeadm/upgrade-tasks/workload.ts';
import type { KubeadmControlPlane, Machine } from '../../../shared/kinds/index.ts';
import { ANSWER_MILLISECONDS, LIMIT } from '../../../shared/test-patience.ts';
import { makeConnectWorkload } from '../../../shared/workload/connect.ts';
import { targetOf } from '../../../shared/workload/test-target.ts';
import { CONTROL_PLANE, CORE, conditionOf, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

const connect = makeConnectWorkload({
  deadline: () => AbortSignal.timeout(ANSWER_MILLISECONDS),
  reach: { loopback: true },
});

const NEXT = 'v1.35.2';
const MERGE = 'application/merge-patch+json';
const OWNER = `${CONTROL_PLANE}/kubeadmcontrolplanes/quickstart-control-plane`;
const DEPLOYMENT = `${CORE}/machinedeployments/quickstart-md-0`;

let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
}, LIMIT);
afterAll(() => laptop?.stop());

const isControlPlane = ({ metadata }: Machine) => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {});

const kubelets = async (): Promise<string[]> => {
  const { items } = await (await laptop.workload('quickstart')).listNode();
  return items.map(({ status }) => status?.nodeInfo?.kubeletVersion ?? '').sort();
};

const imageOf = async (path: string): Promise<string> => {
  const secret = await laptop.get<{ data: { value: string } }>(
    '/api/v1/namespaces/default/secrets/quickstart-kubeconfig',
  );
  const client = connect(targetOf(Buffer.from(secret?.data.value ?? '', 'base64').toString()));
  const [plural = '', name = ''] = path.split('/');
  const kind = plural === 'deployments' ? 'Deployment' : 'DaemonSet';
  const object = await client.read({ apiVersion: 'apps/v1', kind, metadata: { name, namespace: 'kube-system' } });
  await client.close();
  return podSpecOf(object as PodTemplated).containers?.[0]?.image ?? '';
};

/** Waits until all machines of one role have the new version, and records the intermediate states. */
const watchRollout = async (isOne: (machine: Machine) => boolean, what: string) => {
  const seen = { sizes: new Set<number>(), running: new Set<number>() };
  await laptop.until(what, async () => {
    const machines = (await laptop.machines('quickstart')).filter(isOne);
    const running = machines.filter(
      ({ metadata, status }) => !metadata.deletionTimestamp && status?.phase === 'Running',
    );
    seen.sizes.add(machines.length);
    seen.running.add(running.length);
    return machines.length === 3 && running.length === 3 && running.every(({ spec }) => spec.version === NEXT);
  });
  return seen;
};

// The tests run in order: each continues where the previous one ended.
describe('a cluster that is upgraded to the next minor', { timeout: LIMIT }, () => {
  it('is running', async () => {
    expect(await laptop.applyFile('examples/quickstart.yaml')).toEqual([]);
    await laptop.until('all machines are available', async () => {
      const found = (await laptop.cluster('quickstart'))?.status;
      return found?.controlPlane?.availableReplicas === 3 && found.workers?.availableReplicas === 3;
    });
  });

  it('replaces its control plane machines one by one, and updates the configuration for joining machines', async () => {
    await laptop.api.send('PATCH', OWNER, { spec: { version: NEXT } }, MERGE);
    const { sizes, running } = await watchRollout(isControlPlane, 'the control plane has the new version');
    expect(Math.max(...sizes)).toBe(4);
    expect(Math.min(...running)).toBeGreaterThanOrEqual(3);

    const api = await laptop.workload('quickstart');
    const config = await api.readNamespacedConfigMap({ namespace: 'kube-system', name: 'kubeadm-config' });
    expect(config.data?.ClusterConfiguration).toContain(`kubernetesVersion: ${NEXT}`);
    const { items } = await api.listNamespacedPod({ namespace: 'kube-system', labelSelector: 'tier=control-plane' });
    const servers = items.flatMap(({ spec }) => spec?.containers.filter(({ name }) => name === 'kube-apiserver') ?? []);
    expect(servers.map(({ image }) => image)).toEqual(Array(3).fill(`registry.k8s.io/kube-apiserver:${NEXT}`));
    const owner = await laptop.until('the status follows', async () => {
      const found = await laptop.get<KubeadmControlPlane>(OWNER);
      return found?.status?.version === NEXT && conditionOf(found, 'RollingOut')?.status === 'False'
        ? found
        : undefined;
    });
    expect(owner.status?.upToDateReplicas).toBe(3);
    await laptop.until('kube-proxy follows', async () => (await imageOf('daemonsets/kube-proxy')).endsWith(`:${NEXT}`));
  });

  it('updates CoreDNS in place when its image is named', async () => {
    const before = (await laptop.machines('quickstart')).map(({ metadata }) => metadata.uid).sort();
    const clusterConfiguration = { dns: { imageTag: 'v1.13.1' } };
    await laptop.api.send('PATCH', OWNER, { spec: { kubeadmConfigSpec: { clusterConfiguration } } }, MERGE);
    await laptop.until('CoreDNS follows', async () =>
      (await imageOf('deployments/coredns')).endsWith('coredns:v1.13.1'),
    );
    expect((await laptop.machines('quickstart')).map(({ metadata }) => metadata.uid).sort()).toEqual(before);
  });

  it('updates its workers when their version is raised', async () => {
    expect(await kubelets()).toEqual([...Array(3).fill('v1.34.0'), ...Array(3).fill(NEXT)]);
    const spec = { template: { spec: { version: NEXT } } };
    await laptop.api.send('PATCH', DEPLOYMENT, { spec }, MERGE);
    const { sizes, running } = await watchRollout(
      (machine) => !isControlPlane(machine),
      'the workers have the version',
    );
    expect(Math.max(...sizes)).toBe(4);
    expect(Math.min(...running)).toBeGreaterThanOrEqual(3);
    await laptop.until('no old node is left', async () => (await kubelets()).every((version) => version === NEXT));
  });
});

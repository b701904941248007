import { CoreV1Api, KubeConfig, KubernetesObjectApi } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AWSMachine, Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, conditionOf, INFRASTRUCTURE, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
}, LIMIT);
afterAll(() => laptop?.stop());

const REPLICAS: Readonly<Record<string, number>> = { KubeadmControlPlane: 1, MachineDeployment: 2 };

/** One control plane machine is enough, because only workers are tested. */
const smaller = (object: KubeObject): KubeObject =>
  object.kind in REPLICAS
    ? ({ ...object, spec: { ...(object as { spec?: object }).spec, replicas: REPLICAS[object.kind] } } as KubeObject)
    : object;

const workloadConfig = async (): Promise<KubeConfig> => {
  const path = '/api/v1/namespaces/default/secrets/quickstart-kubeconfig';
  const secret = await laptop.get<{ data: { value: string } }>(path);
  const config = new KubeConfig();
  config.loadFromString(Buffer.from(secret?.data.value ?? '', 'base64').toString());
  return config;
};

const workers = async (): Promise<Machine[]> =>
  (await laptop.machines('quickstart')).filter(
    ({ metadata }) => !('cluster.x-k8s.io/control-plane' in (metadata.labels ?? {})),
  );

const HOOK = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/backup';
const selector = { matchLabels: { app: 'web' } };
const metadata = { name: 'web', namespace: 'default' };
const budget = (maxUnavailable: number) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata,
  spec: { selector, maxUnavailable },
});
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata,
  spec: {
    replicas: 2,
    selector,
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'web' }] } },
  },
};

// The tests run in order: each continues where the previous one ended.
describe('a worker that is deleted while a budget protects its pods', { timeout: LIMIT }, () => {
  let leaving: Machine;
  const current = () => laptop.get<Machine>(`${CORE}/machines/${leaving.metadata.name}`);
  const annotate = (annotations: Record<string, string | null>) =>
    laptop.api.send(
      'PATCH',
      `${CORE}/machines/${leaving.metadata.name}`,
      { metadata: { annotations } },
      'application/merge-patch+json',
    );
  const webPods = async () => {
    const api = (await workloadConfig()).makeApiClient(CoreV1Api);
    return (await api.listNamespacedPod({ namespace: 'default', labelSelector: 'app=web' })).items;
  };

  it('runs a pod of a Deployment, as the other worker does', async () => {
    expect(await laptop.applyFile('examples/quickstart.yaml', smaller)).toEqual([]);
    await laptop.until(
      'all machines are available',
      async () => (await laptop.cluster('quickstart'))?.status?.workers?.availableReplicas === 2,
    );
    const objects = KubernetesObjectApi.makeApiClient(await workloadConfig());
    for (const object of [deployment, budget(0)]) await objects.create(object as never);
    await laptop.until('a pod runs on each worker', async () => {
      const nodes = (await webPods())
        .filter(({ status }) => status?.phase === 'Running')
        .map(({ spec }) => spec?.nodeName);
      return new Set(nodes).size === 2;
    });
  });

  it('stays, and reports which budget and which pod block it', async () => {
    [leaving] = (await workers()) as [Machine];
    await annotate({ [HOOK]: 'a backup' });
    await laptop.api.send('DELETE', `${CORE}/machines/${leaving.metadata.name}`);
    const machine = await laptop.until('the condition says so', async () => {
      const found = await current();
      return conditionOf(found, 'Deleting')?.message?.includes('disruption budget') ? found : undefined;
    });
    const deleting = conditionOf(machine, 'Deleting');
    expect(deleting).toMatchObject({ status: 'True', reason: 'DrainingNode' });
    expect(deleting?.message).toMatch(
      /\* Pod default\/web-\S+: cannot evict pod as it would violate the pod's disruption budget\. The disruption budget web needs 2 healthy pods and has 2 currently/,
    );
    expect(machine.status?.deletion?.nodeDrainStartTime).toBeDefined();
    const infrastructure = await laptop.get<AWSMachine>(`${INFRASTRUCTURE}/awsmachines/${leaving.metadata.name}`);
    expect(infrastructure?.metadata.deletionTimestamp).toBeUndefined();
    expect(await laptop.instances()).toContain(infrastructure?.spec.instanceID);
    const api = (await workloadConfig()).makeApiClient(CoreV1Api);
    const node = await api.readNode({ name: machine.status?.nodeRef?.name ?? '' });
    expect(node.spec?.unschedulable).toBe(true);
  });

  it('is drained when the budget is relaxed, and then waits for a hook', async () => {
    const objects = KubernetesObjectApi.makeApiClient(await workloadConfig());
    await objects.patch(
      budget(1) as never,
      undefined,
      undefined,
      'test',
      true,
      'application/apply-patch+yaml' as never,
    );
    const waiting = await laptop.until('the hook is waited for', async () => {
      const found = conditionOf(await current(), 'Deleting');
      return found?.reason === 'WaitingForPreTerminateHook' ? found : undefined;
    });
    expect(waiting.message).toBe(`Waiting for pre-terminate hooks to succeed (hooks: ${HOOK})`);
    await laptop.until('its pod runs elsewhere', async () => {
      const pods = (await webPods()).filter(({ status }) => status?.phase === 'Running');
      return pods.length === 2 && pods.every(({ spec }) => spec?.nodeName !== leaving.status?.nodeRef?.name);
    });
  });

  it('is deleted when the hook is removed', async () => {
    await annotate({ [HOOK]: null });
    await laptop.until('the machine is gone', async () => (await current()) === undefined);
    const events = await laptop.list<KubeObject & { reason: string }>('/api/v1/namespaces/default/events');
    expect(events.map(({ reason }) => reason)).toContain('SuccessfulDrainNode');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeadmControlPlane, Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { isAtRest } from '../../end-to-end/at-rest.ts';
import { CONTROL_PLANE, CORE, conditionOf, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

const FIRST = 'v1.28.5';
const PATH = ['v1.29.3', 'v1.30.4'];
const TARGET = 'v1.31.2';
const MERGE = 'application/merge-patch+json';
const OWNER = `${CONTROL_PLANE}/kubeadmcontrolplanes/quickstart-control-plane`;
const CLUSTER = `${CORE}/clusters/quickstart`;

let laptop: TestLaptop;
beforeAll(async () => {
  laptop = await startTestLaptop();
}, LIMIT);
afterAll(() => laptop?.stop());

/** One machine of each role is enough to test the order of the steps. */
const small = (object: KubeObject): KubeObject => {
  const older = JSON.parse(JSON.stringify(object).replaceAll('v1.34.0', FIRST)) as KubeObject & { spec: object };
  const isOwner = object.kind === 'KubeadmControlPlane' || object.kind === 'MachineDeployment';
  return isOwner ? ({ ...older, spec: { ...older.spec, replicas: 1 } } as KubeObject) : older;
};

const isControlPlane = ({ metadata }: Machine) => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {});

const versions = async () => {
  const machines = (await laptop.machines('quickstart')).filter(({ metadata }) => !metadata.deletionTimestamp);
  const of = (wanted: boolean) => [
    ...new Set(machines.filter((one) => isControlPlane(one) === wanted).map(({ spec }) => spec.version ?? '')),
  ];
  return { controlPlane: of(true), workers: of(false) };
};

const progress = async (): Promise<string> =>
  conditionOf(await laptop.get<KubeadmControlPlane>(OWNER), 'windlass.dev/ChainedUpgrade')?.message ?? '';

// The tests run in order: each continues where the previous one ended.
describe('a cluster that is upgraded over several minors', { timeout: LIMIT }, () => {
  it('is running', async () => {
    expect(await laptop.applyFile('examples/quickstart.yaml', small)).toEqual([]);
    await laptop.until('all machines are available', async () => {
      const found = (await laptop.cluster('quickstart'))?.status;
      return found?.controlPlane?.availableReplicas === 1 && found.workers?.availableReplicas === 1;
    });
  });

  it('must not skip minors, unless its annotation lists the versions in between', async () => {
    const skip = laptop.api.send('PATCH', OWNER, { spec: { version: TARGET } }, MERGE);
    await expect(skip).rejects.toThrow(`cannot update Kubernetes version from ${FIRST} to ${TARGET}`);

    const template = { spec: { template: { spec: { version: TARGET } } } };
    const annotations = { 'windlass.dev/upgrade-path': PATH.join(',') };
    await laptop.api.send('PATCH', OWNER, { metadata: { annotations }, spec: { version: TARGET } }, MERGE);
    await laptop.api.send('PATCH', `${CORE}/machinedeployments/quickstart-md-0`, template, MERGE);
  });

  it('stops while it is paused, and then continues', async () => {
    await laptop.until('the first step is under way', async () => (await versions()).controlPlane.includes('v1.29.3'));
    expect(await progress()).toContain(`v1.29.3 on the way to ${TARGET}`);
    await laptop.api.send('PATCH', CLUSTER, { spec: { paused: true } }, MERGE);
    await laptop.until(
      'the pause is seen',
      async () => conditionOf(await laptop.cluster('quickstart'), 'Paused')?.status === 'True',
    );
    await laptop.runtime.invoke('Windlass-drift', {});
    await laptop.until('all that was under way has ended', async () => isAtRest(laptop));
    expect((await versions()).controlPlane).not.toContain('v1.30.4');
    await laptop.api.send('PATCH', CLUSTER, { spec: { paused: false } }, MERGE);
  });

  it('goes minor by minor, control plane then workers, to the target', async () => {
    const seen: string[] = [];
    await laptop.until('all machines have the last version', async () => {
      const { controlPlane, workers } = await versions();
      const text = `${controlPlane.sort().join('+')} ${workers.sort().join('+')}`;
      if (seen.at(-1) !== text) seen.push(text);
      return text === `${TARGET} ${TARGET}`;
    });
    const minor = (version: string) => Number(version.split('.')[1]);
    for (const text of seen) {
      const [owners = '', workers = ''] = text.split(' ');
      const [low, high] = [Math.min, Math.max].map((pick) => pick(...owners.split('+').map(minor)));
      expect((high ?? 0) - (low ?? 0), text).toBeLessThanOrEqual(1);
      expect(Math.max(...workers.split('+').map(minor)), text).toBeLessThanOrEqual(low ?? 0);
      expect((high ?? 0) - Math.min(...workers.split('+').map(minor)), text).toBeLessThanOrEqual(1);
    }
    expect(seen.join('\n')).toContain('v1.30.4 v1.30.4');
    await laptop.until('the control plane says so', async () => {
      const owner = await laptop.get<KubeadmControlPlane>(OWNER);
      return owner?.status?.version === TARGET && conditionOf(owner, 'windlass.dev/ChainedUpgrade')?.status === 'False';
    });
    const api = await laptop.workload('quickstart');
    const config = await api.readNamespacedConfigMap({ namespace: 'kube-system', name: 'kubeadm-config' });
    expect(config.data?.ClusterConfiguration).toContain('kubeadm.k8s.io/v1beta4');
  });
});

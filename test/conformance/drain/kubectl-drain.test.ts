import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubernetesObjectApi } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDrainWorld } from '../../../functions/machine/node/drain/test-world.ts';
import {
  bodyFor,
  createTestWorld,
  eventually,
  plainUserData,
  type TestWorld,
  TOKENS,
} from '../../../infra/local/machines/test-world.ts';
import { ANSWER_MILLISECONDS, LIMIT, PATIENCE_SECONDS, withMoreTime } from '../../../shared/test-patience.ts';
import { makeConnectWorkload } from '../../../shared/workload/connect.ts';
import { targetOf } from '../../../shared/workload/test-target.ts';
import { hasKubectl } from '../kubectl/kubectl.ts';

/** Compares `kubectl drain` with Windlass's own drain, on two nodes of a simulated cluster with its controllers. */

const meta = (name: string) => ({ name, namespace: 'default' });
const selector = { matchLabels: { app: 'web' } };
const templateOf = (app: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'c', image: app }] },
});
const OBJECTS = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: meta('web'),
    spec: { replicas: 4, selector, template: templateOf('web') },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: meta('agent'),
    spec: { selector: { matchLabels: { app: 'agent' } }, template: templateOf('agent') },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: meta('web'),
    spec: { selector, maxUnavailable: 0 },
  },
];

describe.skipIf(!hasKubectl() && !process.env.CI)('kubectl drain and Windlass’s own', { timeout: LIMIT }, () => {
  let world: TestWorld;
  let home: string;
  let kubeconfig: string;
  let workers: string[];
  beforeAll(async () => {
    world = await createTestWorld();
    world.launch(plainUserData(bodyFor(world, 'init')));
    for (const token of TOKENS.slice(0, 2)) world.launch(plainUserData(bodyFor(world, 'worker', token)));
    await eventually(
      async () => (await world.nodes()).length === 3,
      () => 'not all nodes have joined',
    );
    const { config } = await world.admin();
    const objects = KubernetesObjectApi.makeApiClient(config);
    home = mkdtempSync(join(tmpdir(), 'windlass-drain-'));
    kubeconfig = config.exportConfig();
    writeFileSync(join(home, 'kubeconfig'), kubeconfig, { mode: 0o600 });
    const nodes = await world.nodes();
    workers = nodes
      .filter(({ metadata }) => !('node-role.kubernetes.io/control-plane' in (metadata?.labels ?? {})))
      .map(({ metadata }) => metadata?.name ?? '')
      .sort();
    // Nodes of Cluster API's clusters have this taint until their labels are synced, which does not happen here.
    await kubectl('taint', 'nodes', ...workers, 'node.cluster.x-k8s.io/uninitialized-');
    for (const object of OBJECTS) await objects.create(object as never);
    let seen: string[][] = [];
    await eventually(
      async () => {
        seen = await Promise.all(workers.map(podsOn));
        return seen.every(({ length }) => length === 3);
      },
      () => `the pods do not run: ${JSON.stringify(workers)} ${JSON.stringify(seen)}`,
    );
  }, LIMIT);
  afterAll(async () => {
    await world?.close();
    if (home) rmSync(home, { recursive: true, force: true });
  });

  /** The apps of the pods on a node. */
  const podsOn = async (node = ''): Promise<string[]> => {
    const { api } = await world.admin();
    const { items } = await api.listNamespacedPod({
      namespace: 'default',
      fieldSelector: `spec.nodeName=${node}`,
    });
    return items.map(({ metadata }) => metadata?.labels?.app ?? '').sort();
  };

  const kubectl = (...args: string[]): Promise<{ code: number | null; text: string }> =>
    new Promise((resolve, reject) => {
      const child = spawn('kubectl', [
        '--kubeconfig',
        join(home, 'kubeconfig'),
        '--cache-dir',
        join(home, 'cache'),
        ...args,
      ]);
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (part) => (text += part));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, text }));
    });

  const makeOurs = async () => {
    const node = (await world.nodes()).find(({ metadata }) => metadata?.name === workers[1]);
    return makeDrainWorld({
      connect: () =>
        makeConnectWorkload({ deadline: () => AbortSignal.timeout(ANSWER_MILLISECONDS), reach: { loopback: true } })(
          targetOf(kubeconfig),
        ),
      nodeName: workers[1] ?? '',
      ...(node?.spec?.providerID ? { providerId: node.spec.providerID } : {}),
    });
  };
  let ours: Awaited<ReturnType<typeof makeOurs>>;

  it('are both blocked by a budget, and report it with the same text', async () => {
    ours = await makeOurs();
    const heldUp = "annot evict pod as it would violate the pod's disruption budget.";
    const theirs = await withMoreTime(
      3,
      (seconds) => kubectl('drain', workers[0] ?? '', '--ignore-daemonsets', `--timeout=${seconds}s`),
      ({ text }) => text.includes(heldUp),
    );
    expect(theirs.code).not.toBe(0);
    expect(theirs.text).toContain(heldUp);
    expect(await ours.look()).toMatchObject({ progress: 'wait' });
    expect((await ours.deleting())?.message).toContain(
      "cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 4 healthy pods and has 4 currently",
    );
    const nodes = await world.nodes();
    expect(nodes.filter(({ spec }) => spec?.unschedulable).map(({ metadata }) => metadata?.name)).toEqual(workers);
    expect(await podsOn(workers[0])).toEqual(await podsOn(workers[1]));
    await kubectl('uncordon', workers[0] ?? '');
  });

  it('leave the same pods on the node when the budget allows one eviction after the other', async () => {
    const relaxed = '{"spec":{"maxUnavailable":1}}';
    expect((await kubectl('patch', 'pdb', 'web', '--type=merge', '-p', relaxed)).code).toBe(0);
    await eventually(
      async () => (await ours.look()).progress === 'done',
      () => 'our drain does not end',
    );
    expect(await podsOn(workers[1])).toEqual(['agent']);
    expect(await podsOn(workers[0])).toEqual(['agent', 'web', 'web', 'web', 'web']);

    await kubectl('uncordon', workers[1] ?? '');
    const theirs = await kubectl('drain', workers[0] ?? '', '--ignore-daemonsets', `--timeout=${PATIENCE_SECONDS}s`);
    expect(theirs, theirs.text).toMatchObject({ code: 0 });
    expect(theirs.text).toContain('evicting pod default/web-');
    expect(await podsOn(workers[0])).toEqual(['agent']);
    expect(await podsOn(workers[1])).toEqual(['agent', 'web', 'web', 'web', 'web']);
  });
});

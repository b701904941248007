import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../../infra/cli/conformance/upstream/modules.ts';
import { startUpstream, type Upstream } from '../../../infra/cli/conformance/upstream/upstream.ts';
import { systemClock } from '../../../shared/clock.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { createCluster, type Judge, lackOfHealth, NAMESPACE, readSeen, removeTaints, type Seen } from './clusters.ts';
import { type Conditions, compareConditions, type Difference, orderOf } from './conditions.ts';
import {
  deleteCluster,
  holdAll,
  lackOfControlPlaneLeaving,
  lackOfDeleting,
  releaseAll,
  releaseWorkers,
  rollOut,
} from './held.ts';
import { changeInPlace, type InPlace, pauseCluster, pauseControlPlane, readInPlace, readUntil } from './in-place.ts';
import { KNOWN_DIFFERENCES, WHILE_DELETED, WHILE_LEAVING, WHILE_WAITING } from './known-differences.ts';
import { addNode, breakComponents, deleteNode, pressWorkers } from './troubles.ts';
import { createWaiting, WAITING } from './waiting.ts';

const assets = process.env.KUBEBUILDER_ASSETS;
const programs = process.env.WINDLASS_MANAGERS;

const LOOK_MILLISECONDS = 1000;

/** The message of a machine whose deletion waits for its hook. */
const HELD = 'Machine deletion in progress, stage: WaitingForPreTerminateHook';

/** The minimum number of compared conditions of a healthy cluster. Fewer would mean that some are no longer read. */
const AT_LEAST = 84;

/** Judges whether the Cluster reports that a control plane machine is not Ready. */
const lackOfTrouble = (conditions: Conditions): string | undefined => {
  const found = conditions.get('Cluster')?.get('ControlPlaneMachinesReady');
  return found?.some((text) => text.startsWith('False')) ? undefined : `ControlPlaneMachinesReady: ${found}`;
};

/** Judges whether a control plane machine reports that its controller manager is unhealthy. */
const lackOfComponents = (conditions: Conditions): string | undefined => {
  const found = conditions.get('Machine of the control plane')?.get('ControllerManagerPodHealthy');
  return found?.some((text) => text.startsWith('False')) ? undefined : `ControllerManagerPodHealthy: ${found}`;
};

/** Judges whether all workers report that their nodes are not healthy. */
const lackOfPressure = (conditions: Conditions): string | undefined => {
  const found = conditions.get('Machine of a worker')?.get('NodeHealthy');
  return found?.every((text) => !text.startsWith('True')) ? undefined : `NodeHealthy: ${found}`;
};

/** Judges whether the control plane reports a node without a machine. */
const lackOfStray = (conditions: Conditions): string | undefined => {
  const found = conditions.get('KubeadmControlPlane')?.get('ControlPlaneComponentsHealthy');
  return found?.some((text) => text.includes('Node stray')) ? undefined : `ControlPlaneComponentsHealthy: ${found}`;
};

/** Judges whether a control plane machine reports that its node was deleted. */
const lackOfNode = (conditions: Conditions): string | undefined => {
  const found = conditions.get('Machine of the control plane')?.get('NodeReady');
  return found?.some((text) => text.startsWith('False NodeDeleted')) ? undefined : `NodeReady: ${found}`;
};

/** Judges whether the condition Paused of a kind has the wanted status. */
const lackOf =
  (kind: string, wanted = 'True') =>
  (conditions: Conditions): string | undefined => {
    const found = conditions.get(kind)?.get('Paused');
    return found?.every((text) => text.startsWith(wanted)) ? undefined : `${kind}: Paused: ${found}`;
  };

/** `isIn` reports whether a machine has the change. */
const IN_PLACE: readonly (InPlace & { what: string; isIn(text: string): boolean })[] = [
  {
    what: 'labels, annotations and a timeout',
    labels: { tier: 'gold' },
    annotations: { 'example.com/team': 'blue' },
    spec: { deletion: { nodeDrainTimeoutSeconds: 60 } },
    isIn: (text: string) => text.includes('gold') && text.includes('blue') && text.includes('60'),
  },
  {
    what: 'other labels',
    labels: { tier: null, shape: 'round' },
    annotations: { 'example.com/team': null },
    spec: { deletion: null },
    isIn: (text: string) => text.includes('round') && !text.includes('gold') && !text.includes('blue'),
  },
];

it('the managers and their definitions have the same version', () => {
  const versions = readFileSync(join(import.meta.dirname, 'program', 'go.mod'), 'utf8').matchAll(
    /^\tsigs\.k8s\.io\/cluster-api(?:\/test)? (\S+)/gm,
  );
  expect([...versions].map(([, version]) => version)).toEqual([VERSION, VERSION]);
});

// The tests run in order.
describe.skipIf(!assets || !programs)('the conditions of a cluster', { timeout: LIMIT }, () => {
  let laptop: TestLaptop;
  let upstream: Upstream;
  let theirs: Conditions;
  let ours: Conditions;

  /** The differences in the conditions and in all other status fields, except for the types in `apart`. */
  const differencesOf = (there: Seen, here: Seen, apart: Readonly<Record<string, readonly string[]>>) => {
    const all = compareConditions(there.conditions, here.conditions);
    const differences = [...all.different, ...compareConditions(there.statuses, here.statuses).different];
    return { ...all, different: differences.filter(({ subject, type }) => !apart[subject]?.includes(type)) };
  };

  /** Reads upstream first, because it is slower, and this side only once upstream has reached the state. */
  const look = async (judge: Judge, apart: Readonly<Record<string, readonly string[]>>, namespace: string) => {
    const there = await readSeen(upstream.api, 'Dev', judge, namespace);
    if (there.lack !== undefined) return { lack: `upstream: ${there.lack}` };
    const here = await readSeen(laptop.api, 'AWS', judge, namespace);
    if (here.lack !== undefined) return { lack: `here: ${here.lack}` };
    [theirs, ours] = [there.conditions, here.conditions];
    return { found: differencesOf(there, here, apart) };
  };

  /**
   * Reads both sides until `judge` is satisfied and they agree except for the known differences: owners are updated one
   * after the other, after their machines. At the deadline, returns the last differences.
   */
  const compareAtRest = async (
    judge: Judge,
    known: readonly Difference[] = [],
    apart: Readonly<Record<string, readonly string[]>> = {},
    namespace = NAMESPACE,
  ) => {
    const deadline = Date.now() + PATIENCE_SECONDS * 1000;
    for (;;) {
      const { found, lack } = await look(judge, apart, namespace);
      const isLast = Date.now() > deadline;
      if (found && (isLast || isDeepStrictEqual(found.different, known))) return found;
      if (isLast) throw new Error(`not within ${PATIENCE_SECONDS} s, ${lack}`);
      await systemClock.sleep(LOOK_MILLISECONDS);
    }
  };

  beforeAll(async () => {
    [laptop, upstream] = await Promise.all([
      startTestLaptop(),
      startUpstream(assets ?? '', programs ?? '', { workloadClusters: 1 + WAITING.length }),
    ]);
    await Promise.all([createCluster(laptop.api, 'AWS'), createCluster(upstream.api, 'Dev')]);
    await Promise.all([createWaiting(laptop.api, 'AWS'), createWaiting(upstream.api, 'Dev')]);
  }, LIMIT);
  afterAll(async () => {
    await Promise.all([laptop?.stop(), upstream?.stop()]);
  }, LIMIT);

  it('equal upstream’s while it is healthy, except for the known differences', async () => {
    const known = KNOWN_DIFFERENCES.map(({ because: _because, ...difference }) => difference);
    const { alike, different } = await compareAtRest(lackOfHealth, known);

    process.stdout.write(`${alike.length} of ${alike.length + different.length} conditions are as upstream has them\n`);
    expect(different).toEqual(known);
    expect(alike.length + different.length).toBeGreaterThanOrEqual(AT_LEAST);
  });

  it.each(WAITING)('equal upstream’s while a cluster waits for $what', async ({ namespace, judge }) => {
    expect((await compareAtRest(judge, [], WHILE_WAITING, namespace)).different).toEqual([]);
  });

  it('have upstream’s order', () => {
    for (const subject of theirs.keys())
      expect([subject, orderOf(subject, ours, theirs)]).toEqual([subject, orderOf(subject, theirs, ours)]);
  });

  it('equal upstream’s while the node of a control plane machine lacks its taint', async () => {
    await Promise.all([removeTaints(laptop.api), removeTaints(upstream.api)]);
    const { different } = await compareAtRest(lackOfTrouble);

    expect(different).toEqual([]);
    expect(ours.get('Machine of the control plane')?.get('NodeKubeadmLabelsAndTaintsSet')).toEqual([
      'False NotSet Node <node> does not have the node-role.kubernetes.io/control-plane:NoSchedule taint',
      'True Set',
    ]);
  });

  it.each(IN_PLACE)('do not change if machines get $what in place, on the same objects as upstream', async (change) => {
    await Promise.all([changeInPlace(laptop.api, change), changeInPlace(upstream.api, change)]);
    const both = () =>
      Promise.all([readInPlace(upstream.api, 'Dev', change), readInPlace(laptop.api, 'AWS', change)] as const);
    const [expected, found] = await readUntil(
      both,
      ([there, here]) => there.machines?.every(change.isIn) === true && isDeepStrictEqual(there, here),
    );

    expect(expected.machines?.every(change.isIn), expected.machines?.join()).toBe(true);
    expect(found).toEqual(expected);
    expect((await compareAtRest(lackOfTrouble)).different).toEqual([]);
  });

  it('equal upstream’s while components of a control plane machine fail', async () => {
    const repairs = await Promise.all([breakComponents(laptop.api, 'AWS'), breakComponents(upstream.api, 'Dev')]);
    const { different } = await compareAtRest(lackOfComponents);
    await Promise.all(repairs.map((repair) => repair()));

    expect(different).toEqual([]);
    expect((await compareAtRest(lackOfTrouble)).different).toEqual([]);
  });

  it('equal upstream’s while no worker is known to be healthy', async () => {
    const repairs = await Promise.all([pressWorkers(laptop.api, 'AWS'), pressWorkers(upstream.api, 'Dev')]);
    const { different } = await compareAtRest(lackOfPressure);
    await Promise.all(repairs.map((repair) => repair()));

    expect(different).toEqual([]);
    expect((await compareAtRest(lackOfTrouble)).different).toEqual([]);
  });

  it('equal upstream’s while the control plane has a node without a machine', async () => {
    const repairs = await Promise.all([addNode(laptop.api), addNode(upstream.api)]);
    const { different } = await compareAtRest(lackOfStray);
    await Promise.all(repairs.map((repair) => repair()));

    expect(different).toEqual([]);
    expect((await compareAtRest(lackOfTrouble)).different).toEqual([]);
  });

  it('equal upstream’s while the node of a control plane machine is deleted', async () => {
    const repairs = await Promise.all([deleteNode(laptop.api, 'AWS'), deleteNode(upstream.api, 'Dev')]);
    const { different } = await compareAtRest(lackOfNode);
    await Promise.all(repairs.map((repair) => repair()));

    expect(different).toEqual([]);
    expect(ours.get('Machine of the control plane')?.get('APIServerPodHealthy')).toEqual([
      'True Running',
      'Unknown InspectionFailed Node <node> does not exist',
    ]);
    expect((await compareAtRest(lackOfHealth)).different).toEqual([]);
  });

  it('equal upstream’s while the control plane is paused', async () => {
    await Promise.all([pauseControlPlane(laptop.api, true), pauseControlPlane(upstream.api, true)]);
    const { different } = await compareAtRest(lackOf('KubeadmControlPlane'));

    expect(different).toEqual([]);
    expect(ours.get('KubeadmControlPlane')?.get('Paused')).toEqual([
      'True Paused KubeadmControlPlane has the cluster.x-k8s.io/paused annotation',
    ]);
  });

  it('equal upstream’s while the whole cluster is paused', async () => {
    await Promise.all([pauseControlPlane(laptop.api, false), pauseControlPlane(upstream.api, false)]);
    await compareAtRest(lackOf('KubeadmControlPlane', 'False'));
    await Promise.all([pauseCluster(laptop.api, true), pauseCluster(upstream.api, true)]);
    const { different } = await compareAtRest(lackOf('Cluster'));

    expect(different).toEqual([]);
    expect(ours.get('KubeadmConfig of a worker')?.get('Paused')).toEqual([
      'True Paused Cluster spec.paused is set to true',
    ]);
  });

  it('equal upstream’s while a rollout waits for the deletion of machines', async () => {
    await Promise.all([pauseCluster(laptop.api, false), pauseCluster(upstream.api, false)]);
    await compareAtRest(lackOf('Cluster', 'False'));
    await Promise.all([holdAll(laptop.api), holdAll(upstream.api)]);
    await Promise.all([rollOut(laptop.api), rollOut(upstream.api)]);

    expect((await compareAtRest(lackOfDeleting(1, 5))).different).toEqual([]);
  });

  it('equal upstream’s while the deletion of the cluster waits for its workers', async () => {
    await Promise.all([holdAll(laptop.api), holdAll(upstream.api)]);
    await Promise.all([deleteCluster(laptop.api), deleteCluster(upstream.api)]);

    expect((await compareAtRest(lackOfDeleting(3, 3), [], WHILE_LEAVING)).different).toEqual([]);
  });

  it('equal upstream’s while the deletion of the cluster waits for its control plane', async () => {
    await Promise.all([releaseWorkers(laptop.api), releaseWorkers(upstream.api)]);

    const { different } = await compareAtRest(lackOfControlPlaneLeaving, [], WHILE_DELETED);
    expect(different).toEqual([]);
    expect(ours.get('KubeadmControlPlane')?.get('MachinesReady')).toEqual([
      `False NotReady * Machines <machine>, <machine>, <machine>:\n  * Deleting: ${HELD}`,
    ]);
    await Promise.all([releaseAll(laptop.api), releaseAll(upstream.api)]);
  });
});

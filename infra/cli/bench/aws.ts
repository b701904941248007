/**
 * Counts the calls of the functions to AWS, and the state transitions of the workflows, for creating and deleting
 * clusters.
 */
import { join } from 'node:path';
import { systemClock } from '../../../shared/clock.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { recordedCall } from '../../local/recorded-call.ts';
import { type Api, ApiError, makeApi } from '../api/client.ts';
import { apply } from '../apply/apply.ts';
import { readManifests } from '../apply/manifest.ts';
import { synth } from '../commands/synth.ts';
import type { Laptop } from '../laptop.ts';
import { ROOT } from '../paths.ts';
import { readCluster } from '../progress/snapshot.ts';
import { isComplete } from '../progress/verdict.ts';
import type { AwsFigures, ClusterFigures, Phase } from './aws-figures.ts';
import { measureSweep } from './aws-sweep.ts';
import { startQuietLaptop } from './quiet-laptop.ts';

const CLUSTER = { namespace: 'default', name: 'quickstart' };
const PATH = `/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters/${CLUSTER.name}`;
const LOOK_MILLISECONDS = 500;
const PATIENCE_SECONDS = 600;
/** The quiet time after which no immediate work is left. */
const QUIET_MILLISECONDS = 5_000;
/** As on AWS, the boot takes most of the time, and passes run meanwhile. */
const BOOT_MILLISECONDS = 2_000;

const SIZES = [
  { controlPlane: 3, workers: 3 },
  { controlPlane: 3, workers: 10 },
];
const FLEETS = [3, 10, 100, 1_000];

const until = async (what: string, look: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + PATIENCE_SECONDS * 1000;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`not within ${PATIENCE_SECONDS} s: ${what}`);
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
};

const isGone = async (api: Api): Promise<boolean> => {
  try {
    await api.send('GET', PATH);
    return false;
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 404) return true;
    throw error;
  }
};

const sized =
  (controlPlane: number, workers: number) =>
  (object: KubeObject): KubeObject => {
    const replicas = { KubeadmControlPlane: controlPlane, MachineDeployment: workers }[object.kind];
    const { spec } = object as { spec?: object };
    return replicas === undefined ? object : ({ ...object, spec: { ...spec, replicas } } as KubeObject);
  };

interface Counters {
  calls: Record<string, number>;
  laptop: Laptop;
}

/** Each state that is entered, and each attempt after the first, is billed as a transition. */
const transitionsOf = ({ laptop }: Counters): number =>
  laptop.runtime
    .executions()
    .flatMap(({ events }) => events.filter(({ type }) => type === 'StateEntered' || type === 'StateRetried')).length;

/**
 * Passes that immediately follow the completion, or the deletion, belong to it. Later ones count for the next phase:
 * above all the first complete read of an Available cluster, 16 calls.
 */
const untilQuiet = async (counters: Counters): Promise<void> => {
  let before = -1;
  await until('the workflows are at rest', async () => {
    const quiet = transitionsOf(counters) === before;
    before = transitionsOf(counters);
    if (!quiet) await systemClock.sleep(QUIET_MILLISECONDS);
    return quiet;
  });
};

/** The counts while `act` runs and until its effects have finished, without the observer's requests. */
const phase = async (counters: Counters, act: () => Promise<void>): Promise<Phase> => {
  const { calls } = counters;
  const before = { ...calls };
  const transitions = transitionsOf(counters);
  await act();
  await untilQuiet(counters);
  const counted = Object.entries(calls).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return {
    calls: Object.fromEntries(counted.filter(([, count]) => count > 0)),
    transitions: transitionsOf(counters) - transitions,
  };
};

const measureCluster = async (
  counters: Counters,
  api: Api,
  { controlPlane, workers }: (typeof SIZES)[number],
): Promise<ClusterFigures> => {
  const change = sized(controlPlane, workers);
  const manifests = readManifests(join(ROOT, 'examples', 'quickstart.yaml'));
  const create = await phase(counters, async () => {
    const refusals = await apply(
      api,
      manifests.map((manifest) => ({ ...manifest, object: change(manifest.object) })),
      () => {},
    );
    if (refusals.length > 0) throw new Error(refusals.join('\n'));
    await until('the cluster is complete', async () => isComplete(await readCluster(api, CLUSTER)));
  });
  const remove = await phase(counters, async () => {
    await api.send('DELETE', PATH);
    await until('the cluster is gone', () => isGone(api));
  });
  return { controlPlane, workers, create, delete: remove };
};

/**
 * The api function's calls to the table come from users and from this observer. Other calls of the api function count:
 * they start work.
 */
const isCounted = (functionName: string | undefined, service: string): boolean =>
  functionName !== undefined && !(functionName.endsWith('-api') && service === 'dynamodb');

/** Takes clusters through their lifecycles on the laptop, and runs sweeps over fleets in memory. */
export const measureAws = async (): Promise<AwsFigures> => {
  const { outdir } = await synth({ quiet: true });
  const calls: Record<string, number> = {};
  const laptop = await startQuietLaptop({
    outdir,
    bootMilliseconds: BOOT_MILLISECONDS,
    calls: {
      onRequest: (call, input) => {
        const { functionName, service, operation } = recordedCall(call, input);
        const name = `${service}:${operation}`;
        if (isCounted(functionName, service)) calls[name] = (calls[name] ?? 0) + 1;
      },
    },
  });
  const api = makeApi(laptop.access, systemClock);
  try {
    const clusters: ClusterFigures[] = [];
    for (const size of SIZES) clusters.push(await measureCluster({ calls, laptop }, api, size));
    const sweeps = [];
    for (const count of FLEETS) sweeps.push(await measureSweep(count));
    return { clusters, sweeps };
  } finally {
    api.close();
    await laptop.stop();
  }
};

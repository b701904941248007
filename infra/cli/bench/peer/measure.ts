/**
 * Measures the same clusters with Windlass and with Cluster API, one after the other, under otherwise equal conditions.
 */
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { synth } from '../../commands/synth.ts';
import { withLaptop } from '../load/laptop.ts';
import { type Load, type LoadFigures, play, type Side } from '../load/play.ts';
import { withUpstream } from './upstream.ts';
import { type Connected, waitsOf } from './waits.ts';

export interface PeerFigures {
  load: Load;
  windlass: LoadFigures;
  clusterApi: LoadFigures;
  /**
   * The time until the last machine would be ready if Cluster API connected to each workload cluster as soon as its API
   * server ran.
   */
  clusterApiWithoutWaitSeconds: number;
}

const WARM_UP = { controlPlane: 1, workers: 0, clusters: 1 } as const;
const GROUP = '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default/devmachines';
const CLUSTERS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters';

const nothing = async (): Promise<void> => {};

/** Creates a first cluster to warm up compilation and caches, then the clusters that count. */
const playBoth = async <T>(
  openSide: () => Side,
  load: Load,
  look: (side: Side) => Promise<T>,
): Promise<LoadFigures & { seen: T }> => {
  const warm = openSide();
  await play(warm, 'warm', { ...WARM_UP, bootSeconds: load.bootSeconds }, nothing).finally(warm.connection.close);
  const side = openSide();
  return await play(side, 'bench', load, look).finally(side.connection.close);
};

const readConnected = async ({ connection }: Side): Promise<Connected> => {
  const read = async (path: string) => ((await connection.send('GET', path)) as { items: KubeObject[] }).items;
  return { clusters: await read(CLUSTERS), machines: await read(GROUP) };
};

/** Measures both. `say` reports each step. */
export const measurePeer = async (load: Load, say: (line: string) => void): Promise<PeerFigures> => {
  await synth({ quiet: true });
  const theirs = await withUpstream(load.clusters + 1, say, async (openSide) => {
    say('Cluster API creates and deletes the clusters');
    return await playBoth(openSide, load, readConnected);
  });
  const ours = await withLaptop(load.bootSeconds, async (openSide) => {
    say('Windlass creates and deletes the clusters');
    return await playBoth(openSide, load, nothing);
  });
  const { seen, ...clusterApi } = theirs;
  const { seen: _, ...windlass } = ours;
  const waits = waitsOf(seen);
  const withoutWait = Object.entries(clusterApi.ready).map(([name, seconds]) => seconds - (waits[name] ?? 0));
  return { load, windlass, clusterApi, clusterApiWithoutWaitSeconds: Math.max(...withoutWait) };
};

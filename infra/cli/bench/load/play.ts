/** Creates clusters through a management API, waits until they are complete, and deletes them again. */
import { systemClock } from '../../../../shared/clock.ts';
import type { Cluster, Machine } from '../../../../shared/kinds/index.ts';
import type { Connection } from '../connection.ts';
import { type ClusterShape, clusterObjects, collectionOf, type Provider } from './objects.ts';
import { cpuSecondsOf, peakMegabytesOf } from './processes.ts';

export interface Side {
  connection: Connection;
  provider: Provider;
  /** The processes whose time and memory count. */
  pids: readonly number[];
}

export interface Load extends ClusterShape {
  /** Requested at the same time. */
  clusters: number;
  bootSeconds: number;
}

export interface LoadFigures {
  /** Seconds from the first request until all machines of a cluster are ready, for each cluster. */
  ready: Readonly<Record<string, number>>;
  /** Until the last cluster is Available, and until its last machine is ready. */
  availableSeconds: number;
  readySeconds: number;
  cpuSeconds: number;
  deleteSeconds: number;
  deleteCpuSeconds: number;
  /** From the first request until everything is deleted. */
  peakMegabytes: number;
}

const MACHINES = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines';
const CLUSTERS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters';
/** Lists of many clusters take processor time, which counts for the measured system, so they are read less often. */
const pauseOf = (clusters: number): number => Math.max(250, clusters * 10);
const patienceOf = (clusters: number): number => Math.max(1200, clusters * 10) * 1000;
/** Concurrent requests. */
const CLIENTS = 16;

interface Listed<T> {
  items: T[];
}

const isTrue = ({ status }: Cluster | Machine, type: string): boolean =>
  status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;

const until = async (what: string, clusters: number, look: () => Promise<boolean>): Promise<number> => {
  const begun = performance.now();
  const patience = patienceOf(clusters);
  while (!(await look())) {
    if (performance.now() - begun > patience) throw new Error(`not within ${patience / 1000} s: ${what}`);
    await systemClock.sleep(pauseOf(clusters));
  }
  return (performance.now() - begun) / 1000;
};

/** Calls `act` for each item, several at a time. */
const forAll = async <T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> => {
  const rest = all.values();
  const work = async (): Promise<void> => {
    for (const one of rest) await act(one);
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
};

const create = ({ connection, provider }: Side, names: readonly string[], load: Load): Promise<void> =>
  forAll(names, async (name) => {
    for (const object of clusterObjects(provider, name, load, load.bootSeconds))
      await connection.send('POST', collectionOf(object), object);
  });

const list = async <T>({ connection }: Side, path: string): Promise<T[]> =>
  ((await connection.send('GET', path)) as Listed<T>).items;

const untilComplete = async (side: Side, names: readonly string[], load: Load, begun: number) => {
  const ready: Record<string, number> = {};
  let availableSeconds = Number.NaN;
  const wanted = load.controlPlane + load.workers;
  await until(`${names.length} clusters are complete`, names.length, async () => {
    const clusters = await list<Cluster>(side, CLUSTERS);
    const now = (performance.now() - begun) / 1000;
    if (Number.isNaN(availableSeconds) && clusters.filter((one) => isTrue(one, 'Available')).length === names.length)
      availableSeconds = now;
    const machines = (await list<Machine>(side, MACHINES)).filter((one) => isTrue(one, 'Ready'));
    const byCluster = Map.groupBy(machines, ({ spec }) => spec.clusterName);
    for (const name of names)
      if (ready[name] === undefined && byCluster.get(name)?.length === wanted)
        ready[name] = (performance.now() - begun) / 1000;
    return !Number.isNaN(availableSeconds) && Object.keys(ready).length === names.length;
  });
  return { ready, availableSeconds, readySeconds: Math.max(...Object.values(ready)) };
};

const remove = async (side: Side, names: readonly string[]): Promise<number> => {
  const begun = performance.now();
  await forAll(names, (name) => side.connection.send('DELETE', `${CLUSTERS}/${name}`));
  await until('all clusters are gone', names.length, async () => {
    const left = [await list(side, CLUSTERS), await list(side, MACHINES)];
    return left.every((items) => items.length === 0);
  });
  return (performance.now() - begun) / 1000;
};

/** `look` reads additional data of the complete clusters. Rejects with ApiError if a request is refused. */
export const play = async <T>(
  side: Side,
  prefix: string,
  load: Load,
  look: (side: Side) => Promise<T>,
): Promise<LoadFigures & { seen: T }> => {
  const names = Array.from({ length: load.clusters }, (_, index) => `${prefix}-${index}`);
  let figures: (Omit<LoadFigures, 'peakMegabytes'> & { seen: T }) | undefined;
  const peakMegabytes = await peakMegabytesOf(side.pids, async () => {
    const [before, begun] = [cpuSecondsOf(side.pids), performance.now()];
    await create(side, names, load);
    const times = await untilComplete(side, names, load, begun);
    const complete = cpuSecondsOf(side.pids);
    const seen = await look(side);
    const cpuBefore = cpuSecondsOf(side.pids);
    const deleteSeconds = await remove(side, names);
    const deleteCpuSeconds = cpuSecondsOf(side.pids) - cpuBefore;
    figures = { ...times, cpuSeconds: complete - before, deleteSeconds, deleteCpuSeconds, seen };
  });
  if (!figures) throw new Error('nothing was measured');
  return { ...figures, peakMegabytes };
};

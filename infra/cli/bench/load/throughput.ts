/** Many clusters with one machine at the same time: clusters per minute, processor time and memory. */
import { systemClock } from '../../../../shared/clock.ts';
import { synth } from '../../commands/synth.ts';
import { withLaptop } from './laptop.ts';
import { type LoadFigures, play } from './play.ts';
import { cpuSecondsOf } from './processes.ts';

export interface ThroughputFigures extends Omit<LoadFigures, 'ready'> {
  clusters: number;
  clustersPerMinute: number;
  cpuSecondsEach: number;
  /** The load on one processor while the complete clusters are idle. */
  idlePercent: number;
}

const WARM_UP = 1;
/** After the last machine is ready, statuses and health checks still settle. */
const SETTLE_SECONDS = 15;
const IDLE_SECONDS = 30;

const idlePercentOf = async (pids: readonly number[]): Promise<number> => {
  await systemClock.sleep(SETTLE_SECONDS * 1000);
  const before = cpuSecondsOf(pids);
  await systemClock.sleep(IDLE_SECONDS * 1000);
  return Math.round(((cpuSecondsOf(pids) - before) * 1000) / IDLE_SECONDS) / 10;
};

const measureSize = (clusters: number, bootSeconds: number): Promise<ThroughputFigures> =>
  withLaptop(bootSeconds, async (openSide) => {
    const shape = { controlPlane: 1, workers: 0, bootSeconds };
    const warm = openSide();
    await play(warm, 'warm', { ...shape, clusters: WARM_UP }, async () => {}).finally(warm.connection.close);
    const side = openSide();
    const {
      ready: _,
      seen,
      ...figures
    } = await play(side, 'bench', { ...shape, clusters }, ({ pids }) => idlePercentOf(pids)).finally(
      side.connection.close,
    );
    return {
      ...figures,
      clusters,
      clustersPerMinute: (clusters * 60) / figures.readySeconds,
      cpuSecondsEach: figures.cpuSeconds / clusters,
      idlePercent: seen,
    };
  });

/** Each size runs in a separate process. */
export const measureThroughput = async (
  sizes: readonly number[],
  bootSeconds: number,
  say: (line: string) => void,
): Promise<ThroughputFigures[]> => {
  await synth({ quiet: true });
  const figures: ThroughputFigures[] = [];
  for (const clusters of sizes) {
    say(`${clusters} clusters of one machine at once`);
    figures.push(await measureSize(clusters, bootSeconds));
  }
  return figures;
};

/** The figures as a readable table. */
export const tableOfThroughput = (figures: readonly ThroughputFigures[]): string => {
  const line = (...cells: readonly string[]): string => cells.map((cell) => cell.padStart(15)).join('');
  return [
    line('clusters', 'ready', 'a minute', 'CPU each', 'idle', 'deleted', 'CPU of that', 'most memory'),
    ...figures.map((one) =>
      line(
        String(one.clusters),
        `${one.readySeconds.toFixed(1)} s`,
        one.clustersPerMinute.toFixed(1),
        `${one.cpuSecondsEach.toFixed(1)} s`,
        `${one.idlePercent}%`,
        `${one.deleteSeconds.toFixed(1)} s`,
        `${one.deleteCpuSeconds.toFixed(1)} s`,
        `${one.peakMegabytes} MB`,
      ),
    ),
  ].join('\n');
};

import { systemClock } from '../../../shared/clock.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import type { TestLaptop } from '../../end-to-end/laptop.ts';

/** What the clusters of all namespaces are looked at by: one list of each collection for all who look at the same moment. */
export interface Lists {
  /** The objects of a namespace, as they were a moment ago. */
  in<T extends KubeObject>(namespace: string, group: string, plural: string): Promise<T[]>;
}

/** A laptop, and the lists of it that all share. */
export interface Watched {
  laptop: TestLaptop;
  lists: Lists;
}

/** Lists are asked for again when they are as old as that: less than the time between two looks. */
const SHARED_MILLISECONDS = 900;

export const makeLists = (laptop: TestLaptop): Lists => {
  const latest = new Map<string, { at: number; items: Promise<KubeObject[]> }>();
  const all = (path: string): Promise<KubeObject[]> => {
    const known = latest.get(path);
    if (known && Date.now() - known.at < SHARED_MILLISECONDS) return known.items;
    const items = laptop.list<KubeObject>(path);
    latest.set(path, { at: Date.now(), items });
    return items;
  };
  return {
    in: async <T extends KubeObject>(namespace: string, group: string, plural: string) => {
      const items = await all(`/apis/${group}/v1beta2/${plural}`);
      return items.filter(({ metadata }) => metadata.namespace === namespace) as T[];
    },
  };
};

export const pathOf = (group: string, namespace: string, plural: string): string =>
  `/apis/${group}/v1beta2/namespaces/${namespace}/${plural}`;

/** Eight clusters are looked at while the functions that answer build those clusters. */
const LOOK_MILLISECONDS = 1000;

/** Asks until there is nothing to say, or time is over; then what was said last. */
export const waited = async (look: () => Promise<string | undefined>): Promise<string | undefined> => {
  let last: string | undefined = 'nothing was looked at';
  const end = Date.now() + PATIENCE_SECONDS * 1000;
  while (last !== undefined && Date.now() < end) {
    last = await look();
    if (last !== undefined) await systemClock.sleep(LOOK_MILLISECONDS);
  }
  return last;
};

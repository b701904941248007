import { unionOf } from './field-set.ts';
import { identityOf, type Manager, type Managers } from './managers.ts';

/** How many managers that update, rather than apply, an object records; without a limit, it would keep growing. */
const MAX_UPDATERS = 10;

const BUCKET = 'ancient-changes';

const secondsOf = ({ time }: Manager): number => (time ? Math.floor(Date.parse(time) / 1_000) : 0);

/** The managers. In each API version, the oldest updaters are merged into one until there are few enough. */
export const capUpdaters = (managers: Managers): Managers => {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  let excess = updaters.length - MAX_UPDATERS;
  if (excess <= 0) return managers;
  const result = new Map(managers);
  const oldest = updaters.toSorted(
    ([first, a], [second, b]) => secondsOf(a) - secondsOf(b) || (first < second ? -1 : 1),
  );
  const buckets = new Map<string, [identity: string, manager: Manager][]>();
  for (const updater of oldest) {
    if (excess <= 0) break;
    const [, { apiVersion }] = updater;
    const bucket = buckets.get(apiVersion);
    if (!bucket) {
      buckets.set(apiVersion, [updater]);
      continue;
    }
    bucket.push(updater);
    excess -= 1;
  }
  for (const bucket of buckets.values()) {
    if (bucket.length < 2) continue;
    for (const [identity] of bucket) result.delete(identity);
    const merged = mergedFrom(bucket.map(([, manager]) => manager));
    result.set(identityOf(merged), merged);
  }
  return result;
};

/** One manager with the fields of all, which have the same API version, and the time of the latest. */
const mergedFrom = (managers: readonly Manager[]): Manager => {
  const { apiVersion = '', time } = managers.at(-1) ?? {};
  const set = unionOf(managers.map((manager) => manager.set));
  return { name: BUCKET, operation: 'Update', apiVersion, subresource: '', ...(time ? { time } : {}), set };
};

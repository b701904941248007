import { union } from './field-set.ts';
import { identityOf, type Manager, type Managers } from './managers.ts';

/** How many managers that update, rather than apply, an object records; without a limit, it would keep growing. */
const MAX_UPDATERS = 10;

const BUCKET = 'ancient-changes';

const secondsOf = ({ time }: Manager): number => (time ? Math.floor(Date.parse(time) / 1_000) : 0);

/** The managers with the oldest updaters of each API version merged into one, until there are few enough. */
export const capUpdaters = (managers: Managers): Managers => {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  let excess = updaters.length - MAX_UPDATERS;
  if (excess <= 0) return managers;
  const result = new Map(managers);
  const oldest = updaters.toSorted(
    ([first, a], [second, b]) => secondsOf(a) - secondsOf(b) || (first < second ? -1 : 1),
  );
  const buckets = new Map<string, { identity: string; manager: Manager }>();
  for (const [identity, manager] of oldest) {
    if (excess <= 0) break;
    const { apiVersion } = manager;
    const bucket = buckets.get(apiVersion);
    if (!bucket) {
      buckets.set(apiVersion, { identity, manager });
      continue;
    }
    result.delete(bucket.identity);
    result.delete(identity);
    const merged: Manager = {
      name: BUCKET,
      operation: 'Update',
      apiVersion,
      subresource: '',
      ...(manager.time ? { time: manager.time } : {}),
      set: union(bucket.manager.set, manager.set),
    };
    buckets.set(apiVersion, { identity: identityOf(merged), manager: merged });
    result.set(identityOf(merged), merged);
    excess -= 1;
  }
  return result;
};

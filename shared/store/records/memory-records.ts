import { NO_RECORD, type ObjectRecord, type RecordOwner, type Records } from './records.ts';

interface Kept extends ObjectRecord, RecordOwner {
  at: number;
  isEnded: boolean;
}

/** Records in a map, for simulations and tests; `now` in milliseconds since 1970. */
export const createMemoryRecords = (now: () => number = () => 0): Records => {
  const kept = new Map<string, Kept>();
  const idOf = ({ namespace, uid }: RecordOwner): string => `${namespace}/${uid}`;
  const put = (owner: RecordOwner, entries: ObjectRecord['entries'], expected: number, isEnded: boolean): boolean => {
    if ((kept.get(idOf(owner))?.version ?? 0) !== expected) return false;
    kept.set(idOf(owner), { ...owner, entries: { ...entries }, version: expected + 1, at: now(), isEnded });
    return true;
  };
  return {
    read: async (owners) =>
      owners.map((owner) => {
        const { version, entries } = kept.get(idOf(owner)) ?? NO_RECORD;
        return { version, entries };
      }),
    survey: async (namespace) =>
      new Map(
        [...kept.values()]
          .filter((one) => one.namespace === namespace)
          .map(({ uid, version, entries }) => [uid, { version, entries }]),
      ),
    write: async (owner, entries, expected) =>
      put(owner, entries, expected, false) ? { version: expected + 1, entries } : undefined,
    end: async (owner, expected) => put(owner, {}, expected, true),
    list: async (namespace) =>
      [...kept.values()]
        .filter((one) => one.namespace === namespace && !one.isEnded)
        .map(({ uid, version, at }) => ({ namespace, uid, version, at })),
  };
};

import * as z from 'zod';
import { tryJson } from '../../decode/json.ts';
import type { Machine } from '../../kinds/index.ts';

/** An annotation of a Machine: which announcements about its instance were withdrawn, as RFC 3339 times by id. */
const WITHDRAWN_ANNOTATION = 'windlass.dev/withdrawn-notices';

const schema = z.record(z.string(), z.iso.datetime());

/** Announcements about one instance are rare: there are never this many while an older one may still arrive late. */
const MOST = 5;

/** An announcement, and when it was made or withdrawn. */
export interface Withdrawal {
  /** The announcement's own id. */
  id: string;
  /** RFC 3339. */
  at: string;
}

const readWithdrawn = ({ metadata }: Pick<Machine, 'metadata'>): Readonly<Record<string, string>> =>
  schema.safeParse(tryJson(metadata.annotations?.[WITHDRAWN_ANNOTATION] ?? '{}')).data ?? {};

/**
 * Whether the announcement was withdrawn at that time or later. Clouds deliver events in any order, and sometimes more
 * than once.
 */
export const isWithdrawn = (machine: Machine, { id, at }: { id?: string | undefined; at: string }): boolean => {
  const withdrawn = id === undefined ? undefined : readWithdrawn(machine)[id];
  return withdrawn !== undefined && Date.parse(withdrawn) >= Date.parse(at);
};

/** The machine with a record of the withdrawal; undefined if it already has one that is not older. */
export const withWithdrawal = (machine: Machine, { id, at }: Withdrawal): Machine | undefined => {
  if (isWithdrawn(machine, { id, at })) return undefined;
  const all = Object.entries({ ...readWithdrawn(machine), [id]: at });
  const latest = all.sort(([, left], [, right]) => Date.parse(right) - Date.parse(left)).slice(0, MOST);
  const annotations = {
    ...machine.metadata.annotations,
    [WITHDRAWN_ANNOTATION]: JSON.stringify(Object.fromEntries(latest)),
  };
  return { ...machine, metadata: { ...machine.metadata, annotations } };
};

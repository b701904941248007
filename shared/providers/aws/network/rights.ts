import { DRIVERS } from './drivers.ts';

const RIGHTS = DRIVERS.flatMap(({ rights }) => rights ?? []);

const REFERRED = RIGHTS.flatMap(({ refersTo = {} }) => Object.entries(refersTo));

/** The permissions of a function that manages networks; see DriverRights. */
export const NETWORK_RIGHTS = {
  reads: RIGHTS.flatMap(({ reads = [] }) => reads),
  swept: RIGHTS.flatMap(({ swept = [] }) => swept),
  creates: RIGHTS.flatMap(({ creates = [] }) => creates),
  changes: RIGHTS.flatMap(({ changes = [] }) => changes),
  types: RIGHTS.flatMap(({ types = [] }) => types),
  /** Actions that refer to the same types. */
  refers: [...Map.groupBy(REFERRED, ([, types]) => types.join(' ')).values()].map((entries) => ({
    actions: entries.map(([action]) => action),
    types: entries[0]?.[1] ?? [],
  })),
} as const;

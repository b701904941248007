import type { ResourceId } from '../object.ts';
import { qualified } from '../status-error.ts';

export const QUOTAS: ResourceId = { group: '', plural: 'resourcequotas' };

/** Kinds that upstream also counts under their plain name. */
const BARE: readonly string[] = ['configmaps', 'resourcequotas', 'secrets'];

/** The names under which a quota can limit the number of objects of a kind. Events have none, as upstream. */
export const quotaNamesOf = ({ group, plural }: ResourceId): string[] => {
  if (group === '' && plural === 'events') return [];
  return [`count/${qualified({ group, plural })}`, ...(group === '' && BARE.includes(plural) ? [plural] : [])];
};

/** The kind that a quota's name counts; undefined for resources that do not exist here, such as `cpu`. */
export const resourceOfQuotaName = (name: string): ResourceId | undefined => {
  if (BARE.includes(name)) return { group: '', plural: name };
  const [, plural, group = ''] = /^count\/([^./]+)(?:\.(.+))?$/.exec(name) ?? [];
  return plural === undefined || quotaNamesOf({ group, plural }).length === 0 ? undefined : { group, plural };
};

const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
};

/** Parses a quantity that is a count, such as `5`, `"5"`, `2k` or `2e3`; undefined for any other value. */
export const readQuotaCount = (quantity: unknown): number | undefined => {
  const [, digits, suffix = ''] = /^(\d{1,9})([kMG]i?|Ki|[eE]\d)?$/.exec(String(quantity)) ?? [];
  const factor = /^e/i.test(suffix) ? 10 ** Number(suffix.slice(1)) : FACTORS[suffix];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
};

import type { ResourceId } from '../object.ts';
import { qualified } from '../status-error.ts';

/** The supported part of a quota's `hard`: names of counted kinds. */
export const QUOTAS: ResourceId = { group: '', plural: 'resourcequotas' };

/** Kinds that upstream counts by their bare name as well. */
const BARE: readonly string[] = ['configmaps', 'resourcequotas', 'secrets'];

/** The names by which a quota may limit how many objects of a kind there are; none for events, as upstream. */
export const quotaNamesOf = ({ group, plural }: ResourceId): string[] => {
  if (group === '' && plural === 'events') return [];
  return [`count/${qualified({ group, plural })}`, ...(group === '' && BARE.includes(plural) ? [plural] : [])];
};

/** The kind that a name of a quota counts; undefined for names of resources that do not exist here, such as `cpu`. */
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

/** A quantity that is a count, such as `5`, `"5"`, `2k` or `2e3`; undefined for any other value. */
export const readQuotaCount = (quantity: unknown): number | undefined => {
  const [, digits, suffix = ''] = /^(\d{1,9})([kMG]i?|Ki|[eE]\d)?$/.exec(String(quantity)) ?? [];
  const factor = /^e/i.test(suffix) ? 10 ** Number(suffix.slice(1)) : FACTORS[suffix];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
};

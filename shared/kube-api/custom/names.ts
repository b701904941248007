import type { CustomResourceNames } from '../custom-resource-definition.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { CustomDefinition } from './definition.ts';

/** Names that are in use in an API group. They identify a kind, so no two kinds may share one. */
export interface UsedNames {
  /** Plurals, singulars and short names. */
  resources: ReadonlySet<string>;
  /** Kinds and kinds of lists. */
  kinds: ReadonlySet<string>;
}

export interface NamesOutcome {
  accepted: Partial<CustomResourceNames>;
  /** The last name that is already in use, as in upstream's report; undefined if all names are free. */
  conflict: { reason: string; message: string } | undefined;
}

/** The names of other kinds in the group: kinds of this server, and accepted names of other definitions. */
export const usedNames = (
  own: readonly ResourceDefinition[],
  others: readonly CustomDefinition[],
  { metadata, spec }: CustomDefinition,
): UsedNames => {
  const mine = own.filter(({ group }) => group === spec.group);
  const accepted = others
    .filter((other) => other.spec.group === spec.group && other.metadata.name !== metadata.name)
    .map(({ status }) => status?.acceptedNames ?? {});
  return {
    resources: new Set([
      ...mine.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...shortNames]),
      ...accepted.flatMap(({ plural = '', singular = '', shortNames = [] }) => [plural, singular, ...shortNames]),
    ]),
    kinds: new Set([
      ...mine.flatMap(({ kind }) => [kind, `${kind}List`]),
      ...accepted.flatMap(({ kind = '', listKind = '' }) => [kind, listKind]),
    ]),
  };
};

const inUse = (name: string): string => `"${name}" is already in use`;

type SingleName = 'plural' | 'singular' | 'kind' | 'listKind';

/**
 * The names that a definition gets, as in upstream's naming controller
 * (k8s.io/apiextensions-apiserver/pkg/controller/status): a definition keeps its accepted name if the new one is in
 * use.
 */
export const acceptNames = ({ spec: { names }, status }: CustomDefinition, used: UsedNames): NamesOutcome => {
  const before = status?.acceptedNames ?? {};
  const accepted: Partial<CustomResourceNames> = { ...before };
  let conflict: NamesOutcome['conflict'];
  const single = (field: SingleName, reason: string, taken: ReadonlySet<string>): void => {
    const wanted = names[field] ?? '';
    if (wanted === before[field] || !taken.has(wanted)) accepted[field] = wanted;
    else conflict = { reason, message: inUse(wanted) };
  };
  single('plural', 'PluralConflict', used.resources);
  single('singular', 'SingularConflict', used.resources);
  const { shortNames = [] } = names;
  const taken = shortNames.filter((name) => !before.shortNames?.includes(name) && used.resources.has(name));
  if (taken.length === 0) accepted.shortNames = shortNames;
  else conflict = { reason: 'ShortNamesConflict', message: aggregated(taken.map(inUse)) };
  single('kind', 'KindConflict', used.kinds);
  single('listKind', 'ListKindConflict', used.kinds);
  accepted.categories = names.categories ?? [];
  return { accepted: withoutEmpty(accepted), conflict };
};

const aggregated = (messages: readonly string[]): string =>
  messages.length === 1 ? String(messages[0]) : `[${[...new Set(messages)].join(', ')}]`;

const withoutEmpty = (names: Partial<CustomResourceNames>): Partial<CustomResourceNames> =>
  Object.fromEntries(Object.entries(names).filter(([, value]) => value.length > 0));

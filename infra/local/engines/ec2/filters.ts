import type { Filter } from '@aws-sdk/client-ec2';
import { AwsFault } from '../wire/fault.ts';
import type { Resource } from './table.ts';

/** The value that is compared with a filter: none, one, or several of which one must match. */
export type FilterValue = string | number | boolean | undefined | readonly (string | undefined)[];

/** The filters of a describe call, except those for tags, which almost all calls support. */
export type FilterFields<Row> = Readonly<Record<string, (row: Row) => FilterValue>>;

/** A filter value as a regular expression: `*` matches any characters, `?` any single one; a backslash escapes them. */
export const wildcard = (pattern: string): RegExp => {
  const source = pattern.replace(/\\([*?\\])|([*?])|([.+^${}()|[\]\\/])/g, (_all, literal, wild, special) => {
    if (wild) return wild === '*' ? '.*' : '.';
    return `\\${literal ?? special}`;
  });
  return new RegExp(`^${source}$`, 's');
};

const tagValues = (name: string, tags: ReadonlyMap<string, string>): FilterValue => {
  if (name === 'tag-key') return [...tags.keys()];
  if (name === 'tag-value') return [...tags.values()];
  return tags.get(name.slice('tag:'.length));
};

const asTexts = (value: FilterValue): string[] => {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((item) => item !== undefined).map(String);
};

const isTagFilter = (name: string): boolean => name.startsWith('tag:') || name === 'tag-key' || name === 'tag-value';

/** For calls that filter by the keys of tags, and not by their values. */
export const isKeyFilter = (name: string): boolean => name === 'tag-key';

/** Without special characters, a filter value matches literally. */
export const isLiteral = (pattern: string): boolean => !/[*?\\]/.test(pattern);

const matcher = (patterns: readonly string[]): ((text: string) => boolean) => {
  const literals = new Set(patterns.filter(isLiteral));
  const expressions = patterns.filter((pattern) => !isLiteral(pattern)).map(wildcard);
  return (text) => literals.has(text) || expressions.some((expression) => expression.test(text));
};

/** Whether a row matches a filter, which is parsed once for all rows. */
const fits = <Row extends Pick<Resource, 'tags'>>({ Name = '', Values = [] }: Filter, fields: FilterFields<Row>) => {
  const matches = matcher(Values);
  return (row: Row): boolean =>
    asTexts(isTagFilter(Name) ? tagValues(Name, row.tags) : fields[Name]?.(row)).some(matches);
};

/** EC2's limit for each filter of a call. */
const MOST_VALUES = 200;

/**
 * The rows that match all filters. `isOnTags`: the filters for tags that the call supports. For an unsupported filter,
 * throws with AWS's message; for too many values, with EC2's code.
 */
export const applyFilters = <Row extends Pick<Resource, 'tags'>>(
  rows: readonly Row[],
  filters: readonly Filter[] | undefined,
  fields: FilterFields<Row>,
  isOnTags: (name: string) => boolean = isTagFilter,
): Row[] => {
  for (const { Name = '', Values = [] } of filters ?? []) {
    if (!isOnTags(Name) && !(Name in fields))
      throw new AwsFault('InvalidParameterValue', `The filter '${Name}' is invalid`);
    if (Values.length > MOST_VALUES)
      throw new AwsFault('FilterLimitExceeded', `The maximum number of values in a filter is ${MOST_VALUES}`);
  }
  const tests = (filters ?? []).map((filter) => fits(filter, fields));
  return rows.filter((row) => tests.every((test) => test(row)));
};

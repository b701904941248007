/** Forms of values, which are equal for two values that only differ in names, times and counters of writes. */

/** Members whose values have a fixed vocabulary. Other strings are names and times, or texts that contain them. */
const WORDS = new Set(['type', 'status', 'phase', 'instanceState', 'reason', 'kind', 'version', 'kubeletVersion']);

/** Counters of writes. */
const COUNTERS = new Set(['generation', 'observedGeneration', 'resourceVersion']);

/** Matches `vpc-0123456789abcdef0`, also at the end of a provider id. */
export const AWS_ID = /\b[a-z]+-[0-9a-f]{17}\b/g;

/** Whether the account has a resource with this id. */
export type Exists = (id: string) => boolean;

const wordOf = (key: string, value: string, exists: Exists): string => {
  if (WORDS.has(key)) return value;
  const ids = value.match(AWS_ID) ?? [];
  return ids.length === 0 ? '' : ids.map((id) => (exists(id) ? 'id' : 'id of nothing')).join();
};

/** The form of a value. Maps whose keys are names, such as labels and data, keep their keys, which are fixed. */
export const formOf = (key: string, value: unknown, exists: Exists): unknown => {
  if (typeof value === 'string') return wordOf(key, value, exists);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(formOf(key, one, exists))).sort();
  const entries = Object.entries(value).filter(([name]) => !COUNTERS.has(name) && name !== 'managedFields');
  return Object.fromEntries(entries.sort().map(([name, one]) => [name, formOf(name, one, exists)]));
};

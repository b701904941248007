import { isObject } from '../../kube-api/json.ts';

/**
 * Fields that an API server's schema does not declare. A create drops them with a warning; server-side apply refuses
 * the whole object, so they are removed and the rest is applied, with the same result as Cluster API's creates and
 * patches.
 */

/** The form of server-side apply's errors (structured-merge-diff), one or more of them in a message. */
const UNDECLARED = /(?:^|\s)(\.\S.*?): field not declared in schema/gm;

/**
 * A field, an item of a list map by its keys, an item of a set by its value, or an item of a plain list by its index.
 */
const STEP = /\.([^.[]+)|\[(\d+)\]|\[((?:[^"\]]|"(?:[^"\\]|\\.)*")*)\]/gy;

type Step = { field: string } | { index: number } | { keys: [string, string][] };

const KEY = /(?:^|,)([\w.-]+)=("(?:[^"\\]|\\.)*"|[^,]*)/g;

const stepsOf = (path: string): Step[] | undefined => {
  const steps: Step[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const found = STEP.exec(path);
    if (!found) return undefined;
    const [, field, index, keys] = found;
    if (field !== undefined) steps.push({ field });
    else if (index !== undefined) steps.push({ index: Number(index) });
    else steps.push({ keys: [...(keys ?? '').matchAll(KEY)].map(([, key = '', value = '']) => [key, value]) });
  }
  return steps;
};

/** Keys are written as JSON, including defaults, such as a port's protocol, that an item does not contain. */
const hasKey = (value: unknown, text: string): boolean => value === undefined || JSON.stringify(value) === text;

/** The value below `value` to which one step leads. */
const follow = (value: unknown, step: Step): unknown => {
  if ('field' in step) return isObject(value) ? value[step.field] : undefined;
  if (!Array.isArray(value)) return undefined;
  if ('index' in step) return value[step.index];
  return value.find((item) => isObject(item) && step.keys.every(([key, text]) => hasKey(item[key], text)));
};

const isGone = (object: unknown, path: string): boolean => {
  const steps = stepsOf(path);
  const last = steps?.at(-1);
  if (!steps || !last || !('field' in last)) return false;
  const parent = steps.slice(0, -1).reduce(follow, object);
  if (!isObject(parent) || !(last.field in parent)) return false;
  delete parent[last.field];
  return true;
};

/**
 * `object` without the fields that a refusal reports as undeclared, and their paths; undefined if it names none that
 * exist.
 */
export const withoutUndeclared = <T extends object>(
  object: T,
  words: string,
): { object: T; fields: string[] } | undefined => {
  const rest = structuredClone(object);
  const paths = [...words.matchAll(UNDECLARED)].map(([, path = '']) => path);
  const fields = paths.filter((path) => isGone(rest, path));
  return fields.length > 0 ? { object: rest, fields } : undefined;
};

const UNKNOWN_FIELD = /^unknown field "([\w.\-/[\]]{1,200})"$/;

/** The fields that the warnings of a create name as dropped. */
export const droppedFields = (warnings: readonly string[]): string[] =>
  warnings.flatMap((warning) => UNKNOWN_FIELD.exec(warning)?.[1] ?? []);

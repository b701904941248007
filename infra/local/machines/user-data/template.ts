import nunjucks from 'nunjucks';

/** cloud-init's replacement for a variable that the instance data does not have. */
const MISSING = 'CI_MISSING_JINJA_VAR/';

export interface Rendered {
  text: string;
  /** Names of missing variables that were printed. */
  missing: string[];
}

interface Context {
  getVariables(): Record<string, unknown>;
}

interface Frame {
  lookup(name: string): unknown;
}

/** The functions of nunjucks through which a compiled template reads and prints values. */
interface Runtime {
  ensureDefined(value: unknown): unknown;
  memberLookup(target: unknown, key: string): unknown;
  contextOrFrameLookup(context: Context, frame: Frame, name: string): unknown;
}

/** Python's string methods that templates in user data use. */
const STRING_METHODS: Record<string, (text: string) => (...words: string[]) => unknown> = {
  split: (text) => (separator) => (separator === undefined ? text.trim().split(/\s+/) : text.split(separator)),
  replace:
    (text) =>
    (from = '', to = '') =>
      text.replaceAll(from, to),
  upper: (text) => () => text.toUpperCase(),
  lower: (text) => () => text.toLowerCase(),
  strip: (text) => () => text.trim(),
  startswith:
    (text) =>
    (prefix = '') =>
      text.startsWith(prefix),
  endswith:
    (text) =>
    (suffix = '') =>
      text.endsWith(suffix),
};

const ownMember = (target: unknown, key: string): unknown => {
  if (typeof target === 'string' && Object.hasOwn(STRING_METHODS, key)) return STRING_METHODS[key]?.(target);
  const readable = typeof target === 'string' || (typeof target === 'object' && target !== null);
  return readable && Object.hasOwn(Object(target), key) ? (target as Record<string, unknown>)[key] : undefined;
};

/** The last name that was not found, and the missing names that were printed. Rendering is synchronous. */
let state: { last: string; missing: string[] } = { last: '', missing: [] };

const noted = (name: string, value: unknown): unknown => {
  if (value === undefined) state.last = name;
  return value;
};

/**
 * nunjucks runs in this process, and lets a template reach any property, including constructors. User data comes from a
 * manifest that anyone may have written, so a template can only read own properties of plain data; the same hooks treat
 * a missing variable as cloud-init does. `runtime` is what nunjucks passes to every compiled template, and nothing else
 * in Windlass uses nunjucks.
 */
const runtime = nunjucks.runtime as unknown as Runtime;
Object.assign(runtime, {
  ensureDefined: (value) => {
    if (value !== undefined && value !== null) return value;
    state.missing.push(state.last);
    return `${MISSING}${state.last}`;
  },
  memberLookup: (target, key) => {
    if (target === undefined || target === null) throw new Error(`'${state.last}' is undefined`);
    return noted(key, ownMember(target, key));
  },
  contextOrFrameLookup: (context, frame, name) => {
    const local = frame.lookup(name);
    return noted(name, local !== undefined ? local : ownMember(context.getVariables(), name));
  },
} satisfies Runtime);

const environment = new nunjucks.Environment(null, { autoescape: false, throwOnUndefined: true, trimBlocks: true });

/**
 * Renders the body of a `## template: jinja` part (its first line is dropped). As in cloud-init, a missing variable is
 * printed as `CI_MISSING_JINJA_VAR/<name>` and reported; a member of a missing variable, or a template that does not
 * parse, throws.
 */
export const renderTemplate = (template: string, data: Record<string, unknown>): Rendered => {
  state = { last: '', missing: [] };
  const body = template.trimStart().replace(/^[^\n]*\n/, '');
  const text = environment.renderString(body, data);
  return { text, missing: [...new Set(state.missing)] };
};

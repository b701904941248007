import { isObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';

const STEP = /^(?:\.([^.[\]]+)|\[('(?:[^'\\]|\\.)*')\])/;
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

const unquote = (quoted: string): string =>
  quoted.slice(1, -1).replace(/\\(.)/g, (whole, letter: string) => ESCAPES[letter] ?? whole);

const syntaxFault = (rest: string): string => {
  if (rest === '.' || rest === '[') return 'unexpected end of JSON path';
  if (rest.startsWith('[')) return `expected single quoted string but got ${rest.slice(1).split(/[.[\]]/)[0] ?? ''}`;
  return `expected [ or . but got: ${rest.split(/[.[\]]/)[0] ?? ''}`;
};

/** One step of a path: the schema that it leads to, and whether errors show the step as a key. */
const stepTo = (schema: OpenApiSchema, name: string): { schema: OpenApiSchema; isKey: boolean } | undefined => {
  const { properties, additionalProperties } = schema;
  if (properties) {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return member && { schema: member, isKey: false };
  }
  return isObject(additionalProperties) ? { schema: additionalProperties, isKey: true } : undefined;
};

/**
 * Parses a rule's `fieldPath`, such as `.a.b` or `['a.b'].c`. Returns the path as errors show it (`a.b`) with the
 * schema of its target, or an error. A path can contain fields and map keys, but no list items.
 */
export const readFieldPath = (
  text: string,
  schema: OpenApiSchema,
): { path: string; schema: OpenApiSchema } | { fault: string } => {
  let at = schema;
  let path = '';
  for (let rest = text; rest !== ''; ) {
    const [step, plain, quoted] = STEP.exec(rest) ?? [];
    if (step === undefined) return { fault: syntaxFault(rest) };
    const name = plain ?? unquote(quoted ?? "''");
    const next = stepTo(at, name);
    if (!next) return { fault: 'does not refer to a valid field' };
    if (next.isKey) path += `[${name}]`;
    else path = path === '' ? name : `${path}.${name}`;
    at = next.schema;
    rest = rest.slice(step.length);
  }
  return { path, schema: at };
};

import { SyntaxFault } from '../syntax/issue.ts';

/** A CEL type in the checker. `error` is the type of an invalid part and matches every type. */
export interface CelType {
  kind:
    | 'bool'
    | 'bytes'
    | 'double'
    | 'duration'
    | 'dyn'
    | 'error'
    | 'int'
    | 'list'
    | 'map'
    | 'null'
    | 'opaque'
    | 'parameter'
    | 'string'
    | 'struct'
    | 'timestamp'
    | 'type'
    | 'uint';
  /** Types with the same kind and name may differ in their parameters. */
  name: string;
  parameters: readonly CelType[];
}

const MOST_PARTS = 10_000;

const sizes = new WeakMap<CelType, number>();

/** The number of types within a type, including itself. */
const sizeOf = (type: CelType): number => sizes.get(type) ?? 1;

/**
 * A type with these parameters, which may be shared with other types: without a limit, a short expression would have a
 * type with millions of parts. Throws SyntaxFault.
 */
export const withParameters = (type: Omit<CelType, 'parameters'>, parameters: readonly CelType[]): CelType => {
  const size = parameters.reduce((sum, parameter) => sum + sizeOf(parameter), 1);
  if (size > MOST_PARTS) throw new SyntaxFault(0, 'a part of the expression has a type that is too complex');
  const made = { ...type, parameters };
  sizes.set(made, size);
  return made;
};

const simple = (kind: CelType['kind'], name: string = kind): CelType => ({ kind, name, parameters: [] });

export const TYPES = {
  bool: simple('bool'),
  bytes: simple('bytes'),
  double: simple('double'),
  duration: simple('duration'),
  dyn: simple('dyn'),
  error: simple('error', '!error!'),
  int: simple('int'),
  null: simple('null'),
  string: simple('string'),
  timestamp: simple('timestamp'),
  type: simple('type'),
  uint: simple('uint'),
} as const;

export const listOf = (item: CelType): CelType => withParameters({ kind: 'list', name: 'list' }, [item]);
export const mapOf = (key: CelType, value: CelType): CelType =>
  withParameters({ kind: 'map', name: 'map' }, [key, value]);
export const typeOfType = (type: CelType): CelType => withParameters({ kind: 'type', name: 'type' }, [type]);
export const structOf = (name: string): CelType => simple('struct', name);
export const parameterOf = (name: string): CelType => simple('parameter', name);
export const opaqueOf = (name: string, parameters: readonly CelType[] = []): CelType =>
  withParameters({ kind: 'opaque', name }, parameters);

const OPTIONAL = 'optional_type';

export const optionalOf = (type: CelType): CelType => opaqueOf(OPTIONAL, [type]);

/** Returns the type inside an optional. */
export const unwrapped = (type: CelType): { type: CelType; isOptional: boolean } => {
  const [inner] = type.parameters;
  return type.name === OPTIONAL && inner ? { type: inner, isOptional: true } : { type, isOptional: false };
};

export const isOpen = ({ kind }: CelType): boolean => kind === 'dyn' || kind === 'error';

export const isSameType = (a: CelType, b: CelType): boolean =>
  a === b ||
  (a.kind === b.kind &&
    a.name === b.name &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((parameter, index) => isSameType(parameter, b.parameters[index] as CelType)));

/** Object types are numbered because each schema declares its own; messages show `object`. */
export const OBJECT = 'object#';

/** Returns a type as cel-go's messages show it. */
export const showType = ({ kind, name, parameters }: CelType): string => {
  if (kind === 'struct' && name.startsWith(OBJECT)) return 'object';
  return parameters.length === 0 ? name : `${name}(${parameters.map(showType).join(', ')})`;
};

const OPAQUE: ReadonlySet<string> = new Set(['net.IP', 'net.CIDR', OPTIONAL]);

const named = (name: string, parameters: CelType[]): CelType => {
  const [first, second] = parameters;
  if (name === 'list' && first) return listOf(first);
  if (name === 'map' && first && second) return mapOf(first, second);
  if (name === 'type' && first) return typeOfType(first);
  if (Object.hasOwn(TYPES, name)) return TYPES[name as keyof typeof TYPES];
  if (/^[A-Z]$/.test(name)) return parameterOf(name);
  return OPAQUE.has(name) ? opaqueOf(name, parameters) : structOf(name);
};

/** Parses a type list such as `map(string, A), int`, as `showType` prints it; a capital letter is a type parameter. */
export const readTypes = (text: string): CelType[] => {
  const parts = text.match(/[\w.]+|[(),]/g) ?? [];
  const list = (): CelType[] => {
    const types: CelType[] = [];
    for (let part = parts.shift(); part !== undefined && part !== ')'; part = parts.shift()) {
      if (part === ',') continue;
      const isGeneric = parts[0] === '(';
      if (isGeneric) parts.shift();
      types.push(named(part, isGeneric ? list() : []));
    }
    return types;
  };
  return list();
};

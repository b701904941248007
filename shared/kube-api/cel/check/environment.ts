import type { Declared } from '../declare.ts';
import { OVERLOADS } from '../overloads/all-overloads.ts';
import {
  type CelType,
  listOf,
  mapOf,
  opaqueOf,
  optionalOf,
  parameterOf,
  readTypes,
  TYPES,
  typeOfType,
} from './types.ts';

/** One of the signatures of a function. */
export interface Overload {
  id: string;
  /** True if the overload is called on a receiver, which is the first of `takes`. */
  isMethod: boolean;
  takes: readonly CelType[];
  gives: CelType;
  /** The names of its type parameters. */
  parameters: readonly string[];
}

const readOverload = (id: string, signature: string): Overload => {
  const [takes = '', gives = ''] = signature.split(' -> ');
  const isMethod = takes.startsWith('.');
  const [result = TYPES.dyn] = readTypes(gives);
  const parameters = [...new Set(signature.match(/\b[A-Z]\b/g) ?? [])];
  return { id, isMethod, takes: readTypes(takes.replace(/^\./, '').slice(1, -1)), gives: result, parameters };
};

let functions: ReadonlyMap<string, readonly Overload[]> | undefined;

/** Parsed when the first expression is compiled, because most requests need no expressions. */
export const functionsByName = (): ReadonlyMap<string, readonly Overload[]> => {
  functions ??= new Map(
    Object.entries(OVERLOADS).map(([name, overloads]) => [
      name,
      Object.entries(overloads).map(([id, signature]) => readOverload(id, signature)),
    ]),
  );
  return functions;
};

const [key, value] = [parameterOf('A'), parameterOf('B')];

/** Types that expressions can name, as in `type(a) == string`. */
const NAMED_TYPES: ReadonlyMap<string, CelType> = new Map([
  ['bool', TYPES.bool],
  ['bytes', TYPES.bytes],
  ['double', TYPES.double],
  ['dyn', TYPES.dyn],
  ['google.protobuf.Duration', TYPES.duration],
  ['google.protobuf.Timestamp', TYPES.timestamp],
  ['int', TYPES.int],
  ['list', listOf(key)],
  ['map', mapOf(key, value)],
  ['net.CIDR', opaqueOf('net.CIDR')],
  ['net.IP', opaqueOf('net.IP')],
  ['null_type', TYPES.null],
  ['optional_type', opaqueOf('optional_type', [parameterOf('V')])],
  ['string', TYPES.string],
  ['type', TYPES.type],
  ['uint', TYPES.uint],
]);

/** The names that an expression can use. */
export interface Environment {
  variables: ReadonlyMap<string, CelType>;
  /** The fields of object types, by type name. */
  structs: ReadonlyMap<string, ReadonlyMap<string, CelType>>;
}

/** The type of a name that denotes a type; undefined if the name is unknown. */
export const namedType = (name: string): CelType | undefined => {
  const type = NAMED_TYPES.get(name);
  return type && typeOfType(type);
};

const structsIn = ({ type, fields, element }: Declared): [string, ReadonlyMap<string, CelType>][] => {
  const within = [...(fields?.values() ?? []), ...(element ? [element] : [])].flatMap(structsIn);
  return fields ? [[type.name, new Map([...fields].map(([name, it]) => [name, it.type]))], ...within] : within;
};

/** Declares `self` and `oldSelf` with the type of the schema. With `isOptional`, `oldSelf` is an optional. */
export const environmentOf = (declared: Declared, isOptional = false): Environment => ({
  variables: new Map([
    ['self', declared.type],
    ['oldSelf', isOptional ? optionalOf(declared.type) : declared.type],
  ]),
  structs: new Map(structsIn(declared)),
});

import { type CelType, TYPES } from './types.ts';

/** The type of a literal value. */
export const literalType = (value: unknown): CelType => {
  if (value === null) return TYPES.null;
  switch (typeof value) {
    case 'bigint':
      return TYPES.int;
    case 'number':
      return TYPES.double;
    case 'boolean':
      return TYPES.bool;
    case 'string':
      return TYPES.string;
    default:
      return value instanceof Uint8Array ? TYPES.bytes : TYPES.uint;
  }
};

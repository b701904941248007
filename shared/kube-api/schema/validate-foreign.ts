import { invalidValue } from '../field-error.ts';
import type { FieldError, OpenApiSchema } from '../resource.ts';
import { CostError, Work } from '../work.ts';
import { foreignScalars } from './foreign-scalars.ts';
import { validateSchema } from './validate.ts';

const EXHAUSTED =
  'validation was stopped because it takes too many steps: use shorter values, or fewer patterns and alternatives in the schema';

export interface ForeignOptions {
  path?: string;
  /** The value that is replaced. */
  old?: unknown;
  /** Shared by all validations of one request. */
  work?: Work;
}

/** Like `validateSchema`, for schemas that users write. A validation with too many steps is an error of the value. */
export const validateForeign = (
  schema: OpenApiSchema,
  value: unknown,
  { path = '', old, work = new Work() }: ForeignOptions = {},
): FieldError[] => {
  try {
    return validateSchema(schema, value, path, foreignScalars(work), old);
  } catch (error) {
    if (error instanceof CostError) return [invalidValue(path, undefined, EXHAUSTED)];
    throw error;
  }
};

import type { CelValue } from '../value.ts';

/** Returns undefined if the arguments have the wrong types; the receiver of a method is the first. */
export type Run = (...args: CelValue[]) => CelValue | undefined;

/** A function of CEL, by its name; a method's name begins with a dot. */
export interface CelFunction {
  name: string;
  run: Run;
}

export const define = (name: string, run: Run): CelFunction => ({ name, run });

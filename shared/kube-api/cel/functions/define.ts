import type { CelValue } from '../value.ts';

/** Gives undefined where the arguments have other types than it takes; the receiver of a method is the first. */
export type Run = (...args: CelValue[]) => CelValue | undefined;

/** A function of CEL, by its name; a method's name begins with a dot. */
export interface CelFunction {
  name: string;
  run: Run;
}

export const define = (name: string, run: Run): CelFunction => ({ name, run });

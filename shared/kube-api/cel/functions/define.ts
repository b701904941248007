import type { CelValue } from '../value.ts';

/** Returns undefined if the argument types do not match. The receiver of a method is the first argument. */
export type Run = (...args: CelValue[]) => CelValue | undefined;

/** A CEL function. The name of a method begins with a dot. */
export interface CelFunction {
  name: string;
  run: Run;
}

export const define = (name: string, run: Run): CelFunction => ({ name, run });

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Target } from '../../template.ts';

/** A function of the account that does not belong to the stack. */
export interface UserFunction {
  name: string;
  /** The path of a module that exports `handler`. */
  file: string;
}

/** Throws an Error for a name that Lambda does not allow, and for a file that does not exist. */
export const userFunctionOf = (name: string, file: string): UserFunction => {
  const path = resolve(file);
  if (!/^[\w-]{1,64}$/.test(name)) {
    throw new Error(`function "${name}": names have at most 64 letters, digits, dashes and underscores`);
  }
  if (!existsSync(path)) throw new Error(`function "${name}": there is no file ${path}`);
  return { name, file: path };
};

/** The ARN of a function in an account. */
export const functionArn = (
  { partition, region, accountId }: Pick<Target, 'partition' | 'region' | 'accountId'>,
  name: string,
): string => `arn:${partition}:lambda:${region}:${accountId}:function:${name}`;

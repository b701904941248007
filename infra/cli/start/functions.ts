/** Functions that a user adds to the laptop's account, with `--function hooks=./hooks.mjs`. */
import { functionArn, type UserFunction, userFunctionOf } from '../../local/engines/lambda/user-function.ts';
import { HOME } from '../../local/home.ts';

/** The setting that a deployment needs for extensions that are functions. */
const SETTING = 'extensionFunctions';

/** Functions in the form `name=file`. For another form or a missing file, throws an Error with the remedy. */
export const readFunctions = (entries: readonly string[]): UserFunction[] =>
  entries.map((entry) => {
    const [, name = '', file = ''] = /^([^=]+)=(.+)$/.exec(entry) ?? [];
    if (name === '') throw new Error(`--function ${entry}: must be name=file, for example hooks=./hooks.mjs`);
    return userFunctionOf(name, file);
  });

/** The settings of a stack, with the permission to invoke these functions as well. */
export const withFunctions = (
  context: Readonly<Record<string, string>>,
  functions: readonly UserFunction[],
): Record<string, string> => {
  const arns = functions.map(({ name }) => functionArn(HOME, name));
  const all = [...(context[SETTING] ? [context[SETTING]] : []), ...arns];
  return all.length === 0 ? { ...context } : { ...context, [SETTING]: all.join(',') };
};

/** Evaluates CDK arguments for the commands that pass them on. Pure. */
import { parseArgs } from 'node:util';

export interface CdkArguments {
  /** The last `name` of the context. */
  name?: string;
  /** All keys of the context. */
  keys: readonly string[];
  profile?: string;
  region?: string;
  /** Names of Windlass stacks. */
  stacks: readonly string[];
  help: boolean;
}

/** The CDK's options that matter here; it also accepts short names with two hyphens. */
const OPTIONS = {
  context: { type: 'string', short: 'c' },
  c: { type: 'string' },
  profile: { type: 'string' },
  region: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  h: { type: 'boolean' },
} as const;

const STACK = /^Windlass(-[\w-]+)?$/;

/** The CDK accepts an equals sign after a short name, too. */
const withoutEqualsSign = (value: string): string => value.replace(/^=/, '');

/** Reads the arguments as the CDK does. Throws if an option that matters here has no value. */
export const readCdkArguments = (args: readonly string[]): CdkArguments => {
  const { tokens } = parseArgs({ args: [...args], options: OPTIONS, strict: false, tokens: true });
  const valuesOf = (...names: (keyof typeof OPTIONS)[]): string[] =>
    tokens.flatMap((token) => {
      if (token.kind !== 'option' || !names.some((name) => name === token.name)) return [];
      if (token.value === undefined) throw new Error(`${token.rawName} has no value`);
      return withoutEqualsSign(token.value);
    });
  const context = valuesOf('context', 'c');
  const name = context.flatMap((setting) => /^name=(.*)$/.exec(setting)?.[1] ?? []).at(-1);
  const [profile, region] = [valuesOf('profile').at(-1), valuesOf('region').at(-1)];
  return {
    ...(name === undefined ? {} : { name }),
    keys: context.map((setting) => setting.split('=')[0] ?? ''),
    ...(profile === undefined ? {} : { profile }),
    ...(region === undefined ? {} : { region }),
    stacks: tokens.flatMap((token) => (token.kind === 'positional' && STACK.test(token.value) ? token.value : [])),
    help: tokens.some((token) => token.kind === 'option' && ['help', 'h'].includes(token.name)),
  };
};

/**
 * The stack name in CDK arguments, with cdk.json as the default. Throws if they name another stack: the app has only
 * the one that its settings name.
 */
export const stackNameOf = (args: readonly string[], inFile?: unknown): string => {
  const { name = inFile, stacks } = readCdkArguments(args);
  const stack = name ? `Windlass-${name}` : 'Windlass';
  const other = stacks.find((one) => one !== stack);
  if (other !== undefined)
    throw new Error(
      `the settings name the stack ${stack}, not ${other}: pass -c name=${other.replace(/^Windlass-?/, '')}`,
    );
  return stack;
};

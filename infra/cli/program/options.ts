/** Options that several commands share, and their permitted values. */
import { type Command, InvalidArgumentError, Option } from 'commander';

export const within =
  (least: number, most: number, unit: string) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || value < least || value > most)
      throw new InvalidArgumentError(`It must be ${unit} from ${least} to ${most}.`);
    return value;
  };

export const whole =
  (least: number, most: number) =>
  (text: string): number => {
    if (!/^\d+$/.test(text)) throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return within(least, most, 'a whole number')(text);
  };

export const port = whole(0, 65_535);

/** The addresses of hosts end with their numbers. */
export const hostCount = whole(1, 99);

export const address = (text: string): string => {
  if (!/^http:\/\//.test(text) || URL.parse(text) === null)
    throw new InvalidArgumentError('It must be the address of an endpoint, such as http://127.0.0.1:5000.');
  return text;
};

export const oneOf =
  (...choices: readonly string[]) =>
  (text: string): string => {
    if (!choices.includes(text)) throw new InvalidArgumentError(`It must be ${choices.join(' or ')}.`);
    return text;
  };

export const gather = (file: string, before: readonly string[] = []): string[] => [...before, file];

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The milliseconds of a text such as `30s`, `15m`, `2h` or `1d`. */
export const duration = (text: string): number => {
  const [, count = '', unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (count === '') throw new InvalidArgumentError('It must be a number with a unit, such as 30s, 15m, 2h or 1d.');
  return Number(count) * (UNITS[unit] ?? 0);
};

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** A point in time with its zone. */
export const instant = (text: string): Date => {
  const at = new Date(text);
  if (!INSTANT.test(text) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('It must be a time with its zone, such as 2026-01-31T08:00:00Z.');
  return at;
};

/** The option for the stack in AWS whose functions are used. */
export const withStack = (command: Command): Command =>
  command.option('--stack <name>', 'name of the stack, the prefix of its function names', 'Windlass');

/** The options that select an API and a namespace, as for kubectl. */
export const withContext = (command: Command, namespace?: string): Command => {
  command
    .option('--kubeconfig <file>', 'kubeconfig of the management API ($KUBECONFIG, the one of start, ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (the current one)');
  return namespace === undefined ? command : command.option('-n, --namespace <name>', namespace);
};

/** The user's own prices, for commands that show costs. */
export const pricesOption = (): Option =>
  new Option('--prices <file>', 'file of prices that override the list prices of AWS, see docs/cost.md').env(
    'WINDLASS_PRICES',
  );

/** The meaning of -n for most commands. */
export const OF_CLUSTER = 'namespace of the cluster (that of the context)';

/** An example for `--help`: its purpose, and the command. */
type Example = readonly [what: string, command: string];

/** The section of examples at the end of `--help`. */
export const examples = (...all: readonly Example[]): string =>
  ['', 'Examples:', ...all.flatMap(([what, command]) => [`  # ${what}`, `  ${command}`])].join('\n');

/** Runs a command. The number that it returns is the exit code; an error becomes one line on stderr and exit code 1. */
export const finish = async (command: () => Promise<number> | number): Promise<void> => {
  try {
    process.exitCode = await command();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  }
};

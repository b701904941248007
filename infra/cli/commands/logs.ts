import { join } from 'node:path';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import { type ContextOptions, type Installation, openInstallation } from '../api/kubeconfig-client.ts';
import { readCloudWatch } from '../logs/cloudwatch.ts';
import { concerns, type LogLine, lineText } from '../logs/line.ts';
import { readLocal } from '../logs/local.ts';
import { PATHS } from '../paths.ts';
import { untilInterrupted } from './interrupt.ts';

export interface LogsOptions extends ContextOptions {
  stack: string;
  /** Milliseconds. */
  since: number;
  follow: boolean;
  output: string;
}

const LOOK_MILLISECONDS = 2000;

type ReadSince = (since: number) => Promise<LogLine[]>;

const makeRead = (installation: Installation, name: string, stack: string): ReadSince => {
  const { namespace, aws, isSimulated } = installation;
  const isOurs = concerns({ namespace, name });
  if (isSimulated)
    return async (since) =>
      readLocal(join(PATHS.logs, 'functions.log'), stack).filter(
        (line) => isOurs(line) && Date.parse(line.time) >= since,
      );
  const client = new CloudWatchLogsClient(aws);
  return async (since) => (await readCloudWatch(client, { stack, namespace, name, since })).filter(isOurs);
};

const print = (lines: readonly LogLine[], output: string): void => {
  for (const line of lines) process.stdout.write(`${output === 'json' ? JSON.stringify(line.keys) : lineText(line)}\n`);
};

const textOf = (line: LogLine): string => JSON.stringify(line.keys);

/** Prints new lines until Ctrl-C. A line is known by its whole text: those of one millisecond come in any order. */
const follow = async (read: ReadSince, since: number, output: string, clock: Clock): Promise<void> => {
  const signal = untilInterrupted();
  let from = since;
  let known = new Set<string>();
  while (!signal.aborted) {
    const lines = await read(from);
    print(
      lines.filter((line) => !known.has(textOf(line))),
      output,
    );
    known = new Set(lines.map(textOf));
    from = Math.max(from, clock.now().getTime() - 10 * LOOK_MILLISECONDS);
    await clock.sleep(LOOK_MILLISECONDS, signal).catch(() => undefined);
  }
};

/** Prints what all functions have logged about a cluster, in the order of time. */
export const logs = async (name: string, options: LogsOptions): Promise<number> => {
  const { stack, since, output, ...context } = options;
  const read = makeRead(openInstallation(context), name, stack);
  const from = systemClock.now().getTime() - since;
  if (options.follow) await follow(read, from, output, systemClock);
  else print(await read(from), output);
  return 0;
};

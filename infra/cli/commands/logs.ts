import { join } from 'node:path';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import { type ContextOptions, type Installation, openInstallation } from '../api/kubeconfig-client.ts';
import { readCloudWatch } from '../logs/cloudwatch.ts';
import { concerns, type LogLine, lineText } from '../logs/line.ts';
import { readLocal } from '../logs/local.ts';
import { PATHS } from '../paths.ts';
import { untilUnread } from './interrupt.ts';

export interface LogsOptions extends ContextOptions {
  stack: string;
  /** Milliseconds. */
  since: number;
  follow: boolean;
  output: string;
}

/**
 * The time between two polls of --follow. CloudWatch allows ten calls per second in a region, and a poll makes one for
 * each function.
 */
const LOOK_MILLISECONDS = { simulated: 2000, aws: 10_000 } as const;

/** Lines arrive late, and out of order: each poll goes back by this time. */
const LOOKS_BACK = 10;

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

interface Following {
  /** Milliseconds since 1970. */
  since: number;
  /** Milliseconds between two polls. */
  pause: number;
  output: string;
}

/**
 * Prints new lines until Ctrl-C. A line is identified by its complete text, because lines of the same millisecond
 * arrive in any order.
 */
const follow = async (read: ReadSince, { since, pause, output }: Following, clock: Clock): Promise<void> => {
  const signal = untilUnread();
  let from = since;
  let known = new Set<string>();
  while (!signal.aborted) {
    const lines = await read(from);
    print(
      lines.filter((line) => !known.has(textOf(line))),
      output,
    );
    known = new Set(lines.map(textOf));
    from = Math.max(from, clock.now().getTime() - LOOKS_BACK * pause);
    await clock.sleep(pause, signal).catch(() => undefined);
  }
};

/** Prints what all functions have logged about a cluster, in chronological order. */
export const logs = async (name: string, options: LogsOptions): Promise<number> => {
  const { stack, since, output, ...context } = options;
  const installation = openInstallation(context);
  const read = makeRead(installation, name, stack);
  const from = systemClock.now().getTime() - since;
  const pause = installation.isSimulated ? LOOK_MILLISECONDS.simulated : LOOK_MILLISECONDS.aws;
  if (options.follow) await follow(read, { since: from, pause, output }, systemClock);
  else print(await read(from), output);
  return 0;
};

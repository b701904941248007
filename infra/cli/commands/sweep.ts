import { GetFunctionConfigurationCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { SweepResult } from '../../../functions/drift/sweep.ts';
import { together } from '../../../functions/drift/sweep-shards.ts';
import { systemClock } from '../../../shared/clock.ts';
import { ENV } from '../../../shared/config.ts';
import type { Event } from '../../../shared/kinds/index.ts';
import { type ContextOptions, type Installation, openInstallation } from '../api/kubeconfig-client.ts';
import { listAll } from '../api/resources.ts';
import { byTime, lastSeen } from '../describe/objects.ts';
import { columns } from '../describe/table.ts';

export interface SweepOptions extends ContextOptions {
  stack: string;
  output: string;
}

const EXIT = { done: 0, suspended: 1 } as const;

/** The source of events that sweeps record. */
const COMPONENT = 'drift';

/** With reserved concurrency, a part is refused while the schedule is sweeping it. */
const ATTEMPTS = 10;

type Lambda = Pick<LambdaClient, 'send'>;

const invoke = async (client: Lambda, functionName: string, event: object): Promise<SweepResult> => {
  const { Payload = new Uint8Array(), FunctionError } = await client.send(
    new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(JSON.stringify(event)) }),
  );
  const answer = JSON.parse(Buffer.from(Payload).toString());
  if (FunctionError) throw new Error(`the sweep failed: ${answer.errorMessage}`);
  return answer as SweepResult;
};

/** The number of functions that share a sweep. */
const shardsOf = async (client: Lambda, functionName: string): Promise<number> => {
  const { Environment } = await client.send(new GetFunctionConfigurationCommand({ FunctionName: functionName }));
  return Number(Environment?.Variables?.[ENV.sweepShards] ?? 1);
};

/** Sweeps all parts concurrently, each in its own execution. If one has failed, throws after the last one has ended. */
export const sweepParts = async (client: Lambda, functionName: string): Promise<SweepResult> => {
  const count = await shardsOf(client, functionName);
  const events = count === 1 ? [{}] : Array.from({ length: count }, (_, shard) => ({ shard }));
  const done = await Promise.allSettled(events.map((event) => invoke(client, functionName, event)));
  const failed = done.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return together(done.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
};

const sweepAll = async ({ aws, isSimulated }: Installation, functionName: string): Promise<SweepResult> => {
  const client = new LambdaClient({ ...aws, maxAttempts: ATTEMPTS });
  try {
    // The simulated account has no function configurations; there, one call sweeps all parts.
    return isSimulated ? await invoke(client, functionName, {}) : await sweepParts(client, functionName);
  } finally {
    client.destroy();
  }
};

/** The times of events are in full seconds. */
const startOfSecond = (instant: Date): string => `${instant.toISOString().slice(0, 19)}Z`;

const findingsSince = async ({ api }: Installation, since: Date): Promise<Event[]> => {
  return (await listAll<Event>(api, '/api/v1/events'))
    .filter((event) => event.source?.component === COMPONENT && lastSeen(event) >= startOfSecond(since))
    .sort(byTime);
};

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** `1 cluster waits`, `2 clusters wait`. */
const does = (count: number, one: string, verb: string): string =>
  `${counted(count, one)} ${verb}${count === 1 ? 's' : ''}`;

const sweepText = (result: SweepResult, findings: readonly Event[]): string => {
  const { considered, found, touched, stalled, collected, troubled, passedOver, isSuspicious } = result;
  const lines = columns(
    findings.map(({ type, reason, involvedObject, message }) => [
      type ?? '',
      reason ?? '',
      `${involvedObject?.kind}/${involvedObject?.namespace}/${involvedObject?.name}`,
      message ?? '',
    ]),
    { header: 0 },
  );
  return [
    `Compared ${counted(considered, 'machine')} with AWS: ${counted(found, 'instance')} in another state; ${counted(touched, 'cluster')} to reconcile.`,
    ...(collected > 0 ? [`Removed ${counted(collected, 'object')} whose owners are gone.`] : []),
    ...(stalled > 0
      ? [
          `${does(stalled, 'cluster', 'wait')} for a reconciliation that does not start: docs/runbooks.md#passes-missing.`,
        ]
      : []),
    ...(troubled > 0 ? [`${counted(troubled, 'cluster')} could not be handled: their conditions say why.`] : []),
    ...(passedOver > 0
      ? [
          `${does(passedOver, 'namespace', 'take')} too much memory and ${passedOver === 1 ? 'was' : 'were'} skipped: docs/runbooks.md#sweep-suspended.`,
        ]
      : []),
    ...(isSuspicious ? ['So many instances look lost that nothing was changed: see the events SweepSuspended.'] : []),
    ...(lines.length > 0 ? ['', ...lines] : []),
    '',
  ].join('\n');
};

/** Sweeps now, as the schedule does, and prints what was found. */
export const sweep = async ({ stack, output, ...context }: SweepOptions): Promise<number> => {
  const installation = openInstallation(context);
  const begun = systemClock.now();
  const result = await sweepAll(installation, `${stack}-drift`);
  const findings = await findingsSince(installation, begun);
  process.stdout.write(
    output === 'json' ? `${JSON.stringify({ ...result, findings }, null, 2)}\n` : sweepText(result, findings),
  );
  return result.isSuspicious ? EXIT.suspended : EXIT.done;
};

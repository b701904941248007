import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { SweepResult } from '../../../functions/drift/sweep.ts';
import { systemClock } from '../../../shared/clock.ts';
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

const invoke = async ({ aws }: Installation, functionName: string): Promise<SweepResult> => {
  const client = new LambdaClient(aws);
  try {
    const { Payload = new Uint8Array(), FunctionError } = await client.send(
      new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from('{}') }),
    );
    const answer = JSON.parse(Buffer.from(Payload).toString());
    if (FunctionError) throw new Error(`the sweep failed: ${answer.errorMessage}`);
    return answer as SweepResult;
  } finally {
    client.destroy();
  }
};

/** Events keep whole seconds. */
const startOfSecond = (instant: Date): string => `${instant.toISOString().slice(0, 19)}Z`;

const findingsSince = async ({ api }: Installation, since: Date): Promise<Event[]> => {
  return (await listAll<Event>(api, '/api/v1/events'))
    .filter((event) => event.source?.component === COMPONENT && lastSeen(event) >= startOfSecond(since))
    .sort(byTime);
};

const PLURALS: Readonly<Record<string, string>> = { pass: 'passes' };

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : (PLURALS[one] ?? `${one}s`)}`;

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
    `Compared ${counted(considered, 'machine')} with AWS: ${counted(found, 'instance')} in another state; requested ${counted(touched, 'pass')}.`,
    ...(collected > 0 ? [`Removed ${counted(collected, 'object')} whose owners are gone.`] : []),
    ...(stalled > 0
      ? [`${counted(stalled, 'cluster')} wait for a pass that does not begin: docs/runbooks.md#passes-missing.`]
      : []),
    ...(troubled > 0 ? [`${counted(troubled, 'cluster')} could not be handled: their conditions say why.`] : []),
    ...(passedOver > 0
      ? [`${counted(passedOver, 'namespace')} take too much memory: docs/runbooks.md#sweep-suspended.`]
      : []),
    ...(isSuspicious ? ['So much looked lost that nothing was changed: the events SweepSuspended say where.'] : []),
    ...(lines.length > 0 ? ['', ...lines] : []),
    '',
  ].join('\n');
};

/** Sweeps now, as the schedule does, and prints what was found. */
export const sweep = async ({ stack, output, ...context }: SweepOptions): Promise<number> => {
  const installation = openInstallation(context);
  const begun = systemClock.now();
  const result = await invoke(installation, `${stack}-drift`);
  const findings = await findingsSince(installation, begun);
  process.stdout.write(
    output === 'json' ? `${JSON.stringify({ ...result, findings }, null, 2)}\n` : sweepText(result, findings),
  );
  return result.isSuspicious ? EXIT.suspended : EXIT.done;
};

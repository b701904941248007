import { LambdaClient } from '@aws-sdk/client-lambda';
import { createDynamoDbClient } from '../../../shared/aws/clients/dynamodb.ts';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';
import { COMMAND } from '../paths.ts';
import { type Prepared, prepareTable } from '../restore/prepare.ts';
import { protect, requireObjectTable, startRestore, tableOfStack, waitUntilUsable } from '../restore/table.ts';

export interface RestoreOptions {
  stack: string;
  /** The moment whose state is restored; undefined: the latest that DynamoDB can restore. */
  at?: Date;
  /** The table that is restored; that of the stack, where it is left out. */
  from?: string;
  /** The name of the new table; one with the time of day, where it is left out. */
  to?: string;
  pause: boolean;
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Names that say when: `Windlass-objects-20260102-030405`. */
const nameAt = (stack: string, now: Date): string => {
  const [day = '', time = ''] = now.toISOString().replaceAll(/[-:]/g, '').split(/[T.]/);
  return `${stack}-objects-${day}-${time}`;
};

const counted = (count: number): string => `${count} ${count === 1 ? 'cluster' : 'clusters'}`;

const clustersText = ({ paused, alreadyPaused, active }: Prepared): string[] => [
  ...(paused.length > 0 ? [`Paused ${counted(paused.length)}: ${paused.join(', ')}`] : []),
  ...(alreadyPaused.length > 0 ? [`Paused before: ${alreadyPaused.join(', ')}`] : []),
  ...(active.length > 0 ? [`Not paused: ${active.join(', ')}`] : []),
];

const nextSteps = (table: string): string => `
Next:
  1. Add "tableName": "${table}" to the context in cdk.json, and run: ${COMMAND} deploy
  2. Compare each cluster with the account and resume it, as docs/runbooks.md#restoring-the-table says.
The former table is kept.`;

/**
 * Restores the table of the objects to an earlier state, as a new table, and prepares that for use. Given again with
 * the same --to, it continues.
 */
export const restore = async ({ stack, at, from, to, pause }: RestoreOptions): Promise<number> => {
  const client = createDynamoDbClient();
  const lambda = new LambdaClient();
  try {
    const source = from ?? (await tableOfStack(lambda, stack));
    const table = to ?? nameAt(stack, systemClock.now());
    if (table === source) throw new Error(`--to ${table}: DynamoDB restores a backup as another table`);
    const isNew = await startRestore(client, { from: source, to: table, at });
    say(isNew ? `Restoring ${source} as ${table}. This takes some minutes.` : `The table ${table} exists already.`);
    if (isNew)
      say(
        `If you stop this command, continue with: ${COMMAND} restore --from ${source} --to ${table}${pause ? '' : ' --no-pause'}`,
      );
    await waitUntilUsable(client, table);
    await requireObjectTable(client, table);
    await protect(client, table);
    const prepared = await prepareTable({ client, table, clock: systemClock, random: systemRandom }, { pause });
    say(`The table ${table} is ready: backups, expiry and protection from deletion are on.`);
    for (const line of clustersText(prepared)) say(line);
    say(nextSteps(table));
    return 0;
  } finally {
    client.destroy();
    lambda.destroy();
  }
};

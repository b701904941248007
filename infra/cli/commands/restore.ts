import { LambdaClient } from '@aws-sdk/client-lambda';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDynamoDbClient } from '../../../shared/aws/clients/dynamodb.ts';
import { createS3Client } from '../../../shared/aws/clients/s3.ts';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';
import { throughProxy } from '../api/proxy.ts';
import { COMMAND, IS_CHECKOUT } from '../paths.ts';
import { newerClusters, type TableObjects } from '../restore/clusters.ts';
import { createEmptyTable, loadExport, placeOf, readSummary } from '../restore/export.ts';
import { nextSteps } from '../restore/next-steps.ts';
import { type Prepared, prepareTable } from '../restore/prepare.ts';
import {
  protect,
  requireObjectTable,
  startRestore,
  stateOfTable,
  tableInUse,
  waitUntilUsable,
} from '../restore/table.ts';
import { copyTags } from '../restore/tags.ts';

export interface RestoreOptions {
  stack: string;
  /** The time of the state to restore; undefined for the latest that DynamoDB can restore. */
  at?: Date;
  /** The table to restore; by default, that of the stack. */
  from?: string;
  /** An export of the table, instead of the table itself. */
  fromExport?: string;
  /** The name of the new table; by default, one with the current time. */
  to?: string;
  pause: boolean;
}

const INSTALLED = { command: COMMAND, isCheckout: IS_CHECKOUT };

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** A name with the time: `Windlass-objects-20260102-030405`. */
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

/** The restoration is complete at this point, and the previous table may be the damaged one. */
const newerText = async (access: TableObjects, used: string): Promise<string[]> => {
  try {
    const newer = await newerClusters(access, used);
    if (newer.length === 0) return [];
    return [
      `Not in this table: ${newer.join(', ')}. Save them before you deploy: docs/runbooks.md#restoring-the-table`,
    ];
  } catch (error) {
    return [`The clusters of the table ${used}, which is in use, could not be read: ${String(error)}`];
  }
};

/** The objects are restored without the tags as well, so a missing permission only leads to a message. */
const tagsText = async (client: DynamoDBDocumentClient, from: string, to: string): Promise<string[]> => {
  try {
    const keys = await copyTags(client, { from, to });
    return keys.length > 0 ? [`Copied tags of ${from}: ${keys.join(', ')}`] : [];
  } catch (error) {
    return [`The tags of ${from} could not be copied: ${String(error)}`];
  }
};

/** The common parts of both kinds of restoration. */
interface Session {
  client: DynamoDBDocumentClient;
  table: string;
  options: RestoreOptions;
}

const continueWith = (source: string, table: string, pause: boolean): string =>
  `If you stop this command, continue with: ${COMMAND} restore ${source} --to ${table}${pause ? '' : ' --no-pause'}`;

/** Restores from the point-in-time recovery of a table. */
const fromTable = async ({ client, table, options: { at, pause } }: Session, source: string): Promise<void> => {
  const isNew = await startRestore(client, { from: source, to: table, at });
  say(isNew ? `Restoring ${source} as ${table}. This takes some minutes.` : `The table ${table} exists already.`);
  if (isNew) say(continueWith(`--from ${source}`, table, pause));
};

const fromExport = async ({ client, table, options: { pause } }: Session, text: string): Promise<void> => {
  const place = placeOf(text);
  const state = await stateOfTable(client, table);
  if (state === 'prepared') return say(`The table ${table} exists already.`);
  const s3 = createS3Client({ ...throughProxy(), followRegionRedirects: true });
  try {
    const summary = await readSummary(s3, place);
    if (state === 'absent') await createEmptyTable(client, table);
    await waitUntilUsable(client, table);
    say(`Loading ${text} into the table ${table}.`);
    say(continueWith(`--from-export ${text}`, table, pause));
    say(`Loaded ${await loadExport({ client, s3, table, clock: systemClock }, place, summary)} items.`);
  } finally {
    s3.destroy();
  }
};

/** Starts to fill the new table, and resolves to the table in use, if there is one. */
const fill = async (session: Session): Promise<string | undefined> => {
  const { table, options } = session;
  const lambda = new LambdaClient(throughProxy());
  try {
    const used = await tableInUse(lambda, options.stack);
    const source = options.from ?? used;
    if (table === used || table === source)
      throw new Error(`--to ${table}: a backup is restored as another table than the one in use`);
    if (options.fromExport !== undefined) await fromExport(session, options.fromExport);
    else if (source === undefined)
      throw new Error(
        `there is no function ${options.stack}-api: name the stack with --stack, or the table with --from`,
      );
    else await fromTable(session, source);
    return used;
  } finally {
    lambda.destroy();
  }
};

/**
 * Restores the objects to an earlier state in a new table, and prepares that table for use. Continues if it is called
 * again with the same --to.
 */
export const restore = async (options: RestoreOptions): Promise<number> => {
  const client = createDynamoDbClient(throughProxy());
  try {
    const table = options.to ?? nameAt(options.stack, systemClock.now());
    const used = await fill({ client, table, options });
    await waitUntilUsable(client, table);
    await requireObjectTable(client, table);
    // Protection is the last step, so a protected table was prepared before, or is in use by another stack.
    if ((await stateOfTable(client, table)) === 'prepared') {
      say(`Nothing was changed: it is prepared already.${nextSteps(table, INSTALLED)}`);
      return 0;
    }
    const access = { client, table, clock: systemClock, random: systemRandom };
    const prepared = await prepareTable(access, { pause: options.pause });
    const tagged = used ?? options.from;
    if (tagged !== undefined) for (const line of await tagsText(client, tagged, table)) say(line);
    await protect(access);
    say(`The table ${table} is ready: backups, expiry and protection from deletion are on.`);
    for (const line of clustersText(prepared)) say(line);
    if (used !== undefined) for (const line of await newerText(access, used)) say(line);
    say(nextSteps(table, INSTALLED));
    return 0;
  } finally {
    client.destroy();
  }
};

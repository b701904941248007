/** Reads an export of DynamoDB to S3, in DynamoDB JSON, into a table. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BatchWriteItemCommand, CreateTableCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, NoSuchKey, type S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Clock } from '../../../shared/clock.ts';
import { createTableInput } from '../../../shared/store/table.ts';

/** The location of an export: `s3://<bucket>/<prefix>AWSDynamoDB/<export id>`. */
export interface ExportPlace {
  bucket: string;
  key: string;
}

const summarySchema = z.object({
  manifestFilesS3Key: z.string(),
  itemCount: z.number(),
  outputFormat: z.literal('DYNAMODB_JSON'),
  exportType: z.literal('FULL_EXPORT').optional(),
});

const BATCH = 25;
const ATTEMPTS = 10;
const FIRST_WAIT_MS = 50;

/** Throws an Error if the text is not the location of an export. */
export const placeOf = (text: string): ExportPlace => {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/((?:.+\/)?AWSDynamoDB\/[^/]+)\/?$/.exec(text) ?? [];
  if (!bucket || !key) throw new Error(`${text} is not the place of an export: s3://<bucket>/.../AWSDynamoDB/<id>`);
  return { bucket, key };
};

const open = async (s3: S3Client, Bucket: string, Key: string): Promise<Readable> => {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return Body as Readable;
  } catch (error) {
    if (error instanceof NoSuchKey) throw new Error(`there is no s3://${Bucket}/${Key}: the export is not complete`);
    throw error;
  }
};

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  for await (const line of createInterface({ input: stream })) if (line.trim() !== '') yield line;
}

/** An export's own manifest. */
export type ExportSummary = z.infer<typeof summarySchema>;

/** Throws if there is no complete export in DynamoDB JSON. */
export const readSummary = async (s3: S3Client, { bucket, key }: ExportPlace): Promise<ExportSummary> => {
  const name = `${key}/manifest-summary.json`;
  const lines: string[] = [];
  for await (const line of linesOf(await open(s3, bucket, name))) lines.push(line);
  const { data, error } = summarySchema.safeParse(JSON.parse(lines.join('\n')));
  if (!data)
    throw new Error(`s3://${bucket}/${name} is not of a full export in DynamoDB JSON: ${z.prettifyError(error)}`);
  return data;
};

/** The items of an export, one after the other. */
async function* itemsOf(s3: S3Client, bucket: string, manifestKey: string): AsyncGenerator<WriteRequest> {
  for await (const line of linesOf(await open(s3, bucket, manifestKey))) {
    const { dataFileS3Key } = JSON.parse(line) as { dataFileS3Key: string };
    const unzipped = (await open(s3, bucket, dataFileS3Key)).pipe(createGunzip());
    for await (const item of linesOf(unzipped)) yield { PutRequest: { Item: JSON.parse(item).Item } };
  }
}

/** Writes a batch. Items that DynamoDB has not processed are written again, at increasing intervals. */
const writeBatch = async (
  { client, table, clock }: { client: DynamoDBDocumentClient; table: string; clock: Clock },
  requests: WriteRequest[],
): Promise<void> => {
  let left = requests;
  for (let attempt = 0; left.length > 0; attempt += 1) {
    if (attempt === ATTEMPTS)
      throw new Error(`DynamoDB left ${left.length} items of a batch unwritten ${ATTEMPTS} times`);
    if (attempt > 0) await clock.sleep(FIRST_WAIT_MS * 2 ** attempt);
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: left } }));
    left = UnprocessedItems?.[table] ?? [];
  }
};

/** Creates an empty table for the items of an export. */
export const createEmptyTable = async (client: DynamoDBDocumentClient, table: string): Promise<void> => {
  await client.send(new CreateTableCommand({ ...createTableInput(table), SSESpecification: { Enabled: true } }));
};

/**
 * Writes all items of an export into a table that nothing else uses. May be repeated. Resolves to the number of items;
 * throws if it differs from the number in the manifest.
 */
export const loadExport = async (
  access: { client: DynamoDBDocumentClient; s3: S3Client; table: string; clock: Clock },
  { bucket }: ExportPlace,
  { manifestFilesS3Key, itemCount }: ExportSummary,
): Promise<number> => {
  let batch: WriteRequest[] = [];
  let count = 0;
  for await (const request of itemsOf(access.s3, bucket, manifestFilesS3Key)) {
    batch.push(request);
    count += 1;
    if (batch.length < BATCH) continue;
    await writeBatch(access, batch);
    batch = [];
  }
  await writeBatch(access, batch);
  if (count !== itemCount) throw new Error(`the export has ${count} items, and its summary says ${itemCount}`);
  return count;
};

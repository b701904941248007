/**
 * Tests `windlass restore` with the point-in-time recovery of another implementation of DynamoDB. The test does not
 * pause clusters: moto omits lists from the result of an update (UPDATED_NEW), so no object in its tables can be
 * updated.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  CreateTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeExportCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ExportTableToPointInTimeCommand,
  ListTagsOfResourceCommand,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProgram } from '../../../infra/cli/conformance/processes.ts';
import { createDynamoDbClient } from '../../../shared/aws/clients/dynamodb.ts';
import { systemClock } from '../../../shared/clock.ts';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createExports } from '../../../shared/store/exports.ts';
import { createDynamoStorage } from '../../../shared/store/objects/dynamo-storage.ts';
import { createRawAesSealer } from '../../../shared/store/objects/sealer.ts';
import { createTableInput } from '../../../shared/store/table.ts';
import { LIMIT, PATIENCE } from '../../../shared/test-patience.ts';
import { programOf, startEmulator } from './emulator.ts';

const FROM = 'Windlass-Objects';
const TO = 'Windlass-restored';
const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' };

let moto: RunningProgram;
let client: DynamoDBDocumentClient;
beforeAll(async () => {
  moto = await startEmulator('moto', programOf('moto') ?? '');
  client = createDynamoDbClient({ endpoint: moto.url, region: 'us-east-1', credentials: CREDENTIALS });
  await client.send(new CreateTableCommand(createTableInput(FROM)));
  const objects = objectsOf(FROM);
  await objects.ensure(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
  await objects.ensure(kinds.cluster, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'red', namespace: 'default' },
    spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' } },
  });
}, LIMIT);
afterAll(async () => {
  client?.destroy();
  await moto?.stop();
});

const objectsOf = (table: string) => {
  const access = { client, table, clock: systemClock, random: systemRandom };
  const storage = createDynamoStorage({ ...access, sealer: createRawAesSealer(new Uint8Array(32)) });
  return createObjectClient(createRegistry({ resources: KINDS, storage, ...access }));
};

const run = promisify(execFile);

const restore = async (...args: string[]): Promise<string> => {
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: moto.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  };
  return (await run(process.execPath, ['infra/cli/windlass.ts', 'restore', ...args], { env })).stdout;
};

const describeTable = async (TableName: string) => (await client.send(new DescribeTableCommand({ TableName }))).Table;

describe('windlass restore', () => {
  it('reports why DynamoDB cannot restore', async () => {
    const refused = restore('--from', 'Nothing', '--to', TO);
    await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/not found.*Nothing/) });
    await expect(restore('--from', FROM, '--to', FROM)).rejects.toMatchObject({
      stderr: expect.stringContaining('another table than the one in use'),
    });
  });

  it('creates a table that the stack can use', async () => {
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    await client.send(new UpdateContinuousBackupsCommand({ TableName: FROM, PointInTimeRecoverySpecification }));
    const ResourceArn = (await describeTable(FROM))?.TableArn;
    await client.send(new TagResourceCommand({ ResourceArn, Tags: [{ Key: 'team', Value: 'platform' }] }));
    const said = await restore('--from', FROM, '--to', TO, '--no-pause');
    expect(said).toContain('Not paused: default/red');
    expect(said).toContain(`restore --from ${FROM} --to ${TO} --no-pause`);
    expect(said).toContain(`"tableName": "${TO}"`);

    const table = await describeTable(TO);
    expect(table?.DeletionProtectionEnabled).toBe(true);
    const { Tags } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: table?.TableArn }));
    expect(Tags).toEqual([{ Key: 'team', Value: 'platform' }]);
    expect([table?.KeySchema, table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName).sort()]).toEqual([
      createTableInput(TO).KeySchema,
      createTableInput(TO)
        .GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)
        .sort(),
    ]);
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: TO }));
    expect(TimeToLiveDescription).toMatchObject({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' });
    const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName: TO }));
    const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
    expect(recovery?.PointInTimeRecoveryStatus).toBe('ENABLED');

    const name = { namespace: 'default', name: 'red' };
    expect(await objectsOf(TO).get(kinds.cluster, name)).toEqual(await objectsOf(FROM).get(kinds.cluster, name));
    const { object } = await objectsOf(TO).ensure(kinds.namespace, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'later' },
    });
    expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(1e9);
  });

  it('reports the missing function if there is no stack', async () => {
    await expect(restore('--to', TO)).rejects.toMatchObject({
      stderr: expect.stringContaining('there is no function Windlass-api'),
    });
  });

  it('continues where it was interrupted, and changes nothing that was prepared', async () => {
    const again = () => restore('--from', FROM, '--to', TO, '--no-pause');
    expect(await again()).toContain('Nothing was changed: it is prepared already.');
    await client.send(new UpdateTableCommand({ TableName: TO, DeletionProtectionEnabled: false }));
    const said = await again();
    expect(said).toContain(`The table ${TO} exists already.`);
    expect(said).toContain('Not paused: default/red');
    expect((await describeTable(TO))?.DeletionProtectionEnabled).toBe(true);
  });
});

const BUCKET = 'backups';

/** Makes an export as moto writes it, and adds the metadata files that moto omits, in the format that AWS documents. */
const exported = async (s3: S3Client): Promise<{ place: string; items: number }> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: FROM }));
  const request = { TableArn: Table?.TableArn, S3Bucket: BUCKET, S3Prefix: 'Windlass' };
  const { ExportDescription } = await client.send(new ExportTableToPointInTimeCommand(request));
  const { ExportArn } = ExportDescription ?? {};
  const find = async () => (await client.send(new DescribeExportCommand({ ExportArn }))).ExportDescription;
  await expect.poll(async () => (await find())?.ExportStatus, PATIENCE).toBe('COMPLETED');
  const { ItemCount: items = 0 } = (await find()) ?? {};
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  const file = Contents[0]?.Key ?? '';
  const key = file.replace(/\/data\/.*/, '');
  const put = (name: string, body: object) =>
    s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: `${key}/${name}`, Body: `${JSON.stringify(body)}\n` }));
  await put('manifest-files.json', { itemCount: items, dataFileS3Key: file });
  const manifestFilesS3Key = `${key}/manifest-files.json`;
  await put('manifest-summary.json', { manifestFilesS3Key, itemCount: items, outputFormat: 'DYNAMODB_JSON' });
  return { place: `s3://${BUCKET}/${key}`, items };
};

it('the last export of a table is reported as failed', async () => {
  const TableArn = (await client.send(new DescribeTableCommand({ TableName: FROM }))).Table?.TableArn ?? '';
  const exports = createExports({ client, tableArn: TableArn });
  expect(await exports.lastFailed()).toBeUndefined();
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName: FROM, PointInTimeRecoverySpecification }));
  const request = { TableArn, S3Bucket: 'missing', S3Prefix: 'Windlass' };
  const asked = await client.send(new ExportTableToPointInTimeCommand(request));
  const exportArn = asked.ExportDescription?.ExportArn ?? '';
  expect(exportArn).not.toBe('');
  await expect.poll(() => exports.lastFailed(), PATIENCE).toBe(exportArn);
});

describe('windlass restore from an export', () => {
  const LOADED = 'Windlass-loaded';
  let s3: S3Client;
  beforeAll(async () => {
    s3 = new S3Client({ endpoint: moto.url, region: 'us-east-1', credentials: CREDENTIALS, forcePathStyle: true });
    await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));
  });
  afterAll(() => s3?.destroy());

  it('loads all items into a new table', async () => {
    const { place, items } = await exported(s3);
    const said = await restore('--from-export', place, '--to', LOADED, '--no-pause');
    expect(said).toContain(`Loaded ${items} items.`);
    const name = { namespace: 'default', name: 'red' };
    expect(await objectsOf(LOADED).get(kinds.cluster, name)).toEqual(await objectsOf(FROM).get(kinds.cluster, name));
    expect((await describeTable(LOADED))?.DeletionProtectionEnabled).toBe(true);
  });

  it('loads nothing into a table that is already prepared', async () => {
    const { place } = await exported(s3);
    const said = await restore('--from-export', place, '--to', LOADED, '--no-pause');
    expect(said).toContain(`The table ${LOADED} exists already.`);
    expect(said).not.toContain('Loaded');
  });

  it.each([
    ['s3://backups/Windlass', 'is not the place of an export'],
    ['s3://backups/Windlass/AWSDynamoDB/none', 'manifest-summary.json'],
  ])('reports what is wrong with %s', async (place, message) => {
    const refused = restore('--from-export', place, '--to', 'Windlass-other');
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining(message) });
  });
});

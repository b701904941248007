/** Compares the load on one partition of the table with DynamoDB's limits, using Amazon's DynamoDB Local. */
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { createDynamoDbClient } from '../../../../shared/aws/clients/dynamodb.ts';
import { kinds } from '../../../../shared/kinds/index.ts';
import { FIRST_VERSION } from '../../../../shared/store/objects/history.ts';
import { createTableInput } from '../../../../shared/store/table.ts';
import { synth } from '../../commands/synth.ts';
import { startDynamoDbLocal } from '../../conformance/dynamodb-local.ts';
import { provideDynamoDbLocal } from '../../conformance/emulators.ts';
import { makePattern, type Pattern } from '../fleet/pattern.ts';
import { measureNamespace, type NamespaceFigures } from './namespace.ts';
import { measureWrites, type WriteFigures } from './writes.ts';

export interface PartitionBench {
  writes: WriteFigures[];
  namespaces: NamespaceFigures[];
  /**
   * The number of versions that the creation of a cluster of 3+10 machines takes from the counter of each kind, most
   * first.
   */
  creation: { kind: string; versions: number }[];
}

const LOADS = [
  ...[100, 200, 300, 400, 500, 600].map((perSecond) => ({ perSecond, together: 1 })),
  ...[300, 500, 600].map((perSecond) => ({ perSecond, together: 10 })),
];
const MOST_KINDS = 6;

const MACHINE = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { namespace: 'written', name: 'machine', labels: { 'cluster.x-k8s.io/cluster-name': 'demo' } },
  spec: { clusterName: 'demo', version: 'v1.34.2', bootstrap: { dataSecretName: 'demo-boot' } },
};

const versionsOf = ({ items }: Pattern): PartitionBench['creation'] =>
  items
    .filter(({ pk }) => pk.startsWith('counter|'))
    .map(({ pk, n }) => ({ kind: pk.slice('counter|'.length), versions: Number(n) - FIRST_VERSION }))
    .sort((a, b) => b.versions - a.versions)
    .slice(0, MOST_KINDS);

/** `clusters` contains sizes of one namespace, in clusters of 13 machines. `say` reports each step. */
export const measurePartitions = async (
  clusters: readonly number[],
  say: (text: string) => void,
): Promise<PartitionBench> => {
  const { outdir } = await synth({ quiet: true });
  const jar = provideDynamoDbLocal(say);
  say('A cluster to be copied...');
  const pattern = await makePattern(outdir);
  const database = await startDynamoDbLocal(jar);
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  const client = createDynamoDbClient({ endpoint: database.url, region: 'us-east-1', credentials });
  const makeTable = async (table: string): Promise<string> => {
    await client.send(new CreateTableCommand(createTableInput(table)));
    return table;
  };
  try {
    const load = { client, table: await makeTable('writes'), object: MACHINE, resource: kinds.machine };
    const writes: WriteFigures[] = [];
    for (const rate of LOADS) {
      say(`${rate.perSecond} writes a second, ${rate.together} together...`);
      writes.push(await measureWrites(load, rate));
    }
    const namespaces: NamespaceFigures[] = [];
    for (const count of clusters) {
      say(`${count} clusters in one namespace...`);
      namespaces.push(await measureNamespace({ client, table: await makeTable(`of-${count}`) }, pattern, count));
    }
    return { writes, namespaces, creation: versionsOf(pattern) };
  } finally {
    client.destroy();
    await database.stop();
  }
};

/** One real cluster: its items in the table, and its resources in the account. */
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { systemClock } from '../../../../shared/clock.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { Account } from '../../../local/account.ts';
import { makeApi } from '../../api/client.ts';
import { apply } from '../../apply/apply.ts';
import { readManifests } from '../../apply/manifest.ts';
import type { Access } from '../../kubeconfig/kubeconfig.ts';
import type { Laptop } from '../../laptop.ts';
import { ROOT } from '../../paths.ts';
import { readCluster } from '../../progress/snapshot.ts';
import { isComplete } from '../../progress/verdict.ts';
import { startQuietLaptop } from '../quiet-laptop.ts';
import { PATTERN } from './rename.ts';

const SIZE = { controlPlane: 3, workers: 10 };
const LOOK_MILLISECONDS = 500;
const PATIENCE_SECONDS = 600;

export type Item = Record<string, unknown> & { pk: string; sk: string };

export interface Pattern {
  /** The uid of the Cluster. */
  uid: string;
  items: Item[];
  account: Account;
}

export const tableOf = async ({ region, awsUrl: endpoint, credentials }: Access) => {
  const client = new DynamoDBClient({ region, endpoint, credentials });
  const { TableNames: [TableName = ''] = [] } = await client.send(new ListTablesCommand({}));
  return { client: DynamoDBDocumentClient.from(client), TableName };
};

const scan = async (access: Access): Promise<Item[]> => {
  const { client, TableName } = await tableOf(access);
  const items: Item[] = [];
  for await (const page of paginateScan({ client }, { TableName })) items.push(...((page.Items ?? []) as Item[]));
  client.destroy();
  return items;
};

const named = (object: KubeObject): KubeObject => {
  const replicas = { KubeadmControlPlane: SIZE.controlPlane, MachineDeployment: SIZE.workers }[object.kind];
  const { spec, ...rest } = JSON.parse(JSON.stringify(object).replaceAll('quickstart', PATTERN.cluster));
  const metadata = { ...rest.metadata, namespace: PATTERN.namespace };
  return { ...rest, metadata, spec: replicas === undefined ? spec : { ...spec, replicas } };
};

/** Creates the cluster and returns its uid. */
const create = async ({ access }: Laptop): Promise<string> => {
  const api = makeApi(access, systemClock);
  try {
    const metadata = { name: PATTERN.namespace };
    await api.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    const manifests = readManifests(join(ROOT, 'examples', 'quickstart.yaml'));
    const objects = manifests.map((manifest) => ({ ...manifest, object: named(manifest.object) }));
    const refusals = await apply(api, objects, () => {});
    if (refusals.length > 0) throw new Error(refusals.join('\n'));
    const end = performance.now() + PATIENCE_SECONDS * 1000;
    const cluster = { namespace: PATTERN.namespace, name: PATTERN.cluster };
    while (!isComplete(await readCluster(api, cluster))) {
      if (performance.now() > end) throw new Error(`the cluster was not complete within ${PATIENCE_SECONDS} s`);
      await systemClock.sleep(LOOK_MILLISECONDS);
    }
    const path = `/apis/cluster.x-k8s.io/v1beta2/namespaces/${PATTERN.namespace}/clusters/${PATTERN.cluster}`;
    return (await api.send<KubeObject>('GET', path)).metadata.uid ?? '';
  } finally {
    api.close();
  }
};

/** Creates a cluster of 3+10 machines on a laptop, which is stopped afterwards. */
export const makePattern = async (outdir: string): Promise<Pattern> => {
  const laptop = await startQuietLaptop({ outdir, bootMilliseconds: 1_000 });
  try {
    const uid = await create(laptop);
    // Two sweeps: the copies include the records of the first one.
    for (let left = 2; left > 0; left -= 1) await laptop.runtime.invoke('Windlass-drift', {});
    return { uid, items: await scan(laptop.access), account: laptop.account };
  } finally {
    await laptop.stop();
  }
};

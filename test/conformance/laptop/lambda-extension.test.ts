/**
 * Tests an extension that is a Lambda function in the account, in the lifecycle of a cluster. The SDK's client invokes
 * it.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { userFunctionOf } from '../../../infra/local/engines/lambda/user-function.ts';
import type { Cluster, ExtensionConfig } from '../../../shared/kinds/index.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, conditionOf, INFRASTRUCTURE, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';

const NAME = 'managed';
const MERGE = 'application/merge-patch+json';

let laptop: TestLaptop;

beforeAll(async () => {
  laptop = await startTestLaptop(undefined, { functions: [userFunctionOf('hooks', 'examples/extension.mjs')] });
}, LIMIT);
afterAll(() => laptop?.stop(), LIMIT);

const topologySays = async (text: string): Promise<boolean> =>
  conditionOf(await laptop.cluster(NAME), 'TopologyReconciled')?.message?.includes(text) ?? false;

const freeze = (label: string | null) =>
  laptop.api.send('PATCH', `${CORE}/clusters/${NAME}`, { metadata: { labels: { freeze: label } } }, MERGE);

it(
  'the extension of the example blocks the creation and the deletion of a cluster',
  async () => {
    expect(await laptop.applyFile('examples/extension.yaml')).toEqual([]);
    const frozen = await laptop.applyFile('examples/clusterclass.yaml', (object) =>
      object.kind === 'Cluster'
        ? { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, freeze: 'true' } } }
        : object,
    );
    expect(frozen).toEqual([]);

    await laptop.until('the creation is held', () => topologySays('the label freeze holds this create'));
    expect(await laptop.list(`${INFRASTRUCTURE}/awsclusters`)).toEqual([]);
    const config = await laptop.get<ExtensionConfig>('/apis/runtime.cluster.x-k8s.io/v1beta2/extensionconfigs/hooks');
    expect(conditionOf(config, 'Discovered')).toMatchObject({ status: 'True' });
    expect(config?.status?.handlers?.map(({ name }) => name).sort()).toEqual([
      'create.hooks',
      'delete.hooks',
      'upgrade.hooks',
    ]);

    await freeze(null);
    await laptop.until('the cluster is available', async () => {
      const cluster: Cluster | undefined = await laptop.cluster(NAME);
      return conditionOf(cluster, 'Available')?.status === 'True';
    });

    await freeze('true');
    await laptop.api.send('DELETE', `${CORE}/clusters/${NAME}`);
    await laptop.until('the deletion is held', () => topologySays('the label freeze holds this delete'));
    expect(await laptop.instances()).not.toEqual([]);

    await freeze(null);
    await laptop.until('the cluster is gone', async () => (await laptop.cluster(NAME)) === undefined);
    expect(await laptop.instances()).toEqual([]);
  },
  LIMIT,
);

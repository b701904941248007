/**
 * Tests an extension in the lifecycle of a cluster on the whole laptop: deployed functions, workflows and the sweep.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster, ExtensionConfig } from '../../../shared/kinds/index.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, INFRASTRUCTURE, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { startUpstreamExtension, type UpstreamExtension } from './extension.ts';

const program = process.env.WINDLASS_EXTENSION;
const CONFIGS = '/apis/runtime.cluster.x-k8s.io/v1beta2/extensionconfigs';
const NAME = 'managed';

const topologyOf = (cluster: Cluster | undefined): string =>
  cluster?.status?.conditions?.find(({ type }) => type === 'TopologyReconciled')?.message ?? '';

describe.skipIf(program === undefined)('an extension on the laptop', () => {
  let laptop: TestLaptop;
  let extension: UpstreamExtension;
  const hooks = () => extension.asked().map(({ hook }) => hook);

  beforeAll(async () => {
    extension = await startUpstreamExtension(program ?? '');
    laptop = await startTestLaptop();
  }, LIMIT);

  afterAll(async () => {
    await laptop.stop();
    await extension.stop();
  });

  it(
    'decides when a cluster is created and deleted',
    async () => {
      extension.answer({ BeforeClusterCreate: { retryAfterSeconds: 2, message: 'no quota' } });
      await laptop.api.send('POST', CONFIGS, extension.config);
      expect(await laptop.applyFile('examples/clusterclass.yaml')).toEqual([]);

      await laptop.until('the creation is blocked', async () =>
        topologyOf(await laptop.cluster(NAME)).includes('BeforeClusterCreate: no quota'),
      );
      expect(await laptop.list(`${INFRASTRUCTURE}/awsclusters`)).toEqual([]);
      const config = await laptop.get<ExtensionConfig>(`${CONFIGS}/upstream`);
      expect(config?.status?.conditions).toContainEqual(
        expect.objectContaining({ type: 'Discovered', status: 'True' }),
      );

      extension.answer({});
      await laptop.until('the control plane is initialized', async () =>
        hooks().includes('AfterControlPlaneInitialized'),
      );

      extension.answer({ BeforeClusterDelete: { retryAfterSeconds: 2, message: 'backup' } });
      await laptop.api.send('DELETE', `${CORE}/clusters/${NAME}`);
      await laptop.until('the deletion is blocked', async () =>
        topologyOf(await laptop.cluster(NAME)).includes('BeforeClusterDelete: backup'),
      );
      expect(await laptop.instances()).not.toEqual([]);

      extension.answer({});
      await laptop.until('the cluster is gone', async () => (await laptop.cluster(NAME)) === undefined);
      expect(await laptop.instances()).toEqual([]);
    },
    LIMIT,
  );
});

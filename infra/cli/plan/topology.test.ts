import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTestCluster } from '../../../functions/preview/test-cluster.ts';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createAccount } from '../../local/account.ts';
import { startAws } from '../../local/aws.ts';
import { createDataPlane } from '../../local/engines/elbv2/data-plane.ts';
import { accountFacts } from '../api/account-facts.ts';
import { ApiError, statusOf } from '../api/client.ts';
import type { Context } from '../api/kubeconfig-client.ts';
import { readManifests } from '../apply/manifest.ts';
import { ROOT } from '../paths.ts';
import { planManifests } from './plan.ts';
import { planText } from './print.ts';

it('a plan of a ClusterClass with its first cluster includes the cost of the cluster, and what the account lacks', async () => {
  const cluster = await makeTestCluster();
  const send: Context['api']['send'] = async (method, path, body) => {
    const answer = await cluster.send(method, path, body as object | undefined);
    if (answer.code > 299) throw new ApiError(statusOf({ code: answer.code, text: JSON.stringify(answer.body) }));
    return answer.body;
  };
  const context: Context = { api: { send, close: () => {} }, namespace: 'default' };
  const account = createAccount({ clock: systemClock, random: systemRandom });
  account.settings.quotas.addresses = 1;
  const aws = await startAws({ account, dataPlane: createDataPlane(), bindListeners: false });
  try {
    const options = { endpoint: aws.url, region: account.region, credentials: account.credentials };
    const manifests = readManifests(join(ROOT, 'examples', 'clusterclass.yaml'));

    const found = await planManifests(context, manifests, cluster.clock, (region) => accountFacts(options, region));

    expect(found.refused).toEqual([]);
    const text = planText(found);
    expect(text).toMatch(/costs about \d+ USD a month more/);
    expect(text).toContain('Pre-flight checks of Cluster default/managed: the account lacks\n');
    expect(text).toContain('quota "EC2-VPC Elastic IPs"');
  } finally {
    await aws.close();
  }
});

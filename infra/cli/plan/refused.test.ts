import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeTestCluster, type TestCluster } from '../../../functions/preview/test-cluster.ts';
import type { AWSCluster } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { ApiError, statusOf } from '../api/client.ts';
import { readManifests } from '../apply/manifest.ts';
import { ROOT } from '../paths.ts';
import { type ManifestsPlan, planManifests } from './plan.ts';
import { planText } from './print.ts';

/** Plans manifests for an API that serves only the built-in kinds. */
let plan: (objects: readonly KubeObject[]) => Promise<ManifestsPlan>;
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await makeTestCluster();
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await cluster.send(method, path, body as object | undefined);
    if (answer.code > 299) throw new ApiError(statusOf({ code: answer.code, text: JSON.stringify(answer.body) }));
    return answer.body;
  };
  const manifests = (objects: readonly KubeObject[]) => objects.map((object) => ({ file: 'some.yaml', object }));
  plan = (objects) =>
    planManifests({ api: { send, close: () => {} }, namespace: 'default' }, manifests(objects), cluster.clock);
});

const example = (name: string): KubeObject[] => readManifests(join(ROOT, 'examples', name)).map(({ object }) => object);

describe('a plan of a Cluster that refers to a refused object', () => {
  it('does not advise to plan all manifests together, which it does', async () => {
    const text = JSON.stringify(example('quickstart.yaml')).replaceAll('quickstart', 'refused');
    const objects = JSON.parse(text) as KubeObject[];
    for (const object of objects)
      if (object.kind === 'AWSCluster') (object as AWSCluster).spec.network = { vpc: { cidrBlock: 'wide' } };
    const found = await plan(objects);

    expect(found.refused).toEqual([expect.stringContaining('spec.network.vpc.cidrBlock')]);
    expect(planText(found)).toMatch(/AWSCluster refused does not exist yet, so its effects are not shown$/m);
  });

  it('is advised by a dry run of the Cluster alone, which cannot see the other manifests', async () => {
    const alone = JSON.stringify(example('quickstart.yaml')[0]).replaceAll('quickstart', 'alone');
    const path = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters?dryRun=All';
    const { warnings } = await cluster.send('POST', path, JSON.parse(alone) as object);

    expect(warnings).toContainEqual(
      expect.stringContaining(
        'AWSCluster alone does not exist yet, so its effects are not shown; windlass plan -f FILE',
      ),
    );
  });

  it('names the kinds of an external provider that the API does not serve', async () => {
    const found = await plan(example('vsphere.yaml'));

    expect(found.refused.map((line) => /no matches for kind "(\w+)"/.exec(line)?.[1])).toEqual([
      'VSphereCluster',
      'VSphereMachineTemplate',
      'VSphereMachineTemplate',
    ]);
    expect(planText(found)).toContain(
      'kind "VSphereCluster" in group "infrastructure.cluster.x-k8s.io" is not built in',
    );
  });
});

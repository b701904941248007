import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../../../infra/cli/api/client.ts';
import { openContext } from '../../../infra/cli/api/kubeconfig-client.ts';
import { makeFindResource } from '../../../infra/cli/api/resources.ts';
import { type KubeApiserver, startKubeApiserver } from '../../../infra/cli/conformance/kube-apiserver.ts';
import { kubeconfigOf } from '../../../infra/cli/conformance/upstream/definitions.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { conditionOf, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { moveAway, moveHere, readObjects, untilAtRest } from './moving.ts';
import { installUpstreamKinds } from './upstream-crds.ts';

const assets = process.env.KUBEBUILDER_ASSETS;

type WithSpec = KubeObject & { spec?: unknown; status?: { conditions?: unknown } };

// The tests run in order.
describe.skipIf(!assets)('a cluster that moves into a management cluster and back', { timeout: LIMIT }, () => {
  let laptop: TestLaptop;
  let server: KubeApiserver;
  let kubeconfig: string;
  let api: Api;
  let ours: WithSpec[];
  let directory: string;
  let instances: string[];

  beforeAll(async () => {
    server = await startKubeApiserver(assets ?? '');
    kubeconfig = kubeconfigOf(server);
    ({ api } = openContext({ kubeconfig }));
    await installUpstreamKinds(api);
    laptop = await startTestLaptop();
    expect(await laptop.applyFile('examples/quickstart.yaml')).toEqual([]);
    await untilAtRest(laptop, 'quickstart', 6);
    instances = (await laptop.instances()).sort();
    directory = await moveAway(laptop);
    ours = readObjects(directory);
  }, LIMIT);
  afterAll(async () => {
    await laptop?.stop();
    await server?.stop();
  });

  const there = async (object: KubeObject, subresource = ''): Promise<string> => {
    const resource = await makeFindResource(api)(object);
    if (!resource) throw new Error(object.kind);
    const place = resource.namespaced ? `/namespaces/${object.metadata.namespace}` : '';
    return `${resource.base}${place}/${resource.plural}/${object.metadata.name}${subresource}`;
  };

  it('is accepted by upstream schemas, and no field of it is lost', async () => {
    await moveHere(directory, kubeconfig);
    for (const object of ours.filter(({ kind }) => kind !== 'Secret')) {
      const found = await api.send<WithSpec>('GET', await there(object));
      const { paused: _paused, ...spec } = (object.spec ?? {}) as { paused?: boolean };
      expect([object.kind, found.spec ?? {}]).toEqual([object.kind, expect.objectContaining(spec)]);
    }
    const secrets = ours.filter(({ kind }) => kind === 'Secret');
    for (const secret of secrets) await api.send('GET', await there(secret));
    expect(secrets.length).toBeGreaterThanOrEqual(5);
  });

  it('keeps its conditions there', async () => {
    const withStatus = ours.filter(({ status, kind }) => status && !/^(Secret|ConfigMap)$/.test(kind));
    for (const object of withStatus) {
      const path = await there(object, '/status');
      // Status fields of newer schemas are dropped by this one, but conditions and known fields are kept.
      const merge = 'application/merge-patch+json';
      const { status } = await api.send<WithSpec>('PATCH', path, { status: object.status }, merge);
      expect([object.kind, status?.conditions]).toEqual([object.kind, object.status?.conditions]);
    }
  });

  it('returns with its machines', async () => {
    const back = await moveAway(kubeconfig);
    expect(readObjects(back)).toHaveLength(ours.length);
    laptop = await laptop.redeploy();
    await moveHere(back, laptop);
    await untilAtRest(laptop, 'quickstart', 6);

    expect((await laptop.instances()).sort()).toEqual(instances);
    const machines = await laptop.machines('quickstart');
    expect(machines.map((machine) => conditionOf(machine, 'UpToDate')?.status)).toEqual(Array(6).fill('True'));
  });
});

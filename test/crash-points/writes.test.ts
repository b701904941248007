/** The management API crashes between a write and its touch: the sweep makes up for the touch. */
import { describe, expect, it } from 'vitest';
import { createApi } from '../../functions/api/app.ts';
import { makeFindAffected } from '../../functions/api/find-affected.ts';
import { touchUnfinished } from '../../functions/drift/unfinished.ts';
import { KINDS } from '../../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../../shared/kube-api/garbage/owner-index.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { silentLog } from '../../shared/log.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import type { Executioner } from '../cluster-infrastructure/faults.ts';
import { makeVirtualClock } from '../cluster-infrastructure/world.ts';
import { deathsThatMatter, nobody } from './points.ts';

const USER = { name: 'arn:aws:iam::1:role/Admin', groups: ['system:masters', 'system:authenticated'] };
const GROUPS = {
  core: '/api/v1/namespaces/default',
  cluster: '/apis/cluster.x-k8s.io/v1beta2/namespaces/default',
  aws: '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default',
  bootstrap: '/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/default',
  addons: '/apis/addons.cluster.x-k8s.io/v1beta2/namespaces/default',
};

const LABELS = { 'cluster.x-k8s.io/cluster-name': 'red' };

type Request = [method: string, path: string, body?: object];

const deployment = {
  kind: 'MachineDeployment',
  metadata: { name: 'md', labels: LABELS },
  spec: {
    clusterName: 'red',
    selector: {},
    template: {
      spec: {
        clusterName: 'red',
        bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfigTemplate', name: 't' } },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 't' },
      },
    },
  },
};

const machineTemplate = {
  kind: 'AWSMachineTemplate',
  metadata: { name: 't' },
  spec: { template: { spec: { instanceType: 'm5.large' } } },
};

const addons = {
  kind: 'ClusterResourceSet',
  metadata: { name: 'net' },
  spec: { clusterSelector: { matchLabels: { net: 'yes' } }, resources: [{ kind: 'ConfigMap', name: 'net' }] },
};

/** Objects that users write: kinds that name their cluster, and those to which only references lead. */
const MADE: Request[] = [
  [
    'POST',
    `${GROUPS.cluster}/clusters`,
    {
      kind: 'Cluster',
      metadata: { name: 'red', labels: { net: 'yes' } },
      spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' } },
    },
  ],
  [
    'POST',
    `${GROUPS.aws}/awsclusters`,
    { kind: 'AWSCluster', metadata: { name: 'red', labels: LABELS }, spec: { region: 'us-east-1' } },
  ],
  ['POST', `${GROUPS.cluster}/machinedeployments`, deployment],
];
const LATER: Request[] = [
  ['POST', `${GROUPS.aws}/awsmachinetemplates`, machineTemplate],
  ['POST', `${GROUPS.addons}/clusterresourcesets`, addons],
  ['POST', `${GROUPS.core}/configmaps`, { kind: 'ConfigMap', metadata: { name: 'net' }, data: { a: 'b' } }],
  ['PATCH', `${GROUPS.core}/configmaps/net`, { data: { a: 'c' } }],
  ['PATCH', `${GROUPS.cluster}/machinedeployments/md`, { spec: { replicas: 3 } }],
  ['DELETE', `${GROUPS.aws}/awsmachinetemplates/t`],
  ['DELETE', `${GROUPS.cluster}/machinedeployments/md`],
];

const isTableWrite = (method: string): boolean => ['create', 'update', 'remove'].includes(method);

const makeWorld = (executioner: Executioner) => {
  const clock = makeVirtualClock();
  const raw = createMemoryStorage();
  const pledges = createMemoryPledges({ clock });
  let writes = 0;
  let seen = 0;
  const storage: Storage = {
    ...raw,
    ...Object.fromEntries(
      (['create', 'update', 'remove'] as const).map((method) => [
        method,
        async (...args: never[]) => {
          const result = await (raw[method] as (...all: never[]) => Promise<unknown>)(...args);
          writes += 1;
          return result;
        },
      ]),
    ),
  };
  const touch = async (_cluster: ClusterRef) => {
    seen = writes;
  };
  const apiOf = (by: Executioner) => {
    const toucher = by.guard({ touch }, () => true);
    return createApi({
      kinds: KINDS,
      storage: by.guard(storage, isTableWrite),
      records: createMemoryRecords(),
      owners: createMemoryOwnerIndex(),
      pledges: by.guard(pledges, (method) => method !== 'open'),
      touch: (cluster) => toucher.touch(cluster),
      clock,
      random: systemRandom,
      log: silentLog,
    });
  };
  const send = async (api: ReturnType<typeof createApi>, [method, path, body]: Request) => {
    const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
    const [, version] = /^\/apis\/([^/]+\/[^/]+)\//.exec(path) ?? [undefined, 'v1'];
    const content = body && method === 'POST' ? { apiVersion: version, ...body } : body;
    const request = new Request(`https://api${path}`, {
      method,
      headers,
      ...(content ? { body: JSON.stringify(content) } : {}),
    });
    const answer = await api(request, USER);
    const text = await answer.text();
    return answer.status < 300 ? undefined : text;
  };
  const sweep = () =>
    touchUnfinished(
      {
        ...{ work: { due: async () => [] }, pledges, clock, log: silentLog, touch },
        affected: makeFindAffected({ kinds: KINDS, storage }).ofPledge,
      } as never,
      { faults: [] } as never,
    );
  return {
    clock,
    pledges,
    api: apiOf(executioner),
    another: apiOf(nobody()),
    send,
    sweep,
    isSeen: () => seen === writes,
    marks: () => writes,
  };
};

const story = (request: Request) => async (executioner: Executioner) => {
  const world = makeWorld(executioner);
  for (const one of [...MADE, ...LATER.slice(0, LATER.indexOf(request))]) {
    const refusal = await world.send(world.another, one);
    if (refusal) throw new Error(`${one[0]} ${one[1]}: ${refusal}`);
  }
  const before = world.marks();
  await world.send(world.api, request).catch(() => undefined);
  const wasWritten = world.marks() > before;
  world.clock.advance(16 * 60);
  await world.sweep();
  return {
    isSeen: !wasWritten || world.isSeen(),
    open: (await world.pledges.open(new Date('2030-01-01T00:00:00Z'))).length,
  };
};

describe('a write whose server dies', () => {
  it.each(LATER)('%s %s still leads to a pass over the cluster', async (...request) => {
    const chosen = LATER.find(([method, path]) => method === request[0] && path === request[1]) as Request;
    const { count, end, failures } = await deathsThatMatter(3, story(chosen));
    expect(end).toEqual({ isSeen: true, open: 0 });
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(3);
  });
});

import { expect, it } from 'vitest';
import { kinds, type MachinePool } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { withQuotas } from '../../shared/kube-api/quota/quota-storage.ts';
import type { Counted, QuotaUsage } from '../../shared/kube-api/quota/usage.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { describePreview } from './describe.ts';
import { preview } from './preview.ts';
import { CONTROL, CORE, makeTestCluster, type TestCluster } from './test-cluster.ts';

const DEPLOYMENT = `${CORE}/machinedeployments/quickstart-md-0`;
const CONTROL_PLANE = `${CONTROL}/kubeadmcontrolplanes/quickstart-control-plane`;
const QUOTAS = '/api/v1/namespaces/default/resourcequotas';
const MACHINES = 'count/machines.cluster.x-k8s.io';
const AWS_MACHINES = 'count/awsmachines.infrastructure.cluster.x-k8s.io';

/** Counts exactly what is stored. */
const memoryUsage = (storage: Storage): QuotaUsage => {
  const counts = new Map<string, number>();
  const keyOf = ({ namespace, resource, owner }: Counted) => `${namespace}/${resource.plural}/${owner}`;
  const countOf: QuotaUsage['read'] = async ({ resource, namespace, owner }) => {
    const key = keyOf({ resource, namespace, owner });
    const { items } = await storage.list(resource, { namespace });
    if (!counts.has(key)) counts.set(key, items.length);
    return counts.get(key) ?? 0;
  };
  const add = (counted: Counted, by: number): void => {
    const key = keyOf(counted);
    counts.set(key, (counts.get(key) ?? 0) + by);
  };
  return {
    read: countOf,
    reserve: async (counted, hard) => {
      await countOf(counted);
      // There is no `await` between the check and the count.
      const used = counts.get(keyOf(counted)) ?? 0;
      if (used >= hard) return { granted: false, used };
      add(counted, 1);
      return { granted: true };
    },
    release: async (counted) => add(counted, -1),
  };
};

const makeLimited = () =>
  makeTestCluster(undefined, (storage, clock) =>
    withQuotas(storage, {
      usage: memoryUsage(storage),
      clock,
      onFailure: (error) => {
        throw error;
      },
    }),
  );

const limit = async (w: TestCluster, hard: Record<string, string>) => {
  const { code } = await w.send('POST', QUOTAS, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'small' },
    spec: { hard },
  });
  expect(code).toBe(201);
};

const scale = (replicas: number) => ({ spec: { replicas } });

const blocked = (name: string, quota: string, count: number) =>
  `plan: ${name} is blocked: Not all machines can be created: exceeded quota: small, requested: ${quota}=1, used: ${quota}=${count}, limited: ${quota}=${count}; raise the quota or delete unneeded objects`;

/** All warnings of a dry run, and what the steps then really create. */
const tryAndDo = async (w: TestCluster, path: string, body: object) => {
  const { code, body: object } = await w.send('PATCH', `${path}?dryRun=All`, body);
  expect(code).toBe(200);
  const resource = Object.values(kinds).find(({ kind }) => kind === object.kind);
  if (!resource) throw new Error(object.kind);
  const found = await preview({ reads: w.objects, now: w.clock.now() }, [{ resource, type: 'updated', object }]);
  await w.send('PATCH', path, body);
  return { lines: describePreview(found).map((line) => `plan: ${line}`), found, carried: await w.carryOut() };
};

it('plans as many Machines as the quota allows, as the pass does, and names the quota', async () => {
  const w = await makeLimited();
  await limit(w, { [MACHINES]: '8' });
  const { lines, found, carried } = await tryAndDo(w, DEPLOYMENT, scale(7));

  const made = found.clusters.flatMap(({ owners }) => owners.flatMap(({ steps }) => steps.flatMap(({ make }) => make)));
  expect(made).toHaveLength(2);
  expect(carried.flatMap((one) => one.made)).toHaveLength(2);
  expect(lines.at(-1)).toBe(blocked('MachineDeployment quickstart-md-0', MACHINES, 8));

  // Writing it again changes nothing, and a refusal that does not change is no effect of the write.
  expect((await tryAndDo(w, DEPLOYMENT, scale(7))).lines).toEqual(['plan: no Machine is created, replaced or deleted']);
});

it('names the quota that limits the infrastructure of control plane machines', async () => {
  const w = await makeLimited();
  await limit(w, { [AWS_MACHINES]: '7' });
  const { lines } = await tryAndDo(w, CONTROL_PLANE, scale(5));

  expect(lines.at(-1)).toBe(blocked('KubeadmControlPlane quickstart-control-plane', AWS_MACHINES, 7));
  expect(lines[0]).toMatch('creates 1 Machine');
});

it('plans a rollout that reuses the quota of the machines that it deletes', async () => {
  const w = await makeLimited();
  await limit(w, { [MACHINES]: '6' });
  const rollout = {
    spec: {
      rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
      template: { spec: { failureDomain: 'b' } },
    },
  };
  const { lines, found, carried } = await tryAndDo(w, DEPLOYMENT, rollout);

  expect(lines.join('\n')).not.toContain('quota');
  expect(found.clusters[0]?.owners.flatMap(({ steps }) => steps.flatMap(({ make }) => make))).toHaveLength(3);
  expect(carried.flatMap(({ made }) => made)).toHaveLength(3);
});

it('considers a quota that the same change raises', async () => {
  const w = await makeLimited();
  await limit(w, { [MACHINES]: '6' });
  const raised = await w.send('PATCH', `${QUOTAS}/small?dryRun=All`, { spec: { hard: { [MACHINES]: '9' } } });
  const scaled = await w.send('PATCH', `${DEPLOYMENT}?dryRun=All`, scale(5));
  const change = (resource: typeof kinds.resourceQuota | typeof kinds.machineDeployment, object: KubeObject) =>
    ({ resource, type: 'updated', object }) as const;
  const plan = async (more: Parameters<typeof preview>[1]) =>
    describePreview(
      await preview({ reads: w.objects, now: w.clock.now() }, [...more, change(kinds.machineDeployment, scaled.body)]),
    );

  expect((await plan([])).join('\n')).toContain('exceeded quota: small');
  expect((await plan([change(kinds.resourceQuota, raised.body)])).join('\n')).not.toContain('quota');
});

it('counts only kinds that the plan creates for a new quota', async () => {
  const w = await makeLimited();
  const hard = { secrets: '100', 'count/configmaps': '100', [MACHINES]: '7' };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'small' }, spec: { hard } };
  const { body: made } = await w.send('POST', `${QUOTAS}?dryRun=All`, quota);
  const { body: scaled } = await w.send('PATCH', `${DEPLOYMENT}?dryRun=All`, scale(5));
  const read: string[] = [];
  const list: typeof w.objects.list = (resource, namespace) => {
    read.push(resource.kind);
    return w.objects.list(resource, namespace);
  };
  const found = await preview({ reads: { ...w.objects, list }, now: w.clock.now() }, [
    { resource: kinds.resourceQuota, type: 'created', object: made },
    { resource: kinds.machineDeployment, type: 'updated', object: scaled },
  ] as unknown as Parameters<typeof preview>[1]);

  expect(describePreview(found).join('\n')).toContain(`used: ${MACHINES}=7, limited: ${MACHINES}=7`);
  expect(read).toContain('Machine');
  expect(read.filter((kind) => kind === 'Secret' || kind === 'ConfigMap')).toEqual([]);
});

it('names the instances of a new pool that exceed the quota', async () => {
  const w = await makeLimited();
  await limit(w, { [MACHINES]: '7' });
  const pooled = (kind: string, group: string, spec: object): KubeObject => ({
    ...{ apiVersion: `${group}/v1beta2`, kind, metadata: { name: 'p', namespace: 'default', uid: kind } },
    ...({ spec } as object),
  });
  const [infrastructure, bootstrap] = ['infrastructure.cluster.x-k8s.io', 'bootstrap.cluster.x-k8s.io'];
  const objects = [
    pooled('AWSMachinePool', infrastructure, {
      ...{ minSize: 0, maxSize: 5, subnets: [{ id: 'subnet-1' }] },
      awsLaunchTemplate: { instanceType: 't3.large', ami: { id: 'ami-1' } },
    }),
    pooled('KubeadmConfig', bootstrap, {}),
    pooled('MachinePool', 'cluster.x-k8s.io', {
      ...{ clusterName: 'quickstart', replicas: 3 },
      template: {
        spec: {
          ...{ clusterName: 'quickstart', version: 'v1.34.0' },
          bootstrap: { configRef: { apiGroup: bootstrap, kind: 'KubeadmConfig', name: 'p' } },
          infrastructureRef: { apiGroup: infrastructure, kind: 'AWSMachinePool', name: 'p' },
        },
      },
    } satisfies MachinePool['spec']),
  ];
  const changes = objects.map((object) => {
    const resource = Object.values(kinds).find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(object.kind);
    return { resource, type: 'created' as const, object };
  });
  const found = await preview({ reads: w.objects, now: w.clock.now() }, changes as Parameters<typeof preview>[1]);

  expect(found.clusters[0]?.pools[0]?.lines.at(-1)).toBe(
    `lacks 2 instances: exceeded quota: small, requested: ${MACHINES}=1, used: ${MACHINES}=7, limited: ${MACHINES}=7; raise the quota or delete unneeded objects`,
  );
  expect(found.clusters[0]?.pools[0]?.instances).toMatchObject({ more: 1 });
});

it('reports that the caller may not read the quotas, after a single check of the right', async () => {
  const w = await makeLimited();
  await limit(w, { [MACHINES]: '6' });
  const { body: object } = await w.send('PATCH', `${DEPLOYMENT}?dryRun=All`, scale(5));
  const asked: string[] = [];
  const mayReadQuotas = async (namespace: string) => asked.push(namespace) < 0;
  const reads = { ...w.objects, mayReadQuotas };
  const change = { resource: kinds.machineDeployment, type: 'updated' as const, object };
  const found = await preview({ reads, now: w.clock.now() }, [change as Parameters<typeof preview>[1][number]]);

  const text = describePreview(found).join('\n');
  expect(text).toContain('the ResourceQuotas of the namespace are not considered, because you may not list them');
  expect(text).not.toContain('exceeded quota');
  expect(asked).toEqual(['default']);
});

import { beforeAll, describe, expect, it } from 'vitest';
import { kinds, type Machine, type MachineDeployment, type MachineSet } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { ownerReference } from '../../shared/plan/machines/desired.ts';
import { describePreview } from './describe.ts';
import type { ClusterPlan } from './plan.ts';
import { preview } from './preview.ts';
import type { Reads } from './reads.ts';
import { type Carried, CONTROL, CORE, INFRASTRUCTURE, makeTestCluster, type TestCluster } from './test-cluster.ts';

const DEPLOYMENT = `${CORE}/machinedeployments/quickstart-md-0`;
const CONTROL_PLANE = `${CONTROL}/kubeadmcontrolplanes/quickstart-control-plane`;

/** The plan of each pass: names, and the number of new machines whose names are not known yet. */
const passesOf = ({ owners }: ClusterPlan) => {
  const steps = owners.flatMap((owner) => owner.steps);
  return [...new Set(steps.map(({ pass }) => pass))]
    .sort((a, b) => a - b)
    .map((pass) => {
      const own = steps.filter((step) => step.pass === pass);
      const made = own.flatMap(({ make }) => make.map(({ name }) => name));
      return { made, gone: own.flatMap(({ remove }) => remove.map(({ name }) => name)).sort() };
    });
};

const comparable = (planned: ReturnType<typeof passesOf>, carried: readonly Carried[]) => ({
  planned: planned.map(({ made, gone }) => ({ made: made.includes(undefined) ? made.length : made.sort(), gone })),
  carried: carried.map(({ made, gone }, at) => ({
    made: planned[at]?.made.includes(undefined) ? made.length : made,
    gone,
  })),
});

// The tests run in order: each change is previewed, written, and carried out by the real steps, which must do what was
// predicted.
describe('a plan', () => {
  let w: TestCluster;
  beforeAll(async () => {
    w = await makeTestCluster();
  });

  const objectOf = async (path: string): Promise<KubeObject> => (await w.send('GET', path)).body;

  /** The plan of a write, and what the steps then really did. */
  const tryAndDo = async (method: string, path: string, body?: object) => {
    const tried = await w.send(method, `${path}?dryRun=All`, body);
    expect(tried.code, JSON.stringify(tried.body)).toBeLessThan(300);
    const isObject = tried.body.kind !== 'Status';
    const object: KubeObject = isObject ? tried.body : await objectOf(path);
    const resource = Object.values(kinds).find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(object.kind);
    const type = method === 'POST' ? 'created' : isObject ? 'updated' : 'deleted';
    const found = await preview({ reads: w.objects, now: w.clock.now() }, [{ resource, type, object }]);
    const done = await w.send(method, path, body);
    expect(done.code).toBeLessThan(300);
    return { plan: found.clusters[0] as ClusterPlan, warnings: tried.warnings, carried: await w.carryOut() };
  };

  const scale = (replicas: number) => ({ spec: { replicas } });
  const template = (name: string) => ({ spec: { template: { spec: { infrastructureRef: { name } } } } });
  const strategy = (maxSurge: number, maxUnavailable: number) => ({
    spec: { rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } } },
  });
  const controlTemplate = (name: string) => ({ spec: { machineTemplate: { spec: { infrastructureRef: { name } } } } });

  it.each<[reason: string, path: string, body: object, changes: number]>([
    ['more workers', DEPLOYMENT, scale(5), 2],
    ['a rolling update with one more machine and none unavailable', DEPLOYMENT, template('second'), 10],
    ['a change of the bounds only', DEPLOYMENT, strategy(0, 2), 0],
    ['a rolling update with two machines less', DEPLOYMENT, template('third'), 10],
    ['fewer workers, the oldest first', DEPLOYMENT, { spec: { ...scale(2).spec, deletion: { order: 'Oldest' } } }, 3],
    ['more control plane machines', CONTROL_PLANE, scale(5), 2],
    ['fewer control plane machines', CONTROL_PLANE, scale(3), 2],
    ['a control plane of another template', CONTROL_PLANE, controlTemplate('second'), 6],
    [
      'a control plane of a third template, without a surge',
      CONTROL_PLANE,
      {
        spec: {
          ...controlTemplate('third').spec,
          rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0 } } },
        },
      },
      6,
    ],
  ])('says what is done for %s', async (_, path, body, changes) => {
    for (const name of ['second', 'third']) {
      const { body: first } = await w.send('GET', `${INFRASTRUCTURE}/awsmachinetemplates/quickstart-md-0`);
      await w.send('POST', `${INFRASTRUCTURE}/awsmachinetemplates`, { ...first, metadata: { name } });
    }
    const { plan, carried } = await tryAndDo('PATCH', path, body);

    const { planned, carried: done } = comparable(passesOf(plan), carried);
    expect(planned).toEqual(done);
    expect(carried.reduce((total, { made, gone }) => total + made.length + gone.length, 0)).toBe(changes);
    expect(plan.complete).toBe(true);
  });

  it.each(['control plane', 'worker'])('shows the replacement of a deleted %s machine', async (role) => {
    const isMeant = ({ metadata }: Machine) =>
      'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}) === (role !== 'worker');
    const machine = (await w.machines()).find(isMeant) as Machine;
    const { plan, warnings, carried } = await tryAndDo('DELETE', `${CORE}/machines/${machine.metadata.name}`);

    expect(warnings[0]).toMatch(`plan: Machine ${machine.metadata.name} is deleted`);
    expect(warnings[0]).toMatch(/instance i-\w{5} is terminated/);
    expect(passesOf(plan).flatMap(({ made }) => made)).toEqual(carried.flatMap(({ made }) => made));
    expect(carried.flatMap(({ made }) => made)).toHaveLength(1);
  });

  it('shows which fields of worker machines change in place', async () => {
    const change = { spec: { template: { metadata: { labels: { tier: 'gold' } }, spec: { minReadySeconds: 5 } } } };
    const { plan, carried } = await tryAndDo('PATCH', DEPLOYMENT, change);

    expect(plan.owners).toEqual([]);
    expect(plan.inPlace).toMatchObject([{ fields: ['label tier', 'spec.minReadySeconds'], machines: { length: 2 } }]);
    expect(carried).toEqual([]);
    const taken = (await w.machines()).filter(({ metadata }) => metadata.labels?.tier === 'gold');
    expect(taken.map(({ metadata }) => metadata.name).sort()).toEqual([...(plan.inPlace[0]?.machines ?? [])].sort());
  });

  it('shows which fields of control plane machines change in place', async () => {
    const change = { spec: { machineTemplate: { metadata: { labels: { shape: 'round' } } } } };
    const { plan, carried } = await tryAndDo('PATCH', CONTROL_PLANE, change);

    expect(plan.owners).toEqual([]);
    expect(plan.inPlace).toMatchObject([
      { owner: { kind: 'KubeadmControlPlane' }, fields: ['label shape'], machines: { length: 3 } },
    ]);
    expect(carried).toEqual([]);
    const taken = (await w.machines()).filter(
      ({ metadata }) => metadata.labels?.shape === 'round' && 'cluster.x-k8s.io/control-plane' in metadata.labels,
    );
    expect(taken).toHaveLength(3);
  });

  it('shows that a new deployment creates machines, whose names are not known yet', async () => {
    const { status: _, ...deployment } = (await objectOf(DEPLOYMENT)) as MachineDeployment;
    const own = { 'cluster.x-k8s.io/deployment-name': 'more' };
    deployment.metadata = { name: 'more' };
    deployment.spec.selector.matchLabels = own;
    deployment.spec.template.metadata = { labels: own };
    const { plan, warnings, carried } = await tryAndDo('POST', `${CORE}/machinedeployments`, deployment);

    expect(warnings).toEqual(['plan: MachineDeployment more creates 2 Machines, all at once']);
    expect(passesOf(plan)).toEqual([{ made: [undefined, undefined], gone: [] }]);
    expect(carried).toMatchObject([{ made: { length: 2 }, gone: [] }]);
  });

  it('lists what is deleted with a deployment', async () => {
    const { plan, carried } = await tryAndDo('DELETE', `${CORE}/machinedeployments/more`);

    expect(passesOf(plan)).toEqual(carried);
    expect(carried[0]?.gone).toHaveLength(2);
  });

  it('lists what is deleted with a cluster, and deletes nothing', async () => {
    const { warnings } = await w.send('DELETE', `${CORE}/clusters/quickstart?dryRun=All`);

    expect(warnings[0]).toBe(
      'plan: Cluster quickstart is deleted with everything in it: first 2 workers, then 3 control plane machines, without a drain',
    );
    expect(warnings[1]).toMatch(/^plan: 5 instances with all their volumes: i-/);
    expect(warnings.slice(2)).toEqual([
      'plan: then its load balancer is deleted (quickstart.example.com)',
      'plan: then its network: VPC vpc-1 with 0 subnets, their gateways, addresses and security groups',
      'plan: volumes of PersistentVolumeClaims stay unless the workloads delete them first',
    ]);
    expect((await objectOf(`${CORE}/clusters/quickstart`)).metadata.deletionTimestamp).toBeUndefined();
  });

  it('names the objects that a copied cluster refers to, and the cluster that they belong to', async () => {
    const original = await objectOf(`${CORE}/clusters/quickstart`);
    for (const resource of [kinds.awsCluster, kinds.kubeadmControlPlane])
      for (const { metadata } of await w.objects.list<KubeObject>(resource, 'default'))
        await w.objects.mutate<KubeObject>(resource, { namespace: 'default', name: metadata.name }, (found) => ({
          ...found,
          metadata: { ...found.metadata, ownerReferences: [ownerReference(original)] },
        }));
    const copy = { ...original, status: undefined, metadata: { name: 'copy' } };
    const { code, warnings } = await w.send('POST', `${CORE}/clusters?dryRun=All`, copy);
    expect(code).toBe(201);

    const end = 'belongs to Cluster quickstart, and is not used; refer to another object';
    expect(warnings).toEqual([
      `plan: AWSCluster quickstart ${end}`,
      `plan: KubeadmControlPlane quickstart-control-plane ${end}`,
    ]);
  });

  it('shows what blocks a change', async () => {
    const ahead = { spec: { template: { spec: { version: 'v1.35.0' } } } };
    const { warnings } = await w.send('PATCH', `${DEPLOYMENT}?dryRun=All`, ahead);
    expect(warnings.at(-1)).toMatch(
      /is blocked: MachineSet version \(1\.35\.0\) and ControlPlane version \(1\.34\.0\)/,
    );

    const [sick] = (await w.machines()).filter(
      ({ metadata }) => metadata.labels && 'cluster.x-k8s.io/control-plane' in metadata.labels,
    );
    await w.objects.mutate(
      kinds.machine,
      { namespace: 'default', name: sick?.metadata.name ?? '' },
      (machine) =>
        ({
          ...machine,
          status: {
            ...machine.status,
            conditions: machine.status?.conditions?.map((one) =>
              one.type === 'EtcdMemberHealthy' ? { ...one, status: 'False', message: 'no answer' } : one,
            ),
          },
        }) as Machine,
    );
    const more = await w.send('PATCH', `${CONTROL_PLANE}?dryRun=All`, scale(5));
    expect(more.warnings).toEqual([
      `plan: KubeadmControlPlane quickstart-control-plane is blocked: Machine ${sick?.metadata.name}: EtcdMemberHealthy is False: no answer`,
    ]);
    const [, other] = (await w.machines()).filter(
      ({ metadata }) => metadata.labels && 'cluster.x-k8s.io/control-plane' in metadata.labels,
    );
    const gone = await w.send('DELETE', `${CORE}/machines/${other?.metadata.name}?dryRun=All`);
    expect(gone.warnings[1]).toMatch(/its etcd member cannot be removed: 2 of the 2 remaining members must be healthy/);
  });

  it('lists changed network rules, and the users of a deleted template', async () => {
    const rule = { description: 'web', protocol: 'tcp', fromPort: 80, toPort: 80, cidrBlocks: ['192.0.2.0/24'] };
    const path = `${INFRASTRUCTURE}/awsclusters/quickstart?dryRun=All`;
    const network = await w.send('PATCH', path, { spec: { network: { additionalNodeIngressRules: [rule] } } });
    expect(network.warnings).toEqual(['plan: security group quickstart-node lets in tcp 80 from 192.0.2.0/24']);

    const away = await w.send('DELETE', `${INFRASTRUCTURE}/awsmachinetemplates/third?dryRun=All`);
    expect(away.warnings).toEqual([
      'plan: AWSMachineTemplate third: KubeadmControlPlane quickstart-control-plane, MachineDeployment quickstart-md-0 cannot create machines without it; existing ones stay',
    ]);
  });

  it('does not show machines to users who may not see them, and is empty if nothing changes', async () => {
    const { warnings } = await w.send('PATCH', `${DEPLOYMENT}?dryRun=All`, scale(2));
    expect(warnings).toEqual([]);

    const editor = { name: 'scaler', groups: ['system:authenticated'] };
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const rules = [{ apiGroups: ['cluster.x-k8s.io'], resources: ['machinedeployments'], verbs: ['patch', 'get'] }];
    await w.send('POST', `${rbac}/roles`, { metadata: { name: 'scaler' }, rules });
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'scaler' }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'scaler' };
    await w.send('POST', `${rbac}/rolebindings`, { metadata: { name: 'scaler' }, subjects, roleRef });
    const limited = await w.send('PATCH', `${DEPLOYMENT}?dryRun=All`, scale(4), editor);
    expect(limited.code).toBe(200);
    expect(limited.warnings).toEqual(['plan: it is shown to users who may list machines in namespace default']);
  });

  it('of many machines is short, and is truncated if it would list them one by one', async () => {
    const many: Reads = {
      ...w.objects,
      listOfCluster: async (resource, namespace, cluster) => {
        const found = await w.objects.listOfCluster(resource, namespace, cluster);
        const worker = found.find(({ kind, metadata }) => kind === 'Machine' && metadata.labels?.tier === 'gold');
        if (!worker) return found;
        const more = Array.from({ length: 498 }, (_, at) => ({
          ...worker,
          metadata: { ...worker.metadata, name: `many-${String(at).padStart(3, '0')}`, uid: `many-${at}` },
        }));
        return [...found, ...more];
      },
    };
    const sets = await w.objects.list(kinds.machineSet, 'default');
    const set = structuredClone(sets.find(({ spec }) => spec.replicas === 2) as MachineSet);
    set.spec.replicas = 500;
    const rollout = async (maxSurge: number | string) => {
      const object = (await objectOf(DEPLOYMENT)) as MachineDeployment;
      object.spec.replicas = 500;
      object.spec.template.spec.infrastructureRef.name = 'second';
      object.spec.rollout = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable: 0 } } };
      const found = await preview({ reads: many, now: w.clock.now() }, [
        { resource: kinds.machineDeployment, type: 'updated', object },
        { resource: kinds.machineSet, type: 'updated', object: set },
      ]);
      return describePreview(found);
    };
    const tenth = await rollout('10%');
    expect(tenth[0]).toBe(
      'MachineDeployment quickstart-md-0 replaces 500 Machines, 50 at a time (at most 550 exist, at least 500 are available)',
    );
    expect(tenth).toContain('MachineDeployment quickstart-md-0 2/10 to 9/10: the same with other Machines');
    expect(tenth.length).toBeLessThan(8);

    const single = await rollout(1);
    expect(single[0]).toContain('replaces 500 Machines, one at a time');
    expect(single.at(-1)).toBe('it continues in this way; the plan was not computed to its end');
    expect(single.length).toBeLessThan(9);
  });
});

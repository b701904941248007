import { beforeEach, describe, expect, it } from 'vitest';
import type { MachineDeployment } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { carryOut, tryOut } from './carry-out.ts';
import { planAdoption } from './plan.ts';
import { example, makeTestApi, PATH, REMAINS, withSpec } from './test-adoption.ts';

const MARK = 'windlass.dev/adopting';
const MERGE = 'application/merge-patch+json';
const OFFICE = {
  loadBalancerType: 'nlb',
  healthCheckProtocol: 'HTTPS',
  ingressRules: [
    { description: 'office', protocol: 'tcp', fromPort: 6443, toPort: 6443, cidrBlocks: ['198.51.100.0/24'] },
  ],
};

let world: Awaited<ReturnType<typeof makeTestApi>>;
beforeEach(async () => {
  world = await makeTestApi();
});

const adopt = (given: readonly KubeObject[], seen = REMAINS) => carryOut(world.api, planAdoption(seen, given));

/** The connection breaks after some writes. */
const adoptHalf = async (given: readonly KubeObject[], writes: number): Promise<void> => {
  world.fault.at = writes;
  await expect(adopt(given)).rejects.toThrow('the connection was closed');
  world.fault.at = Number.POSITIVE_INFINITY;
  world.writes.length = 0;
};

describe('the objects of an adoption', () => {
  it('are written once the API accepts all of them', async () => {
    const { written, isPaused } = await adopt(example('quickstart'));

    expect(written[0]).toBe('Cluster/red');
    expect([written.length, isPaused]).toEqual([16, false]);
    const cluster = await world.stored(PATH.cluster);
    expect(cluster.spec.paused).toBeUndefined();
    expect(cluster.metadata.annotations?.[MARK]).toBeUndefined();
    const owners = (await world.stored(PATH.awsCluster)).metadata.ownerReferences;
    expect(owners).toEqual([expect.objectContaining({ kind: 'Cluster', uid: cluster.metadata.uid })]);
  });

  it('are not written if the API refuses one, and all refused ones are named', async () => {
    const wrong = withSpec(example('quickstart'), 'KubeadmControlPlane', { replicas: 2 });
    const given = withSpec(wrong, 'AWSCluster', { network: { vpc: { cidrBlock: 'wide' } } });

    const error = await adopt(given).catch((failure: Error) => failure.message);
    expect(error).toMatch(/ {2}- AWSCluster\/red: .*spec\.network\.vpc\.cidrBlock/);
    expect(error).toMatch(/ {2}- KubeadmControlPlane\/red-control-plane: .*cannot be an even number/);
    expect(world.writes).toEqual([]);
  });

  it('are all refused in a namespace that does not exist', async () => {
    await expect(adopt(example('quickstart'), { ...REMAINS, namespace: 'team' })).rejects.toThrow(
      /- Cluster\/red, AWSCluster\/red, .*: namespaces "team" not found/,
    );
    expect(world.writes).toEqual([]);
  });

  it('are written into a namespace that is given with them', async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
    const given = [...example('quickstart'), namespace];

    const { written } = await adopt(given, { ...REMAINS, namespace: 'team' });
    expect(written.slice(0, 2)).toEqual(['Namespace/team', 'Cluster/red']);
  });

  it('include cluster-scoped ones, which have neither a namespace nor an owner', async () => {
    await adopt([...example('spoke').filter(({ kind }) => /Identity$/.test(kind)), ...example('quickstart')]);

    const { metadata } = await world.stored(PATH.identity);
    expect([metadata.namespace, metadata.ownerReferences]).toEqual([undefined, undefined]);
    expect((await world.stored(PATH.cluster)).spec.paused).toBeUndefined();
  });
});

describe('an adoption without confirmation', () => {
  const plan = (given: readonly KubeObject[], seen = REMAINS) => tryOut(world.api, planAdoption(seen, given));

  it('writes nothing, even if the API accepts all objects', async () => {
    expect(await plan(example('quickstart'))).toBeUndefined();
    expect(world.writes).toEqual([]);
  });

  it('names the objects that the API refuses', async () => {
    const given = withSpec(example('quickstart'), 'KubeadmControlPlane', { replicas: 2 });
    await expect(plan(given)).rejects.toThrow(
      / {2}- KubeadmControlPlane\/red-control-plane: .*cannot be an even number/,
    );
    expect(world.writes).toEqual([]);
  });

  it('names a namespace in which objects cannot be checked yet', async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
    expect(await plan([...example('quickstart'), namespace], { ...REMAINS, namespace: 'team' })).toBe('team');
    expect(world.writes).toEqual([]);
  });

  it('accepts the objects of an adoption that was interrupted', async () => {
    await adoptHalf(example('quickstart'), 9);
    expect(await plan(example('quickstart'))).toBeUndefined();
    expect(world.writes).toEqual([]);
  });
});

describe('an adoption that was interrupted', () => {
  it('writes only what is missing', async () => {
    await adoptHalf(example('quickstart'), 9);

    const { written } = await adopt(example('quickstart'));
    expect(written).toHaveLength(7);
    expect(world.writes.filter((write) => !write.startsWith('POST'))).toEqual([`PATCH ${PATH.cluster}`]);
  });

  it('changes what an earlier run has derived to what is given', async () => {
    const without = example('quickstart').filter(({ kind }) => kind !== 'KubeadmControlPlane');
    await adoptHalf(without, 8);
    expect((await world.stored(PATH.controlPlane)).spec.kubeadmConfigSpec).toBeUndefined();

    await adopt(example('quickstart'));
    const { spec } = await world.stored(PATH.controlPlane);
    expect(spec.kubeadmConfigSpec.joinConfiguration).toBeDefined();
  });

  it('never changes what was given to what is derived', async () => {
    const office = withSpec(example('quickstart'), 'AWSCluster', { controlPlaneLoadBalancer: OFFICE });
    await adoptHalf(office, 4);

    await adopt(example('quickstart').filter(({ kind }) => kind !== 'AWSCluster'));
    const { spec } = await world.stored(PATH.awsCluster);
    expect(spec.controlPlaneLoadBalancer).toMatchObject(OFFICE);
  });

  it('writes the given key material over other key material', async () => {
    await adoptHalf(example('quickstart'), 15);

    const ca = { certificatePem: 'another certificate', privateKeyPem: 'another key' };
    const { written } = await adopt(example('quickstart'), { ...REMAINS, pairs: { ...REMAINS.pairs, ca } });
    expect(written).toContain('Secret/red-ca');
    expect((await world.stored(PATH.secret)).data['tls.key']).toBe(Buffer.from('another key').toString('base64'));
  });

  it('makes sets of machines equal to their given deployment', async () => {
    await adoptHalf(example('quickstart'), 13);

    const given = example('quickstart').map((one) => {
      if (one.kind !== 'MachineDeployment') return one;
      const { spec } = one as MachineDeployment;
      const template = { ...spec.template, spec: { ...spec.template.spec, minReadySeconds: 7 } };
      return { ...one, spec: { ...spec, template } };
    });
    const { written } = await adopt(given);
    expect(written.slice(0, 2)).toEqual(['MachineDeployment/red-md-0', 'MachineSet/red-md-0-abcde']);
    expect((await world.stored(PATH.machineSet)).spec.template.spec.minReadySeconds).toBe(7);
  });

  it('is refused before it writes anything if a template has other contents, which cannot be changed', async () => {
    const given = example('quickstart');
    const derived = given.filter(({ kind }) => !/^(AWSMachineTemplate|KubeadmControlPlane)$/.test(kind));
    await adoptHalf(derived, 6);
    expect((await world.stored(PATH.template)).spec.template.spec.iamInstanceProfile).toBeUndefined();

    await expect(adopt(given)).rejects.toThrow(
      /- AWSMachineTemplate\/red-control-plane: .*immutable.*kubectl delete awsmachinetemplates\.infrastructure\.cluster\.x-k8s\.io red-control-plane -n default --cascade=orphan, then run the command again/,
    );
    expect(world.writes).toEqual([]);

    await world.api.send('DELETE', PATH.template);
    await adopt(given);
    expect((await world.stored(PATH.template)).spec.template.spec).toMatchObject({ rootVolume: { size: 40 } });
  });

  it('leaves the Cluster paused if its manifest says so', async () => {
    const given = withSpec(example('quickstart'), 'Cluster', { paused: true });
    await adoptHalf(given, 9);

    expect(await adopt(given)).toMatchObject({ isPaused: true });
    const { metadata, spec } = await world.stored(PATH.cluster);
    expect([spec.paused, metadata.annotations?.[MARK]]).toEqual([true, undefined]);
  });
});

describe('what is there, but not as part of an adoption', () => {
  it('is a Cluster that was paused by its user: nothing is written', async () => {
    await adopt(example('quickstart'));
    await world.api.send('PATCH', PATH.cluster, { spec: { paused: true } }, MERGE);
    world.writes.length = 0;

    await expect(adopt(example('quickstart'))).rejects.toThrow(
      'Cluster/red is there, and not paused by an adoption: it may be managed elsewhere',
    );
    expect(world.writes).toEqual([]);
  });

  it('is used if it is equal, and refused otherwise', async () => {
    const given = example('quickstart');
    const [identity] = example('spoke').filter(({ kind }) => /Identity$/.test(kind));
    const collection = PATH.identity.slice(0, PATH.identity.lastIndexOf('/'));
    await world.api.send('POST', collection, identity);
    const other = withSpec(identity ? [identity] : [], 'AWSClusterRoleIdentity', { externalID: 'other' });
    world.writes.length = 0;

    await expect(adopt([...other, ...given])).rejects.toThrow(
      '- AWSClusterRoleIdentity/red: it exists with other contents, and not as part of this adoption',
    );
    expect(world.writes).toEqual([]);
    expect((await adopt([...(identity ? [identity] : []), ...given])).written).not.toContain(
      'AWSClusterRoleIdentity/red',
    );
  });
});

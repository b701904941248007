import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTagsCommand, DeleteTagsCommand, DescribeTagsCommand } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeadmConfig, Machine, MachineSet } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, conditionOf, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { type AsUpstream, asUpstream } from './as-upstream.ts';
import { moveAway, moveHere, mutations, newDirectory, readObjects, untilAtRest } from './moving.ts';

let laptop: TestLaptop;
let instances: string[];
let upstream: AsUpstream;
const calls: string[] = [];

const running = async (): Promise<string[]> => (await laptop.instances()).sort();

const write = (objects: readonly KubeObject[]): string => {
  const directory = newDirectory();
  for (const object of objects) {
    const { namespace = '', name } = object.metadata;
    writeFileSync(join(directory, `${object.kind}_${namespace}_${name}.yaml`), JSON.stringify(object));
  }
  return directory;
};

/** Removes Windlass's tags and sets upstream's names, because resources that upstream has created look like this. */
const retag = async (names: ReadonlyMap<string, string>): Promise<void> => {
  const { Tags = [] } = await laptop.ec2.send(new DescribeTagsCommand({ MaxResults: 1000 }));
  const ours = Tags.filter(({ Key }) => Key?.startsWith('windlass.dev/'));
  expect(ours.length).toBeGreaterThan(20);
  for (const { ResourceId = '', Key } of ours)
    await laptop.ec2.send(new DeleteTagsCommand({ Resources: [ResourceId], Tags: [{ Key }] }));
  for (const [id, Value] of names)
    await laptop.ec2.send(new CreateTagsCommand({ Resources: [id], Tags: [{ Key: 'Name', Value }] }));
};

beforeAll(async () => {
  laptop = await startTestLaptop({ onCall: ({ operation }) => void calls.push(operation) });
  expect(await laptop.applyFile('examples/quickstart.yaml')).toEqual([]);
  await untilAtRest(laptop, 'quickstart', 6);
  instances = await running();
  const ours = readObjects(await moveAway(laptop));
  const worker = ours.find(({ kind, metadata }) => kind === 'Machine' && metadata.name.includes('-md-0-'));
  upstream = asUpstream(ours, worker?.metadata.name ?? '');
  await retag(upstream.names);
}, LIMIT);
afterAll(() => laptop?.stop());

// The tests run in order.
describe('a cluster that upstream created', { timeout: LIMIT }, () => {
  it('is in the state in which upstream leaves it', () => {
    const configs = upstream.objects.filter(({ kind }) => kind === 'KubeadmConfig') as KubeadmConfig[];
    expect(configs.filter(({ spec }) => spec?.initConfiguration)).toHaveLength(1);
    const machines = upstream.objects.filter(({ kind }) => kind === 'Machine') as Machine[];
    expect(machines.filter(({ spec }) => !spec.providerID)).toHaveLength(1);
    expect(/windlass\.dev/.test(JSON.stringify(upstream.objects))).toBe(false);
  });

  it('is adopted with its existing machines', async () => {
    laptop = await laptop.redeploy();
    calls.length = 0;
    await moveHere(write(upstream.objects), laptop);
    await untilAtRest(laptop, 'quickstart', 6);

    expect(await running()).toEqual(instances);
    const found = await laptop.machines('quickstart');
    expect(found.map(({ spec }) => spec.providerID?.split('/').at(-1)).sort()).toEqual(instances);
    expect(
      mutations(calls).filter((name) => !/^(RegisterTargets|DeleteSecret|CreateTags|AddTags)$/.test(name)),
    ).toEqual([]);
  });

  it('has nothing to roll out', async () => {
    const machines = await laptop.machines('quickstart');
    expect(machines.map((machine) => conditionOf(machine, 'UpToDate')?.status)).toEqual(Array(6).fill('True'));
    const path = '/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/default/kubeadmconfigs';
    const before = upstream.objects.filter(({ kind }) => kind === 'KubeadmConfig') as KubeadmConfig[];
    const specs = (configs: readonly KubeadmConfig[]) =>
      new Map(configs.map(({ metadata, spec }) => [metadata.name, spec]));
    expect(specs(await laptop.list<KubeadmConfig>(path))).toEqual(specs(before));
    const sets = await laptop.list<MachineSet>(`${CORE}/machinesets`);
    expect(sets.map(({ metadata }) => metadata.labels?.['machine-template-hash'])).toEqual(['1234567890-x7k2p']);
  });

  it('keeps its instances after a sweep of the account', async () => {
    await laptop.runtime.invoke('Windlass-drift', {});
    await laptop.runtime.invoke('Windlass-drift', {});
    await untilAtRest(laptop, 'quickstart', 6);
    expect(await running()).toEqual(instances);
  });

  it('can be scaled up', async () => {
    const [set] = await laptop.list<MachineSet>(`${CORE}/machinesets`);
    const merge = 'application/merge-patch+json';
    await laptop.api.send('PATCH', `${CORE}/machinedeployments/quickstart-md-0`, { spec: { replicas: 4 } }, merge);
    await untilAtRest(laptop, 'quickstart', 7);
    expect(await running()).toEqual(expect.arrayContaining(instances));
    const [same, ...others] = await laptop.list<MachineSet>(`${CORE}/machinesets`);
    expect([same?.metadata.uid, others]).toEqual([set?.metadata.uid, []]);
  });
});

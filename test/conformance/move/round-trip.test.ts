import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Machine } from '../../../shared/kinds/index.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, conditionOf, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { moveAway, moveHere, mutations, readObjects, untilAtRest } from './moving.ts';

let laptop: TestLaptop;
let directory: string;
let instances: string[];
const calls: string[] = [];

beforeAll(async () => {
  laptop = await startTestLaptop({ onCall: ({ operation }) => void calls.push(operation) });
  expect(await laptop.applyFile('examples/quickstart.yaml')).toEqual([]);
  await untilAtRest(laptop, 'quickstart', 6);
  instances = (await laptop.instances()).sort();
}, LIMIT);
afterAll(() => laptop?.stop());

const running = async (): Promise<string[]> => (await laptop.instances()).sort();
const idsOf = (machines: readonly Machine[]): string[] =>
  machines.map(({ spec }) => spec.providerID?.split('/').at(-1) ?? '').sort();
const scale = (replicas: number) =>
  laptop.api.send(
    'PATCH',
    `${CORE}/machinedeployments/quickstart-md-0`,
    { spec: { replicas } },
    'application/merge-patch+json',
  );

// The tests run in order.
describe('a cluster whose table is lost, with files that clusterctl wrote before', { timeout: LIMIT }, () => {
  it('is exported by clusterctl move --to-directory, with all that belongs to it', async () => {
    directory = await moveAway(laptop);

    const names = readObjects(directory).map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    for (const purpose of ['ca', 'etcd', 'proxy', 'sa', 'kubeconfig']) {
      expect(names).toContain(`Secret/quickstart-${purpose}`);
    }
    for (const kind of ['Machine', 'AWSMachine', 'KubeadmConfig']) {
      expect(names.filter((name) => name.startsWith(`${kind}/`))).toHaveLength(6);
    }
  });

  it('is imported to a new stack by move --from-directory, with all its machines', async () => {
    laptop = await laptop.redeploy();
    expect(await laptop.cluster('quickstart')).toBeUndefined();
    calls.length = 0;
    await moveHere(directory, laptop);
    await untilAtRest(laptop, 'quickstart', 6);

    expect(await running()).toEqual(instances);
    expect(idsOf(await laptop.machines('quickstart'))).toEqual(instances);
    // Windlass registers the targets again.
    expect(mutations(calls)).toEqual(['RegisterTargets']);
  });

  it('continues: another machine joins, and some existing ones are deleted', async () => {
    await scale(4);
    await untilAtRest(laptop, 'quickstart', 7);
    expect(await running()).toEqual(expect.arrayContaining(instances));

    await scale(2);
    await untilAtRest(laptop, 'quickstart', 5);
    const left = await running();
    expect(left).toHaveLength(5);
    expect(left.filter((id) => instances.includes(id)).length).toBeGreaterThanOrEqual(4);
    const { items } = await (await laptop.workload('quickstart')).listNode();
    expect(items.map((node) => conditionOf(node as never, 'Ready')?.status)).toEqual(Array(5).fill('True'));
  });

  it('is deleted, and leaves nothing of what the first stack created', async () => {
    await laptop.api.send('DELETE', `${CORE}/clusters/quickstart`);
    await laptop.until('the cluster is gone', async () => !(await laptop.cluster('quickstart')));

    expect(await running()).toEqual([]);
    const { vpcs } = laptop.account.ec2(laptop.access.region);
    expect(vpcs.all().filter(({ isDefault }) => !isDefault)).toEqual([]);
  });
});

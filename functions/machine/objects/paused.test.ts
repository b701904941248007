import { beforeEach, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { beginProvision, beginRemove } from './begin.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { machineObjects, makeClusterObjects } from './test-objects.ts';

const PAIR = { certificatePem: '', privateKeyPem: '' };
const KEY = { namespace: 'default', name: 'w-1' };

let world: Awaited<ReturnType<typeof makeClusterObjects>>;
let deps: MachineObjectsDependencies;
let input: MachineInput;

const PAUSABLE = [
  { on: 'its Machine', resource: kinds.machine },
  { on: 'its infrastructure', resource: kinds.awsMachine as unknown as typeof kinds.machine },
];

const annotate = (resource: typeof kinds.machine, annotations: Record<string, string>) =>
  world.objects.mutate(resource, KEY, ({ metadata, ...rest }) => ({ ...rest, metadata: { ...metadata, annotations } }));

beforeEach(async () => {
  world = await makeClusterObjects(testClock('2026-01-01T00:00:00Z'), { ca: PAIR, etcd: PAIR, proxy: PAIR, sa: PAIR });
  const [made] = await Promise.all(machineObjects('w-1', false).map(world.put));
  const uid = made?.metadata.uid ?? '';
  const clusterUid = world.cluster?.metadata.uid ?? '';
  input = { machine: { ...KEY, uid, clusterName: 'red', clusterUid }, holder: `${uid}-1` };
  const work = { beginMachine: async () => ({ acquired: true }) };
  deps = { ...world, work } as unknown as MachineObjectsDependencies;
});

it.each(PAUSABLE)('a machine is not provisioned while an annotation on $on pauses it', async ({ resource }) => {
  await annotate(resource, { 'cluster.x-k8s.io/paused': 'true' });
  expect(await beginProvision(deps)(input)).toMatchObject({ proceed: false });
  await annotate(resource, {});
  expect(await beginProvision(deps)(input)).toMatchObject({ proceed: true });
});

it.each(PAUSABLE)('a machine is not removed while an annotation on $on pauses it', async ({ resource }) => {
  await annotate(resource, { 'cluster.x-k8s.io/paused': 'true' });
  await world.objects.delete(kinds.machine, KEY);
  expect(await beginRemove(deps)(input)).toMatchObject({ proceed: false });
  await annotate(resource, {});
  expect(await beginRemove(deps)(input)).toMatchObject({ proceed: true });
});

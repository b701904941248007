import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { CORE, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { remainsOf } from '../../end-to-end/remains.ts';
import { fillAccount } from './account.ts';
import { balancerLines } from './balancer-resources.ts';
import { differencesOf, unexpected } from './compare.ts';
import { COMPLETIONS } from './completions.ts';
import { EMULATORS, type EmulatorName, programOf, type RunningEmulator, startEmulator } from './emulator.ts';
import { KNOWN_DIFFERENCES, KNOWN_REMAINS } from './known-differences.ts';
import { type Relay, startRelay } from './relay.ts';
import { ec2Lines } from './resources.ts';

const MERGE = 'application/merge-patch+json';
const SECONDS = 150;

/** What an emulator may answer with an error in the life of a cluster: questions for what may not be there. */
const ABSENCE = /NotFound/;

/** ministack launches images by id only. */
const withImage = (id: string | undefined) => (object: KubeObject) => {
  if (object.kind !== 'AWSMachineTemplate' || id === undefined) return object;
  const template = structuredClone(object) as KubeObject & { spec: { template: { spec: { ami?: object } } } };
  template.spec.template.spec.ami = { id };
  return template;
};

const hasMachines = (laptop: TestLaptop, workers: number) => async () => {
  const status = (await laptop.cluster('quickstart'))?.status;
  const { availableReplicas, replicas } = status?.workers ?? {};
  return status?.controlPlane?.availableReplicas === 3 && availableReplicas === workers && replicas === workers;
};

const scaleTo = async (laptop: TestLaptop, replicas: number): Promise<void> => {
  await laptop.api.send('PATCH', `${CORE}/machinedeployments/quickstart-md-0`, { spec: { replicas } }, MERGE);
  await laptop.until(`there are ${replicas} workers`, hasMachines(laptop, replicas), SECONDS);
};

const resourcesOf = async ({ ec2, access }: TestLaptop): Promise<string[]> => {
  const options = { region: access.region, endpoint: access.awsUrl, credentials: access.credentials };
  return [...(await ec2Lines(ec2)), ...(await balancerLines(new ElasticLoadBalancingV2Client(options)))];
};

/** The story up to two workers, and what the account holds then. */
const resourcesAfterStory = async (laptop: TestLaptop, image?: string): Promise<string[]> => {
  expect(await laptop.applyFile('examples/quickstart.yaml', withImage(image))).toEqual([]);
  await laptop.until('all machines are there', hasMachines(laptop, 3), SECONDS);
  await scaleTo(laptop, 5);
  await scaleTo(laptop, 2);
  return resourcesOf(laptop);
};

let ours: string[] = [];
beforeAll(async () => {
  const laptop = await startTestLaptop();
  try {
    ours = await resourcesAfterStory(laptop);
  } finally {
    await laptop.stop();
  }
}, 600_000);

const NAMES = ['moto', 'ministack'] as const satisfies readonly EmulatorName[];

// One story for each, told in order.
describe.each(NAMES)('the quickstart on %s', (name) => {
  const program = programOf(name);
  let emulator: RunningEmulator;
  let relay: Relay;
  let laptop: TestLaptop;
  let atStart: string[];

  beforeAll(async () => {
    if (!program) return;
    emulator = await startEmulator(name, program);
    await fillAccount(emulator.url);
    relay = await startRelay(emulator.url, COMPLETIONS[name]);
    laptop = await startTestLaptop(undefined, { otherAws: relay.url });
    atStart = await remainsOf(laptop);
  }, 120_000);
  afterAll(async () => {
    await laptop?.stop();
    await relay?.close();
    await emulator?.stop();
  }, 60_000);

  it.skipIf(!program)(
    'is made, scaled to five workers and to two, of the same resources as on ours',
    async () => {
      const theirs = await resourcesAfterStory(laptop, name === 'ministack' ? EMULATORS.ministack.image : undefined);
      expect(unexpected(differencesOf(ours, theirs), KNOWN_DIFFERENCES[name])).toEqual([]);
    },
    600_000,
  );

  it.skipIf(!program)(
    'is deleted, and nothing of it is left',
    async () => {
      await laptop.api.send('DELETE', `${CORE}/clusters/quickstart`);
      await laptop.until('it is gone', async () => !(await laptop.cluster('quickstart')), SECONDS);
      const known = KNOWN_REMAINS[name];
      const remains = (await remainsOf(laptop)).filter((id) => !atStart.includes(id));
      expect(remains.filter((id) => !known?.test(id))).toEqual([]);
      expect(remains.some((id) => known?.test(id))).toBe(known !== undefined);
    },
    200_000,
  );

  it.skipIf(!program)('got no error but for what was not there', () => {
    const failed = relay.calls.filter(({ code }) => code !== undefined && !ABSENCE.test(code));
    expect([...new Set(failed.map(({ operation, code }) => `${operation} ${code}`))]).toEqual([]);
  });
});

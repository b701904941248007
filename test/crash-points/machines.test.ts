import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ClusterCertificates,
  generateClusterCertificates,
} from '../../shared/bootstrap/certificates/authority.ts';
import { webCryptoKeys } from '../../shared/bootstrap/certificates/keys.ts';
import { type AWSMachine, kinds, type Machine } from '../../shared/kinds/index.ts';
import { systemRandom } from '../../shared/random.ts';
import { startTestDatabase, type TestDatabase } from '../../shared/store/test-table.ts';
import { makeVirtualClock } from '../cluster-infrastructure/world.ts';
import { type CrashableMachine, startCrashableMachine } from './machine-world.ts';
import { deathsThatMatter, nobody, untilDeath } from './points.ts';

let database: TestDatabase;
let certificates: ClusterCertificates;
beforeAll(async () => {
  database = await startTestDatabase();
  const sources = { clock: makeVirtualClock(), random: systemRandom, keys: webCryptoKeys };
  certificates = await generateClusterCertificates({ ...sources, algorithm: 'ECDSA-P256' });
});
afterAll(() => database.stop());

const inMachine = async <T>(isControlPlane: boolean, run: (machine: CrashableMachine) => Promise<T>): Promise<T> => {
  const machine = await startCrashableMachine(database, certificates, isControlPlane);
  try {
    return await run(machine);
  } finally {
    await machine.close();
  }
};

const KEY = { namespace: 'default', name: 'm-1' };

/** Everything that may exist too often or not at all, without values that differ in each run. */
const inventory = async ({ world, outside, touched }: CrashableMachine) => {
  const { objects } = world.dependencies;
  const machine = await objects.get<Machine>(kinds.machine, KEY);
  const infrastructure = await objects.get<AWSMachine>(kinds.awsMachine, KEY);
  const live = await world.liveInstances();
  const events = await objects.list(kinds.event, 'default');
  return {
    instances: live.length,
    isRecorded: infrastructure ? live.includes(infrastructure.spec.instanceID ?? '') : 'gone',
    secrets: world.secrets.size,
    nodes: outside.nodes.size,
    targets: [...outside.targets].filter((id) => live.includes(id)).length,
    strayTargets: [...outside.targets].filter((id) => !live.includes(id)).length,
    conditions: machine?.status?.conditions?.map(({ type, status, reason }) => [type, status, reason].join(' ')),
    nodeRef: machine?.status?.nodeRef !== undefined,
    objects: [machine, infrastructure].filter((object) => object !== undefined).length,
    dataSecrets: (await objects.list(kinds.secret, 'default')).filter(({ metadata }) => metadata.name === 'm-1').length,
    isTouched: touched.length > 0,
    // Durations are reported as well, and differ in each run. A termination is reported by the run that made the call;
    // a run that finds the instance terminating cannot know which run that was.
    done: [...new Set(events.map(({ reason = '' }) => reason))]
      .filter((reason) => /^Successful(?!Terminate)/.test(reason))
      .sort(),
  };
};

const NOTHING = { instances: 0, secrets: 0, targets: 0, strayTargets: 0, objects: 0, dataSecrets: 0 };

describe.each([
  // Nodes are not deleted one by one if the complete cluster is deleted.
  { who: 'a control plane machine', isControlPlane: true, most: { instances: 1, nodes: 1, targets: 1 }, left: 1 },
  { who: 'a worker', isControlPlane: false, most: { instances: 1, nodes: 1, targets: 0 }, left: 0 },
])('$who', ({ isControlPlane, most, left }) => {
  it('is created once, wherever its execution dies', async () => {
    const { count, end, failures } = await deathsThatMatter(20, (executioner) =>
      inMachine(isControlPlane, async (machine) => {
        await untilDeath(machine.provision(executioner));
        await machine.provision(nobody());
        return inventory(machine);
      }),
    );
    expect(end).toMatchObject({ ...most, isRecorded: true, strayTargets: 0, nodeRef: true, isTouched: true });
    expect(count).toBeGreaterThan(15);
    expect(failures).toEqual([]);
  });

  it('can be removed, wherever the execution that creates it died', async () => {
    const { end, failures } = await deathsThatMatter(20, (executioner) =>
      inMachine(isControlPlane, async (machine) => {
        await untilDeath(machine.provision(executioner));
        await machine.deleteMachine();
        await machine.remove(nobody());
        const { done: _done, nodes: _nodes, ...rest } = await inventory(machine);
        return { ...rest, isTouched: true };
      }),
    );
    expect(end).toMatchObject(NOTHING);
    expect(failures).toEqual([]);
  });

  it('is removed completely, wherever the execution that removes it dies', async () => {
    const { count, end, failures } = await deathsThatMatter(20, (executioner) =>
      inMachine(isControlPlane, async (machine) => {
        await machine.provision(nobody());
        machine.touched.length = 0;
        await machine.deleteMachine();
        await untilDeath(machine.remove(executioner));
        await machine.remove(nobody());
        const { isTouched: _, ...rest } = await inventory(machine);
        return rest;
      }),
    );
    expect(end).toMatchObject({ ...NOTHING, nodes: left });
    expect(count).toBeGreaterThan(10);
    expect(failures).toEqual([]);
  });
});

/** For tests: Machines in deletion, whose executions run the steps of both providers as the workflow does. */
import { afterAll, beforeAll } from 'vitest';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { silentLog } from '../../../shared/log.ts';
import { controllerReference } from '../../../shared/plan/machines/desired.ts';
import { systemRandom } from '../../../shared/random.ts';
import { withOutside } from '../../../shared/store/outside-client.ts';
import { createMemoryRecords } from '../../../shared/store/records/memory-records.ts';
import { withMemory } from '../../../shared/store/records/remembering-client.ts';
import { startTestDatabase, type TestDatabase, testClock } from '../../../shared/store/test-table.ts';
import { createWorkStore } from '../../../shared/store/work/work-store.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import { createControllersRegistry } from '../../controllers-registry.ts';
import { controllerScopeOf } from '../../providers/aws/aws-scope.ts';
import { makeInstanceSteps } from '../../providers/aws/instance/steps.ts';
import { makeHostsSteps } from '../../providers/hosts/steps.ts';
import { makeMachineObjectsSteps } from './steps.ts';

const CONTEXT = { log: silentLog };
export const FINALIZER = 'awsmachine.infrastructure.cluster.x-k8s.io';
export const key = (name: string) => ({ namespace: 'default', name });
export const metadata = (name: string) => ({ ...key(name), labels: { 'cluster.x-k8s.io/cluster-name': 'red' } });
export const ref = (kind: string, name = 'm', apiGroup = 'infrastructure.cluster.x-k8s.io') => ({
  apiGroup,
  kind,
  name,
});

/** An instance of EC2, which only the machine's own execution terminates. */
interface Live {
  region: string | undefined;
}

/** EC2 with an instance for each AWSMachine, `i-<name>`; `live` has those that are not terminated. */
const makeEc2 = (live: Map<string, Live>, machineUid: string) => (scope: { region: string | undefined }) => {
  const isHere = (id: string) => live.has(id) && live.get(id)?.region === scope.region;
  return {
    describe: async (id: string) =>
      isHere(id) ? { InstanceId: id, State: { Name: 'running' }, ClientToken: machineUid, Tags: [] } : undefined,
    terminate: async (id: string) => void live.delete(id),
    findByTag: async () => [],
    heldAddresses: async () => [],
    heldHosts: async () => [],
  };
};

/** A machine that controls AWSMachines with these names and finalizers; it refers to `infrastructureRef`. */
const makeFormerWorld = async (
  database: TestDatabase,
  infrastructureRef: object,
  controlled: Readonly<Record<string, string[]>>,
) => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const registry = createControllersRegistry({ storage: createMemoryStorage(), clock, random: systemRandom });
  const objects = withMemory(withOutside(createObjectClient(registry), registry.catalog), createMemoryRecords());
  const made = await objects.ensure(kinds.machine, {
    ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine' },
    metadata: { ...metadata('m'), finalizers: ['machine.cluster.x-k8s.io'] },
    spec: {
      ...{ clusterName: 'red', providerID: 'aws:///us-east-1a/i-former', infrastructureRef },
      bootstrap: { dataSecretName: 'x' },
    },
  } as Machine);
  const controller = controllerReference(made.object);
  const live = new Map<string, Live>();
  const add = async (name: string, finalizers: readonly string[], ownerReferences = [controller]) => {
    live.set(`i-${name}`, { region: undefined });
    await objects.ensure(kinds.awsMachine, {
      ...{ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachine' },
      metadata: { ...metadata(name), finalizers, ownerReferences },
      spec: { instanceType: 't3.large', instanceID: `i-${name}`, providerID: `aws:///us-east-1a/i-${name}` },
    } as never);
  };
  for (const [name, finalizers] of Object.entries(controlled)) await add(name, finalizers);
  await objects.delete(kinds.machine, made.object);
  const work = createWorkStore({ client: database.client, table: await database.makeTable(), clock });
  const touched: string[] = [];
  const common = { objects, work, clock, touch: async ({ name }: { name: string }) => void touched.push(name) };
  const uid = made.object.metadata.uid ?? '';
  const ofAws = { random: systemRandom, instanceProfiles: [], scopeOf: controllerScopeOf, stores: () => ({}) };
  const ec2 = makeEc2(live, uid);
  const steps = {
    ...makeMachineObjectsSteps({ ...common, deliveries: {} } as never),
    aws: makeInstanceSteps({ ...common, ...ofAws, launches: () => ({}), ec2 } as never),
    hosts: makeHostsSteps(common as never),
  };
  const machine = { ...key('m'), uid, clusterName: 'red', clusterUid: 'red' };
  let executions = 0;

  /** The steps of one execution. */
  const execution = (of: MachineRef = machine) => {
    executions += 1;
    const input = { machine: of, holder: `remove/${executions}` };
    return {
      begin: () => steps.beginRemove(input, CONTEXT),
      terminate: async (provider: 'aws' | 'hosts' = 'aws') => {
        for (let looks = 0; looks < 3; looks += 1)
          if ((await steps[provider].terminateInstance(input, CONTEXT)).progress === 'done') return;
        throw new Error('the instance is still there');
      },
      finish: () => steps.finishRemove(input, CONTEXT),
    };
  };
  return {
    ...{ objects, clock, machine, touched, add, controller, live, execution },
    /** One execution as the workflow runs it. */
    run: async (of: MachineRef = machine) => {
      const { begin, terminate, finish } = execution(of);
      const { proceed, infrastructure } = await begin();
      if (!proceed) throw new Error('nothing is to be removed');
      if (infrastructure) await terminate(infrastructure as 'aws' | 'hosts');
      await finish();
    },
    refer: (to: object) =>
      objects.mutate(
        kinds.machine,
        key('m'),
        (now) => ({ ...now, spec: { ...now.spec, infrastructureRef: to } }) as Machine,
      ),
    left: async () =>
      (
        await Promise.all([
          objects.list(kinds.awsMachine),
          objects.list(kinds.hostMachine),
          objects.list(kinds.machine),
        ])
      )
        .flat()
        .map(({ kind, metadata: { name } }) => `${kind} ${name}`),
    leased: async () => (await work.machinesInWork({ namespace: 'default', name: 'red', uid: 'red' })).busy.size > 0,
  };
};

export type FormerWorld = Awaited<ReturnType<typeof makeFormerWorld>>;

export const isTerminated = ({ live }: FormerWorld, name: string): boolean => !live.has(`i-${name}`);

/** Creates worlds over one database, for the tests of a file. */
export const useFormerWorlds = () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database.stop());
  return (infrastructureRef: object, controlled: Readonly<Record<string, string[]>>) =>
    makeFormerWorld(database, infrastructureRef, controlled);
};

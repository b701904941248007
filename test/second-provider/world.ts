/** An installation with two providers: the real steps, the deployed workflows, and objects in memory. */
import { makeObjectsSteps } from '../../functions/cluster/objects/steps.ts';
import { makeWorkloadSteps } from '../../functions/cluster/workload/steps.ts';
import { resultOf, sweep } from '../../functions/drift/sweep.ts';
import { makeNodeSteps } from '../../functions/machine/node/steps.ts';
import { makeMachineObjectsSteps } from '../../functions/machine/objects/steps.ts';
import { makeStepHandler } from '../../functions/step.ts';
import { FunctionError } from '../../infra/local/engines/lambda/failure.ts';
import { webCryptoKeys } from '../../shared/bootstrap/certificates/keys.ts';
import { type Cluster, KINDS, kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import { ensureNamespaces } from '../../shared/kube-api/registry/namespaces.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import { silentLog } from '../../shared/log.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import { type TestDatabase, testClock } from '../../shared/store/test-table.ts';
import { createTouch, type Executions } from '../../shared/store/work/executions.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import { createWorkStore } from '../../shared/store/work/work-store.ts';
import type { ConnectWorkload, WorkloadClient } from '../../shared/workload/client.ts';
import type { DrainApi } from '../../shared/workload/drain.ts';
import { connectTo, type Workload } from '../simulation/cluster/workload.ts';
import { plainSweep } from './cloud.ts';
import { plain } from './infrastructure.ts';
import { plainSteps, type Rack } from './steps.ts';
import { makeWorkflows, SECOND_FUNCTION } from './workflows.ts';

/** The state that a move leaves behind. */
export interface Outside {
  rack: Rack;
  workload: Workload;
}

const NODE_INFO = {
  ...{ machineID: 'm', systemUUID: 's', bootID: 'b', kernelVersion: '6.8.0', osImage: 'Debian' },
  ...{ containerRuntimeVersion: 'containerd://2.0.0', kubeProxyVersion: '', operatingSystem: 'linux' },
  architecture: 'amd64',
};

/** Nodes without pods that would have to be evicted. */
const emptyNodes = ({ nodes }: Workload): DrainApi => ({
  node: async (name) => {
    const node = nodes.get(name);
    return node && { name, unschedulable: true, unreachable: !node.alive, volumes: [] };
  },
  cordon: async () => {},
  podsOn: async () => [],
  namespaces: async () => new Map(),
  hasDaemonSet: async () => false,
  evict: async () => ({ outcome: 'gone' }),
  attachedVolumes: async () => [],
  persistentVolumes: async () => [],
});

/** Nodes as a kubelet registers them: the Machine copies all fields, and the API requires them. */
const clientOf = (workload: Workload): WorkloadClient =>
  new Proxy(connectTo(workload), {
    get: (target, method: keyof WorkloadClient) => {
      if (method === 'drain') return emptyNodes(workload);
      if (method === 'setNodeAddresses')
        return async (name: string) => (await target.nodes()).find(({ metadata }) => metadata?.name === name);
      if (method !== 'nodes') return target[method];
      return async () => {
        const nodes = await target.nodes();
        return nodes.map((node) => ({
          ...node,
          status: { ...node.status, nodeInfo: { ...NODE_INFO, ...node.status?.nodeInfo } },
        }));
      };
    },
  });

type Handler = (event: never) => Promise<unknown>;

const failureOf = (error: unknown): FunctionError => {
  const { name, message } = error as Error;
  return new FunctionError({ errorType: name, errorMessage: message, trace: [] });
};

/** The provider in addition to AWS: its name, and its steps for the objects of the world. */
interface Second {
  name: string;
  steps(common: {
    connect: ConnectWorkload;
    objects: ReturnType<typeof withMemory>;
    work: ReturnType<typeof createWorkStore>;
    clock: ReturnType<typeof testClock>;
  }): Record<string, (event: never) => Promise<unknown>>;
}

const plainSecond = ({ rack, workload }: Outside): Second => ({
  name: plain.name,
  steps: ({ objects, work, clock }) => plainSteps({ objects, work, clock, rack, workload }),
});

export const makeWorld = async (database: TestDatabase, outside: Outside, second: Second = plainSecond(outside)) => {
  const { rack, workload } = outside;
  const clock = testClock('2026-01-01T00:00:00Z');
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  await ensureNamespaces(registry);
  const records = createMemoryRecords();
  const objects = withMemory(createObjectClient(registry), records);
  const work = createWorkStore({ client: database.client, table: await database.makeTable(), clock });
  const calls: string[] = [];

  const executions: Executions = {
    startConverge: async (cluster, wanted) => {
      const holder = `${cluster.uid}-${wanted}`;
      workflows.start('converge', holder, { cluster, wanted, holder });
      return true;
    },
    startProvision: async (machine, name) =>
      workflows.start('provision', name, { machine, holder: `provision/${name}` }),
    startRemove: async (machine, name) => workflows.start('remove', name, { machine, holder: `remove/${name}` }),
    startPool: async () => {
      throw new Error('no provider here has pools');
    },
  };
  const touch = createTouch({ work, executions });
  const common = { objects, work, touch, clock };
  const pledges = createMemoryPledges({ clock });
  const connect = () => clientOf(workload);
  const log = { log: silentLog, clock };
  const random = systemRandom;
  const handlers: Record<string, Handler> = {
    'cluster-objects': makeStepHandler(
      'cluster-objects',
      makeObjectsSteps({ ...common, executions, random, keys: webCryptoKeys, pledges }),
      log,
    ),
    'cluster-workload': makeStepHandler(
      'cluster-workload',
      makeWorkloadSteps({ ...common, connect, log: silentLog, providers: {} }),
      log,
    ),
    'machine-objects': makeStepHandler('machine-objects', makeMachineObjectsSteps({ ...common, deliveries: {} }), log),
    'machine-node': makeStepHandler('machine-node', makeNodeSteps({ ...common, pledges, connect }), log),
    [SECOND_FUNCTION]: async (event: { step: string }) => {
      const step = second.steps({ ...common, connect })[event.step];
      if (!step) throw new Error(`the second provider has no step ${event.step}`);
      return step(event as never);
    },
  };
  const invoke = async (name: string, input: unknown): Promise<unknown> => {
    const handler = handlers[name];
    if (!handler) throw new Error(`${name} is a function of another provider`);
    calls.push(`${name} ${(input as { step: string }).step}`);
    try {
      return JSON.parse(JSON.stringify((await handler(input as never)) ?? null));
    } catch (error) {
      throw failureOf(error);
    }
  };
  // While a workflow waits, time passes for all workflows together.
  const wait = async (seconds: number): Promise<void> => {
    clock.advance(seconds);
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const workflows = makeWorkflows(invoke, wait, second.name);

  const apply = async (object: KubeObject): Promise<KubeObject> => {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(`no kind ${object.kind}`);
    return (await objects.ensure(resource, object)).object;
  };
  /** One sweep, with the rack as the only cloud; nodes are checked as well. */
  const sweepOnce = async () =>
    resultOf(
      await sweep({
        ...{ objects, records, work, touch, clock, sweepMinutes: 5, shard: { index: 0, of: 1 }, log: silentLog },
        pledges: createMemoryPledges({ clock }),
        affected: async () => [],
        collectGarbage: registry.collectGarbage,
        providers: { plain: plainSweep(rack) },
        connect: async () => () => clientOf(workload),
      }),
    );
  const refOf = ({ metadata: { namespace = '', name, uid = '' } }: Cluster) => ({ namespace, name, uid });
  return {
    ...{ objects, clock, calls, apply, stop: workflows.stop, sweep: sweepOnce },
    cluster: () => objects.get(kinds.cluster, { namespace: 'default', name: 'red' }),
    /** A pass, as if a user had changed an object. */
    touch: async (name = 'red') => {
      const cluster = await objects.get(kinds.cluster, { namespace: 'default', name });
      if (cluster) await touch(refOf(cluster));
    },
  };
};

export type World = Awaited<ReturnType<typeof makeWorld>>;

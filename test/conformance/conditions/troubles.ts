/** Faults that a cluster can have on both sides. Each function resolves to one that repairs the fault. */
import type { Api } from '../../../infra/cli/api/client.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import {
  controlPlaneMachine,
  inWorkload,
  isEmpty,
  isWorker,
  listMachines,
  MERGE,
  nodePath,
  pauseInfrastructure,
} from './clusters.ts';
import type { Provider } from './conditions.ts';

const PODS = '/api/v1/namespaces/kube-system/pods';

const FAILING = {
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'False' }],
  containerStatuses: [
    {
      ...{ name: 'kube-controller-manager', image: '', imageID: '', ready: false, started: false, restartCount: 3 },
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting failed container' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    },
  ],
};
const RUNNING = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], containerStatuses: null };

type Node = KubeObject & { spec: object };
const TAINT = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };

/** The API server of the in-memory infrastructure has no subresources. */
const statusPath = (provider: Provider, path: string): string => (provider === 'Dev' ? path : `${path}/status`);

/** An object without the fields that prevent it from being created again. */
const asNew = ({ metadata, ...rest }: KubeObject): object => {
  const { resourceVersion: _resourceVersion, uid: _uid, ...identity } = metadata;
  return { ...rest, metadata: identity };
};

/** Makes the controller manager of one control plane machine fail, and deletes its scheduler. */
export const breakComponents = async (api: Api, provider: Provider): Promise<() => Promise<void>> => {
  const machine = await controlPlaneMachine(api);
  const node = machine.status?.nodeRef?.name;
  const [manager, scheduler] = [`${PODS}/kube-controller-manager-${node}`, `${PODS}/kube-scheduler-${node}`];
  const pod = await inWorkload(api, (workload) => workload.send<KubeObject>('GET', scheduler));
  await pauseInfrastructure(api, provider, machine, true);
  await inWorkload(api, async (workload) => {
    await workload.send('PATCH', statusPath(provider, manager), { status: FAILING }, MERGE);
    await workload.send('DELETE', scheduler).catch(isEmpty);
  });
  return async () => {
    await inWorkload(api, async (workload) => {
      await workload.send('PATCH', statusPath(provider, manager), { status: RUNNING }, MERGE);
      await workload.send('POST', PODS, asNew(pod));
      if (provider === 'AWS') await workload.send('PATCH', `${scheduler}/status`, { status: RUNNING }, MERGE);
    });
    await pauseInfrastructure(api, provider, machine, false);
  };
};

type Condition = { type: string; status: string; message?: string };

/** Reports memory pressure for one worker, and removes the condition PIDPressure from the node of the other. */
export const pressWorkers = async (api: Api, provider: Provider): Promise<() => Promise<void>> => {
  const [pressed, silent] = (await listMachines(api)).filter(isWorker);
  if (!pressed || !silent) throw new Error('there are not two workers');
  const change = (machine: Machine, by: (all: readonly Condition[]) => readonly Condition[]) =>
    inWorkload(api, async (workload) => {
      const path = nodePath(machine);
      const { status } = await workload.send<{ status: { conditions: Condition[] } }>('GET', path);
      const conditions = by(status.conditions);
      await workload.send('PATCH', statusPath(provider, path), { status: { conditions } }, MERGE);
      return status.conditions;
    });
  const isPressed = ({ type }: Condition): boolean => type === 'MemoryPressure';
  const before = [
    await change(pressed, (all) =>
      all.map((one) => (isPressed(one) ? { ...one, status: 'True', message: 'too little memory' } : one)),
    ),
    await change(silent, (all) => all.filter(({ type }) => type !== 'PIDPressure')),
  ];
  return async () => {
    await change(pressed, () => before[0] ?? []);
    await change(silent, () => before[1] ?? []);
  };
};

const STRAY = '/api/v1/nodes/stray';

/** Creates a control plane node that belongs to no machine. */
export const addNode = async (api: Api): Promise<() => Promise<void>> => {
  const metadata = { name: 'stray', labels: { 'node-role.kubernetes.io/control-plane': '' } };
  const node = { apiVersion: 'v1', kind: 'Node', metadata };
  await inWorkload(api, (workload) => workload.send('POST', '/api/v1/nodes', node));
  return async () => {
    await inWorkload(api, (workload) => workload.send('DELETE', STRAY).catch(isEmpty));
  };
};

/** Deletes the node of one control plane machine. Resolves to a function that restores it. */
export const deleteNode = async (api: Api, provider: Provider): Promise<() => Promise<void>> => {
  const machine = await controlPlaneMachine(api);
  const node = await inWorkload(api, (workload) => workload.send<Node>('GET', nodePath(machine)));
  await pauseInfrastructure(api, provider, machine, true);
  await inWorkload(api, (workload) => workload.send('DELETE', nodePath(machine)).catch(isEmpty));
  const restored = { ...node, spec: { ...node.spec, taints: [TAINT] } };
  return async () => {
    await inWorkload(api, (workload) => workload.send('POST', '/api/v1/nodes', asNew(restored)));
    await pauseInfrastructure(api, provider, machine, false);
  };
};

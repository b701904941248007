/**
 * Sweeps over clusters of which some have an API server that accepts connections and never answers. Time is virtual and
 * only passes while the sweep waits for API servers.
 */
import { createTestFleet, type TestFleet } from '../../functions/drift/test-fleet.ts';
import type { IsolationFigures } from '../../infra/cli/bench/isolation.ts';
import { makeVirtualClock } from '../../infra/cli/bench/storm/virtual-clock.ts';
import { toKubeconfigSecret } from '../../shared/bootstrap/certificates/secrets.ts';
import type { Clock } from '../../shared/clock.ts';
import { kinds, type MachineHealthCheck, type Secret } from '../../shared/kinds/index.ts';
import { type WorkloadClient, WorkloadUnreachableError } from '../../shared/workload/client.ts';

/** After the fleet was created, at a time at which silent servers are queried, which is every third sweep. */
const BEGINNING = Date.parse('2026-11-20T14:00:00Z');
const HEALTHY = 10;
const SWEEPS = 4;
const SWEEP_SECONDS = 300;
/** The deadline of the deployed sweep for one request, and the time in which a healthy server answers. */
const REQUEST_MILLISECONDS = 5_000;
const ANSWER_MILLISECONDS = 50;

const conditionsOf = (answers: boolean) =>
  [
    ['ControlPlaneInitialized', 'True'],
    ['RemoteConnectionProbe', answers ? 'True' : 'False'],
  ].map(([type, status]) => ({
    ...{ type, status, reason: type, message: '' },
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }));

const note = async ({ objects }: TestFleet, name: string, answers: boolean): Promise<void> => {
  await objects.mutate(kinds.cluster, { namespace: name, name }, (cluster) => ({
    ...cluster,
    status: { ...cluster.status, conditions: conditionsOf(answers) } as never,
  }));
};

/** A cluster with one machine, a node and a health check in a namespace of its own, which was reachable so far. */
const addCluster = async (fleet: TestFleet, name: string): Promise<void> => {
  const { objects } = fleet;
  await objects.ensure(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await fleet.addCluster(name, 'here', name);
  await fleet.addMachines(name, 'here', 1, name);
  await objects.mutate(kinds.machine, { namespace: name, name: `${name}-${name}-0` }, (machine) => ({
    ...machine,
    status: { ...machine.status, nodeRef: { name } },
  }));
  await objects.ensure(kinds.secret, toKubeconfigSecret(name, name, name) as Secret);
  await objects.ensure(kinds.machineHealthCheck, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { namespace: name, name },
    spec: { clusterName: name, selector: { matchLabels: { name } }, checks: { nodeStartupTimeoutSeconds: 600 } },
  } as MachineHealthCheck);
  await note(fleet, name, true);
};

/** When the healthy clusters were compared, and which hanging ones were queried. */
interface Seen {
  healthy: Map<string, number>;
  hanging: Set<string>;
}

const connectTo =
  (clock: Clock, seen: Seen) =>
  ({ kubeconfig: name }: { kubeconfig: string }): WorkloadClient =>
    ({
      nodes: async () => {
        if (name.startsWith('hanging')) {
          seen.hanging.add(name);
          await clock.sleep(REQUEST_MILLISECONDS);
          throw new WorkloadUnreachableError('the API server did not answer in time');
        }
        await clock.sleep(ANSWER_MILLISECONDS);
        seen.healthy.set(name, clock.now().getTime());
        return [{ metadata: { name, labels: {} }, status: { conditions: [{ type: 'Ready', status: 'True' }] } }];
      },
      close: async () => {},
    }) as unknown as WorkloadClient;

/** Four consecutive sweeps. The servers hang from the first one on, which is noticed by the passes that follow it. */
export const sweepBeside = async (hanging: number): Promise<IsolationFigures> => {
  const fleet = await createTestFleet();
  const named = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  const hung = named('hanging', hanging);
  for (const name of [...named('healthy', HEALTHY), ...hung]) await addCluster(fleet, name);
  const { clock, run } = makeVirtualClock();
  const sweeps: IsolationFigures['sweeps'] = [];
  for (let number = 0; number < SWEEPS; number += 1) {
    await run(clock.sleep(BEGINNING + number * SWEEP_SECONDS * 1000 - clock.now().getTime()));
    const [seen, begun] = [{ healthy: new Map<string, number>(), hanging: new Set<string>() }, clock.now().getTime()];
    const connect = async () => connectTo(clock, seen) as never;
    await run(fleet.sweep((dependencies) => ({ ...dependencies, clock, connect })));
    const since = (at: number) => (at - begun) / 1000;
    sweeps.push({
      seconds: since(clock.now().getTime()),
      ...(seen.healthy.size < HEALTHY ? {} : { healthySeconds: since(Math.max(...seen.healthy.values())) }),
      hangingQueried: seen.hanging.size,
    });
    for (const name of seen.hanging) await note(fleet, name, false);
  }
  return { hanging, healthy: HEALTHY, sweeps };
};

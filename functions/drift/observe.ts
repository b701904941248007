import { describeAwsError } from '../../shared/aws/errors.ts';
import { type AwsScope, scopeKey } from '../../shared/aws/scope.ts';
import { type AWSCluster, type AWSMachine, type Cluster, kinds, type Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ScheduledEvent } from '../../shared/plan/drift/maintenance.ts';
import type { KnownMachine } from '../../shared/plan/drift/plan.ts';
import type { DriftDependencies } from './dependencies.ts';

type ObserveDependencies = Pick<DriftDependencies, 'objects' | 'scopeOf' | 'log'>;

const keyOf = (namespace: string | undefined, name: string): string => `${namespace}/${name}`;

const byKey = <T extends KubeObject>(objects: readonly T[]): Map<string, T> =>
  new Map(objects.map((object) => [keyOf(object.metadata.namespace, object.metadata.name), object]));

interface Tables {
  clusters: ReadonlyMap<string, Cluster>;
  awsMachines: ReadonlyMap<string, AWSMachine>;
}

const joinMachine = (machine: Machine, { clusters, awsMachines }: Tables): KnownMachine[] => {
  const { namespace } = machine.metadata;
  const cluster = clusters.get(keyOf(namespace, machine.spec.clusterName));
  const infrastructure = awsMachines.get(keyOf(namespace, machine.spec.infrastructureRef.name));
  return cluster && infrastructure ? [{ machine, infrastructure, cluster }] : [];
};

/** Machines whose instances one listing shows. */
export interface ScopedMachines {
  scope: AwsScope;
  machines: KnownMachine[];
}

const byScope = async (
  { scopeOf, log }: ObserveDependencies,
  byCluster: ReadonlyMap<AWSCluster | undefined, KnownMachine[]>,
): Promise<{ scoped: ScopedMachines[]; errors: unknown[] }> => {
  const scoped = new Map<string, ScopedMachines>();
  const errors: unknown[] = [];
  for (const [awsCluster, machines] of byCluster) {
    try {
      const scope = await scopeOf(awsCluster);
      const key = scopeKey(scope);
      scoped.set(key, { scope, machines: [...(scoped.get(key)?.machines ?? []), ...machines] });
    } catch (error) {
      log.error('an account could not be read', {
        cluster: awsCluster?.metadata.name,
        reason: describeAwsError(error),
      });
      errors.push(error);
    }
  }
  return { scoped: [...scoped.values()], errors };
};

/** The machines of the table by the account and region of their clusters. */
export const readMachines = async (
  deps: ObserveDependencies,
): Promise<{ scoped: ScopedMachines[]; errors: unknown[] }> => {
  const { objects } = deps;
  const [machines, awsMachines, clusters, awsClusters] = await Promise.all([
    objects.list(kinds.machine),
    objects.list(kinds.awsMachine),
    objects.list(kinds.cluster),
    objects.list(kinds.awsCluster),
  ]);
  const tables = { clusters: byKey(clusters), awsMachines: byKey(awsMachines) };
  const infrastructures = byKey(awsClusters);
  const byCluster = new Map<AWSCluster | undefined, KnownMachine[]>();
  for (const known of machines.flatMap((machine) => joinMachine(machine, tables))) {
    const { namespace } = known.machine.metadata;
    const reference = known.cluster.spec.infrastructureRef?.name ?? '';
    const awsCluster = infrastructures.get(keyOf(namespace, reference));
    const others = byCluster.get(awsCluster) ?? [];
    others.push(known);
    byCluster.set(awsCluster, others);
  }
  return byScope(deps, byCluster);
};

export interface Observation {
  machines: KnownMachine[];
  states: Map<string, string>;
  /** What EC2 has scheduled, by instance id. */
  scheduled: Map<string, readonly ScheduledEvent[]>;
  /** What was thrown by the accounts and regions that could not be read; their machines are not among `machines`. */
  errors: unknown[];
}

/** The table and the account. An account or region that does not answer says nothing about its machines, and nothing about others. */
export const observeFleet = async (deps: DriftDependencies): Promise<Observation> => {
  const { scoped, errors } = await readMachines(deps);
  const observation: Observation = { machines: [], states: new Map(), scheduled: new Map(), errors };
  await Promise.all(
    scoped.map(async ({ scope, machines }) => {
      try {
        const fleet = deps.fleet(scope);
        const [states, scheduled] = await Promise.all([fleet.describeStates(), fleet.scheduledEvents()]);
        for (const [id, state] of states) observation.states.set(id, state);
        for (const [id, events] of scheduled) observation.scheduled.set(id, events);
        observation.machines.push(...machines);
      } catch (error) {
        deps.log.error('a region could not be read', { region: scope.region, reason: describeAwsError(error) });
        observation.errors.push(error);
      }
    }),
  );
  return observation;
};

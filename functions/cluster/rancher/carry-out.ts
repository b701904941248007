import { TransientError } from '../../../shared/errors.ts';
import { type Cluster, kinds, type Machine, type RancherCluster } from '../../../shared/kinds/index.ts';
import { servedKind } from '../../../shared/kinds/served.ts';
import { type KubeObject, keyOf } from '../../../shared/kube-api/object.ts';
import { ANNOTATION } from '../../../shared/plan/labels.ts';
import { leavingHosts, leavingMachines, machinesToReplace } from '../../../shared/plan/rancher/changes.ts';
import { type DesiredFacts, desiredObjects, namespaceFor } from '../../../shared/plan/rancher/desired.ts';
import { partsOf } from '../../../shared/plan/rancher/names.ts';
import { mapConcurrently } from '../../../shared/store/concurrency.ts';
import { clusterRefOf } from '../../cluster-ref.ts';
import { isControlledBy } from '../owners.ts';
import type { RancherDependencies } from './dependencies.ts';
import type { Made } from './read.ts';

/** The field manager of the fields that a configuration requests. */
const MANAGER = 'windlass-cluster-provisioner';

const CONCURRENCY = 10;

const applyOne = async ({ objects }: RancherDependencies, object: KubeObject): Promise<boolean> => {
  const resource = servedKind(object);
  if (!resource) throw new Error(`no kind ${object.kind} in ${object.apiVersion}`);
  return (await objects.apply(resource, object, MANAGER)).outcome !== 'unchanged';
};

/** Marks a machine as the one that a scale-down deletes. Returns whether it had no mark before. */
const mark = async ({ objects }: RancherDependencies, machine: Machine): Promise<boolean> => {
  if (ANNOTATION.deleteMachine in (machine.metadata.annotations ?? {})) return false;
  await objects.mutate(kinds.machine, keyOf(machine), ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [ANNOTATION.deleteMachine]: '' } },
  }));
  return true;
};

/** Removes and adds nodes, in an order in which no owner selects a machine other than the intended one. */
const change = async (deps: RancherDependencies, facts: DesiredFacts, made: Made): Promise<boolean> => {
  const { objects } = deps;
  const changes: boolean[] = [];
  for (const machine of leavingMachines(facts.config, made)) changes.push(await mark(deps, machine));
  const own = made.hosts.filter((host) => isControlledBy(host, facts.cluster));
  for (const host of leavingHosts(facts.config, own)) {
    if (!host.metadata.deletionTimestamp) await objects.delete(kinds.host, host);
  }
  const desired = desiredObjects(facts);
  const [cluster, rest] = [desired.slice(-1), desired.slice(0, -1)];
  changes.push(...(await mapConcurrently(rest, CONCURRENCY, (object) => applyOne(deps, object))));
  // The Cluster comes last, because passes over it begin now.
  changes.push(...(await mapConcurrently(cluster, 1, (object) => applyOne(deps, object))));
  for (const machine of machinesToReplace(facts.config, made)) {
    await objects.delete(kinds.machine, machine);
    changes.push(true);
  }
  return changes.includes(true);
};

const writeOf = (name: string, namespace: string) => {
  const { group, plural } = kinds.cluster;
  return { write: { group, plural, namespace, name, clusterNames: [name] } };
};

/**
 * Runs `work`, and requests a pass over the Cluster of Cluster API if `work` returns that it changed something. The
 * touch is recorded first: after a crash in between, the sweep carries it out.
 */
export const touchingMade = async (
  { objects, pledges, touch }: RancherDependencies,
  { cluster }: Pick<Made, 'cluster'>,
  work: () => Promise<boolean>,
): Promise<void> => {
  const { namespace, name } = partsOf(cluster);
  const pledge = await pledges.give(writeOf(name, namespace));
  const isChanged = await work();
  const made: Cluster | undefined = isChanged ? await objects.get(kinds.cluster, { namespace, name }) : undefined;
  if (made) await touch(clusterRefOf(made), { isNews: true });
  await pledges.redeem(pledge);
};

const makeNamespace = async ({ objects }: RancherDependencies, cluster: RancherCluster): Promise<void> => {
  const { object } = await objects.ensure(kinds.namespace, namespaceFor(cluster));
  // It belongs to another object by now, which the next pass reports.
  if (!isControlledBy(object, cluster))
    throw new TransientError(`the namespace ${object.metadata.name} was just created`);
};

/**
 * Creates and updates the objects of a cluster according to its configuration. Throws StatusError if one is refused.
 */
export const carryOut = async (deps: RancherDependencies, facts: DesiredFacts, made: Made): Promise<void> => {
  if (!made.namespace) await makeNamespace(deps, facts.cluster);
  await touchingMade(deps, made, () => change(deps, facts, made));
};

import { type Cluster, kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { StatusError } from '../../shared/kube-api/status-error.ts';
import { toStorage } from '../../shared/kube-api/versions/convert.ts';
import { TopologyError } from '../../shared/plan/topology/error.ts';
import type { ApplyObject, DeleteObject, TopologyOperation } from '../../shared/plan/topology/operations/model.ts';
import { planTopology } from '../../shared/plan/topology/operations/plan.ts';
import { readBlueprint, readLive } from '../cluster/topology/read.ts';
import { born, leaving } from './acted.ts';
import { type Change, type Reads, withChanges } from './reads.ts';

/** The objects that a topology computes for its cluster. */
export interface TopologyPreview {
  /** Reads that return the objects as they would be. */
  reads: Reads;
  notes: string[];
  changes: Change[];
}

const applied = ({ resource, result }: ApplyObject, now: Date): Change => {
  const { view } = resource;
  const stored = view ? toStorage(view, result) : result;
  const isNew = result.metadata.uid === undefined;
  return {
    resource: view?.storage ?? resource,
    type: isNew ? 'created' : 'updated',
    object: isNew ? born(stored, now) : stored,
  };
};

const deleted = ({ resource, object }: DeleteObject, now: Date): Change => {
  const { view } = resource;
  const stored: KubeObject = view ? toStorage(view, object) : object;
  const stays = resource.kind === kinds.machineDeployment.kind;
  return {
    resource: view?.storage ?? resource,
    type: stays ? 'updated' : 'deleted',
    object: stays ? leaving(stored, now) : stored,
  };
};

const changeOf = (operation: TopologyOperation, now: Date): Change => {
  switch (operation.do) {
    case 'apply':
      return applied(operation, now);
    case 'delete':
      return deleted(operation, now);
    case 'refer':
      return { resource: kinds.cluster, type: 'updated', object: operation.cluster };
  }
};

/**
 * Turns `Created AWSCluster "team/a"` into `creates AWSCluster a`. Names of new objects may still change with their
 * uid.
 */
const noteOf = (operation: TopologyOperation): string[] => {
  if (operation.do === 'refer' || !operation.event) return [];
  const { message } = operation.event;
  const [verb = '', ...rest] = message
    .replace(/"[^"/]*\/([^"]*)"/g, '$1')
    .replaceAll('"', '')
    .split(' ');
  return [`${verb.toLowerCase().replace(/ed$/, 'es')} ${rest.join(' ')}`];
};

const failureOf = (error: unknown): string => {
  if (error instanceof TopologyError || error instanceof StatusError) return error.message;
  throw error;
};

/** The desired objects of the topology; undefined if the Cluster has none, or is being deleted. */
export const previewTopology = async (
  reads: Reads,
  cluster: Cluster,
  now: Date,
): Promise<TopologyPreview | undefined> => {
  const { topology } = cluster.spec;
  if (!topology || cluster.metadata.deletionTimestamp) return undefined;
  try {
    const blueprint = await readBlueprint({ ...reads, objects: reads }, cluster, topology);
    const { stages } = planTopology(blueprint, await readLive(reads, blueprint), now);
    const operations = stages.flat();
    const changes = operations.map((operation) => changeOf(operation, now));
    return { reads: withChanges(reads, changes), notes: operations.flatMap(noteOf), changes };
  } catch (error) {
    return { reads, notes: [`the topology cannot be carried out: ${failureOf(error)}`], changes: [] };
  }
};

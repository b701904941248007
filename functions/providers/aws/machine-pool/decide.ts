import { MissingReferenceError, RefusedError, TransientError } from '../../../../shared/errors.ts';
import type { AWSCluster, AWSMachinePool, MachinePool } from '../../../../shared/kinds/index.ts';
import {
  desiredGroup,
  groupSubnets,
  sizeProblem,
} from '../../../../shared/providers/aws/machine-pool/desired-group.ts';
import {
  anyMachine,
  anyPlace,
  desiredTemplate,
  missingType,
} from '../../../../shared/providers/aws/machine-pool/desired-template.ts';
import { type GroupMemory, readGroupMemory } from '../../../../shared/providers/aws/machine-pool/memory.ts';
import type { DesiredGroup, DesiredTemplate } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { namedSubnets } from '../../../../shared/providers/aws/machine-pool/named-subnets.ts';
import { areOnRecord } from '../../../../shared/providers/aws/network/subnets/on-record.ts';
import { asMachine } from '../../../../shared/providers/aws/plan/launch/pool-machine.ts';
import { referenceProblem } from '../../../../shared/providers/aws/plan/ownership/references.ts';
import { decideRequest } from '../instance/decide.ts';
import type { PoolDependencies } from './dependencies.ts';
import { userDataOf } from './user-data.ts';

/** The objects that determine a group. */
export interface PoolObjects {
  pool: MachinePool;
  awsPool: AWSMachinePool;
  awsCluster: AWSCluster;
}

/** The subnets that a pool names by id or by filters, provided that it may use them. */
const allowedSubnets = async (
  deps: PoolDependencies,
  { pool, awsPool, awsCluster }: PoolObjects,
): Promise<string[]> => {
  const ids = await namedSubnets(deps.ec2.subnets, { awsPool, awsCluster });
  if (ids.length === 0) return [];
  const owners = await deps.ec2.ownersOf(ids);
  const problem = referenceProblem(
    pool.metadata.namespace ?? '',
    ids.map((id) => ({ field: 'spec.subnets', id })),
    owners,
  );
  if (problem) throw new RefusedError(problem);
  return ids;
};

/** The fields in errors about a machine become those of a pool's launch template. */
const ofTemplate = (error: unknown): unknown => {
  if (!(error instanceof RefusedError || error instanceof MissingReferenceError)) return error;
  const message = error.message.replace(/^spec\./, 'spec.awsLaunchTemplate.');
  const Class = error instanceof RefusedError ? RefusedError : MissingReferenceError;
  return new Class(message, { cause: error });
};

/** A launch template, with the record and the warning about its image. */
export interface DecidedTemplate {
  template: DesiredTemplate;
  image?: GroupMemory['image'];
  warning?: string;
}

/** The launch template for the objects. If there is none, throws Refused or MissingReference with the field. */
export const decideTemplate = async (
  deps: PoolDependencies,
  objects: PoolObjects,
  subnetIds: readonly string[],
): Promise<DecidedTemplate> => {
  const { pool, awsPool, awsCluster } = objects;
  const machine = anyMachine(pool, awsPool);
  const infrastructure = asMachine(awsPool);
  const problem = missingType(awsPool);
  if (problem) throw new RefusedError(problem);
  const userData = await userDataOf(deps, machine, objects);
  const candidate = { instanceType: infrastructure.spec.instanceType, place: anyPlace(subnetIds) };
  try {
    const { image: remembered } = readGroupMemory(awsPool);
    const launched = { machine, infrastructure, awsCluster, isPool: true, ...(remembered ? { remembered } : {}) };
    const { request, lookup, warning } = await decideRequest(deps, launched, candidate, 0);
    const template = desiredTemplate({
      cluster: { namespace: pool.metadata.namespace ?? '', name: pool.spec.clusterName },
      ...{ pool: awsPool, awsCluster, request, userData },
      securityGroupIds: request.NetworkInterfaces?.[0]?.Groups ?? [],
      dataSecretName: pool.spec.template.spec.bootstrap.dataSecretName ?? '',
    });
    const image = lookup && request.ImageId ? { image: { lookup, id: request.ImageId } } : {};
    return { template, ...image, ...(warning ? { warning } : {}) };
  } catch (error) {
    throw ofTemplate(error);
  }
};

/**
 * The subnets of the group. If there are none, throws Refused or MissingReference with the field; throws TransientError
 * as long as those of the cluster are not known.
 */
export const decideSubnets = async (deps: PoolDependencies, objects: PoolObjects): Promise<string[]> => {
  const { pool, awsPool, awsCluster } = objects;
  const named = await allowedSubnets(deps, objects);
  if (named.length === 0 && !areOnRecord(awsCluster))
    throw new TransientError(`the subnets of AWSCluster ${awsCluster.metadata.name} are not on record yet`);
  const subnets = groupSubnets(pool, awsPool, awsCluster, named);
  if ('problem' in subnets) throw new MissingReferenceError(subnets.problem);
  return subnets;
};

/** The group for the objects. Throws Refused, with the field, if the sizes contradict each other. */
export const decideGroup = (
  { pool, awsPool }: PoolObjects,
  { tags }: DesiredTemplate,
  subnetIds: readonly string[],
): DesiredGroup => {
  const problem = sizeProblem(pool, awsPool);
  if (problem) throw new RefusedError(problem);
  return desiredGroup(pool, awsPool, { subnetIds, tags });
};

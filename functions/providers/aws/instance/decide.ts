import { MissingReferenceError, RefusedError } from '../../../../shared/errors.ts';
import { type AWSCluster, type AWSMachine, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { Candidate } from '../../../../shared/providers/aws/plan/launch/candidates.ts';
import { givenInterfaces } from '../../../../shared/providers/aws/plan/launch/network-interfaces.ts';
import { permittedProfiles, profileProblem } from '../../../../shared/providers/aws/plan/launch/profiles.ts';
import { launchProblem } from '../../../../shared/providers/aws/plan/launch/refusals.ts';
import type { RememberedImage } from '../../../../shared/providers/aws/plan/launch/remembered-images.ts';
import { type LaunchRequest, launchRequest } from '../../../../shared/providers/aws/plan/launch/request.ts';
import {
  chooseNamed,
  clusterPlaces,
  type LaunchPlace,
  subnetQuery,
} from '../../../../shared/providers/aws/plan/launch/subnet.ts';
import { referenceProblem, referencesOf } from '../../../../shared/providers/aws/plan/ownership/references.ts';
import type { DecisionDependencies } from './dependencies.ts';
import { type ChosenImage, findImage } from './find-image.ts';
import { securityGroupIds } from './security-groups.ts';

/** The objects that determine a launch. */
export interface LaunchObjects {
  /** Both are set for a pool, whose machines have no launches of their own. */
  remembered?: RememberedImage;
  isPool?: boolean;
  machine: Machine;
  infrastructure: AWSMachine;
  awsCluster: AWSCluster;
}

/**
 * The places where the machine may be launched, in order of preference. If it has its own interfaces, they determine
 * the place.
 */
export const findPlaces = async (
  { ec2 }: DecisionDependencies,
  { machine, infrastructure, awsCluster }: LaunchObjects,
): Promise<LaunchPlace[]> => {
  if (givenInterfaces(infrastructure).length > 0) return [{ id: '', zone: undefined, hasIpv6: false }];
  const query = subnetQuery(infrastructure, awsCluster);
  const choice = query
    ? chooseNamed(machine, infrastructure, awsCluster, await ec2.subnets(query))
    : clusterPlaces(machine, infrastructure, awsCluster);
  if ('problem' in choice) throw new MissingReferenceError(choice.problem);
  return choice.places;
};

/** The reason why resources that the spec names by id cannot be used; checked only if it names any. */
const foreignReference = async (
  { ec2 }: DecisionDependencies,
  { machine, infrastructure }: LaunchObjects,
  groups: readonly string[],
  place: LaunchPlace,
): Promise<string | undefined> => {
  const { additionalSecurityGroups = [], subnet } = infrastructure.spec;
  const named = { groupIds: additionalSecurityGroups.length > 0 ? groups : [], subnetIds: subnet ? [place.id] : [] };
  const references = referencesOf(infrastructure, named).filter(({ id }) => id !== '');
  if (references.length === 0) return undefined;
  const owners = await ec2.ownersOf([...new Set(references.map(({ id }) => id))]);
  return referenceProblem(machine.metadata.namespace ?? '', references, owners);
};

/**
 * The reason why a machine may not have its profile now. Read again at the launch, because the object may be older than
 * the list.
 */
export const profileRefusal = async (
  { objects, instanceProfiles }: Pick<DecisionDependencies, 'objects' | 'instanceProfiles'>,
  machine: Machine,
  profile: string | undefined,
): Promise<string | undefined> => {
  if (!profile) return undefined;
  const namespace = await objects.get(kinds.namespace, { namespace: '', name: machine.metadata.namespace ?? '' });
  const problem = profileProblem(profile, permittedProfiles(instanceProfiles, namespace));
  return problem && `spec.iamInstanceProfile: ${problem}`;
};

/** A request, with the lookup of its image and a warning about it. */
export interface DecidedRequest extends Pick<ChosenImage, 'lookup' | 'warning'> {
  request: LaunchRequest;
}

/** The request for one candidate. Throws Refused or MissingReference with the field if it cannot be built. */
export const decideRequest = async (
  deps: DecisionDependencies,
  objects: LaunchObjects,
  { instanceType, place }: Candidate,
  attempt: number,
): Promise<DecidedRequest> => {
  const { machine } = objects;
  const cluster = { namespace: machine.metadata.namespace ?? '', name: machine.spec.clusterName };
  const [chosen, groups] = await Promise.all([findImage(deps, objects, instanceType), securityGroupIds(deps, objects)]);
  const { image, ...about } = chosen;
  const problem =
    launchProblem({ ...objects, image, place }) ??
    (await profileRefusal(deps, machine, objects.infrastructure.spec.iamInstanceProfile)) ??
    (await foreignReference(deps, objects, groups, place));
  if (problem) throw new RefusedError(problem);
  const request = launchRequest({ cluster, ...objects, instanceType, attempt, image, place, securityGroupIds: groups });
  return { request, ...about };
};

import { MissingReferenceError, RefusedError } from '../../../../shared/errors.ts';
import { type AWSCluster, type AWSMachine, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { Candidate } from '../../../../shared/providers/aws/plan/launch/candidates.ts';
import {
  chooseImage,
  describeQuery,
  imageQuery,
  type LaunchImage,
  toLaunchImage,
} from '../../../../shared/providers/aws/plan/launch/image.ts';
import { givenInterfaces } from '../../../../shared/providers/aws/plan/launch/network-interfaces.ts';
import { permittedProfiles, profileProblem } from '../../../../shared/providers/aws/plan/launch/profiles.ts';
import { launchProblem } from '../../../../shared/providers/aws/plan/launch/refusals.ts';
import { type LaunchRequest, launchRequest } from '../../../../shared/providers/aws/plan/launch/request.ts';
import {
  chooseNamed,
  clusterPlaces,
  type LaunchPlace,
  subnetQuery,
} from '../../../../shared/providers/aws/plan/launch/subnet.ts';
import { referenceProblem, referencesOf } from '../../../../shared/providers/aws/plan/ownership/references.ts';
import type { DecisionDependencies } from './dependencies.ts';
import { securityGroupIds } from './security-groups.ts';

/** The objects that a launch is decided from. */
export interface LaunchObjects {
  machine: Machine;
  infrastructure: AWSMachine;
  awsCluster: AWSCluster;
}

const findImage = async (
  { ec2, imageParameters, clock }: DecisionDependencies,
  { machine, infrastructure, awsCluster }: LaunchObjects,
  instanceType: string,
): Promise<LaunchImage> => {
  const isGiven = Boolean(infrastructure.spec.ami?.id);
  if (!isGiven && !machine.spec.version)
    throw new RefusedError('spec.ami.id: must be set where the Machine has no spec.version to look an image up by');
  const architecture = isGiven ? '' : await ec2.architecture(instanceType);
  const query = imageQuery(infrastructure, awsCluster, machine.spec.version ?? '', architecture);
  const known = 'parameter' in query ? { id: await imageParameters.imageId(query.parameter) } : query;
  const image = chooseImage(await ec2.images(known), clock.now());
  if (image?.ImageId) return toLaunchImage(image);
  throw new MissingReferenceError(
    `there is no image with ${describeQuery(query)}; set spec.ami.id of the AWSMachineTemplate or share such an image`,
  );
};

/** Where the machine may go, the best place first. Its own interfaces are where they are. */
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

/** Why what the spec names by id cannot be used, asked where it names anything. */
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

/** Read again at the launch: the object may be older than the list. */
const profileRefusal = async (
  { objects, instanceProfiles }: DecisionDependencies,
  { machine, infrastructure }: LaunchObjects,
): Promise<string | undefined> => {
  const profile = infrastructure.spec.iamInstanceProfile;
  if (!profile) return undefined;
  const namespace = await objects.get(kinds.namespace, { namespace: '', name: machine.metadata.namespace ?? '' });
  const problem = profileProblem(profile, permittedProfiles(instanceProfiles, namespace));
  return problem && `spec.iamInstanceProfile: ${problem}`;
};

/** The request for one candidate. Throws Refused or MissingReference, with the field, where none can be made. */
export const decideRequest = async (
  deps: DecisionDependencies,
  objects: LaunchObjects,
  { instanceType, place }: Candidate,
  attempt: number,
): Promise<LaunchRequest> => {
  const { machine } = objects;
  const cluster = { namespace: machine.metadata.namespace ?? '', name: machine.spec.clusterName };
  const [image, groups] = await Promise.all([findImage(deps, objects, instanceType), securityGroupIds(deps, objects)]);
  const problem =
    launchProblem({ ...objects, image, place }) ??
    (await profileRefusal(deps, objects)) ??
    (await foreignReference(deps, objects, groups, place));
  if (problem) throw new RefusedError(problem);
  return launchRequest({ cluster, ...objects, instanceType, attempt, image, place, securityGroupIds: groups });
};

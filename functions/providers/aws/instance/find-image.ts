import type { Image } from '@aws-sdk/client-ec2';
import { describeAwsError, isNotFound } from '../../../../shared/aws/errors.ts';
import { MissingReferenceError, RefusedError } from '../../../../shared/errors.ts';
import { type AWSCluster, type AWSMachine, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import {
  chooseImage,
  describeQuery,
  type ImageQuery,
  imageQuery,
  type LaunchImage,
  toLaunchImage,
} from '../../../../shared/providers/aws/plan/launch/image.ts';
import {
  type RememberedImage,
  rememberedImage,
} from '../../../../shared/providers/aws/plan/launch/remembered-images.ts';
import type { DecisionDependencies } from './dependencies.ts';

/** The image of a launch. */
export interface ChosenImage {
  image: LaunchImage;
  /** The lookup of the image; undefined if the machine names the image. */
  lookup?: string;
  /** A warning for the user that the lookup no longer finds an image. */
  warning?: string;
}

interface Objects {
  remembered?: RememberedImage;
  machine: Machine;
  infrastructure: AWSMachine;
  awsCluster: AWSCluster;
}

const WAY_ON =
  'set spec.ami.id, or copy an image to an account of yours and let spec.imageLookupOrg and spec.imageLookupFormat find it (docs/images.md)';

/** The images in EC2; the reason if a parameter has no valid value. */
const lookUp = async (
  { ec2, imageParameters }: DecisionDependencies,
  query: ImageQuery,
): Promise<{ images: Image[]; problem?: MissingReferenceError }> => {
  try {
    const known = 'parameter' in query ? { id: await imageParameters.imageId(query.parameter) } : query;
    return { images: await ec2.images(known) };
  } catch (error) {
    if (error instanceof MissingReferenceError) return { images: [], problem: error };
    if (!isNotFound(error)) throw error;
    if ('id' in query) throw new RefusedError(`spec.ami.id: ${describeAwsError(error)}; ${WAY_ON}`, { cause: error });
    return { images: [] };
  }
};

/** The image with an id, if it can still be launched. */
const byId = async ({ ec2, clock }: DecisionDependencies, id: string): Promise<Image | undefined> => {
  try {
    const found = await ec2.images({ id });
    return chooseImage(
      found.filter(({ State }) => State === undefined || State === 'available'),
      clock.now(),
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

/** The image that a lookup found earlier, if it finds none now. Only then are the machines of the cluster read. */
const fromMemory = async (
  deps: DecisionDependencies,
  { machine, awsCluster, remembered }: Objects,
  lookup: string,
  problem: MissingReferenceError | undefined,
): Promise<ChosenImage> => {
  const { namespace = '' } = machine.metadata;
  const machines = await deps.objects.listOfCluster(kinds.awsMachine, namespace, machine.spec.clusterName);
  const own = remembered?.lookup === lookup ? remembered.id : undefined;
  const id = own ?? rememberedImage(lookup, awsCluster, machines);
  const image = id === undefined ? undefined : await byId(deps, id);
  const absence = problem?.message ?? `there is no image with ${lookup}`;
  if (image?.ImageId) {
    const warning = `${absence} any more: the previous one, ${image.ImageId}, is launched; ${WAY_ON}`;
    return { image: toLaunchImage(image), lookup, warning };
  }
  const before = id === undefined ? '' : `; the previous one, ${id}, can no longer be launched either`;
  throw new MissingReferenceError(`${absence}${before}; ${WAY_ON}`);
};

/**
 * The image from which the machine is launched. If there is none, throws Refused or MissingReference with the remedy.
 */
export const findImage = async (
  deps: DecisionDependencies,
  objects: Objects,
  instanceType: string,
): Promise<ChosenImage> => {
  const { machine, infrastructure, awsCluster } = objects;
  const isGiven = Boolean(infrastructure.spec.ami?.id);
  if (!isGiven && !machine.spec.version)
    throw new RefusedError(
      'spec.ami.id: must be set if the Machine has no spec.version by which an image can be looked up',
    );
  const architecture = isGiven ? '' : await deps.ec2.architecture(instanceType);
  const query = imageQuery(infrastructure, awsCluster, machine.spec.version ?? '', architecture);
  const { images, problem } = await lookUp(deps, query);
  const image = chooseImage(images, deps.clock.now());
  const lookup = isGiven ? undefined : describeQuery(query);
  if (image?.ImageId) return { image: toLaunchImage(image), ...(lookup ? { lookup } : {}) };
  if (lookup) return fromMemory(deps, objects, lookup, problem);
  throw new MissingReferenceError(`spec.ami.id: there is no image ${infrastructure.spec.ami?.id}; ${WAY_ON}`);
};

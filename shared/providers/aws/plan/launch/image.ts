import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';

/** The publisher and the name of the images that Cluster API's AWS provider looks up (its defaults). */
export const PROVIDER_OWNER = '819546954734';
const DEFAULT_FORMAT = 'capa-ami-{{.BaseOS}}-?{{.K8sVersion}}-*';
const DEFAULT_BASE_OS = 'ubuntu-24.04';

/** A lookup format with this prefix names a parameter of Systems Manager that contains the image's id. */
const PARAMETER_PREFIX = 'ssm:';

/** The facts about the chosen image that a launch needs. */
export interface LaunchImage {
  id: string;
  rootDevice: string;
  /** The size of the snapshot of its root device; undefined if EC2 does not report it. */
  sizeGib?: number;
}

/** The image of a machine: a given id, the one in a parameter, or the newest one of an owner with a matching name. */
export type ImageQuery = { id: string } | { parameter: string } | { owner: string; name: string; architecture: string };

/** The architecture in the names of images and parameters: `arm64`, and `amd64` for EC2's `x86_64`. */
const goArchitecture = (architecture: string): string => (architecture === 'x86_64' ? 'amd64' : architecture);

/**
 * The image of a machine by upstream's rule: `spec.ami.id`, or else a lookup whose parts come from the machine, then
 * the cluster, then the defaults. `version` is the Kubernetes version with or without `v`; `architecture` is EC2's.
 * `{{.Arch}}` and `ssm:` in a format are additions of Windlass.
 */
export const imageQuery = (
  machine: AWSMachine,
  cluster: AWSCluster,
  version: string,
  architecture: string,
): ImageQuery => {
  if (machine.spec.ami?.id) return { id: machine.spec.ami.id };
  const pick = (field: 'imageLookupFormat' | 'imageLookupOrg' | 'imageLookupBaseOS') =>
    machine.spec[field] || cluster.spec[field];
  const name = (pick('imageLookupFormat') || DEFAULT_FORMAT)
    .replaceAll(/\{\{\s*\.BaseOS\s*\}\}/g, pick('imageLookupBaseOS') || DEFAULT_BASE_OS)
    .replaceAll(/\{\{\s*\.K8sVersion\s*\}\}/g, version.replace(/^v/, ''))
    .replaceAll(/\{\{\s*\.Arch\s*\}\}/g, goArchitecture(architecture));
  if (name.startsWith(PARAMETER_PREFIX)) return { parameter: name.slice(PARAMETER_PREFIX.length) };
  return { owner: pick('imageLookupOrg') || PROVIDER_OWNER, name, architecture };
};

/** What a user must check if no image was found. */
export const describeQuery = (query: ImageQuery): string => {
  if ('id' in query) return query.id;
  if ('parameter' in query) return `parameter ${query.parameter}`;
  return `owner ${query.owner}, name ${query.name}, architecture ${query.architecture}`;
};

const newestFirst = <T extends { CreationDate?: string }>(images: readonly T[]): T[] =>
  [...images].sort(({ CreationDate: a = '' }, { CreationDate: b = '' }) => (a < b ? 1 : a > b ? -1 : 0));

/** The newest image found, by creation date. */
export const newestImage = <T extends { CreationDate?: string }>(images: readonly T[]): T | undefined =>
  newestFirst(images)[0];

/** RFC 3339: when EC2 stops listing the image unless deprecated ones are requested. */
interface Deprecatable {
  CreationDate?: string;
  DeprecationTime?: string;
}

/** Whether an image is deprecated. It can still be launched. */
const isDeprecated = ({ DeprecationTime }: Pick<Deprecatable, 'DeprecationTime'>, now: Date): boolean =>
  DeprecationTime !== undefined && new Date(DeprecationTime) <= now;

/**
 * The image that a lookup selects: as in upstream, the newest. Upstream does not find deprecated images of others at
 * all. Here such an image is used if there is no other, because a running cluster must be able to replace a machine.
 */
export const chooseImage = <T extends Deprecatable>(images: readonly T[], now: Date): T | undefined =>
  newestImage(images.filter((image) => !isDeprecated(image, now))) ?? newestImage(images);

const deprecatedFrom = ({ DeprecationTime = '' }: Pick<Deprecatable, 'DeprecationTime'>): number => {
  const time = Date.parse(DeprecationTime);
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
};

/**
 * The images among which `chooseImage` selects one at any time: the newest, and each older one that is deprecated later
 * than all newer ones. These are few among thousands, so that the others need not be kept.
 */
export const choosable = <T extends Deprecatable>(images: readonly T[]): T[] => {
  let latest = Number.NEGATIVE_INFINITY;
  return newestFirst(images).filter((image) => {
    const from = deprecatedFrom(image);
    if (from <= latest) return false;
    latest = from;
    return true;
  });
};

interface FoundImage {
  ImageId?: string;
  RootDeviceName?: string;
  BlockDeviceMappings?: { DeviceName?: string; Ebs?: { VolumeSize?: number } }[];
}

/** The parts of EC2's description of an image that a launch needs. */
export const toLaunchImage = ({ ImageId = '', RootDeviceName = '/dev/sda1', ...image }: FoundImage): LaunchImage => {
  const root = image.BlockDeviceMappings?.find(({ DeviceName }) => DeviceName === RootDeviceName);
  const sizeGib = root?.Ebs?.VolumeSize;
  return { id: ImageId, rootDevice: RootDeviceName, ...(sizeGib === undefined ? {} : { sizeGib }) };
};

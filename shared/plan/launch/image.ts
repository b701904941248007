import type { AWSCluster, AWSMachine } from '../../kinds/index.ts';

/** The publisher and the name of the images that Cluster API's AWS provider looks for (its defaults). */
const DEFAULT_OWNER = '819546954734';
const DEFAULT_FORMAT = 'capa-ami-{{.BaseOS}}-?{{.K8sVersion}}-*';
const DEFAULT_BASE_OS = 'ubuntu-24.04';

/** Which image a machine starts from: a given id, or the newest of an owner whose name fits. */
export type ImageQuery = { id: string } | { owner: string; name: string; architecture: string };

/**
 * The image of a machine by upstream's rule: `spec.ami.id`, else a lookup whose parts come from the machine, then the
 * cluster, then the defaults. `version` is the Kubernetes version with or without `v`; `architecture` as EC2 names it.
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
    .replaceAll(/\{\{\s*\.K8sVersion\s*\}\}/g, version.replace(/^v/, ''));
  return { owner: pick('imageLookupOrg') || DEFAULT_OWNER, name, architecture };
};

/** What a person has to look for when no image was found. */
export const describeQuery = (query: ImageQuery): string =>
  'id' in query ? query.id : `owner ${query.owner}, name ${query.name}, architecture ${query.architecture}`;

/** The newest of the images that were found, by creation date. */
export const newestImage = <T extends { CreationDate?: string }>(images: readonly T[]): T | undefined =>
  [...images].sort((a, b) => ((a.CreationDate ?? '') < (b.CreationDate ?? '') ? 1 : -1))[0];

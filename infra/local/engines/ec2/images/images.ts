/**
 * Published machine images. The account sees the images that the maintainers of Cluster API's AWS provider would
 * publish: Ubuntu 24.04 and Flatcar for each Kubernetes version from 1.28 to 1.36, for both architectures, under the
 * names that its default lookup expects. It also sees the plain Ubuntu images of their publisher, from which bastions
 * start, and plain Flatcar.
 */
import { createHash } from 'node:crypto';

export interface Image {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly ownerId: string;
  readonly architecture: 'x86_64' | 'arm64';
  readonly createdAt: Date;
  readonly snapshotId: string;
  readonly rootSizeGib: number;
  readonly tags: Map<string, string>;
}

const PROVIDER_OWNER = '819546954734';
const MINORS = [28, 29, 30, 31, 32, 33, 34, 35, 36];
const PATCHES_PER_MINOR = 20;
const BASE_OS = ['ubuntu-22.04', 'ubuntu-24.04', 'flatcar-stable'];
const DAY_SECONDS = 86_400;
/** The date of the first version of the catalogue: 2023-08-16. */
const FIRST_BUILD_SECONDS = 1_692_144_000;

const idFrom = (prefix: string, seed: string): string =>
  `${prefix}-0${createHash('sha256').update(seed).digest('hex').slice(0, 16)}`;

const imageOf = (
  region: string,
  os: string,
  minor: number,
  patch: number,
  architecture: Image['architecture'],
): Image => {
  const built = FIRST_BUILD_SECONDS + ((minor - 28) * 120 + patch * 30) * DAY_SECONDS;
  const stamp = architecture === 'arm64' ? built + 3600 : built;
  const name = `capa-ami-${os}-v1.${minor}.${patch}-${stamp}`;
  const seed = `${region} ${name}`;
  return {
    id: idFrom('ami', seed),
    name,
    description: `Cluster API node image, ${os}, Kubernetes v1.${minor}.${patch}, simulated`,
    ownerId: PROVIDER_OWNER,
    architecture,
    createdAt: new Date(stamp * 1000),
    snapshotId: idFrom('snap', seed),
    rootSizeGib: 8,
    tags: new Map(),
  };
};

/** An image from the publisher of a distribution, without Kubernetes. */
const publishedImage = (
  region: string,
  image: Pick<Image, 'name' | 'description' | 'ownerId' | 'architecture' | 'createdAt'>,
): Image => {
  const seed = `${region} ${image.name}`;
  return { ...image, id: idFrom('ami', seed), snapshotId: idFrom('snap', seed), rootSizeGib: 8, tags: new Map() };
};

/** The publisher of Ubuntu's own images. */
const UBUNTU_OWNER = '099720109477';

/** The published Ubuntu images by release, without Kubernetes. Parameters of Systems Manager name the newest. */
const UBUNTU = { '22.04': 'jammy', '24.04': 'noble' } as const;
const UBUNTU_BUILT = '20250610';

/** The stock image of an Ubuntu release; `architecture` as in its names. */
export const stockImage = (region: string, release: string, architecture: string): Image | undefined => {
  const codename = UBUNTU[release as keyof typeof UBUNTU];
  if (codename === undefined || !['amd64', 'arm64'].includes(architecture)) return undefined;
  return publishedImage(region, {
    name: `ubuntu/images/hvm-ssd-gp3/ubuntu-${codename}-${release}-${architecture}-server-${UBUNTU_BUILT}`,
    description: `Canonical, Ubuntu, ${release}, ${architecture} ${codename} image`,
    ownerId: UBUNTU_OWNER,
    architecture: architecture === 'arm64' ? 'arm64' : 'x86_64',
    createdAt: new Date('2025-06-10T09:24:11Z'),
  });
};

/** The publisher of Flatcar's own images. */
const FLATCAR_OWNER = '075585003325';
const FLATCAR_STABLE = '4230.2.1';

const flatcarImage = (region: string, architecture: Image['architecture']): Image =>
  publishedImage(region, {
    name: `Flatcar-stable-${FLATCAR_STABLE}${architecture === 'arm64' ? '-arm64' : ''}-hvm`,
    description: `Flatcar Container Linux stable ${FLATCAR_STABLE} (HVM)`,
    ownerId: FLATCAR_OWNER,
    architecture,
    createdAt: new Date('2025-07-15T13:01:44Z'),
  });

const ubuntuImages = (region: string): Image[] =>
  Object.keys(UBUNTU).flatMap((release) =>
    ['amd64', 'arm64'].flatMap((architecture) => stockImage(region, release, architecture) ?? []),
  );

/** All images of a region, with ids derived from their names, so that they are the same on every computer. */
const catalogueOf = (region: string): ReadonlyMap<string, Image> => {
  const flatcar = (['x86_64', 'arm64'] as const).map((architecture) => flatcarImage(region, architecture));
  const images = new Map([...ubuntuImages(region), ...flatcar].map((image) => [image.id, image]));
  for (const os of BASE_OS)
    for (const minor of MINORS)
      for (let patch = 0; patch <= PATCHES_PER_MINOR; patch += 1)
        for (const architecture of ['x86_64', 'arm64'] as const) {
          const image = imageOf(region, os, minor, patch, architecture);
          images.set(image.id, image);
        }
  return images;
};

const catalogues = new Map<string, ReadonlyMap<string, Image>>();

/** The images that a region offers, by id. */
export const imagesOf = (region: string): ReadonlyMap<string, Image> => {
  const catalogue = catalogues.get(region) ?? catalogueOf(region);
  catalogues.set(region, catalogue);
  return catalogue;
};

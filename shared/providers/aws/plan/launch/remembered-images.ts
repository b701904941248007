/**
 * The images that the lookups of a cluster's machines have found. Publishers delete images: a recorded image is tried
 * if a lookup no longer finds one, because it may only be unlisted or renamed. Each launch records it, and the sweep
 * also records it in the cluster, for the time when the machines are gone.
 */
import { tryJson } from '../../../../decode/json.ts';
import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';
import { readRecordedLaunch } from './recorded.ts';

/** The entry in an AWSCluster's record: ids of images by their lookups, the oldest lookup first. */
export const IMAGES_ANNOTATION = 'windlass.dev/images';

/** Users choose the lookups, so the size of the record must be limited. */
const MOST = 20;

/** An image, and its lookup. */
export interface RememberedImage {
  lookup: string;
  id: string;
}

type Images = Readonly<Record<string, string>>;

const readImages = ({ metadata }: Pick<AWSCluster, 'metadata'>): Images =>
  (tryJson(metadata.annotations?.[IMAGES_ANNOTATION] ?? '{}') as Images | undefined) ?? {};

/**
 * The images with which machines were launched, by their lookups; the most recently launched one if there are several.
 */
export const launchedImages = (machines: readonly AWSMachine[]): ReadonlyMap<string, string> =>
  new Map(
    machines
      .flatMap((machine) => readRecordedLaunch(machine) ?? [])
      .sort((a, b) => (a.at < b.at ? -1 : 1))
      .flatMap(({ lookup, request }): [string, string][] =>
        lookup !== undefined && request?.ImageId ? [[lookup, request.ImageId]] : [],
      ),
  );

/** The AWSCluster with these images in its record; undefined if they already are. */
export const withImages = (awsCluster: AWSCluster, images: ReadonlyMap<string, string>): AWSCluster | undefined => {
  const known = readImages(awsCluster);
  const news = [...images].filter(([lookup, id]) => known[lookup] !== id);
  if (news.length === 0) return undefined;
  const kept = Object.entries(known).filter(([lookup]) => !images.has(lookup));
  const entries = [...kept, ...images].slice(-MOST);
  // Otherwise entries that do not fit would always count as new.
  if (entries.every(([lookup, id]) => known[lookup] === id)) return undefined;
  const text = JSON.stringify(Object.fromEntries(entries));
  const annotations = { ...awsCluster.metadata.annotations, [IMAGES_ANNOTATION]: text };
  return { ...awsCluster, metadata: { ...awsCluster.metadata, annotations } };
};

/** The image that a lookup has found before, if it is recorded. */
export const rememberedImage = (
  lookup: string,
  awsCluster: AWSCluster,
  machines: readonly AWSMachine[],
): string | undefined => launchedImages(machines).get(lookup) ?? readImages(awsCluster)[lookup];

import type { ConditionClaim } from '../../../../plan/status/conditions.ts';
import { PROVIDER_OWNER } from '../launch/image.ts';

/**
 * Windlass's own condition of a Cluster: whether AWS is about to lose images that its machines use. Good when False.
 */
export const IMAGES_AT_RISK = 'windlass.dev/ImagesAtRisk';

/** EC2's data about an image. */
export interface ImageStanding {
  name: string;
  ownerId: string;
  /** `available`, `disabled` and others. */
  state: string;
  /** How many days before the deprecation of an image a warning is given. */
  deprecatedAt?: string;
}

/** How many days before the deprecation of an image it is reported. */
const WARNING_DAYS = 30;
/**
 * The AWS provider's project publishes images for this many minor versions of Kubernetes, and deletes older ones (its
 * book, "Pre-built Kubernetes AMIs").
 */
const KEPT_SERIES = 3;

const PUBLISHED = /^capa-ami-(?<os>.+)-v?1\.(?<minor>\d+)\.\d+-/;

const seriesOf = ({ ownerId, name }: Pick<ImageStanding, 'ownerId' | 'name'>) => {
  const { os, minor } = (ownerId === PROVIDER_OWNER ? PUBLISHED.exec(name)?.groups : undefined) ?? {};
  return os === undefined || minor === undefined ? undefined : { os, minor: Number(minor) };
};

/** Name patterns for the images that the AWS provider's project publishes for the operating systems of these images. */
export const publishedBeside = (images: Iterable<ImageStanding>): string[] =>
  [...new Set([...images].flatMap((image) => seriesOf(image)?.os ?? []))].map((os) => `capa-ami-${os}-?1.*`).sort();

/** The newest published minor version for each operating system, from the names of images. */
export const newestSeries = (names: readonly string[]): ReadonlyMap<string, number> => {
  const newest = new Map<string, number>();
  for (const name of names) {
    const { os, minor } = seriesOf({ ownerId: PROVIDER_OWNER, name }) ?? {};
    if (os !== undefined && minor !== undefined) newest.set(os, Math.max(minor, newest.get(os) ?? 0));
  }
  return newest;
};

/** The known data about the images of an account in a region. */
export interface KnownImages {
  /** By id, without images that are not visible to the account. */
  standings: ReadonlyMap<string, ImageStanding>;
  newest: ReadonlyMap<string, number>;
}

const supersededBy = (image: ImageStanding, newest: ReadonlyMap<string, number>): string | undefined => {
  const series = seriesOf(image);
  const latest = series && newest.get(series.os);
  if (!series || latest === undefined || series.minor > latest - KEPT_SERIES) return undefined;
  return `is for Kubernetes 1.${series.minor}, and its publisher deletes images older than the ${KEPT_SERIES} newest series, of which 1.${latest} is the last`;
};

const isWithin = ({ deprecatedAt }: ImageStanding, days: number, now: Date): boolean =>
  deprecatedAt !== undefined && new Date(deprecatedAt).getTime() <= now.getTime() + days * 86_400_000;

/** The risk for an image that can still be launched; the worst one first. */
const threatTo = (image: ImageStanding, newest: KnownImages['newest'], now: Date): string | undefined => {
  const day = image.deprecatedAt?.slice(0, 'yyyy-mm-dd'.length);
  if (isWithin(image, 0, now)) return `has been deprecated since ${day}, and its publisher may delete it`;
  return (
    supersededBy(image, newest) ?? (isWithin(image, WARNING_DAYS, now) ? `will be deprecated on ${day}` : undefined)
  );
};

/**
 * The risk for an image that machines use, as a sentence without its full stop, which is the same in every sweep.
 * Undefined if there is none.
 */
export const imageRisk = (id: string, { standings, newest }: KnownImages, now: Date): string | undefined => {
  const image = standings.get(id);
  if (!image) return `image ${id} is deleted or no longer shared with the account: no machine can be launched from it`;
  if (image.state !== 'available')
    return `image ${id} (${image.name}) is ${image.state}: no machine can be launched from it`;
  const threat = threatTo(image, newest, now);
  return threat && `image ${id} (${image.name}) ${threat}`;
};

/** With more entries, a condition would be hard to read. */
const MOST = 10;

/** The condition about all risks of a cluster's images. */
export const imagesClaim = (risks: readonly string[]): ConditionClaim => {
  if (risks.length === 0) return { type: IMAGES_AT_RISK, status: 'False', reason: 'ImagesAvailable' };
  const rest = risks.length - MOST;
  const message = [...risks.slice(0, MOST), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
  return { type: IMAGES_AT_RISK, status: 'True', reason: 'ImageAtRisk', message };
};

/** The risks that a condition did not contain before. */
export const newRisks = (risks: readonly string[], told: string): string[] => {
  const lines = new Set(told.split('\n'));
  return risks.slice(0, MOST).filter((risk) => !lines.has(risk));
};

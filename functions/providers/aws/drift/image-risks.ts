/** Finds images that run on the machines of clusters and that AWS has lost or is about to lose. */
import { describeAwsError, isDenied } from '../../../../shared/aws/errors.ts';
import { makeRecorder } from '../../../../shared/events/recorder.ts';
import { type AWSCluster, type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import { withClaim } from '../../../../shared/plan/status/claimed.ts';
import { isPaused } from '../../../../shared/plan/status/cluster-claims.ts';
import { findCondition } from '../../../../shared/plan/status/conditions.ts';
import type { ImageListing } from '../../../../shared/providers/aws/api/ec2-image-listing.ts';
import type { ListedInstance } from '../../../../shared/providers/aws/plan/drift/difference.ts';
import {
  IMAGES_AT_RISK,
  imageRisk,
  imagesClaim,
  type KnownImages,
  newestSeries,
  newRisks,
  publishedBeside,
} from '../../../../shared/providers/aws/plan/drift/images.ts';
import { PROVIDER_OWNER } from '../../../../shared/providers/aws/plan/launch/image.ts';
import { launchedImages, withImages } from '../../../../shared/providers/aws/plan/launch/remembered-images.ts';
import type { Bulkheads } from '../../../bulkheads.ts';
import { COMPONENT } from '../../../drift/dependencies.ts';
import type { AwsFleet, PlacedAwsCluster } from './accounts.ts';
import type { AwsSweepDependencies } from './dependencies.ts';
import type { AWS_SWEEP_REASONS } from './reasons.ts';

type Dependencies = Pick<AwsSweepDependencies, 'objects' | 'clock' | 'log' | 'images'>;

const WAY_ON = 'copy it to an account of yours, or upgrade the cluster (docs/images.md)';

/** A cluster with its machines and the ids of their images. */
interface Using extends PlacedAwsCluster {
  machines: AwsFleet['machines'];
  imageIds: readonly string[];
}

const isLookedAt = ({ cluster, awsCluster }: PlacedAwsCluster): boolean =>
  !cluster.metadata.deletionTimestamp && !awsCluster.metadata.deletionTimestamp && !isPaused(cluster);

const isAlive = ({ state }: ListedInstance): boolean => state !== 'terminated' && state !== 'shutting-down';

const usersIn = ({ clusters, machines }: AwsFleet, instances: ReadonlyMap<string, ListedInstance>): Using[] => {
  const machinesOf = Map.groupBy(machines, ({ cluster }) => cluster.metadata.uid);
  return clusters.filter(isLookedAt).map((at) => {
    const own = machinesOf.get(at.cluster.metadata.uid) ?? [];
    const running = own.flatMap(({ infrastructure }) => instances.get(infrastructure.spec.instanceID ?? '') ?? []);
    const imageIds = new Set(running.filter(isAlive).flatMap(({ imageId }) => imageId ?? []));
    return { ...at, machines: own, imageIds: [...imageIds].sort() };
  });
};

/** One call for all images, and one for the images that upstream's AWS provider publishes, if they are in use. */
const ask = async (listingOf: () => ImageListing, users: readonly Using[]): Promise<KnownImages> => {
  const ids = [...new Set(users.flatMap(({ imageIds }) => imageIds))];
  if (ids.length === 0) return { standings: new Map(), newest: new Map() };
  const listing = listingOf();
  const all = await listing.standings(ids);
  const standings = new Map(ids.flatMap((id) => (all.has(id) ? [[id, all.get(id)] as const] : []))) as typeof all;
  const patterns = publishedBeside(standings.values());
  return { standings, newest: newestSeries(patterns.length > 0 ? await listing.names(PROVIDER_OWNER, patterns) : []) };
};

/**
 * Records the images from which the machines were launched, for the time when these images no longer exist. One write
 * for each new lookup.
 */
const remember = async ({ objects }: Dependencies, { awsCluster, machines }: Using): Promise<void> => {
  const images = launchedImages(machines.map(({ infrastructure }) => infrastructure));
  if (!withImages(awsCluster, images)) return;
  const { namespace = '', name, uid } = awsCluster.metadata;
  await objects.mutate(kinds.awsCluster, { namespace, name }, (current: AWSCluster) =>
    current.metadata.uid === uid ? withImages(current, images) : undefined,
  );
};

/** Reports the images at risk on the Cluster, and changes on the AWSCluster. */
const report = async (deps: Dependencies, { cluster, awsCluster, imageIds }: Using, known: KnownImages) => {
  const now = deps.clock.now();
  const risks = imageIds.flatMap((id) => imageRisk(id, known, now) ?? []);
  const claim = imagesClaim(risks);
  const before = findCondition(cluster.status?.conditions, IMAGES_AT_RISK);
  if (risks.length === 0 && !before) return;
  if (before?.status === claim.status && before.message === (claim.message ?? '')) return;
  const recorder = makeRecorder<typeof AWS_SWEEP_REASONS>(deps, COMPONENT);
  // Before the condition, which marks the finding as reported: after a crash in between, the event is recorded again.
  for (const risk of newRisks(risks, before?.message ?? ''))
    await recorder.warning(awsCluster, 'ImageAtRisk', `${risk}; ${WAY_ON}`);
  const { namespace = '', name, uid } = cluster.metadata;
  await deps.objects.mutate(kinds.cluster, { namespace, name }, (current) =>
    current.metadata.uid === uid ? withClaim(current, claim, now) : undefined,
  );
};

/** Checks the images of an account in a region. It requests no pass, because a pass could not repair anything. */
export const makeImageLook =
  (instances: ReadonlyMap<string, ListedInstance>) =>
  async (deps: Dependencies, fleet: AwsFleet, turn: ReadonlySet<string>, run: Bulkheads): Promise<Cluster[]> => {
    const users = usersIn(fleet, instances);
    const inTurn = users.filter(({ cluster }) => turn.has(cluster.metadata.uid ?? ''));
    await run.each('remember its images', inTurn, (at) => remember(deps, at));
    try {
      const known = await ask(() => deps.images(fleet.scope), users);
      await run.each('warn of its images', users, (at) => report(deps, at, known));
    } catch (error) {
      if (!isDenied(error)) throw error;
      deps.log.warn('images could not be looked at', { region: fleet.scope.region, reason: describeAwsError(error) });
    }
    return [];
  };

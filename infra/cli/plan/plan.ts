import type { Preview } from '../../../functions/preview/preview.ts';
import { preview } from '../../../functions/preview/preview.ts';
import { type Change, withChanges } from '../../../functions/preview/reads.ts';
import type { Clock } from '../../../shared/clock.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import { apiVersionOf } from '../../../shared/kube-api/decode.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { toStorage } from '../../../shared/kube-api/versions/convert.ts';
import { servedResources } from '../../../shared/kube-api/versions/served.ts';
import type { PriceList } from '../../../shared/providers/aws/plan/cost/prices.ts';
import { LIST_PRICES } from '../../../shared/providers/aws/plan/cost/us-east-1.ts';
import { ApiError } from '../api/client.ts';
import type { Context } from '../api/kubeconfig-client.ts';
import { makeFindResource } from '../api/resources.ts';
import { type Applied, applyOne, nameOf, noMatch } from '../apply/apply.ts';
import type { Manifest } from '../apply/manifest.ts';
import { refusal } from '../apply/refusal.ts';
import { type CostChange, costChanges } from './cost.ts';
import { type FactsOf, type Preflight, preflightOf } from './preflight.ts';
import { makeReads } from './reads.ts';

/** The effects of applying manifests. */
export interface ManifestsPlan extends Omit<Preview, 'topologyChanges'> {
  /** The objects in their order, with kubectl's names. */
  objects: { object: string; namespace?: string; outcome: Applied }[];
  /** The reasons why objects are refused, in kubectl's wording. The plan covers the other objects. */
  refused: string[];
  /** What the account is missing for clusters that would be created; empty if not checked. */
  preflight: Preflight[];
  /** The change in cost of each cluster on AWS. */
  costs: CostChange[];
}

/** An object in its stored version, with the definition of its kind; undefined for foreign kinds. */
const stored = (object: KubeObject): { resource: ResourceDefinition; object: KubeObject } | undefined => {
  const found = servedResources(KINDS).find(
    (one) => one.kind === object.kind && apiVersionOf(one) === object.apiVersion,
  );
  if (!found) return undefined;
  return found.view
    ? { resource: found.view.storage, object: toStorage(found.view, object) }
    : { resource: found, object };
};

interface Tried {
  object: ManifestsPlan['objects'][number];
  /** The input of the planners. */
  change?: Change;
}

/** Tries one manifest; returns a sentence with the reason if it is refused. */
const tryOne = async (
  { api, namespace: fallback }: Context,
  findResource: ReturnType<typeof makeFindResource>,
  manifest: Manifest,
): Promise<Tried | string> => {
  const resource = await findResource(manifest.object);
  if (!resource) return noMatch(manifest);
  const { namespace = fallback } = manifest.object.metadata;
  const inNamespace = resource.namespaced ? { namespace } : {};
  const wanted = { ...manifest.object, metadata: { ...manifest.object.metadata, ...inNamespace } };
  const { outcome, object } = await applyOne(api, resource, wanted, { dryRun: true });
  const known = outcome === 'unchanged' ? undefined : stored(object);
  return {
    object: { object: nameOf(resource, wanted), ...inNamespace, outcome },
    ...(known ? { change: { ...known, type: outcome === 'created' ? 'created' : 'updated' } } : {}),
  };
};

/**
 * Sends each manifest to the API as a dry run, which defaults and validates it, and runs the planners on all of them
 * together: a control plane and its workers that are upgraded by one file are planned as one change. With `factsOf`,
 * checks whether the account meets the needs of new clusters.
 */
export const planManifests = async (
  context: Context,
  manifests: readonly Manifest[],
  clock: Clock,
  factsOf?: FactsOf,
  prices: readonly PriceList[] = [LIST_PRICES],
): Promise<ManifestsPlan> => {
  const findResource = makeFindResource(context.api);
  const tried: Tried[] = [];
  const refused: string[] = [];
  for (const manifest of manifests) {
    try {
      const one = await tryOne(context, findResource, manifest);
      if (typeof one === 'string') refused.push(one);
      else tried.push(one);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.push(refusal(manifest.file, error.status));
    }
  }
  const changes = tried.flatMap(({ change }) => change ?? []);
  const reads = makeReads(context.api);
  const now = clock.now();
  const { clusters, notes, topologyChanges } = await preview({ reads, now, isWhole: true }, changes);
  const after = withChanges(withChanges(reads, changes), topologyChanges);
  const [preflight, costs] = await Promise.all([
    factsOf === undefined ? [] : preflightOf(factsOf, after, changes, now),
    costChanges({ before: reads, after }, clusters, prices),
  ]);
  return { objects: tried.map(({ object }) => object), refused, preflight, costs, clusters, notes };
};

import { Readable } from 'node:stream';
import { arrayBuffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { describeError } from '../../../shared/decode/describe-error.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { makeReadBudget } from '../../../shared/kube-api/storage/read-budget.ts';
import type { Log } from '../../../shared/log.ts';
import { expose, headOf, lineOf } from '../../../shared/state-metrics/exposition.ts';
import type { StateMetrics } from '../../../shared/state-metrics/family.ts';
import { STATE_METRICS } from '../../../shared/state-metrics/state-metrics.ts';
import { type Failure, withinLimits } from '../../../shared/state-metrics/within-limits.ts';
import { PAGE_LIMITS, type PageLimits } from './page-limits.ts';

export interface MetricsSource {
  objects: Pick<ObjectClient, 'list'>;
  log: Log;
}

type Kind = StateMetrics<KubeObject>;

/** The namespaces that lack the metrics of objects of a kind. */
type Omitted = Map<Kind, ReadonlySet<string>>;

const OMITTED = 'windlass_metrics_omitted';
const OMITTED_HELP =
  'Namespaces without the metrics of all or some of their objects of a kind, because these are too large or not readable.';

/** Compressing many pieces costs more than compressing one. */
const PIECE_CHARACTERS = 64 * 1024;

/** One line for each namespace, however many objects in it cannot be read. */
const logFailures = (log: Log, { resource }: Kind, failures: readonly Failure<KubeObject>[]): void => {
  for (const [namespace, all] of Map.groupBy(failures, ({ object }) => object.metadata.namespace ?? '')) {
    const [{ object, error }] = all as [Failure<KubeObject>];
    const { name } = object.metadata;
    log.error('An object has no metrics', {
      ...{ kind: resource.kind, namespace, name, objects: all.length },
      ...describeError(error),
    });
  }
};

const linesOf = (omitted: Omitted): string =>
  [...omitted]
    .flatMap(([{ resource }, namespaces]) =>
      [...namespaces].toSorted().map((namespace) => {
        const { group, kind, version } = resource;
        const labels = { customresource_group: group, customresource_kind: kind, customresource_version: version };
        return lineOf(OMITTED, { ...labels, namespace }, 1);
      }),
    )
    .join('');

/** The number of omissions that the log lists; the page lists all. */
const MOST_LOGGED = 20;

const logOmitted = (log: Log, omitted: Omitted): void => {
  const all = [...omitted].flatMap(
    ([
      {
        resource: { kind },
      },
      namespaces,
    ]) => [...namespaces].map((namespace) => `${kind} of ${namespace}`),
  );
  if (all.length === 0) return;
  log.warn('Namespaces have incomplete metrics', { omitted: all.slice(0, MOST_LOGGED).join(', '), count: all.length });
};

function* joined(pieces: Iterable<string>): Generator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** One consistent list of each kind, one kind after the other, so that only the objects of one kind are in memory. */
async function* pieces({ objects, log }: MetricsSource, { read, labels }: PageLimits): AsyncGenerator<string> {
  const omitted: Omitted = new Map();
  const budget = makeReadBudget(read);
  for (const kind of STATE_METRICS) {
    const all = await objects.list(kind.resource, undefined, budget);
    const shown = withinLimits(kind, all, labels(kind));
    logFailures(log, kind, shown.failures);
    const failed = shown.failures.map(({ object }) => object.metadata.namespace ?? '');
    omitted.set(kind, new Set([...budget.exceeded().keys(), ...shown.tooLarge, ...failed]));
    yield* joined(expose(kind, shown.objects));
  }
  logOmitted(log, omitted);
  yield headOf(OMITTED, OMITTED_HELP) + linesOf(omitted);
}

/**
 * The metrics of all stored objects, compressed with gzip. A namespace beyond its limits is left out, and a metric says
 * so. Rejects if a list cannot be read.
 */
export const compressedMetrics = async (
  source: MetricsSource,
  limits: PageLimits = PAGE_LIMITS,
): Promise<Uint8Array<ArrayBuffer>> => {
  const text = Readable.from(pieces(source, limits));
  const gzip = createGzip();
  text.once('error', (error) => gzip.destroy(error));
  return new Uint8Array(await arrayBuffer(text.pipe(gzip)));
};

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { describeError } from '../../../shared/decode/describe-error.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { Log } from '../../../shared/log.ts';
import { expose } from '../../../shared/state-metrics/exposition.ts';
import { STATE_METRICS } from '../../../shared/state-metrics/state-metrics.ts';

export interface MetricsSource {
  objects: Pick<ObjectClient, 'list'>;
  log: Log;
}

/** One consistent list of each kind, one kind after the other, so that only the objects of one kind are in memory. */
async function* pieces({ objects, log }: MetricsSource): AsyncGenerator<string> {
  for (const kind of STATE_METRICS) {
    const all = await objects.list(kind.resource);
    yield* expose(kind, all, ({ metadata: { namespace, name } }, error) =>
      log.error('An object has no metrics', { kind: kind.resource.kind, namespace, name, ...describeError(error) }),
    );
  }
}

/** The metrics of all stored objects, compressed with gzip. Rejects if a list cannot be read. */
export const compressedMetrics = async (source: MetricsSource): Promise<Uint8Array<ArrayBuffer>> => {
  const text = Readable.from(pieces(source));
  const gzip = createGzip();
  text.once('error', (error) => gzip.destroy(error));
  return new Uint8Array(await buffer(text.pipe(gzip)));
};

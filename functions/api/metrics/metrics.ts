import type { Clock } from '../../../shared/clock.ts';
import { notAcceptable } from '../../../shared/kube-api/server/accept.ts';
import type { MetricsSource } from './metrics-text.ts';

/** The time for which one text serves all scrapers of this process, so that two of them read the table once. */
const KEEP_MILLISECONDS = 15_000;

/** Lambda ends a response after 200 MB, and the text would be cut. */
const MOST_PLAIN_BYTES = 190 * 1024 * 1024;

/** A gzip file ends with the length of its content (RFC 1952, 2.3.1). */
const plainBytes = (gzip: Uint8Array): number =>
  new DataView(gzip.buffer, gzip.byteOffset, gzip.byteLength).getUint32(gzip.byteLength - 4, true);

const HEADERS = {
  'content-type': 'text/plain; version=0.0.4; charset=utf-8',
  'cache-control': 'no-cache, private',
  vary: 'accept-encoding',
};

/** Whether an Accept-Encoding header (RFC 9110, 12.5.3) allows gzip. */
const takesGzip = (accepted: string): boolean => {
  const weights = new Map(
    accepted.split(',').map((coding) => {
      const [name = '', ...parameters] = coding.toLowerCase().split(';');
      const weight = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
      return [name.trim(), Number(weight ?? 1)];
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
};

/**
 * Serves `/metrics`: the state of Cluster API's objects in Prometheus' text format. The text is created and cached in
 * compressed form: uncompressed, that of a large fleet exceeds the size of a function's response, and is refused with
 * 406. The code is loaded at the first scrape.
 */
export const makeMetrics = ({
  objects,
  clock,
  log,
  mostPlain = MOST_PLAIN_BYTES,
}: MetricsSource & { clock: Clock; mostPlain?: number }) => {
  let kept: { until: number; text: Promise<Uint8Array<ArrayBuffer>> } | undefined;

  const make = async () => (await import('./metrics-text.ts')).compressedMetrics({ objects, log });

  const present = (): Promise<Uint8Array<ArrayBuffer>> => {
    const now = clock.now().getTime();
    if (kept && now < kept.until) return kept.text;
    const text = make();
    const made = { until: now + KEEP_MILLISECONDS, text };
    kept = made;
    text.catch(() => {
      // The next scrape reads again.
      if (kept === made) kept = undefined;
    });
    return text;
  };

  return async (request: Request): Promise<Response> => {
    const text = await present();
    if (takesGzip(request.headers.get('accept-encoding') ?? '')) {
      return new Response(text, { headers: { ...HEADERS, 'content-encoding': 'gzip' } });
    }
    const bytes = plainBytes(text);
    if (bytes > mostPlain)
      throw notAcceptable(`the metrics have ${bytes} bytes, which can only be returned with Accept-Encoding: gzip`);
    return new Response(new Blob([text]).stream().pipeThrough(new DecompressionStream('gzip')), { headers: HEADERS });
  };
};

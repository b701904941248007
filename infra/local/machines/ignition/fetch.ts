import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { Remote } from '../ports.ts';
import { type Config, parseConfig, type Resource, referencesOf } from './config.ts';

/** How deep configs may refer to each other. */
const MAX_DEPTH = 8;
/** The scheme of a URL, for messages: the rest of the URL may contain credentials. */
const schemeOf = (source: string): string => source.split(':', 1)[0] ?? '';

const fromDataUrl = (source: string): Buffer => {
  const [, kind = '', data = ''] = /^data:([^,]*),(.*)$/s.exec(source) ?? [];
  return kind.endsWith(';base64') ? Buffer.from(data, 'base64') : Buffer.from(decodeURIComponent(data), 'utf8');
};

const verify = (bytes: Uint8Array, hash: string | undefined): void => {
  if (hash === undefined) return;
  const [algorithm = '', sum] = hash.split('-');
  const actual = createHash(algorithm).update(bytes).digest('hex');
  if (actual !== sum) throw new Error(`hash verification failed: got ${algorithm}-${actual}`);
};

/** The content of a resource. Throws if it is not available or invalid. */
export const readResource = async (resource: Resource, remote: Remote): Promise<Buffer> => {
  const { source = '', compression = '', verification } = resource;
  const fetched = source.startsWith('data:') ? fromDataUrl(source) : await fetchFrom(source, remote);
  const bytes = compression === 'gzip' ? gunzipSync(fetched) : Buffer.from(fetched);
  verify(bytes, verification?.hash);
  return bytes;
};

const fetchFrom = async (source: string, remote: Remote): Promise<Uint8Array> => {
  if (!/^(s3|https?):/.test(source)) {
    throw new Error(`${schemeOf(source)}: addresses are not fetched on the simulated machine`);
  }
  try {
    return await remote.fetch(source);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new Error(`cannot fetch a ${schemeOf(source)} address: ${reason}`, { cause: error });
  }
};

/**
 * The config and all configs to which it refers, in order of increasing precedence. Throws the errors of readResource
 * and parseConfig.
 */
export const resolveConfig = async (text: string, remote: Remote, depth = 0): Promise<Config[]> => {
  if (depth > MAX_DEPTH) throw new Error('configs refer to each other without end');
  const config = parseConfig(text);
  const resolve = async (resource: Resource): Promise<Config[]> =>
    resolveConfig((await readResource(resource, remote)).toString('utf8'), remote, depth + 1);
  const { replace } = config.ignition.config ?? {};
  if (replace?.source) return resolve(replace);
  const configs = [config];
  for (const reference of referencesOf(config)) configs.push(...(await resolve(reference)));
  return configs;
};

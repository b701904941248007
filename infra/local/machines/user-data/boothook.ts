import type { BootLog } from '../boot-log.ts';
import { retryFor, type Waiting } from '../kubeadm/wait.ts';
import type { Instance, SecretChunks } from '../ports.ts';
import type { FileSystem } from './file-system.ts';

/** The parameters of the boot script that fetches bootstrap data from Secrets Manager or the Parameter Store. */
export interface SecretFetch {
  prefix: string;
  count: number;
  region: string;
  /** The file in which the script stores the user data, and from which the include part reads it. */
  file: string;
  /** The time for which the script retries a chunk that it cannot read. */
  patienceMilliseconds: number;
  /** Whether the script gives up if a chunk cannot be deleted. */
  mustDelete: boolean;
}

const INCLUDED = '/etc/secret-userdata.txt';

const variable = (script: string, name: string): string | undefined =>
  script.match(new RegExp(`^\\s*(?:export\\s+|readonly\\s+)?${name}=(["']?)([^"'\\n]*)\\1\\s*$`, 'm'))?.[2];

/**
 * Reads the shell variables SECRET_PREFIX, CHUNKS and REGION of the script, which both Windlass
 * (shared/providers/aws/plan/delivery/boothook.ts) and CAPA write; undefined for other scripts. The variable
 * CONFIGURATION identifies Windlass's script, which waits 20 minutes for a chunk and ignores one that cannot be
 * deleted. CAPA's script tries ten times at intervals of ten seconds, and fails if it cannot delete. Throws if CHUNKS
 * is not a number.
 */
export const readSecretFetch = (script: string): SecretFetch | undefined => {
  const prefix = variable(script, 'SECRET_PREFIX');
  const chunks = variable(script, 'CHUNKS');
  const region = variable(script, 'REGION');
  if (!prefix || !chunks || !region) return undefined;
  const count = Number(chunks);
  if (!Number.isInteger(count) || count < 1) throw new Error(`CHUNKS="${chunks}" is not a number of secrets`);
  const isOurs = variable(script, 'CONFIGURATION') !== undefined;
  return {
    prefix,
    count,
    region,
    file: variable(script, 'FILE') ?? variable(script, 'INCLUDED') ?? INCLUDED,
    patienceMilliseconds: isOurs ? 1_200_000 : 100_000,
    mustDelete: !isOurs,
  };
};

const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

const unlessAborted = (what: string, error: unknown): Error => {
  if (error instanceof Error && error.name === 'AbortError') return error;
  return new Error(`${what} failed: ${reasonOf(error)}`, { cause: error });
};

const callOf = (id: string, ofSecret: string, ofParameter: string): string =>
  id.startsWith('/') ? ofParameter : ofSecret;

export interface FetchOptions {
  secrets: SecretChunks;
  instance: Instance;
  files: FileSystem;
  log: BootLog;
  waiting: Waiting;
}

const readChunk = async (id: string, fetch: SecretFetch, options: FetchOptions): Promise<Uint8Array> => {
  const { secrets, log, waiting } = options;
  let lastReason = '';
  try {
    return await retryFor(fetch.patienceMilliseconds, { ...waiting, retryMilliseconds: 5000 }, async () => {
      try {
        return await secrets.read(id);
      } catch (error) {
        if (reasonOf(error) !== lastReason) log.line('bootstrap-data', `cannot read ${id} yet: ${reasonOf(error)}`);
        lastReason = reasonOf(error);
        throw error;
      }
    });
  } catch (error) {
    throw unlessAborted(`${callOf(id, 'GetSecretValue', 'GetParameter')} ${id}`, error);
  }
};

const removeChunk = async (id: string, fetch: SecretFetch, { secrets, log }: FetchOptions): Promise<void> => {
  try {
    await secrets.remove(id);
    log.line('bootstrap-data', `deleted ${id}`);
  } catch (error) {
    if (fetch.mustDelete) throw unlessAborted(`${callOf(id, 'DeleteSecret', 'DeleteParameter')} ${id}`, error);
    log.line('bootstrap-data', `cannot delete ${id}, leaving it to the control plane: ${reasonOf(error)}`);
  }
};

/**
 * Does what the script does: fetches the secrets `<prefix>-0` … `<prefix>-<count-1>` or the parameters `<prefix>/0` …,
 * deletes them, and writes their joined content to `file`. Throws an error with the name of the failed call.
 */
export const fetchSecrets = async (fetch: SecretFetch, options: FetchOptions): Promise<void> => {
  const { instance, files } = options;
  if (fetch.region !== instance.region) {
    throw new Error(`secrets of region ${fetch.region} cannot be read: this machine reaches ${instance.region} only`);
  }
  // Names in the Parameter Store are paths, for which there is another script.
  const separator = fetch.prefix.startsWith('/') ? '/' : '-';
  const ids = Array.from({ length: fetch.count }, (_, index) => `${fetch.prefix}${separator}${index}`);
  // If a first boot begins again, it has already fetched them, and they may be deleted.
  const isFetched = files.stat(fetch.file) !== undefined;
  if (!isFetched) {
    const chunks: Uint8Array[] = [];
    for (const id of ids) chunks.push(await readChunk(id, fetch, options));
    files.write(fetch.file, Buffer.concat(chunks), { permissions: '0600' });
  }
  for (const id of ids) await removeChunk(id, isFetched ? { ...fetch, mustDelete: false } : fetch, options);
};

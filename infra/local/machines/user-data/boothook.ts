import type { BootLog } from '../boot-log.ts';
import type { Instance, SecretChunks } from '../ports.ts';
import type { FileSystem } from './file-system.ts';

/** What the boot script that fetches bootstrap data from Secrets Manager was rendered with. */
export interface SecretFetch {
  prefix: string;
  count: number;
  region: string;
  /** Where the script leaves the user data, and where the include part looks for it. */
  file: string;
}

const variable = (script: string, name: string): string | undefined =>
  script.match(new RegExp(`^\\s*(?:export\\s+|readonly\\s+)?${name}=(["']?)([^"'\\n]*)\\1\\s*$`, 'm'))?.[2];

/**
 * Reads the shell variables SECRET_PREFIX, CHUNKS, REGION and FILE of the script, which both Windlass and CAPA write;
 * undefined where the script is not of that kind. Throws where CHUNKS is no number.
 */
export const readSecretFetch = (script: string): SecretFetch | undefined => {
  const prefix = variable(script, 'SECRET_PREFIX');
  const chunks = variable(script, 'CHUNKS');
  const region = variable(script, 'REGION');
  if (!prefix || !chunks || !region) return undefined;
  const count = Number(chunks);
  if (!Number.isInteger(count) || count < 1) throw new Error(`CHUNKS="${chunks}" is not a number of secrets`);
  return { prefix, count, region, file: variable(script, 'FILE') ?? '/etc/secret-userdata.txt' };
};

const attempt = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new Error(`${what} failed: ${reason}`, { cause: error });
  }
};

/**
 * Does what the script does: fetches the secrets `<prefix>-0` … `<prefix>-<count-1>`, deletes them (a failure to delete
 * is fatal), and leaves their joined content in `file`. Throws with the name of the call that failed.
 */
export const fetchSecrets = async (
  fetch: SecretFetch,
  { secrets, instance, files, log }: { secrets: SecretChunks; instance: Instance; files: FileSystem; log: BootLog },
): Promise<void> => {
  if (fetch.region !== instance.region) {
    throw new Error(`secrets of region ${fetch.region} cannot be read: this machine reaches ${instance.region} only`);
  }
  const ids = Array.from({ length: fetch.count }, (_, index) => `${fetch.prefix}-${index}`);
  const chunks: Uint8Array[] = [];
  for (const id of ids) {
    log.line('cloud-init', `getting userdata from AWS Secrets Manager: ${id}`);
    chunks.push(await attempt(`GetSecretValue ${id}`, () => secrets.read(id)));
  }
  for (const id of ids) {
    log.line('cloud-init', `deleting secret from AWS Secrets Manager: ${id}`);
    await attempt(`DeleteSecret ${id}`, () => secrets.remove(id));
  }
  files.write(fetch.file, Buffer.concat(chunks), { permissions: '0600' });
};

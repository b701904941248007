import { Buffer } from 'node:buffer';
import { BootstrapInvalidError } from '../../../../bootstrap/invalid.ts';

/**
 * The kind of fetched bootstrap data for cloud-init, by their beginning as in its `type_from_starts_with`.
 *
 * - `configuration`: cloud-config, plain or as a template. It can also be read from cloud-init's configuration folder.
 * - `script`: run at the end of the first boot from the folder into which cloud-init itself would put it.
 * - `other`: MIME archives, lists of includes, archives of cloud-config and other formats that only an include can
 *   read.
 */
export type DataKind = 'configuration' | 'script' | 'other';

/** The kind of data is determined by their first two lines. */
const HEAD_BYTES = 1024;

/** In the configuration folder, a template is only recognized in the very first line. */
const CONFIGURATION = /^(?:##\s*template:\s*jinja[^\n]*\n)?\s*#cloud-config(?!-archive|-jsonp)/i;
const SCRIPT = /^\s*#!/;

export const dataKind = (contents: Uint8Array): DataKind => {
  const head = Buffer.from(contents.subarray(0, HEAD_BYTES)).toString('latin1');
  if (CONFIGURATION.test(head)) return 'configuration';
  return SCRIPT.test(head) ? 'script' : 'other';
};

/**
 * Refuses data that only an include can read, for images whose cloud-init aborts if an included file does not exist
 * yet.
 */
export const requireNoInclude = (kind: DataKind): void => {
  if (kind !== 'other') return;
  throw new BootstrapInvalidError(
    'spec.bootstrap.dataSecretName',
    'names a Secret whose value is neither cloud-config nor a shell script, which a machine with windlass.dev/install-kubernetes cannot read from a secret; convert it, or set spec.cloudInit.insecureSkipSecretsManager of the AWSMachine',
  );
};

import { Buffer } from 'node:buffer';
import { DEFAULT_IGNITION_VERSION } from '../../../../bootstrap/ignition/config.ts';
import { BootstrapInvalidError } from '../../../../bootstrap/invalid.ts';
import { tryJson } from '../../../../decode/json.ts';
import type { AWSMachineSpec } from '../../../../kinds/schema/aws-machine-spec.ts';
import { isObject } from '../../../../kube-api/json.ts';
import { MAX_USER_DATA_BYTES } from './plan.ts';

type MachineSpec = Pick<AWSMachineSpec, 'ignition' | 'uncompressedUserData'>;
type Ignition = NonNullable<AWSMachineSpec['ignition']>;

/** Ignition reads user data unchanged: it decompresses nothing. */
const refuseCompression = ({ uncompressedUserData }: MachineSpec): void => {
  if (uncompressedUserData !== false) return;
  throw new BootstrapInvalidError(
    'spec.uncompressedUserData',
    'must not be false: Ignition reads no compressed user data',
  );
};

interface Head {
  version?: string;
  security?: { tls?: { certificateAuthorities?: object[] } };
}

/** The head of a config, with the proxy and the authorities that a machine's Ignition needs for its connections. */
const withAccess = (head: Head, { proxy, tls }: Ignition): Head => {
  const sources = tls?.certificateAuthorities ?? [];
  const known = head.security?.tls?.certificateAuthorities ?? [];
  if ((proxy || sources.length > 0) && /^(2|3\.0)\./.test(head.version ?? '')) {
    throw new BootstrapInvalidError(
      `spec.ignition.${proxy ? 'proxy' : 'tls'}`,
      'needs spec.ignition.version 3.1 or newer',
    );
  }
  const authorities = { certificateAuthorities: [...known, ...sources.map((source) => ({ source }))] };
  return {
    ...head,
    ...(proxy ? { proxy } : {}),
    ...(sources.length > 0 ? { security: { ...head.security, tls: authorities } } : {}),
  };
};

/** A body that needs no additions is not changed at all, not even decoded: it may be a user's own. */
const completed = (body: string | Uint8Array, ignition: Ignition | undefined): Buffer => {
  const data = Buffer.from(body as Uint8Array);
  if (!ignition?.proxy && !ignition?.tls) return data;
  const config = tryJson(data.toString('utf8')) as { ignition?: Head } | undefined;
  if (!isObject(config)) {
    throw new BootstrapInvalidError(
      'spec.bootstrap.dataSecretName',
      'names a Secret whose value is not an Ignition config',
    );
  }
  return Buffer.from(
    `${JSON.stringify({ ...config, ignition: withAccess(config.ignition ?? {}, ignition) })}\n`,
    'utf8',
  );
};

/**
 * The maximum length of data that are the user data themselves, with the additions of ignitionUserData; undefined if
 * they are not.
 */
export const maxIgnitionBytes = ({ ignition }: MachineSpec): number | undefined =>
  ignition?.storageType === 'UnencryptedUserData' ? MAX_USER_DATA_BYTES - JSON.stringify(ignition).length : undefined;

/**
 * User data (base64) that contain the bootstrap data themselves: `storageType: UnencryptedUserData`. Throws
 * BootstrapInvalidError, which names the field of the AWSMachine, for what EC2 or Ignition does not accept.
 */
export const ignitionUserData = (body: string | Uint8Array, spec: MachineSpec): string => {
  refuseCompression(spec);
  const data = completed(body, spec.ignition);
  if (data.length > MAX_USER_DATA_BYTES) {
    throw new BootstrapInvalidError(
      'spec.ignition.storageType',
      `UnencryptedUserData: the user data has ${data.length} bytes, EC2 accepts ${MAX_USER_DATA_BYTES}; use ClusterObjectStore or shorten the files`,
    );
  }
  return data.toString('base64');
};

/**
 * User data (base64) that only contain the location of the bootstrap data. Throws BootstrapInvalidError like
 * ignitionUserData.
 */
export const ignitionStub = (url: string, spec: MachineSpec): string => {
  refuseCompression(spec);
  const ignition = spec.ignition ?? {};
  const version = ignition.version ?? DEFAULT_IGNITION_VERSION;
  const config = version === '2.3' ? { append: [{ source: url }] } : { merge: [{ source: url }] };
  const stub = { ignition: { ...withAccess({ version: `${version}.0` }, ignition), config } };
  return Buffer.from(`${JSON.stringify(stub)}\n`, 'utf8').toString('base64');
};

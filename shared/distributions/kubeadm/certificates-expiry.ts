import { posix } from 'node:path';
import { DEFAULT_CERTIFICATES_DIR } from '../../bootstrap/certificates/files.ts';
import { UnreadableError } from '../../decode/unreadable.ts';
import { readYaml } from '../../decode/yaml.ts';
import type { BootstrapConfig } from '../../kinds/contract-objects.ts';
import type { KubeadmConfig } from '../../kinds/index.ts';
import type { CertificatesOfServers } from '../distribution.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** kubeadm's default. */
const DEFAULT_VALIDITY_MILLISECONDS = 365 * DAY_MILLISECONDS;
/** kubeadm backdates its certificates by this much, and some of its releases count the validity from then. */
const BACKDATE_MILLISECONDS = 5 * 60 * 1000;

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000 };

/** Checked before the parts are searched for, because that would take quadratic time in a long row of digits. */
const DURATION = /^(?:\d+[hms])+$/;

/** A duration of whole seconds in Go's format, such as `2160h0m0s`; undefined for any other text. */
const milliseconds = (text: string): number | undefined => {
  if (!DURATION.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)([hms])/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
};

/** The text comes from the workload cluster, so text that is not YAML is ignored. */
const valueIn = (text: string): unknown => {
  try {
    return readYaml(text, { version: '1.1' });
  } catch (error) {
    if (error instanceof UnreadableError) return undefined;
    throw error;
  }
};

const validityOf = (clusterConfiguration: string | undefined): number | undefined => {
  const stored = valueIn(clusterConfiguration ?? '');
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { certificateValidityPeriod: period } = stored as Record<string, unknown>;
  return period === undefined ? DEFAULT_VALIDITY_MILLISECONDS : milliseconds(String(period));
};

/** kubeadm does not replace existing certificates, and their expiry is unknown here. */
const bringsItsOwn = ({ spec }: BootstrapConfig): boolean => {
  const { clusterConfiguration, files = [] } = (spec ?? {}) as NonNullable<KubeadmConfig['spec']>;
  const folder = clusterConfiguration?.certificatesDir ?? DEFAULT_CERTIFICATES_DIR;
  const path = posix.join(folder, 'apiserver.crt');
  return files.some((file) => posix.normalize(file.path) === path);
};

/**
 * The earliest expiry of the certificates of a control plane machine's servers; undefined if unknown. kubeadm issues
 * all of them on the machine, which boots after `decidedAt`, and all machines of a cluster read the validity from the
 * configuration that `kubeadm init` has stored. So the result is too early by the duration of a boot.
 */
export const certificatesExpiry: CertificatesOfServers['expiry'] = ({ config, decidedAt, stored }) => {
  const launchedAt = Date.parse(decidedAt ?? '');
  const validity = validityOf(stored.ClusterConfiguration);
  if (Number.isNaN(launchedAt) || validity === undefined || bringsItsOwn(config)) return undefined;
  return new Date(launchedAt + validity - BACKDATE_MILLISECONDS);
};

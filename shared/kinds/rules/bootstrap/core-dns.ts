import { compareReleases, type KubernetesVersion, parseVersion } from './version.ts';

/**
 * Between these two, no release of CoreDNS has removed a directive or changed its meaning, so that a Corefile needs no
 * change (coredns/corefile-migration, plugins of 1.8.3 to 1.14.2). Kubernetes 1.22 contains the first of them.
 */
const OLDEST = '1.8.3';
const NEWEST_MINOR = 14;

/** A control plane with this annotation leaves CoreDNS to others. */
export const SKIP_CORE_DNS = 'controlplane.cluster.x-k8s.io/skip-coredns';

const textOf = ({ major, minor, patch }: KubernetesVersion): string => `${major}.${minor}.${patch}`;

const withoutZeros = (part: string): string => part.replace(/^(v?)0+(?=\d)/, '$1');

/**
 * The version in an image's tag, such as `v1.12.1` or `v1.12.1_vendor.2`; undefined if it contains none. As in
 * upstream, it may be short, such as `1.12`, and its numbers may begin with zeros.
 */
export const versionOfTag = (tag: string): string | undefined => {
  const [major = '', minor = '0', ...patch] = tag.replaceAll('_', '+').split('.');
  const parts = [major, minor, patch.length > 0 ? patch.join('.') : '0'];
  const version = parseVersion(parts.map(withoutZeros).join('.'));
  return version && textOf(version);
};

/** Why CoreDNS cannot change from one version to another with the same Corefile; undefined if it can. */
export const whyNotMigrated = (from: string, to: string): string | undefined => {
  if (from === to) return undefined;
  if (compareReleases(from, to) > 0) return `CoreDNS is not downgraded from ${from} to ${to}`;
  if (compareReleases(from, OLDEST) < 0) {
    return `the Corefile of CoreDNS ${from} may not fit ${to}; migrations begin with ${OLDEST}`;
  }
  const { major, minor } = parseVersion(to) ?? { major: 0, minor: 0 };
  return major === 1 && minor <= NEWEST_MINOR ? undefined : `CoreDNS ${to} is not known; its Corefile may differ`;
};

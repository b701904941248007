import { compareReleases, type KubernetesVersion, parseVersion } from './version.ts';

/**
 * Between these two no release of CoreDNS took a directive away or changed what one means, so that a Corefile stays as
 * it is (coredns/corefile-migration, plugins of 1.8.3 to 1.14.2). Kubernetes 1.22 came with the first of them.
 */
const OLDEST = '1.8.3';
const NEWEST_MINOR = 14;

/** A control plane with this annotation leaves CoreDNS to others. */
export const SKIP_CORE_DNS = 'controlplane.cluster.x-k8s.io/skip-coredns';

const textOf = ({ major, minor, patch }: KubernetesVersion): string => `${major}.${minor}.${patch}`;

/** The version in an image's tag, such as `v1.12.1` or `v1.12.1_vendor.2`; undefined if it contains none. */
export const versionOfTag = (tag: string): string | undefined => {
  const version = parseVersion(tag.replaceAll('_', '+'));
  return version && textOf(version);
};

/** Whether a tag is a version as upstream reads one: it may be short, such as `1.11`, or begin with a v. */
export const isVersionTag = (tag: string): boolean =>
  /^v?\d+(\.\d+)?$/.test(tag) || versionOfTag(tag.replace(/^(v?)0*(?=\d)/, '$1')) !== undefined;

/** Why CoreDNS cannot change from one version to another with its Corefile; undefined if it can. */
export const whyNotMigrated = (from: string, to: string): string | undefined => {
  if (from === to) return undefined;
  if (compareReleases(from, to) > 0) return `CoreDNS is not downgraded from ${from} to ${to}`;
  if (compareReleases(from, OLDEST) < 0) {
    return `the Corefile of CoreDNS ${from} may not fit ${to}; migrations begin with ${OLDEST}`;
  }
  const { major, minor } = parseVersion(to) ?? { major: 0, minor: 0 };
  return major === 1 && minor <= NEWEST_MINOR ? undefined : `CoreDNS ${to} is not known; its Corefile may be another`;
};

import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { Observed } from './observed.ts';
import { AUTHORITIES, filesOf } from './pki.ts';

/** By kind: why a derived object would do harm. */
const REQUIRED: Readonly<Record<string, string>> = {
  AWSCluster:
    'the network is made equal to its spec at once. Rules, subnets, listeners and IPv6 that a derived spec lacks would be removed, and the API could be opened to the internet',
};

const missingManifests = (derived: Iterable<string>): string[] =>
  [...derived].flatMap((key) => {
    const [kind = '', name] = key.split('/');
    const why = REQUIRED[kind];
    return why ? [`${kind} ${name} needs its manifest, as it was applied (-f): ${why}`] : [];
  });

/** The reasons why nothing may be written. `derived`: the objects without a manifest, as KIND/NAME. */
export const blockedBy = (
  seen: Observed,
  { controlPlane, derived }: { controlPlane: KubeObject | undefined; derived: Iterable<string> },
): string[] => [
  ...(seen.silent === undefined
    ? []
    : [`the workload cluster is needed to match instances with machines: ${seen.silent}`]),
  ...(controlPlane || seen.silent !== undefined ? [] : ['no node belongs to a KubeadmControlPlane']),
  ...AUTHORITIES.filter((purpose) => !seen.pairs[purpose]).map(
    (purpose) =>
      `Secret ${seen.name}-${purpose} needs ${filesOf(purpose)} of /etc/kubernetes/pki of a control plane machine`,
  ),
  ...missingManifests(derived),
];

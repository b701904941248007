import { createHash } from 'node:crypto';
import type { AWSCluster } from '../../../../kinds/index.ts';
import type { DriftKind } from '../../../../kinds/rules/drift-policy.ts';

/**
 * The entry of an AWSCluster's record (shared/plan/memory) with the desired state of each part of the infrastructure
 * when it was last complete: `network=1f3a…,natGateways=…`. If the desired state is the same, missing resources were
 * removed by others; if it differs, they have not been created yet.
 */
export const SETTLED_ANNOTATION = 'windlass.dev/settled';

/** The parts of the infrastructure whose desired states change independently. */
export type InfrastructurePart =
  | 'vpc'
  | 'network'
  | 'securityGroups'
  | 'natGateways'
  | 'loadBalancer'
  | 'targets'
  | 'secondaryLoadBalancer'
  | 'secondaryTargets';

/** A digest of each part's desired state. */
export type Wishes = Readonly<Partial<Record<InfrastructurePart, string>>>;

const inOrder = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value;

/** A short hash of a part's desired state: equal states have equal hashes, in any order. `wish` is plain data. */
export const digestOf = (wish: unknown): string =>
  createHash('sha256').update(JSON.stringify(wish, inOrder)).digest('hex').slice(0, 16);

/** Whether a part was last complete with the desired state `wish`. */
export const hasSettledAs = (awsCluster: Pick<AWSCluster, 'metadata'>, part: InfrastructurePart, wish: unknown) =>
  read(awsCluster).get(part) === digestOf(wish);

const read = ({ metadata }: Pick<AWSCluster, 'metadata'>): Map<string, string> =>
  new Map(
    (metadata.annotations?.[SETTLED_ANNOTATION] ?? '')
      .split(',')
      .filter((entry) => entry.includes('='))
      .map((entry) => entry.split('=') as [string, string]),
  );

/** Whether a part was ever complete. */
export const hasSettled = (awsCluster: Pick<AWSCluster, 'metadata'>, part: InfrastructurePart): boolean =>
  read(awsCluster).has(part);

/**
 * Whether the resources of a kind of drift were complete with the desired state `wishes`, in the plan of the step that
 * creates `part`. Two steps plan the security groups.
 */
export const settledBy =
  (awsCluster: Pick<AWSCluster, 'metadata'>, wishes: Wishes, part: InfrastructurePart) =>
  (kind: DriftKind): boolean => {
    const concerned = kind === 'VpcOwnership' ? 'vpc' : kind.startsWith('SecurityGroup') ? 'securityGroups' : part;
    return wishes[concerned] !== undefined && read(awsCluster).get(concerned) === wishes[concerned];
  };

/** The AWSCluster with the parts of `wishes` recorded as complete. */
export const withSettled = (awsCluster: AWSCluster, wishes: Wishes): AWSCluster => {
  const entries = read(awsCluster);
  const news = Object.entries(wishes).filter(([part, digest]) => entries.get(part) !== digest);
  if (news.length === 0) return awsCluster;
  for (const [part, digest] of news) entries.set(part, digest);
  const text = [...entries].map(([name, value]) => `${name}=${value}`).join(',');
  const annotations = { ...awsCluster.metadata.annotations, [SETTLED_ANNOTATION]: text };
  return { ...awsCluster, metadata: { ...awsCluster.metadata, annotations } };
};

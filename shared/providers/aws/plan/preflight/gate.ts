import type { AWSCluster, Cluster, Machine } from '../../../../kinds/index.ts';
import { CHECKS, type Check, SKIP_ANNOTATION } from '../../../../kinds/rules/aws/wishes.ts';
import { digestOf } from '../drift/settled.ts';
import type { Wants } from './model.ts';
import type { Parts } from './wants.ts';

/**
 * An entry in the AWSCluster's record: digests of the needs that were found fulfilled: `network=1f3a…,machines=77b0…`.
 * The same needs are not checked again.
 */
const PASSED_ANNOTATION = 'windlass.dev/preflight';

const ALL = 'all';

const skippedNames = ({ metadata }: Pick<AWSCluster, 'metadata'>): string[] =>
  (metadata.annotations?.[SKIP_ANNOTATION] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Whether a user skips a check. */
export const isSkipped = (awsCluster: Pick<AWSCluster, 'metadata'>, check: Check): boolean => {
  const names = skippedNames(awsCluster);
  return names.includes(ALL) || names.includes(check);
};

/** Names in the annotation that are not checks, as a sentence; undefined if there are none. */
export const skipProblem = (awsCluster: Pick<AWSCluster, 'metadata'>): string | undefined => {
  const known: readonly string[] = [...CHECKS, ALL];
  const wrong = skippedNames(awsCluster).filter((name) => !known.includes(name));
  if (wrong.length === 0) return undefined;
  return `metadata.annotations[${SKIP_ANNOTATION}]: ${wrong.join(', ')} is none of ${known.join(', ')}`;
};

const passed = ({ metadata }: Pick<AWSCluster, 'metadata'>): Partial<Record<keyof Parts, string>> =>
  Object.fromEntries(
    (metadata.annotations?.[PASSED_ANNOTATION] ?? '')
      .split(',')
      .filter((entry) => entry.includes('='))
      .map((entry) => entry.split('=') as [string, string]),
  );

const isReady = ({ status }: AWSCluster, type: string): boolean =>
  status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

/** Whether a cluster is past the preflight checks; determined only from the AWSCluster. */
export const isPast = (cluster: Cluster, awsCluster: AWSCluster): boolean => {
  if (skippedNames(awsCluster).includes(ALL)) return true;
  if (cluster.status?.initialization?.controlPlaneInitialized) return true;
  return isReady(awsCluster, 'VpcReady') && passed(awsCluster).machines !== undefined;
};

/** Whether any needs were found fulfilled before: then the account may use the region. */
export const hasPassed = (awsCluster: AWSCluster): boolean =>
  isReady(awsCluster, 'VpcReady') || Object.keys(passed(awsCluster)).length > 0;

/**
 * The parts to check: the network before any of it is recorded, and the machines before one of them has an instance.
 */
export const openParts = (awsCluster: AWSCluster, machines: readonly Machine[]): Parts => {
  const { vpc } = awsCluster.spec.network ?? {};
  const hasGroups = Object.keys(awsCluster.status?.networkStatus?.securityGroups ?? {}).length > 0;
  const isLaunched = machines.some(({ spec }) => spec.providerID !== undefined);
  const isRecorded = isReady(awsCluster, 'VpcReady') || hasGroups || (Boolean(vpc?.id) && isLaunched);
  return { network: !isRecorded && !isLaunched, machines: !isLaunched };
};

const digests = ({ network, machines, subnets }: Wants): Partial<Record<keyof Parts, string>> => ({
  ...(network ? { network: digestOf({ network, subnets }) } : {}),
  ...(machines.length > 0 ? { machines: digestOf(machines) } : {}),
});

/** The needs that were not found fulfilled before. */
export const unpassed = (wants: Wants): Parts => {
  const [before, now] = [passed(wants.awsCluster), digests(wants)];
  const isOpen = (part: keyof Parts) => now[part] !== undefined && now[part] !== before[part];
  return { network: isOpen('network'), machines: isOpen('machines') };
};

/** The AWSCluster with all needs recorded as fulfilled. */
export const withPassed = (awsCluster: AWSCluster, wants: Wants): AWSCluster => {
  const entries = Object.entries({ ...passed(awsCluster), ...digests(wants) });
  const text = entries.map(([part, digest]) => `${part}=${digest}`).join(',');
  const annotations = { ...awsCluster.metadata.annotations, [PASSED_ANNOTATION]: text };
  return { ...awsCluster, metadata: { ...awsCluster.metadata, annotations } };
};

import { invalidValue } from '../../kube-api/field-error.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import type { FieldError } from '../../kube-api/resource.ts';

/**
 * Windlass's own annotation, on a Cluster: the policy for changes in the account that are made outside Windlass. It
 * contains `Report` for all kinds, or kinds by name, or both:
 * `Report,SecurityGroupRules=Repair,InstanceStopped=Repair`. A kind without its own or a general policy has the one in
 * the table below.
 */
export const ON_DRIFT = 'windlass.dev/on-drift';

/**
 * `Repair`: restores what the objects specify. `Report`: only reports. `Adopt`: changes the objects to the observed
 * state.
 */
export type DriftPolicy = 'Repair' | 'Report' | 'Adopt';

/** The policies that a kind of drift may have; the first is the default. */
export const DRIFT_POLICIES = {
  InstanceStopped: ['Report', 'Repair'],
  InstanceTerminated: ['Repair', 'Report'],
  InstanceType: ['Report', 'Repair'],
  InstanceTags: ['Repair', 'Report', 'Adopt'],
  InstanceSecurityGroups: ['Repair', 'Report', 'Adopt'],
  InstanceMetadataOptions: ['Repair', 'Report'],
  BootstrapSecret: ['Repair', 'Report'],
  UnknownInstance: ['Report', 'Repair'],
  SecurityGroup: ['Repair', 'Report'],
  SecurityGroupRules: ['Repair', 'Report', 'Adopt'],
  Route: ['Repair', 'Report'],
  NatGateway: ['Repair', 'Report'],
  Tags: ['Repair', 'Report'],
  VpcOwnership: ['Report', 'Repair'],
  Network: ['Repair', 'Report'],
  LoadBalancer: ['Repair', 'Report'],
  Listener: ['Repair', 'Report'],
  TargetGroup: ['Repair', 'Report'],
  Target: ['Repair', 'Report'],
  NodeDeleted: ['Report', 'Repair'],
  NodeMetadata: ['Repair'],
} as const satisfies Readonly<Record<string, readonly [DriftPolicy, ...DriftPolicy[]]>>;

export type DriftKind = keyof typeof DRIFT_POLICIES;

export const DRIFT_KINDS = Object.keys(DRIFT_POLICIES) as DriftKind[];

/** The policy of every kind of drift. */
export type DriftPolicies = Readonly<Record<DriftKind, DriftPolicy>>;

const POLICIES: readonly string[] = ['Repair', 'Report', 'Adopt'];

const allows = (kind: DriftKind, policy: string): policy is DriftPolicy =>
  (DRIFT_POLICIES[kind] as readonly string[]).includes(policy);

const wordsOf = ({ metadata }: Pick<KubeObject, 'metadata'>): string[] =>
  (metadata.annotations?.[ON_DRIFT] ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/**
 * The policies of a cluster. A general policy does not affect kinds that do not support it. Values that validation
 * would refuse are ignored.
 */
export const driftPoliciesOf = (cluster: Pick<KubeObject, 'metadata'>): DriftPolicies => {
  const words = wordsOf(cluster);
  const named = new Map(words.filter((word) => word.includes('=')).map((word) => word.split('=') as [string, string]));
  const forAll = words.find((word) => !word.includes('='));
  const policyOf = (kind: DriftKind): DriftPolicy => {
    const wanted = [named.get(kind), forAll].find((policy) => policy !== undefined && allows(kind, policy));
    return (wanted as DriftPolicy | undefined) ?? DRIFT_POLICIES[kind][0];
  };
  return Object.fromEntries(DRIFT_KINDS.map((kind) => [kind, policyOf(kind)])) as DriftPolicies;
};

const FIELD = `metadata.annotations[${ON_DRIFT}]`;

const checkWord = (word: string): FieldError[] => {
  const [name = '', policy, ...rest] = word.split('=').map((part) => part.trim());
  if (rest.length > 0) return [invalidValue(FIELD, word, 'must be a policy, or a kind of drift = its policy')];
  if (policy === undefined) {
    return POLICIES.includes(name) ? [] : [invalidValue(FIELD, word, `must be one of ${POLICIES.join(', ')}`)];
  }
  const kind = DRIFT_KINDS.find((known) => known === name);
  if (!kind) return [invalidValue(FIELD, word, `names no kind of drift; these are ${DRIFT_KINDS.join(', ')}`)];
  if (allows(kind, policy)) return [];
  if (policy === 'Adopt') {
    const adoptable = DRIFT_KINDS.filter((one) => allows(one, 'Adopt')).join(', ');
    return [
      invalidValue(FIELD, word, `drift of the kind ${kind} cannot be adopted; only ${adoptable} can (docs/drift.md)`),
    ];
  }
  return [invalidValue(FIELD, word, `the policy of ${kind} must be one of ${DRIFT_POLICIES[kind].join(', ')}`)];
};

/** Every word of the annotation must be valid, no kind may occur twice, and at most one word may be for all kinds. */
export const validateDriftPolicies = (object: Pick<KubeObject, 'metadata'>): FieldError[] => {
  const words = wordsOf(object);
  const heads = words.map((word) => (word.includes('=') ? (word.split('=')[0] ?? '').trim() : ''));
  const twice = words.find((_, index) => heads.indexOf(heads[index] ?? '') !== index);
  return [
    ...words.flatMap(checkWord),
    ...(twice === undefined ? [] : [invalidValue(FIELD, twice, 'repeats an earlier entry')]),
  ];
};

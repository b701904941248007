import { base as classSpec } from '../../../shared/kinds/cluster-class/test-class.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import { refusals } from '../../../shared/kinds/test-admission.ts';
import { isObject, type JsonObject } from '../../../shared/kube-api/json.ts';

/** A value that a CEL rule of upstream accepts and one that it refuses. Trials are found by the digest of the rule. */
interface Trial {
  /** The last field in the rule's path, which gets the value; '' means the rule's own path. */
  into: string;
  takes: unknown;
  refuses: unknown;
}

const machineConditions = (type: string): unknown => [{ type, status: 'False', timeoutSeconds: 60 }];
const partition = (fields: object): unknown => ({ partitions: [{ device: '/dev/sdb', ...fields }] });
const layoutOf = (partitionType: string): unknown => partition({ diskLayout: [{ percentage: 50, partitionType }] });
const withType = { instanceType: 't3.large', capacityReservationId: 'cr-0123' };

const TRIALS: Readonly<Record<string, Trial>> = {
  '47cc2b07': {
    into: '',
    takes: [{ name: 'v', value: '1' }],
    refuses: [
      { name: 'v', value: '1' },
      { name: 'v', value: '2' },
    ],
  },
  a9eccc7d: {
    into: 'diskSetup',
    takes: partition({ layout: true }),
    refuses: partition({ layout: true, diskLayout: [{ percentage: 50 }] }),
  },
  '03ac44a8': { into: 'diskSetup', takes: layoutOf('LinuxSwap'), refuses: layoutOf('Swap') },
  '34a6be11': {
    into: 'unhealthyMachineConditions',
    takes: machineConditions('NodeHealthy'),
    refuses: machineConditions('HealthCheckSucceeded'),
  },
  '08571527': {
    into: '',
    takes: [{ selector: { matchLabels: { a: 'b' } } }],
    refuses: [{ selector: { matchLabels: { a: 'b' } } }, { selector: { matchLabels: { a: 'b' } } }],
  },
  '6b988737': { into: '', takes: 'cagw-0123', refuses: 'gw-0123' },
  c9a77733: {
    into: 'elasticIpPool',
    takes: { publicIpv4Pool: 'ipv4pool-ec2-0123', publicIpv4PoolFallbackOrder: 'none' },
    refuses: { publicIpv4Pool: 'ipv4pool-ec2-0123', publicIpv4PoolFallbackOrder: 'any' },
  },
  '91392d0c': {
    into: '',
    takes: { ...withType, marketType: 'OnDemand' },
    refuses: { ...withType, marketType: 'Spot' },
  },
  c33995bc: { into: '', takes: withType, refuses: { ...withType, spotMarketOptions: { maxPrice: '1' } } },
};

const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 'a' };
const topology = {
  classRef: { name: 'a' },
  version: 'v1.34.0',
  workers: { machineDeployments: [{ class: 'a', name: 'a' }] },
};

/** Valid specs of the kinds that have CEL rules upstream. */
const SPECS: Readonly<Record<string, JsonObject>> = {
  AWSCluster: {},
  AWSClusterTemplate: { template: { spec: {} } },
  AWSMachine: { instanceType: 't3.large', publicIP: true },
  AWSMachineTemplate: { template: { spec: { instanceType: 't3.large', publicIP: true } } },
  Cluster: { topology },
  ClusterClass: classSpec as unknown as JsonObject,
  KubeadmConfig: {},
  KubeadmConfigTemplate: { template: { spec: {} } },
  KubeadmControlPlane: { version: 'v1.34.0', machineTemplate: { spec: { infrastructureRef } }, kubeadmConfigSpec: {} },
  KubeadmControlPlaneTemplate: { template: { spec: { kubeadmConfigSpec: {} } } },
  MachineDrainRule: { drain: { behavior: 'Drain' } },
  MachineHealthCheck: { clusterName: 'a', selector: { matchLabels: { a: 'b' } }, checks: {} },
};

/** Sets a value in an object at a path such as `spec.a[].b`. In a list, this changes the first item. */
const withValue = (object: JsonObject, [key = '', ...rest]: readonly string[], value: unknown): JsonObject => {
  if (rest.length === 0) return { ...object, [key]: value };
  const name = key.replace('[]', '');
  const found = object[name];
  const member = key.endsWith('[]') ? (found as JsonObject[])[0] : found;
  const changed = withValue(isObject(member) ? member : {}, rest, value);
  return { ...object, [name]: key.endsWith('[]') ? [changed] : changed };
};

/** The path at which a trial sets its value: the rule's path, or the part of it up to the field `into`. */
const placeOf = (path: string, into: string): string[] => {
  const parts = path.slice(1).split('.');
  return into === '' ? parts : parts.slice(0, parts.findIndex((part) => part.replace('[]', '') === into) + 1);
};

/**
 * Sets the accepted and the refused value of a CEL rule of upstream in a valid object, and returns the refusals of
 * admission for each. Throws an Error if there is no trial for the rule or no spec for the kind.
 */
export const tryRule = (kind: string, path: string, digest: string): { taken: string[]; refused: string[] } => {
  const definition = KINDS.find((each) => each.kind === kind);
  const trial = TRIALS[digest];
  const spec = SPECS[kind];
  if (!definition || !trial || !spec) throw new Error(`no trial for the rule ${digest} of ${kind} at ${path}`);
  const { group, version } = definition;
  const base: JsonObject = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'a' }, spec };
  const place = placeOf(path, trial.into).map((part, index, all) =>
    index === all.length - 1 ? part.replace('[]', '') : part,
  );
  return {
    taken: refusals(definition, withValue(base, place, trial.takes)),
    refused: refusals(definition, withValue(base, place, trial.refuses)),
  };
};

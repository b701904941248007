import { ADDONS_REASONS } from '../../../functions/cluster/addons/reasons.ts';
import {
  CLUSTER_REASONS,
  CONTROL_PLANE_REASONS,
  MACHINE_DEPLOYMENT_REASONS,
  MACHINE_SET_REASONS,
} from '../../../functions/cluster/objects/reasons.ts';
import { RANCHER_REASONS } from '../../../functions/cluster/rancher/reasons.ts';
import { TOPOLOGY_REASONS } from '../../../functions/cluster/topology/reasons.ts';
import { HEALTH_REASONS, REMEDIATION_REASONS, WORKLOAD_REASONS } from '../../../functions/cluster/workload/reasons.ts';
import { ROUTE_REASONS } from '../../../functions/cluster/workload/routes/reasons.ts';
import { SERVICE_REASONS } from '../../../functions/cluster/workload/services/reasons.ts';
import { SWEEP_REASONS } from '../../../functions/drift/reasons.ts';
import { INSTANCE_EVENT_REASONS } from '../../../functions/events/reasons.ts';
import { NODE_REASONS } from '../../../functions/machine/node/reasons.ts';
import { BOOTSTRAP_REASONS, MACHINE_REASONS } from '../../../functions/machine/objects/reasons.ts';
import { POOL_REASONS } from '../../../functions/pool/reasons.ts';
import { BUCKET_REASONS } from '../../../functions/providers/aws/bucket/reasons.ts';
import { AWS_SWEEP_REASONS } from '../../../functions/providers/aws/drift/reasons.ts';
import { BALANCING_GARBAGE_REASONS, VOLUME_REASONS } from '../../../functions/providers/aws/garbage/reasons.ts';
import { IDENTITY_REASONS } from '../../../functions/providers/aws/identity/reasons.ts';
import { INSTANCE_REASONS } from '../../../functions/providers/aws/instance/reasons.ts';
import { BALANCING_REASONS } from '../../../functions/providers/aws/load-balancer/reasons.ts';
import { AWS_POOL_REASONS } from '../../../functions/providers/aws/machine-pool/reasons.ts';
import { NETWORK_REASONS } from '../../../functions/providers/aws/network/reasons.ts';
import { BOOTSTRAP_REMAINS_REASONS } from '../../../functions/providers/aws/reasons.ts';
import { TARGET_REASONS } from '../../../functions/providers/aws/target/reasons.ts';
import { HOST_REASONS } from '../../../functions/providers/hosts/reasons.ts';
import { DISTRIBUTIONS } from '../../../shared/distributions/registry.ts';
import type { EventCatalogue, EventReason, EventType } from '../../../shared/events/catalogue.ts';
import { INFRASTRUCTURES } from '../../../shared/providers/registry.ts';

/** A catalogue, and the places where its reasons are recorded or decided: folders and files, relative to the root. */
export interface PlacedCatalogue {
  reasons: EventCatalogue;
  recordedIn: readonly string[];
}

const AWS = 'functions/providers/aws';

/** Every catalogue of the functions; test/architecture checks that none is missing. */
export const EVENT_CATALOGUES: readonly PlacedCatalogue[] = [
  { reasons: CLUSTER_REASONS, recordedIn: ['functions/cluster/objects/'] },
  {
    reasons: CONTROL_PLANE_REASONS,
    recordedIn: [
      'control-plane/control-plane',
      'control-plane/adopt',
      'machines/stranded',
      'machines/within-quota',
    ].map((file) => `functions/cluster/objects/${file}.ts`),
  },
  {
    reasons: MACHINE_SET_REASONS,
    recordedIn: ['workers/machine-set', 'workers/remediate-set', 'workers/adopt', 'machines/within-quota'].map(
      (file) => `functions/cluster/objects/${file}.ts`,
    ),
  },
  {
    reasons: MACHINE_DEPLOYMENT_REASONS,
    recordedIn: [
      'functions/cluster/objects/workers/machine-deployment.ts',
      'functions/cluster/objects/workers/adopt.ts',
      'shared/plan/rollout/operations.ts',
    ],
  },
  { reasons: ADDONS_REASONS, recordedIn: ['functions/cluster/addons/', 'shared/plan/addons/'] },
  { reasons: RANCHER_REASONS, recordedIn: ['functions/cluster/rancher/'] },
  { reasons: TOPOLOGY_REASONS, recordedIn: ['functions/cluster/topology/', 'shared/plan/topology/operations/'] },
  { reasons: HEALTH_REASONS, recordedIn: ['functions/cluster/workload/health.ts'] },
  { reasons: REMEDIATION_REASONS, recordedIn: ['functions/cluster/workload/remediate-control-plane.ts'] },
  { reasons: WORKLOAD_REASONS, recordedIn: ['functions/cluster/workload/'] },
  { reasons: ROUTE_REASONS, recordedIn: ['functions/cluster/workload/routes/'] },
  { reasons: SERVICE_REASONS, recordedIn: ['functions/cluster/workload/services/'] },
  { reasons: MACHINE_REASONS, recordedIn: ['functions/machine/objects/'] },
  { reasons: BOOTSTRAP_REASONS, recordedIn: ['functions/machine/objects/'] },
  { reasons: POOL_REASONS, recordedIn: ['functions/pool/', 'shared/plan/pools/'] },
  { reasons: NODE_REASONS, recordedIn: ['functions/machine/node/'] },
  {
    reasons: NETWORK_REASONS,
    recordedIn: [`${AWS}/network/`, `${AWS}/infrastructure/`, 'shared/providers/aws/network/'],
  },
  {
    reasons: BALANCING_REASONS,
    recordedIn: [
      `${AWS}/load-balancer/`,
      `${AWS}/infrastructure/`,
      `${AWS}/addresses.ts`,
      'shared/providers/aws/load-balancer/',
    ],
  },
  { reasons: BUCKET_REASONS, recordedIn: [`${AWS}/bucket/`] },
  { reasons: IDENTITY_REASONS, recordedIn: [`${AWS}/identity/`] },
  { reasons: BALANCING_GARBAGE_REASONS, recordedIn: [`${AWS}/garbage/`] },
  { reasons: VOLUME_REASONS, recordedIn: [`${AWS}/garbage/`] },
  { reasons: INSTANCE_REASONS, recordedIn: [`${AWS}/instance/`, `${AWS}/addresses.ts`] },
  { reasons: BOOTSTRAP_REMAINS_REASONS, recordedIn: [`${AWS}/bootstrap-remains.ts`] },
  { reasons: AWS_POOL_REASONS, recordedIn: [`${AWS}/machine-pool/`] },
  { reasons: HOST_REASONS, recordedIn: ['functions/providers/hosts/'] },
  { reasons: TARGET_REASONS, recordedIn: [`${AWS}/target/`] },
  {
    reasons: SWEEP_REASONS,
    recordedIn: ['functions/drift/', `${AWS}/drift/`, 'shared/plan/drift/', 'shared/providers/aws/plan/drift/'],
  },
  { reasons: AWS_SWEEP_REASONS, recordedIn: [`${AWS}/drift/`] },
  {
    reasons: INSTANCE_EVENT_REASONS,
    recordedIn: ['functions/events/', 'functions/drift/', 'shared/providers/aws/plan/'],
  },
];

/** The kinds with a role that the core knows only through the contract. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  ControlPlane: DISTRIBUTIONS.map(({ controlPlane }) => controlPlane.kind),
  BootstrapConfig: DISTRIBUTIONS.map(({ config }) => config.kind),
  InfrastructureMachineTemplate: INFRASTRUCTURES.map(({ machineTemplate }) => machineTemplate.kind),
};

export interface EventRow {
  kind: string;
  reason: string;
  type: EventType;
  /** The sentences of all catalogues that have the reason. */
  when: string;
}

const rowsOf = (reason: string, { type, on }: EventReason): EventRow[] =>
  Object.entries(on).flatMap(([part, when]) => (PARTS[part] ?? [part]).map((kind) => ({ kind, reason, type, when })));

/** `A. Or: b.`, from the different sentences; abbreviations such as EC2 keep their capital letter. */
const alternatives = (sentences: readonly string[]): string =>
  sentences
    .map((sentence, at) => (at === 0 ? sentence : sentence.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase())))
    .join(' Or: ');

const merged = (rows: readonly EventRow[]): EventRow => {
  const [first] = rows as readonly [EventRow, ...EventRow[]];
  return { ...first, when: alternatives([...new Set(rows.map(({ when }) => when))]) };
};

/** All reasons, by the kinds on which they are recorded, once for each kind. */
export const eventRows = (catalogues: readonly PlacedCatalogue[] = EVENT_CATALOGUES): EventRow[] => {
  const rows = catalogues.flatMap(({ reasons }) =>
    Object.entries(reasons).flatMap(([reason, entry]) => rowsOf(reason, entry)),
  );
  const same = Map.groupBy(rows, ({ kind, reason, type }) => JSON.stringify([kind, reason, type]));
  return [...same.values()].map(merged);
};

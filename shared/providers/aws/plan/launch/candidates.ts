import type { AWSMachine, Machine } from '../../../../kinds/index.ts';
import { INSTANCE_TYPES_ANNOTATION } from '../../../../kinds/rules/aws/instance-types-annotation.ts';
import { isControlPlaneMachine } from '../../../../plan/labels.ts';
import { isSpot } from './market.ts';
import type { LaunchPlace } from './subnet.ts';

/** A possible launch of a machine: one type in one place. */
export interface Candidate {
  instanceType: string;
  place: LaunchPlace;
}

/** EC2 had no capacity for a type in a place. It has created nothing. */
export interface CapacityRefusal {
  instanceType: string;
  zone?: string;
  subnetId: string;
  /** Spot capacity is a separate pool. */
  isSpot: boolean;
  code: string;
  /** RFC 3339. */
  at: string;
}

/** How long a type without capacity is not requested again. */
const REMEMBERED_MILLISECONDS = 180_000;

/** The types that a machine may have, the preferred one first. */
export const instanceTypes = ({ metadata, spec }: AWSMachine): string[] => {
  const others = (metadata.annotations?.[INSTANCE_TYPES_ANNOTATION] ?? '').split(',').map((type) => type.trim());
  return [...new Set([spec.instanceType, ...others])].filter((type) => type !== '');
};

/**
 * Every type in every place, the best first. A worker keeps its type as long as any zone has it. A control plane
 * machine keeps its zone as long as that has any of its types, because the quorum must survive the loss of a zone.
 */
export const candidates = (
  { metadata }: Machine,
  infrastructure: AWSMachine,
  places: readonly LaunchPlace[],
): Candidate[] => {
  const types = instanceTypes(infrastructure);
  return isControlPlaneMachine({ metadata })
    ? places.flatMap((place) => types.map((instanceType) => ({ instanceType, place })))
    : types.flatMap((instanceType) => places.map((place) => ({ instanceType, place })));
};

/**
 * Whether a refusal applies to a candidate: refusals about the subnet, or about the type in any place; all others are
 * about the type in the zone.
 */
const concerns = (refusal: CapacityRefusal, { instanceType, place }: Candidate, spot: boolean): boolean => {
  if (refusal.code === 'InsufficientFreeAddressesInSubnet') return refusal.subnetId === place.id;
  if (refusal.isSpot !== spot || refusal.instanceType !== instanceType) return false;
  return refusal.code === 'MaxSpotInstanceCountExceeded' || refusal.zone === place.zone;
};

/** Codes about the capacity that all machines share; others may be about what the machine requests. */
const COMMON: ReadonlySet<string> = new Set([
  'InsufficientInstanceCapacity',
  'InsufficientCapacity',
  'UnfulfillableCapacity',
  'InsufficientFreeAddressesInSubnet',
  'MaxSpotInstanceCountExceeded',
]);

/** Whether the machine uses that capacity, and not a host, a reservation or a group that it names. */
export const takesCommonCapacity = ({ spec }: AWSMachine): boolean =>
  (spec.tenancy ?? 'default') === 'default' &&
  spec.marketType !== 'CapacityBlock' &&
  spec.capacityReservationPreference !== 'CapacityReservationsOnly' &&
  !(spec.hostID || spec.dynamicHostAllocation || spec.capacityReservationId || spec.placementGroupName);

/** Whether the refusal for a machine also applies to other machines, which may belong to other tenants. */
export const concernsOthers = (machine: AWSMachine, { code }: CapacityRefusal): boolean =>
  COMMON.has(code) && takesCommonCapacity(machine);

/** The refusals that still apply. */
export const recent = (refusals: readonly CapacityRefusal[], now: Date): CapacityRefusal[] =>
  refusals.filter(({ at }) => now.getTime() - Date.parse(at) < REMEMBERED_MILLISECONDS);

/** The first candidate that is not excluded; `refusals` are recent ones. */
export const nextCandidate = (
  all: readonly Candidate[],
  infrastructure: AWSMachine,
  refusals: readonly CapacityRefusal[],
): Candidate | undefined =>
  all.find((candidate) => !refusals.some((refusal) => concerns(refusal, candidate, isSpot(infrastructure))));

/**
 * If everything was refused a moment ago, the candidate with the oldest refusal is tried again, so that a machine is
 * never left without an attempt.
 */
export const leastRecentlyRefused = (
  all: readonly Candidate[],
  infrastructure: AWSMachine,
  refusals: readonly CapacityRefusal[],
): Candidate | undefined => {
  const lastRefusal = (candidate: Candidate): string =>
    refusals
      .filter((refusal) => concerns(refusal, candidate, isSpot(infrastructure)))
      .reduce((latest, { at }) => (at > latest ? at : latest), '');
  return [...all].sort((a, b) => (lastRefusal(a) < lastRefusal(b) ? -1 : 1))[0];
};

/** `t3.large in us-east-1a`, the form of candidates in events and conditions. */
export const describeCandidate = (instanceType: string, zone: string | undefined): string =>
  zone ? `${instanceType} in ${zone}` : instanceType;

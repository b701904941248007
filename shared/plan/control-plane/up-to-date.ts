import { isDeepStrictEqual } from 'node:util';
import type { BootstrapConfig, ControlPlane } from '../../kinds/contract-objects.ts';
import type { Machine } from '../../kinds/index.ts';
import type { InfrastructureMachine } from '../../kinds/infrastructure.ts';
import type { Reference } from '../../kinds/reference.ts';
import { replacementReason } from '../instance-events/response.ts';
import { ANNOTATION, GROUP } from '../labels.ts';
import type { DistributionRules, RolloutDates } from './distribution-rules.ts';

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * The properties by which a control plane machine is compared. Objects that were not found are undefined and cause no
 * change.
 */
export interface ControlPlaneMachineFacts {
  distribution: DistributionRules;
  controlPlane: ControlPlane;
  machine: Machine;
  config: BootstrapConfig | undefined;
  infrastructure: InfrastructureMachine | undefined;
}

/** When a machine must be replaced because of its certificates (`spec.rollout.before.certificatesExpiryDays`). */
export const certificatesDueAt = (
  { certificatesExpiryDays: days }: RolloutDates,
  { status }: Machine,
): Date | undefined => {
  const expiry = Date.parse(status?.certificatesExpiryDate ?? '');
  return days === undefined || Number.isNaN(expiry) ? undefined : new Date(expiry - days * DAY_MILLISECONDS);
};

const isRolloutAfterDue = (dates: RolloutDates, { metadata }: Machine, now: Date): boolean => {
  const after = Date.parse(dates.after ?? '');
  return Date.parse(metadata.creationTimestamp ?? '') < after && after < now.getTime();
};

/** A machine without the annotation was created by another program, so its absence proves nothing. */
const isMarkedOtherwise = ({ metadata }: Machine, wanted: Readonly<Record<string, string>>): boolean =>
  Object.entries(wanted).some(([key, value]) => (metadata.annotations?.[key] ?? value) !== value);

const isSameConfig = (distribution: DistributionRules, is: object | undefined, controlPlane: ControlPlane): boolean =>
  distribution.isSameConfig?.(is, controlPlane) ??
  isDeepStrictEqual(is ?? {}, distribution.configSpecOf(controlPlane) ?? {});

/** An object without the annotations of a clone was created by another program, so their absence proves nothing. */
const isClonedFromOther = (
  infrastructure: InfrastructureMachine | undefined,
  { apiGroup, kind, name }: Reference,
): boolean => {
  const { [ANNOTATION.clonedFromName]: from, [ANNOTATION.clonedFromGroupKind]: groupKind } =
    infrastructure?.metadata.annotations ?? {};
  if (from === undefined) return false;
  return from !== name || (groupKind !== undefined && groupKind !== `${kind}.${apiGroup ?? GROUP.infrastructure}`);
};

/**
 * Why a control plane machine is not up to date, with upstream's messages and order
 * (controlplane/kubeadm/pkg/filters.go), followed by the reason that the cloud has announced the end of its instance;
 * empty if it is up to date.
 */
export const outdatedReasons = (
  { distribution, controlPlane, machine, config, infrastructure }: ControlPlaneMachineFacts,
  now: Date,
): string[] => {
  const wanted = controlPlane.spec;
  const { version } = machine.spec;
  const dates = distribution.rolloutDates(controlPlane);
  const due = certificatesDueAt(dates, machine);
  const isOtherTemplate = isClonedFromOther(infrastructure, wanted.machineTemplate.spec.infrastructureRef);
  const isOtherConfig =
    isMarkedOtherwise(machine, distribution.machineAnnotations?.(controlPlane) ?? {}) ||
    (config !== undefined && !isSameConfig(distribution, config.spec, controlPlane));
  return [
    ...(due !== undefined && due.getTime() < now.getTime() ? ['Certificates will expire soon'] : []),
    ...(isRolloutAfterDue(dates, machine, now) ? [`${distribution.controlPlane.kind} spec.rolloutAfter expired`] : []),
    ...(version === wanted.version ? [] : [`Version ${version}, ${wanted.version} required`]),
    ...(isOtherConfig ? [`${distribution.config.kind} is not up-to-date`] : []),
    ...(isOtherTemplate ? [`${infrastructure?.kind} is not up-to-date`] : []),
    ...replacementReason(machine, controlPlane),
  ];
};

import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Machine } from '../../kinds/index.ts';
import { ANNOTATION } from '../labels.ts';
import { isFormed } from './plan.ts';

/**
 * The record of a remediation: in `remediation-in-progress` of the control plane until the machine that completes it is
 * created, and then in `remediation-for` of that machine.
 */
export interface RemediationData {
  /** The machine that was remediated. */
  machine: string;
  /** RFC 3339. */
  timestamp: string;
  /** The number of earlier attempts for the same machine or its predecessors. */
  retryCount: number;
}

const isData = (value: unknown): value is RemediationData => {
  const { machine, timestamp, retryCount } = (value ?? {}) as Partial<RemediationData>;
  return typeof machine === 'string' && typeof timestamp === 'string' && Number.isInteger(retryCount ?? 0);
};

/** Invalid text counts as absent, because it must not prevent the remediation of a control plane forever. */
const parse = (text: string | undefined): RemediationData | undefined => {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isData(value) ? { ...value, retryCount: value.retryCount ?? 0 } : undefined;
  } catch {
    return undefined;
  }
};

/** The remediation that a control plane has started, if its new machine is not created yet. */
export const inProgress = ({ metadata }: ControlPlane): RemediationData | undefined =>
  parse(metadata.annotations?.[ANNOTATION.remediationInProgress]);

/** The remediation for which this machine was created. */
export const remediationFor = ({ metadata }: Machine): RemediationData | undefined =>
  parse(metadata.annotations?.[ANNOTATION.remediationFor]);

/** The control plane with a remediation in progress, or with none. */
export const withRemediation = <T extends ControlPlane>(controlPlane: T, data: RemediationData | undefined): T => {
  const { [ANNOTATION.remediationInProgress]: _before, ...rest } = controlPlane.metadata.annotations ?? {};
  const annotations = data ? { ...rest, [ANNOTATION.remediationInProgress]: JSON.stringify(data) } : rest;
  return { ...controlPlane, metadata: { ...controlPlane.metadata, annotations } };
};

/**
 * A new machine, the one at this position among those that are created together. The first is marked as completing the
 * remediation in progress, if there is one. Before the control plane is initialized all are marked: any of them may
 * become the one that initializes it, and only that one can be remediated again.
 */
export const completing = (controlPlane: ControlPlane, machine: Machine, at: number): Machine => {
  const data = inProgress(controlPlane);
  if (!data || (at > 0 && isFormed(controlPlane))) return machine;
  const annotations = { ...machine.metadata.annotations, [ANNOTATION.remediationFor]: JSON.stringify(data) };
  return { ...machine, metadata: { ...machine.metadata, annotations } };
};

const bornAt = ({ metadata }: Machine): number => Date.parse(metadata.creationTimestamp ?? '') || 0;

/**
 * Whether a remediation in progress is obsolete: a machine was created since then, or the control plane is complete
 * without the remediated machine, so that none will be created. `wanted`: the number of machines, including the surge
 * of a rollout.
 */
export const isStale = (data: RemediationData, machines: readonly Machine[], wanted: number): boolean => {
  const since = Date.parse(data.timestamp);
  const isThere = machines.some(({ metadata }) => metadata.name === data.machine);
  return machines.some((machine) => bornAt(machine) > since) || (!isThere && machines.length >= wanted);
};

/** `status.lastRemediation`: the one in progress, or else the latest for which one of the machines was created. */
export const lastRemediation = (
  controlPlane: ControlPlane,
  machines: readonly Machine[],
): { machine: string; time: string; retryCount: number } | undefined => {
  const known = machines
    .flatMap((machine) => remediationFor(machine) ?? [])
    .sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
  const last = inProgress(controlPlane) ?? known[0];
  return last && { machine: last.machine, time: last.timestamp, retryCount: last.retryCount };
};

import { isObject, type JsonObject } from '../../../kube-api/json.ts';
import { secondsOf } from '../../v1beta1/duration.ts';

/**
 * The conditions with which v1beta1 reports a deletion. They are derived from the condition Deleting and the times of
 * its stages.
 */

interface Stage {
  type: string;
  /** The reason of the condition Deleting while the machine is in this stage. */
  reason: string;
  /** The reason of this condition in that stage. */
  waiting: string;
  start: string;
  timeout?: string;
}

const STAGES: readonly Stage[] = [
  {
    type: 'PreDrainDeleteHookSucceeded',
    reason: 'WaitingForPreDrainHook',
    waiting: 'WaitingExternalHook',
    start: 'waitForPreDrainHookStartTime',
  },
  {
    type: 'DrainingSucceeded',
    reason: 'DrainingNode',
    waiting: 'Draining',
    start: 'nodeDrainStartTime',
    timeout: 'nodeDrainTimeout',
  },
  {
    type: 'VolumeDetachSucceeded',
    reason: 'WaitingForVolumeDetach',
    waiting: 'WaitingForVolumeDetach',
    start: 'waitForNodeVolumeDetachStartTime',
    timeout: 'nodeVolumeDetachTimeout',
  },
  {
    type: 'PreTerminateDeleteHookSucceeded',
    reason: 'WaitingForPreTerminateHook',
    waiting: 'WaitingExternalHook',
    start: 'waitForPreTerminateHookStartTime',
  },
];

/** The reasons after all of these stages. */
const LATER = ['WaitingForInfrastructureDeletion', 'WaitingForBootstrapDeletion', 'DeletingNode', 'DeletionCompleted'];

const FAILED_DRAIN = 'Error draining Node: ';

const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const waiting = ({ type, waiting: reason }: Stage, since: string, message: string): JsonObject => {
  const hasFailed = message.startsWith(FAILED_DRAIN);
  return {
    type,
    status: 'False',
    lastTransitionTime: since,
    severity: hasFailed ? 'Warning' : 'Info',
    reason: hasFailed ? 'DrainingFailed' : reason,
    ...(reason !== 'WaitingExternalHook' && message ? { message: message.slice(0, 10240) } : {}),
  };
};

/** The condition of a completed stage: it has succeeded or timed out. Undefined if unknown. */
const over = (stage: Stage, from: string, to: string, spec: JsonObject): JsonObject | undefined => {
  const { type, timeout } = stage;
  const limit = timeout && from ? secondsOf(textOf(spec[timeout])) : 0;
  if (limit > 0 && !to) return undefined;
  if (limit > 0 && Date.parse(to) - Date.parse(from) >= limit * 1000) {
    return waiting(stage, from, `Not completed within ${timeout} (${textOf(spec[timeout ?? ''])})`);
  }
  return { type, status: 'True', lastTransitionTime: to || from };
};

/** When each stage began, in their order; empty for stages that have not begun. */
type Times = readonly string[];

/**
 * The condition of a stage before the current one. Hooks before the drain have succeeded, even if there were none, as
 * soon as the node was changed; the last hooks have as soon as the infrastructure is deleted.
 */
const before = (index: number, times: Times, began: string, spec: JsonObject): JsonObject[] => {
  const stage = STAGES[index] as Stage;
  const isNodes = index > 0 && index < STAGES.length - 1;
  const wasThere = isNodes ? times[index] !== '' : index > 0 || times.slice(0, 3).some(Boolean);
  if (!wasThere) return [];
  const next = times.slice(index + 1).find(Boolean) ?? '';
  const told = over(stage, times[index] || began, isNodes ? next : next || began, spec);
  return told ? [told] : [];
};

/** The conditions of a machine in v1beta1, whose body also contains those of v1beta2. */
export const deletionConditions = ({ spec, status }: JsonObject): JsonObject[] => {
  const { deletion, v1beta2 } = fieldsOf(status);
  const { conditions } = fieldsOf(v1beta2);
  const known = Array.isArray(conditions) ? conditions.filter(isObject) : [];
  const deleting = known.find(({ type, status: value }) => type === 'Deleting' && value === 'True');
  if (!deleting) return [];
  const reason = textOf(deleting.reason);
  const began = textOf(deleting.lastTransitionTime);
  const times = STAGES.map(({ start }) => textOf(fieldsOf(deletion)[start]));
  const at = LATER.includes(reason) ? STAGES.length : STAGES.findIndex((stage) => stage.reason === reason);
  return STAGES.slice(0, at + 1).flatMap((stage, index) =>
    index === at
      ? [waiting(stage, times[index] || began, textOf(deleting.message))]
      : before(index, times, began, fieldsOf(spec)),
  );
};

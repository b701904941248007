import { recordEvent } from '../../../../shared/events/record.ts';
import { type AWSMachine, kinds } from '../../../../shared/kinds/index.ts';
import { withObservation } from '../../../../shared/plan/machines/status.ts';
import type { Finding } from '../../../../shared/providers/aws/plan/drift/states.ts';
import { observed } from '../../../../shared/providers/aws/plan/instance-facts.ts';
import { withInstance } from '../../../../shared/providers/aws/plan/launch/instance.ts';
import type { DriftDependencies } from '../../../drift/dependencies.ts';

/** Reasons of the AWSMachine's InstanceReady condition, for the events. */
const REASONS: Readonly<Record<string, string>> = {
  running: 'InstanceRunning',
  stopped: 'InstanceStopped',
  stopping: 'InstanceStopped',
};

const sentence = ({ instanceId, state, isAbsent }: Finding): string =>
  isAbsent
    ? `Instance ${instanceId} does not exist any more; it was not terminated by Windlass`
    : `Instance ${instanceId} is ${state}; this was not done by Windlass`;

/** The AWSMachine with the instance's state, unless it got another instance, is going or is known to be gone meanwhile. */
const withState = (current: AWSMachine, { instanceId, state, infrastructure }: Finding, now: Date) => {
  if (current.spec.instanceID !== instanceId || current.metadata.deletionTimestamp) return undefined;
  if (current.metadata.uid !== infrastructure.metadata.uid) return undefined;
  if (current.status?.instanceState === 'terminated') return undefined;
  return withInstance(current, { InstanceId: instanceId, State: { Name: state as 'terminated' } }, now);
};

/**
 * Writes what was found on the Machine and the AWSMachine, and tells of it in the name of `component`. False when it is
 * out of date already. The AWSMachine comes last, because nobody looks again at what it says: whoever dies before that
 * leaves all of it to the next look. The caller has pledged that the cluster is touched.
 */
export const mark = async (
  { objects, clock }: Pick<DriftDependencies, 'objects' | 'clock'>,
  finding: Finding,
  component: string,
): Promise<boolean> => {
  const { machine, state } = finding;
  const { namespace = '', name, uid } = machine.metadata;
  const now = clock.now();
  const key = { namespace, name: finding.infrastructure.metadata.name };
  const current = await objects.get(kinds.awsMachine, key);
  const infrastructure = current && withState(current, finding, now);
  if (!infrastructure) return false;
  const reason = REASONS[state] ?? 'InstanceTerminated';
  const type = state === 'running' ? 'Normal' : 'Warning';
  const message = sentence(finding);
  await recordEvent(objects, { regarding: machine, type, reason, message, component }, clock);
  await objects.mutate(kinds.machine, { namespace, name }, (known) =>
    known.metadata.uid === uid ? withObservation(known, observed(infrastructure), now) : undefined,
  );
  const written = await objects.mutate(kinds.awsMachine, key, (known) => withState(known, finding, now), {
    from: current,
  });
  return written?.status?.instanceState === state;
};

import type { Clock } from '../../../shared/clock.ts';
import { recordEvent } from '../../../shared/events/record.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { InfrastructureMachine } from '../../../shared/kinds/infrastructure.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import type { StateFinding } from '../../../shared/plan/drift/finding.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import type { Infrastructure } from '../../../shared/providers/infrastructure.ts';

/**
 * The infrastructure machine with the finding, unless it is another object by now, is being deleted, or has changed
 * since.
 */
const withFinding = (current: InfrastructureMachine, { infrastructure, apply }: StateFinding, now: Date) => {
  if (current.metadata.uid !== infrastructure.metadata.uid || current.metadata.deletionTimestamp) return undefined;
  return apply(current, now);
};

/**
 * Writes the observed state to the Machine and to its infrastructure machine, and records an event with the given
 * `component`. False if the finding is outdated. The infrastructure machine is written last, because its state is not
 * checked again: after a crash before that write, the next sweep repeats everything. The caller has pledged a touch of
 * the cluster. If another writer was faster, the Machine takes over what that writer has written.
 */
export const mark = async (
  { objects, clock }: { objects: ObjectClient; clock: Clock },
  provider: Infrastructure,
  finding: StateFinding,
  component: string,
): Promise<boolean> => {
  const { machine } = finding;
  const { namespace = '', name, uid } = machine.metadata;
  const now = clock.now();
  const key = { namespace, name: finding.infrastructure.metadata.name };
  const current = await objects.get(provider.machine, key);
  const infrastructure = current && withFinding(current, finding, now);
  if (!infrastructure) return false;
  await recordEvent(objects, { regarding: machine, component, ...finding.event }, clock);
  const show = (seen: InfrastructureMachine) =>
    objects.mutate(kinds.machine, { namespace, name }, (known) =>
      known.metadata.uid === uid
        ? withObservation(known, { infrastructure: seen, zone: provider.instance(seen).zone }, now)
        : undefined,
    );
  await show(infrastructure);
  let other: InfrastructureMachine | undefined;
  const written = await objects.mutate(
    provider.machine,
    key,
    (known) => {
      const next = withFinding(known, finding, now);
      other = next ? undefined : known;
      return next;
    },
    { from: current },
  );
  if (other) await show(other);
  return !other && written !== undefined && finding.isRecorded(written);
};

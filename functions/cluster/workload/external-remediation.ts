/** Remediation by an external controller: it watches requests, which are created from the check's template. */
import type { Machine, MachineHealthCheck } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import { StatusError } from '../../../shared/kube-api/status-error.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { outsideKind } from '../../../shared/outside/kinds.ts';
import { requestOf } from '../../../shared/plan/health/request.ts';
import { type ConditionClaim, findCondition } from '../../../shared/plan/status/conditions.ts';
import { isOwnedBy } from '../owners.ts';

type TemplateRef = NonNullable<NonNullable<MachineHealthCheck['spec']['remediation']>['templateRef']>;

const TYPE = 'ExternallyRemediated';

const claim = (reason: string, message = ''): ConditionClaim => ({ type: TYPE, status: 'False', reason, message });

const kindOf = ({ apiVersion }: TemplateRef, kind: string) => {
  const [group = '', version = ''] = apiVersion.split('/');
  return outsideKind('remediation', group, kind, version);
};

const requestKindOf = (ref: TemplateRef) => kindOf(ref, ref.kind.replace(/Template$/, ''));

/**
 * Creates the request for an unhealthy machine unless it exists, and returns the condition of the machine, as upstream
 * does (core/reconcilers/machinehealthcheck). While the request exists, the condition stays as the controller has set
 * it.
 */
export const requestRemediation = async (
  { objects }: { objects: ObjectClient },
  machine: Machine,
  ref: TemplateRef,
): Promise<ConditionClaim> => {
  const kind = requestKindOf(ref);
  const before = findCondition(machine.status?.conditions, TYPE);
  const existing = await objects.get(kind, keyOf(machine));
  if (existing && isOwnedBy(existing, machine)) return before ?? claim('WaitingForRemediation');
  const { namespace } = keyOf(machine);
  const template = await objects.get(kindOf(ref, ref.kind), { namespace, name: ref.name });
  if (!template)
    return claim(
      'RemediationTemplateNotFound',
      `Error retrieving remediation template ${ref.kind} ${namespace}/${ref.name}`,
    );
  if (existing)
    return claim(
      'RemediationRequestCreationFailed',
      `${kind.kind} ${existing.metadata.name} does not belong to this Machine`,
    );
  try {
    await objects.ensure(kind, requestOf(machine, template, ref));
    return claim('WaitingForRemediation');
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return claim('RemediationRequestCreationFailed', error.message);
  }
};

/**
 * Deletes the request of a machine that is healthy again. Machines without the condition never had one, so nothing is
 * read.
 */
export const endRemediation = async (
  { objects }: { objects: ObjectClient },
  machine: Machine,
  ref: TemplateRef,
): Promise<void> => {
  if (!findCondition(machine.status?.conditions, TYPE)) return;
  const request = await objects.get(requestKindOf(ref), keyOf(machine));
  if (!request || request.metadata.deletionTimestamp || !isOwnedBy(request, machine)) return;
  await objects.delete(requestKindOf(ref), request);
};

import { formatTime } from '../object.ts';
import { hasUsableBundle } from '../webhooks/client-config.ts';
import { type CustomDefinition, type DefinitionCondition, type DefinitionStatus, isEstablished } from './definition.ts';
import { acceptNames, type UsedNames } from './names.ts';

type Said = Pick<DefinitionCondition, 'status' | 'reason' | 'message'>;

/** The conditions with one of them replaced. Its time only changes with its status. */
const withCondition = (
  conditions: readonly DefinitionCondition[],
  type: string,
  said: Said,
  now: Date,
): DefinitionCondition[] => {
  const before = conditions.find((condition) => condition.type === type);
  const lastTransitionTime = before?.status === said.status ? before.lastTransitionTime : formatTime(now);
  const next = { type, status: said.status, lastTransitionTime, reason: said.reason, message: said.message };
  return before ? conditions.map((condition) => (condition === before ? next : condition)) : [...conditions, next];
};

const ACCEPTED: Said = { status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
const ESTABLISHED: Said = {
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const NOT_ESTABLISHED: Said = { status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
const NO_AUTHORITY: Said = {
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
};

/** Once a definition is established, it remains so. */
const establishment = (definition: CustomDefinition, hasConflict: boolean): Said => {
  if (isEstablished(definition)) return ESTABLISHED;
  if (hasConflict) return NOT_ESTABLISHED;
  return hasUsableBundle(definition.spec.conversion?.webhook?.clientConfig ?? {}) ? ESTABLISHED : NO_AUTHORITY;
};

/** The versions in which objects may be stored: the previous ones, and the current one. */
const storedVersions = ({ spec, status }: CustomDefinition): string[] => {
  const storage = spec.versions.find((version) => version.storage)?.name;
  const before = status?.storedVersions ?? [];
  return storage === undefined || before.includes(storage) ? before : [...before, storage];
};

/**
 * The status of a definition that is about to be stored. Upstream's controllers write it within moments; here it is
 * stored with the definition, which is served when its creation is answered. Pure.
 */
export const statusOf = (definition: CustomDefinition, used: UsedNames, now: Date): DefinitionStatus => {
  const { accepted, conflict } = acceptNames(definition, used);
  const before = definition.status?.conditions ?? [];
  const names: Said = conflict ? { status: 'False', ...conflict } : ACCEPTED;
  const established = establishment(definition, conflict !== undefined);
  return {
    ...definition.status,
    conditions: withCondition(withCondition(before, 'NamesAccepted', names, now), 'Established', established, now),
    acceptedNames: accepted,
    storedVersions: storedVersions(definition),
  };
};

/** A definition that is being deleted: nothing new is stored, and it is removed after its objects. Pure. */
export const terminating = (definition: CustomDefinition, finalizer: string, now: Date): CustomDefinition => {
  const finalizers = definition.metadata.finalizers ?? [];
  const said: Said = {
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  };
  return {
    ...definition,
    metadata: {
      ...definition.metadata,
      finalizers: finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer],
    },
    status: {
      ...definition.status,
      conditions: withCondition(definition.status?.conditions ?? [], 'Terminating', said, now),
    },
  };
};

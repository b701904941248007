import { isDeepStrictEqual } from 'node:util';
import type { CallExtension } from '../../shared/extensions/transport.ts';
import type { ClusterClass } from '../../shared/kinds/cluster-class/schema.ts';
import { validateVariables } from '../../shared/kinds/cluster-class/validate-variables.ts';
import { type ClassVariable, variables as variablesSchema } from '../../shared/kinds/cluster-class/variable-schema.ts';
import {
  type DiscoveringPatch,
  discoveringPatches,
  mergeDefinitions,
} from '../../shared/kinds/cluster-class/variables/discovered.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { summarize } from '../../shared/kube-api/field-error.ts';
import { isObject } from '../../shared/kube-api/json.ts';
import { keyOf } from '../../shared/kube-api/object.ts';
import { type ConditionClaim, withConditions } from '../../shared/plan/status/conditions.ts';
import { askHandler, type ExtensionDependencies, type Installed } from './installed.ts';

interface Discovered {
  patch: string;
  variables: ClassVariable[];
}

/** The errors in the variables of an answer; `[]` if there are none. */
const faultsOf = (patch: string, variables: readonly ClassVariable[]): string[] => {
  const errors = validateVariables(variables).map((error) => ({
    ...error,
    field: error.field.replace(/^spec\.variables/, `${patch}.variables`),
  }));
  return errors.length > 0 ? [summarize(errors)] : [];
};

const readVariables = (patch: string, given: unknown): { variables: ClassVariable[] } | { error: string } => {
  if (given === undefined || given === null) return { variables: [] };
  if (Array.isArray(given) && given.length === 0) return { variables: [] };
  // Upstream's types omit it if it is false.
  const complete = Array.isArray(given) ? given.map((it) => (isObject(it) ? { required: false, ...it } : it)) : given;
  const read = variablesSchema.safeParse(complete);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { error: `${patch}.variables.${issue?.path.join('.')}: Invalid value: ${issue?.message}` };
  }
  const variables = complete as ClassVariable[];
  const [error] = faultsOf(patch, variables);
  return error === undefined ? { variables } : { error };
};

const ask = async (
  call: CallExtension,
  installed: Installed,
  clusterClass: ClusterClass,
  { patch, handler, settings }: DiscoveringPatch,
): Promise<Discovered | { error: string }> => {
  const question = { hook: 'DiscoverVariables', handler, body: settings ? { settings } : {} } as const;
  const answer = await askHandler(call, installed, question, clusterClass);
  if ('error' in answer) return { error: `failed to call DiscoverVariables for patch ${patch}: ${answer.error}` };
  // The handler did not answer, and its failure policy is to continue; upstream cannot continue without a response.
  if (!answer.response) return { error: `patch ${patch} returned status "" with message ""` };
  const read = readVariables(patch, answer.response.variables);
  return 'error' in read ? read : { patch, variables: read.variables };
};

const aggregated = (errors: readonly string[]): string => {
  const all = [...new Set(errors)];
  return all.length === 1 ? String(all[0]) : `[${all.join(', ')}]`;
};

const failed = (why: string): ConditionClaim => ({
  type: 'VariablesReady',
  status: 'False',
  reason: 'VariableDiscoveryFailed',
  message: `VariableDiscovery failed: ${why}`,
});

const READY: ConditionClaim = { type: 'VariablesReady', status: 'True', reason: 'VariablesReady', message: '' };

type Status = NonNullable<ClusterClass['status']>;

interface Outcome {
  claim: ConditionClaim;
  /** Undefined if the extensions could not answer: then the known variables remain. */
  variables?: Status['variables'];
}

const outcomeOf = ({ spec }: ClusterClass, answers: readonly (Discovered | { error: string })[]): Outcome => {
  const errors = answers.flatMap((answer) => ('error' in answer ? [answer.error] : []));
  if (errors.length > 0) return { claim: failed(aggregated(errors)) };
  const variables = mergeDefinitions(
    spec,
    answers.flatMap((answer) => ('error' in answer ? [] : [answer])),
  );
  const conflicting = variables.filter(({ definitionsConflict }) => definitionsConflict).map(({ name }) => name);
  const conflict = `the following variables have conflicting schemas: ${conflicting.join(',')}`;
  return { claim: conflicting.length > 0 ? failed(conflict) : READY, variables };
};

const withOutcome = (current: ClusterClass, { claim, variables }: Outcome, now: Date): ClusterClass => {
  const { status, metadata } = current;
  const conditions = withConditions(status?.conditions, [claim], metadata.generation, now);
  const observed = claim.status === 'True' ? { observedGeneration: metadata.generation } : {};
  return {
    ...current,
    status: { ...status, ...(variables ? { variables } : {}), conditions, ...observed },
  } as ClusterClass;
};

/**
 * Calls the extensions of a class for the variables of its patches, one after the other, and records the variables. The
 * messages are those of upstream's ClusterClass reconciler. An answer is dropped if the class has changed since the
 * call. Returns the current class.
 */
export const discoverVariables = async (
  { objects, clock }: ExtensionDependencies,
  call: CallExtension,
  installed: Installed,
  clusterClass: ClusterClass,
): Promise<ClusterClass> => {
  const answers: (Discovered | { error: string })[] = [];
  for (const patch of discoveringPatches(clusterClass.spec)) {
    answers.push(await ask(call, installed, clusterClass, patch));
  }
  const outcome = outcomeOf(clusterClass, answers);
  const written = await objects.mutate(
    kinds.clusterClass,
    keyOf(clusterClass),
    (current) => {
      if (!isDeepStrictEqual(current.spec, clusterClass.spec)) return undefined;
      const next = withOutcome(current, outcome, clock.now());
      return isDeepStrictEqual(next, current) ? undefined : next;
    },
    { from: clusterClass },
  );
  return written ?? clusterClass;
};

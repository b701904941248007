import { silentLog } from '../../log.ts';
import { ConversionError } from '../custom/conversion/error.ts';
import type { KubeObject } from '../object.ts';
import { type Admission, shownName } from '../registry/admission-control.ts';
import type { WriteRequest } from '../server/for-user.ts';
import { forbidden, StatusError } from '../status-error.ts';
import { untyped } from '../webhooks/conditions.ts';
import { type Asked, askedOf, type Ports, questionOf, scopeOf } from '../webhooks/invocation.ts';
import { namespaceValue } from './environment.ts';
import { formOf } from './match.ts';
import { ConfigurationError, collectParams, type ParamSource } from './params.ts';
import type { AdmissionPolicy, PolicyBinding } from './policy.ts';
import { makeValidate, type Objection, type Verdict } from './validator.ts';

/** A policy with its bindings, sorted by name. */
export interface BoundPolicy {
  policy: AdmissionPolicy;
  bindings: readonly PolicyBinding[];
  validate: ReturnType<typeof makeValidate>;
}

/** The policies that have bindings, sorted by name; the others have no effect. */
export const boundPolicies = (
  policies: readonly AdmissionPolicy[],
  bindings: readonly PolicyBinding[],
): readonly BoundPolicy[] => {
  const byName = <T extends KubeObject>(all: readonly T[]): T[] =>
    all.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return byName(policies).flatMap((policy) => {
    const own = byName(bindings.filter(({ spec }) => spec.policyName === policy.metadata.name));
    return own.length > 0 ? [{ policy, bindings: own, validate: makeValidate(policy.spec) }] : [];
  });
};

export interface PolicyPorts extends ParamSource {
  configured(): Promise<readonly BoundPolicy[]>;
  namespaceLabels: Ports['namespaceLabels'];
  namespace(name: string): Promise<KubeObject | undefined>;
}

/** The results for a request so far. */
interface Progress {
  denied: { objection: Omit<Objection, 'index'>; policy: string; binding?: string }[];
  warnings: string[];
  failures: object[];
  annotations: Map<string, Set<string>>;
}

const act = (verdict: Verdict, policy: AdmissionPolicy, binding: PolicyBinding, progress: Progress): void => {
  const [name, of] = [policy.metadata.name, binding.metadata.name];
  const validationActions = binding.spec.validationActions ?? [];
  for (const objection of verdict.objections) {
    const { message, index } = objection;
    if (validationActions.includes('Deny')) progress.denied.push({ objection, policy: name, binding: of });
    if (validationActions.includes('Audit')) {
      progress.failures.push({ message, policy: name, binding: of, expressionIndex: index, validationActions });
    }
    if (validationActions.includes('Warn')) {
      const which = `ValidatingAdmissionPolicy '${name}' with binding '${of}'`;
      progress.warnings.push(`Validation failed for ${which}: ${message}`);
    }
  }
  for (const message of verdict.faults) progress.denied.push({ objection: { message }, policy: name, binding: of });
  for (const { key, value } of verdict.annotations) {
    const at = `${name}/${key}`;
    progress.annotations.set(at, (progress.annotations.get(at) ?? new Set()).add(value));
  }
};

const USES_NAMESPACE = /\bnamespaceObject\b/;

/** Reads the namespace only if an expression of the policy mentions it. */
const namespaceOf = async ({ policy }: BoundPolicy, { attempt }: Asked, ports: PolicyPorts) => {
  const { namespace, resource } = attempt;
  if (namespace === '' || !resource.namespaced || !USES_NAMESPACE.test(JSON.stringify(policy.spec))) return undefined;
  return ports.namespace(namespace);
};

const applyBinding = async (
  bound: BoundPolicy,
  binding: PolicyBinding,
  { asked, object, ports, progress }: Context,
): Promise<void> => {
  const { policy } = bound;
  const form = await formOf(policy.spec.matchConstraints, asked, object);
  if (!form || !(await formOf(binding.spec.matchResources, asked, object))) return;
  const params = await collectParams(policy.spec.paramKind, binding.spec.paramRef, asked.attempt.namespace, ports);
  if (params.length === 0) return;
  const scope = scopeOf(await questionOf(asked, form, object));
  const namespaceObject = namespaceValue(await namespaceOf(bound, asked, ports));
  for (const param of params) {
    const verdict = bound.validate({ scope: new Map([...scope, ['params', untyped(param ?? null)]]), namespaceObject });
    act(verdict, policy, binding, progress);
  }
};

interface Context {
  asked: Asked;
  object: KubeObject | undefined;
  ports: PolicyPorts;
  progress: Progress;
}

/** Explains why a policy or a binding cannot be used; rethrows other errors. */
const unusable = (error: unknown): { message: string; isOfPolicy: boolean } => {
  const isOfPolicy = error instanceof ConfigurationError && error.isOfPolicy;
  if (error instanceof ConfigurationError || error instanceof ConversionError) {
    return { message: `failed to configure ${isOfPolicy ? 'policy' : 'binding'}: ${error.message}`, isOfPolicy };
  }
  throw error;
};

const applyPolicy = async (bound: BoundPolicy, context: Context): Promise<void> => {
  const { spec, metadata } = bound.policy;
  for (const binding of bound.bindings) {
    try {
      await applyBinding(bound, binding, context);
    } catch (error) {
      const { message, isOfPolicy } = unusable(error);
      if (spec.failurePolicy === 'Ignore') continue;
      const of = isOfPolicy ? {} : { binding: binding.metadata.name };
      context.progress.denied.push({ objection: { message }, policy: metadata.name, ...of });
      if (isOfPolicy) return;
    }
  }
};

const CODES: Readonly<Record<string, number>> = { Forbidden: 403, RequestEntityTooLarge: 413 };

const refusalOf = ({ asked: { attempt }, object, progress }: Context): StatusError | undefined => {
  const { denied, warnings } = progress;
  const [first] = denied;
  if (!first) return undefined;
  const { objection, policy, binding } = first;
  const by = `ValidatingAdmissionPolicy '${policy}'${binding === undefined ? '' : ` with binding '${binding}'`}`;
  const message = `${by} denied request: ${objection.message}`;
  const reason = objection.reason ?? 'Invalid';
  const causes = [{ message }] as NonNullable<StatusError['details']>['causes'];
  const refused = forbidden(attempt.resource, shownName(attempt, object), message, causes);
  const error = new StatusError(CODES[reason] ?? 422, reason, refused.message, refused.details);
  error.warnings = warnings;
  return error;
};

const LONGEST_ANNOTATION = 10 * 1024;
const MOST_FAILURES = 50;

const noteAll = ({ failures, annotations }: Progress, note: WriteRequest['note']): void => {
  const said = [...annotations].map(([key, values]) => [key, [...values].join(', ').slice(0, LONGEST_ANNOTATION)]);
  const failed =
    failures.length > 0
      ? { 'validation.policy.admission.k8s.io/validation_failure': JSON.stringify(failures.slice(0, MOST_FAILURES)) }
      : {};
  if (said.length > 0 || failures.length > 0) note({ ...Object.fromEntries(said), ...failed });
};

/**
 * Admits one request by the bound policies (k8s.io/apiserver, policy/validating/dispatcher.go). Validates by the
 * policies first, and then by `next`, the webhooks.
 */
export const admitByPolicies = (ports: PolicyPorts, next: Admission, context: WriteRequest): Admission => ({
  mutate: next.mutate,
  validate: async (attempt) => {
    const configured = await ports.configured();
    if (configured.length === 0) return next.validate(attempt);
    const asked = askedOf(attempt, context, UNCALLED);
    const progress: Progress = { denied: [], warnings: [], failures: [], annotations: new Map() };
    const whole: Context = {
      asked: { ...asked, ports: { ...UNCALLED, namespaceLabels: ports.namespaceLabels } },
      object: await attempt.object?.(),
      ...{ ports, progress },
    };
    for (const bound of configured) await applyPolicy(bound, whole);
    noteAll(progress, context.note);
    const refused = refusalOf(whole);
    if (refused) throw refused;
    return [...progress.warnings, ...(await next.validate(attempt))];
  },
});

/** Policies do not make calls. */
const UNCALLED: Ports = {
  call: async () => {
    throw new Error('policies call no webhooks');
  },
  requireTime: () => {},
  random: { uuid: () => '' },
  log: silentLog,
  namespaceLabels: async () => undefined,
};

import type { KubeObject } from '../object.ts';
import type { MatchCondition, Rule, Selector } from '../webhooks/configuration.ts';

/**
 * admissionregistration.k8s.io/v1: policies with expressions that decide on writes, and the bindings that put them into
 * effect.
 */

export interface MatchResources {
  namespaceSelector?: Selector;
  objectSelector?: Selector;
  resourceRules?: Rule[];
  excludeResourceRules?: Rule[];
  matchPolicy?: string;
}

export interface Validation {
  expression?: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
}

export interface PolicyVariable {
  name?: string;
  expression?: string;
}

export interface AuditAnnotation {
  key?: string;
  valueExpression?: string;
}

export interface ParamKind {
  apiVersion?: string;
  kind?: string;
}

export interface PolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  validations?: Validation[];
  failurePolicy?: string;
  auditAnnotations?: AuditAnnotation[];
  matchConditions?: MatchCondition[];
  variables?: PolicyVariable[];
}

/** A stored policy, with defaults applied by admission. */
export interface AdmissionPolicy extends KubeObject {
  spec: PolicySpec;
}

export interface ParamRef {
  name?: string;
  namespace?: string;
  selector?: Selector;
  parameterNotFoundAction?: string;
}

export interface BindingSpec {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
  validationActions?: string[];
}

export interface PolicyBinding extends KubeObject {
  spec: BindingSpec;
}

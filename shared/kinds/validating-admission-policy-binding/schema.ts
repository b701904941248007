import type { PolicyBinding } from '../../kube-api/policies/policy.ts';
import { policyBinding } from '../schema/webhook.ts';

export const validatingAdmissionPolicyBindingSchema = policyBinding;

/** admissionregistration.k8s.io/v1: where a policy is in force, and what follows from it. */
export type ValidatingAdmissionPolicyBinding = PolicyBinding;

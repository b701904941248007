import type { PolicyBinding } from '../../kube-api/policies/policy.ts';
import { policyBinding } from '../schema/webhook.ts';

export const validatingAdmissionPolicyBindingSchema = policyBinding;

/** admissionregistration.k8s.io/v1: where a policy applies, and its consequences. */
export type ValidatingAdmissionPolicyBinding = PolicyBinding;

import type { AdmissionPolicy } from '../../kube-api/policies/policy.ts';
import { admissionPolicy } from '../schema/webhook.ts';

export const validatingAdmissionPolicySchema = admissionPolicy;

/** admissionregistration.k8s.io/v1: expressions that writes must satisfy. */
export type ValidatingAdmissionPolicy = AdmissionPolicy;

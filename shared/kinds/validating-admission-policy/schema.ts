import type { AdmissionPolicy } from '../../kube-api/policies/policy.ts';
import { admissionPolicy } from '../schema/webhook.ts';

export const validatingAdmissionPolicySchema = admissionPolicy;

/** admissionregistration.k8s.io/v1: expressions that writes must meet. */
export type ValidatingAdmissionPolicy = AdmissionPolicy;

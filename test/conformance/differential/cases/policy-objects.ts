/** Admission policies and bindings in the form in which requests send them. */

export const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
export const POLICIES = `${REGISTRATION}/validatingadmissionpolicies`;
export const BINDINGS = `${REGISTRATION}/validatingadmissionpolicybindings`;

export const policy = (name: string, spec: object) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec,
});

export const binding = (name: string, spec: object) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name, validationActions: ['Deny'], ...spec },
});

export const widgets = (namespace: string, more: object = {}) => ({
  resourceRules: [
    {
      apiGroups: [`${namespace}.windlass.dev`],
      apiVersions: ['v1'],
      resources: ['widgets', 'widgets/*'],
      operations: ['*'],
      ...more,
    },
  ],
});

export const validations = (...all: object[]) => ({ validations: all });

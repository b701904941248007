import { invalidValue, required } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { ClusterConfiguration } from '../../schema/kubeadm-cluster.ts';

/** The common part of a control plane and its template that concerns rollouts. */
interface Rolled {
  replicas?: number;
  kubeadmConfigSpec?: { clusterConfiguration?: ClusterConfiguration };
  rollout?: {
    before?: { certificatesExpiryDays?: number };
    strategy?: { rollingUpdate?: { maxSurge?: number | string } };
  };
}

/** Default validity of Cluster API's certificate authorities, in days. */
const DEFAULT_CA_DAYS = 3650;

const validateSurge = ({ rollout, replicas }: Rolled, field: string): FieldError[] => {
  const surge = rollout?.strategy?.rollingUpdate?.maxSurge;
  if (surge === undefined) return [];
  const at = `${field}.rollout.strategy.rollingUpdate`;
  const count = Number(surge);
  const scaleIn = 'when KubeadmControlPlane is configured to scale-in, replica count needs to be at least 3';
  return [
    ...(count === 0 && replicas !== undefined && replicas < 3 ? [required(at, scaleIn)] : []),
    ...(count === 0 || count === 1 ? [] : [required(`${at}.maxSurge`, 'value must be 1 or 0')]),
  ];
};

const validateCertificateDays = ({ kubeadmConfigSpec, rollout }: Rolled, field: string): FieldError[] => {
  const { certificateValidityPeriodDays: days, caCertificateValidityPeriodDays: caDays } =
    kubeadmConfigSpec?.clusterConfiguration ?? {};
  if (days === undefined) return [];
  const before = rollout?.before?.certificatesExpiryDays;
  const limit = caDays ?? DEFAULT_CA_DAYS;
  const of =
    caDays === undefined ? 'the default value of caCertificateValidityPeriodDays' : 'caCertificateValidityPeriodDays';
  const at = `${field}.kubeadmConfigSpec.clusterConfiguration.certificateValidityPeriodDays`;
  const early = `must be less than certificateValidityPeriodDays (${days})`;
  return [
    ...(days > limit ? [invalidValue(at, days, `must be less than or equal to ${of} (${limit})`)] : []),
    ...(before !== undefined && before >= days
      ? [invalidValue(`${field}.rollout.before.certificatesExpiryDays`, before, early)]
      : []),
  ];
};

/** Rules for how control plane machines are replaced and how long certificates last; `field` is the spec's path. */
export const validateControlPlaneRollout = (spec: Rolled, field: string): FieldError[] => [
  ...validateSurge(spec, field),
  ...validateCertificateDays(spec, field),
];

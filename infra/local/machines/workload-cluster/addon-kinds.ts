import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { clusterScoped, define } from './kinds.ts';

/**
 * The kinds in manifests of common add-ons, apart from workloads. They are stored and served, but nothing acts on them.
 */

const STORAGE = 'storage.k8s.io/v1';
const NETWORKING = 'networking.k8s.io/v1';
const ADMISSION = 'admissionregistration.k8s.io/v1';
const withStatus = { statusSubresource: true };

export const ADDON_KINDS: readonly ResourceDefinition[] = [
  define(STORAGE, 'CSIDriver', 'csidrivers', clusterScoped),
  define(STORAGE, 'CSINode', 'csinodes', clusterScoped),
  define(STORAGE, 'CSIStorageCapacity', 'csistoragecapacities'),
  define(STORAGE, 'StorageClass', 'storageclasses', { ...clusterScoped, shortNames: ['sc'] }),
  define('scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses', { ...clusterScoped, shortNames: ['pc'] }),
  define('node.k8s.io/v1', 'RuntimeClass', 'runtimeclasses', clusterScoped),
  define(NETWORKING, 'NetworkPolicy', 'networkpolicies', { shortNames: ['netpol'] }),
  define(NETWORKING, 'Ingress', 'ingresses', { ...withStatus, shortNames: ['ing'] }),
  define(NETWORKING, 'IngressClass', 'ingressclasses', clusterScoped),
  define(ADMISSION, 'ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', clusterScoped),
  define(ADMISSION, 'MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', clusterScoped),
  define(ADMISSION, 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies', { ...clusterScoped, ...withStatus }),
  define(ADMISSION, 'ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', clusterScoped),
  define('apiregistration.k8s.io/v1', 'APIService', 'apiservices', { ...clusterScoped, ...withStatus }),
  define('apps/v1', 'StatefulSet', 'statefulsets', { ...withStatus, shortNames: ['sts'] }),
  define('batch/v1', 'Job', 'jobs', withStatus),
  define('batch/v1', 'CronJob', 'cronjobs', { ...withStatus, shortNames: ['cj'] }),
  define('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', {
    ...withStatus,
    shortNames: ['hpa'],
  }),
  define('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices'),
  define('v1', 'Endpoints', 'endpoints', { shortNames: ['ep'] }),
  define('v1', 'LimitRange', 'limitranges', { shortNames: ['limits'] }),
  define('v1', 'ResourceQuota', 'resourcequotas', { ...withStatus, shortNames: ['quota'] }),
];

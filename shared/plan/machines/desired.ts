import type {
  AWSMachine,
  AWSMachineTemplate,
  KubeadmConfig,
  KubeadmConfigTemplate,
  KubeadmControlPlane,
  Machine,
  MachineSet,
} from '../../kinds/index.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../../kube-api/object.ts';
import type { MachineIntent } from '../control-plane/scale.ts';
import { ANNOTATION, FINALIZER, GROUP, LABEL } from '../labels.ts';

/** The owner reference of a controller, as Kubernetes' garbage collector reads it. */
export const controllerReference = (owner: KubeObject): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

/** An owner reference that does not control: templates and workers' sets belong to their cluster in this way. */
export const ownerReference = (owner: KubeObject): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid ?? '',
});

/** `references` with `added`, which replaces an earlier reference to the same object. */
export const withOwner = (
  references: readonly OwnerReference[] | undefined,
  added: OwnerReference,
): OwnerReference[] => [...(references ?? []).filter((reference) => reference.uid !== added.uid), added];

type Extra = { labels?: Record<string, string>; annotations?: Record<string, string> } | undefined;

const metadataOf = (namespace: string, name: string, owner: OwnerReference, extra: Extra): ObjectMeta => ({
  namespace,
  name,
  ...(extra?.labels ? { labels: { ...extra.labels } } : {}),
  ...(extra?.annotations ? { annotations: { ...extra.annotations } } : {}),
  ownerReferences: [owner],
});

const readinessGates = (controlPlane: KubeadmControlPlane): { conditionType: string }[] => {
  const external = controlPlane.spec.kubeadmConfigSpec?.clusterConfiguration?.etcd?.external !== undefined;
  const types = ['APIServerPodHealthy', 'ControllerManagerPodHealthy', 'SchedulerPodHealthy'];
  return [...types, ...(external ? [] : ['EtcdPodHealthy', 'EtcdMemberHealthy'])].map((conditionType) => ({
    conditionType,
  }));
};

/** A control plane machine as its KubeadmControlPlane wants it; bootstrap and infrastructure objects bear its name. */
export const desiredControlPlaneMachine = (
  controlPlane: KubeadmControlPlane,
  clusterName: string,
  intent: MachineIntent,
): Machine => {
  const { metadata, spec } = controlPlane;
  const template = spec.machineTemplate;
  return {
    apiVersion: `${GROUP.core}/v1beta2`,
    kind: 'Machine',
    metadata: {
      ...metadataOf(metadata.namespace ?? '', intent.name, controllerReference(controlPlane), template.metadata),
      labels: {
        ...template.metadata?.labels,
        [LABEL.clusterName]: clusterName,
        [LABEL.controlPlane]: '',
        [LABEL.controlPlaneName]: metadata.name,
      },
      finalizers: [FINALIZER.machine],
    },
    spec: {
      clusterName,
      version: spec.version,
      ...(intent.failureDomain ? { failureDomain: intent.failureDomain } : {}),
      bootstrap: { configRef: { apiGroup: GROUP.bootstrap, kind: 'KubeadmConfig', name: intent.name } },
      infrastructureRef: { apiGroup: GROUP.infrastructure, kind: 'AWSMachine', name: intent.name },
      ...(template.spec.deletion ? { deletion: template.spec.deletion } : {}),
      ...(template.spec.taints ? { taints: template.spec.taints } : {}),
      readinessGates: [...readinessGates(controlPlane), ...(template.spec.readinessGates ?? [])],
    },
  };
};

/** A worker machine as its MachineSet wants it. */
export const desiredWorkerMachine = (set: MachineSet, name: string): Machine => {
  const { template, clusterName } = set.spec;
  const bootstrap = template.spec.bootstrap.configRef
    ? { configRef: { apiGroup: GROUP.bootstrap, kind: 'KubeadmConfig', name } }
    : template.spec.bootstrap;
  return {
    apiVersion: `${GROUP.core}/v1beta2`,
    kind: 'Machine',
    metadata: {
      ...metadataOf(set.metadata.namespace ?? '', name, controllerReference(set), template.metadata),
      labels: {
        ...template.metadata?.labels,
        [LABEL.clusterName]: clusterName,
        [LABEL.setName]: set.metadata.name,
      },
      finalizers: [FINALIZER.machine],
    },
    spec: {
      ...template.spec,
      clusterName,
      bootstrap,
      infrastructureRef: { apiGroup: GROUP.infrastructure, kind: 'AWSMachine', name },
    },
  };
};

const clonedFrom = (name: string, groupKind: string): Record<string, string> => ({
  [ANNOTATION.clonedFromName]: name,
  [ANNOTATION.clonedFromGroupKind]: groupKind,
});

/** The infrastructure machine cloned from a template for a machine. */
export const desiredAwsMachine = (machine: Machine, template: AWSMachineTemplate): AWSMachine => {
  const source = template.spec.template;
  return {
    apiVersion: `${GROUP.infrastructure}/v1beta2`,
    kind: 'AWSMachine',
    metadata: {
      namespace: machine.metadata.namespace,
      name: machine.metadata.name,
      labels: { ...source.metadata?.labels, ...machine.metadata.labels },
      annotations: {
        ...source.metadata?.annotations,
        ...machine.metadata.annotations,
        ...clonedFrom(template.metadata.name, `AWSMachineTemplate.${GROUP.infrastructure}`),
      },
      finalizers: [FINALIZER.awsMachine],
      ownerReferences: [controllerReference(machine)],
    },
    spec: structuredClone(source.spec),
  };
};

const configFor = (
  machine: Machine,
  spec: KubeadmConfig['spec'],
  annotations: Record<string, string>,
): KubeadmConfig => ({
  apiVersion: `${GROUP.bootstrap}/v1beta2`,
  kind: 'KubeadmConfig',
  metadata: {
    namespace: machine.metadata.namespace,
    name: machine.metadata.name,
    labels: { ...machine.metadata.labels },
    annotations: { ...machine.metadata.annotations, ...annotations },
    ownerReferences: [controllerReference(machine)],
  },
  // An empty spec is no spec: the kind refuses it.
  ...(spec && Object.keys(spec).length > 0 ? { spec: structuredClone(spec) } : {}),
});

/** The bootstrap configuration of a control plane machine. */
export const desiredControlPlaneConfig = (machine: Machine, controlPlane: KubeadmControlPlane): KubeadmConfig =>
  configFor(machine, controlPlane.spec.kubeadmConfigSpec, {});

/** The bootstrap configuration of a worker, cloned from a template. */
export const desiredWorkerConfig = (machine: Machine, template: KubeadmConfigTemplate): KubeadmConfig =>
  configFor(
    machine,
    template.spec?.template?.spec,
    clonedFrom(template.metadata.name, `KubeadmConfigTemplate.${GROUP.bootstrap}`),
  );

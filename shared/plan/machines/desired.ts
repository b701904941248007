import type { BootstrapConfig, BootstrapConfigTemplate, ControlPlane } from '../../kinds/contract-objects.ts';
import type { Machine, MachineSet } from '../../kinds/index.ts';
import type { Reference } from '../../kinds/reference.ts';
import { labelValueOf } from '../../kinds/rules/names.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../../kube-api/object.ts';
import { ofTemplate } from '../annotations/wishes.ts';
import type { DistributionRules } from '../control-plane/distribution-rules.ts';
import type { MachineIntent } from '../control-plane/plan.ts';
import { ANNOTATION, FINALIZER, GROUP, LABEL } from '../labels.ts';

/** The owner reference of a controller, in the form that Kubernetes' garbage collector requires. */
export const controllerReference = (owner: KubeObject): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

/**
 * An owner reference that does not control the object: templates and workers' sets belong to their cluster in this way.
 */
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

/** The labels and annotations of a template, and `labels`, which it cannot replace. */
const templated = (extra: Extra, labels: Record<string, string>): Pick<ObjectMeta, 'labels' | 'annotations'> => ({
  labels: { ...ofTemplate(extra?.labels), ...labels },
  ...(extra?.annotations ? { annotations: ofTemplate(extra.annotations) } : {}),
});

/** The labels and annotations that the machines of a control plane get from it. */
export const metadataOfControlPlaneMachines = ({ metadata, spec }: ControlPlane, clusterName: string) =>
  templated(spec.machineTemplate.metadata, {
    [LABEL.clusterName]: clusterName,
    [LABEL.controlPlane]: '',
    [LABEL.controlPlaneName]: labelValueOf(metadata.name),
  });

/** The labels and annotations that the machines of a set get from it. */
export const metadataOfWorkers = ({ metadata, spec }: MachineSet) =>
  templated(spec.template.metadata, {
    [LABEL.clusterName]: spec.clusterName,
    [LABEL.setName]: labelValueOf(metadata.name),
  });

/** The conditions of a control plane machine's components, and those that its owner names. */
export const controlPlaneReadinessGates = (
  distribution: DistributionRules,
  controlPlane: ControlPlane,
): { conditionType: string }[] => {
  const { components, node = [], etcd } = distribution.healthConditions(controlPlane);
  const own = [...node, ...components, ...etcd].map((conditionType) => ({ conditionType }));
  const asked = controlPlane.spec.machineTemplate.spec.readinessGates ?? [];
  return [...own, ...asked.filter((gate) => !own.some(({ conditionType }) => conditionType === gate.conditionType))];
};

/** The copy of a template has the template's kind without the suffix, in the same group (upstream's contract). */
const machineRefOf = ({ apiGroup, kind = '' }: Reference, name: string): Machine['spec']['infrastructureRef'] => ({
  apiGroup: apiGroup ?? GROUP.infrastructure,
  kind: kind.replace(/Template$/, ''),
  name,
});

/** A desired control plane machine of its owner; bootstrap and infrastructure objects have its name. */
export const desiredControlPlaneMachine = (
  distribution: DistributionRules,
  controlPlane: ControlPlane,
  clusterName: string,
  intent: MachineIntent,
): Machine => {
  const { metadata, spec } = controlPlane;
  const template = spec.machineTemplate;
  const own = metadataOfControlPlaneMachines(controlPlane, clusterName);
  const annotations = distribution.machineAnnotations?.(controlPlane);
  return {
    apiVersion: `${GROUP.core}/v1beta2`,
    kind: 'Machine',
    metadata: {
      ...{ namespace: metadata.namespace ?? '', name: intent.name },
      ...own,
      ...(annotations ? { annotations: { ...own.annotations, ...annotations } } : {}),
      ownerReferences: [controllerReference(controlPlane)],
      finalizers: [FINALIZER.machine],
    },
    spec: {
      clusterName,
      version: spec.version,
      ...(intent.failureDomain ? { failureDomain: intent.failureDomain } : {}),
      bootstrap: { configRef: { apiGroup: GROUP.bootstrap, kind: distribution.config.kind, name: intent.name } },
      infrastructureRef: machineRefOf(template.spec.infrastructureRef, intent.name),
      ...(template.spec.deletion ? { deletion: template.spec.deletion } : {}),
      ...(template.spec.taints ? { taints: template.spec.taints } : {}),
      readinessGates: controlPlaneReadinessGates(distribution, controlPlane),
    },
  };
};

/**
 * A desired worker machine of its MachineSet. `distribution`: the distribution of its bootstrap template, if it has
 * one.
 */
export const desiredWorkerMachine = (
  set: MachineSet,
  distribution: DistributionRules | undefined,
  name: string,
): Machine => {
  const { template, clusterName } = set.spec;
  const bootstrap = distribution
    ? { configRef: { apiGroup: distribution.config.group, kind: distribution.config.kind, name } }
    : template.spec.bootstrap;
  return {
    apiVersion: `${GROUP.core}/v1beta2`,
    kind: 'Machine',
    metadata: {
      ...{ namespace: set.metadata.namespace ?? '', name },
      ...metadataOfWorkers(set),
      ownerReferences: [controllerReference(set)],
      finalizers: [FINALIZER.machine],
    },
    spec: {
      ...template.spec,
      clusterName,
      bootstrap,
      infrastructureRef: machineRefOf(template.spec.infrastructureRef, name),
    },
  };
};

/** The annotations of a clone: the template's name and `<kind>.<group>`. */
export const clonedFrom = (name: string, groupKind: string): Record<string, string> => ({
  [ANNOTATION.clonedFromName]: name,
  [ANNOTATION.clonedFromGroupKind]: groupKind,
});

const configFor = (
  { config }: DistributionRules,
  machine: Machine,
  spec: object | undefined,
  annotations: Record<string, string>,
): BootstrapConfig => ({
  apiVersion: `${config.group}/${config.version}`,
  kind: config.kind,
  metadata: {
    namespace: machine.metadata.namespace,
    name: machine.spec.bootstrap.configRef?.name ?? machine.metadata.name,
    labels: ofTemplate(machine.metadata.labels),
    annotations: { ...ofTemplate(machine.metadata.annotations), ...annotations },
    ownerReferences: [controllerReference(machine)],
  },
  // An empty spec is omitted, because the kind refuses it.
  ...(spec && Object.keys(spec).length > 0 ? { spec: structuredClone(spec) } : {}),
});

/** The bootstrap configuration of a control plane machine. */
export const desiredControlPlaneConfig = (
  distribution: DistributionRules,
  machine: Machine,
  controlPlane: ControlPlane,
): BootstrapConfig => configFor(distribution, machine, distribution.configSpecOf(controlPlane), {});

/** The bootstrap configuration of a worker, cloned from a template. */
export const desiredWorkerConfig = (
  distribution: DistributionRules,
  machine: Machine,
  { metadata, spec }: BootstrapConfigTemplate,
): BootstrapConfig => {
  const { kind, group } = distribution.configTemplate;
  return configFor(distribution, machine, spec?.template?.spec, clonedFrom(metadata.name, `${kind}.${group}`));
};

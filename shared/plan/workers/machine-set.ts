import type { MachineDeployment, MachineSet } from '../../kinds/index.ts';
import { ANNOTATION, FINALIZER, GROUP, LABEL } from '../labels.ts';
import { controllerReference } from '../machines/desired.ts';
import { childName, suffixOf } from '../names.ts';

/** JSON with sorted keys, so that the same template gives the same text whatever wrote it. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/**
 * What of a MachineDeployment's template makes machines different: version, bootstrap, infrastructure, failure domain.
 * Labels, annotations, timeouts, readiness gates and taints are propagated in place instead (upstream's rollout rule).
 */
export const rolloutFields = ({ spec }: Pick<MachineDeployment, 'spec'> | Pick<MachineSet, 'spec'>): string => {
  const { version, bootstrap, infrastructureRef, failureDomain } = spec.template.spec;
  return canonical({ version, bootstrap, infrastructureRef, failureDomain });
};

/** The set among `sets` that makes machines of the deployment's current template, if there is one. */
export const currentSet = (deployment: MachineDeployment, sets: readonly MachineSet[]): MachineSet | undefined =>
  sets.find((set) => !set.metadata.deletionTimestamp && rolloutFields(set) === rolloutFields(deployment));

/** The MachineSet for a deployment's current template; its name is the same whenever it is asked for. */
export const desiredMachineSet = (deployment: MachineDeployment, revision: number): MachineSet => {
  const { metadata, spec } = deployment;
  const hash = suffixOf(`${metadata.uid}/${rolloutFields(deployment)}`);
  const labels = { ...spec.template.metadata?.labels, [LABEL.templateHash]: hash };
  return {
    apiVersion: `${GROUP.core}/v1beta2`,
    kind: 'MachineSet',
    metadata: {
      namespace: metadata.namespace,
      name: childName(metadata.name, `${metadata.uid}/${rolloutFields(deployment)}`),
      labels: { ...labels, [LABEL.clusterName]: spec.clusterName, [LABEL.deploymentName]: metadata.name },
      annotations: { ...metadata.annotations, [ANNOTATION.revision]: String(revision) },
      finalizers: [FINALIZER.machineSet],
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      clusterName: spec.clusterName,
      replicas: spec.replicas ?? 1,
      selector: { ...spec.selector, matchLabels: { ...spec.selector?.matchLabels, [LABEL.templateHash]: hash } },
      ...(spec.deletion?.order ? { deletion: { order: spec.deletion.order } } : {}),
      template: {
        ...structuredClone(spec.template),
        metadata: { ...spec.template.metadata, labels: { ...labels, [LABEL.deploymentName]: metadata.name } },
      },
    },
  } as MachineSet;
};

import type { Machine } from '../kinds/index.ts';
import type { InfrastructureMachine, InfrastructureMachineTemplate } from '../kinds/infrastructure.ts';
import { ofTemplate } from '../plan/annotations/wishes.ts';
import { clonedFrom, controllerReference } from '../plan/machines/desired.ts';
import type { Infrastructure } from './infrastructure.ts';

/** The infrastructure machine for a machine, cloned from a template of the provider. */
export const desiredInfrastructureMachine = (
  { machine: kind, machineTemplate, finalizers, clone }: Infrastructure,
  machine: Machine,
  template: InfrastructureMachineTemplate,
): InfrastructureMachine => {
  const { metadata } = template.spec.template;
  return {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: {
      namespace: machine.metadata.namespace,
      name: machine.spec.infrastructureRef.name,
      labels: { ...ofTemplate(metadata?.labels), ...ofTemplate(machine.metadata.labels) },
      annotations: {
        ...ofTemplate(metadata?.annotations),
        ...ofTemplate(machine.metadata.annotations),
        ...clonedFrom(template.metadata.name, `${machineTemplate.kind}.${machineTemplate.group}`),
      },
      ...(finalizers.machine ? { finalizers: [finalizers.machine] } : {}),
      ownerReferences: [controllerReference(machine)],
    },
    spec: clone(template),
  };
};

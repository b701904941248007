/** Machines, their AWSMachines and their sets, recreated from the running cluster. */
import type { AWSMachine, Machine, MachineDeployment, MachineSet } from '../../../shared/kinds/index.ts';
import { labelValueOf } from '../../../shared/kinds/rules/names.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { FINALIZER, GROUP, LABEL } from '../../../shared/plan/labels.ts';
import { AWS_FINALIZER } from '../../../shared/providers/aws/finalizers.ts';
import { deploymentOf, type Found, type Group, oldestVersion } from './groups.ts';
import type { Observed } from './observed.ts';

/** An object with its controller, by kind and name: its uid is known once it is created. */
export interface Owned {
  object: KubeObject;
  owner: { kind: string; name: string; controls: boolean };
}

const awsMachine = ({ namespace }: Observed, { name, instance }: Found, labels: Record<string, string>): AWSMachine =>
  ({
    apiVersion: `${GROUP.infrastructure}/v1beta2`,
    kind: 'AWSMachine',
    metadata: { namespace, name: instance.tags.Name ?? name, labels, finalizers: [AWS_FINALIZER.machine] },
    spec: {
      providerID: `aws:///${instance.zone}/${instance.id}`,
      instanceID: instance.id,
      instanceType: instance.type,
      ami: { id: instance.imageId },
      sshKeyName: instance.keyName ?? '',
      ...(instance.profile ? { iamInstanceProfile: instance.profile } : {}),
    },
  }) as AWSMachine;

/** It has already started, so its bootstrap source is no longer needed. */
const machine = (seen: Observed, { name, instance, node }: Found, labels: Record<string, string>): Machine =>
  ({
    apiVersion: `${GROUP.core}/v1beta2`,
    kind: 'Machine',
    metadata: { namespace: seen.namespace, name, labels, finalizers: [FINALIZER.machine] },
    spec: {
      clusterName: seen.name,
      version: node.version,
      failureDomain: instance.zone,
      providerID: `aws:///${instance.zone}/${instance.id}`,
      bootstrap: { dataSecretName: name },
      infrastructureRef: { apiGroup: GROUP.infrastructure, kind: 'AWSMachine', name: instance.tags.Name ?? name },
    },
  }) as Machine;

const withInstances = (seen: Observed, { kind, owner, machines }: Group, labels: Record<string, string>): Owned[] =>
  machines.flatMap((found): Owned[] => [
    { object: machine(seen, found, labels), owner: { kind, name: owner, controls: true } },
    { object: awsMachine(seen, found, labels), owner: { kind: 'Machine', name: found.name, controls: true } },
  ]);

/** The set that its deployment would have created, with the version of its machines. */
const machineSet = (seen: Observed, group: Group, deployment: MachineDeployment): MachineSet => {
  const hash = group.owner.slice(deployment.metadata.name.length + 1);
  const { spec } = deployment;
  const labels = {
    ...spec.template.metadata?.labels,
    [LABEL.deploymentName]: deployment.metadata.name,
    [LABEL.templateHash]: hash,
  };
  return {
    apiVersion: `${GROUP.core}/v1beta2`,
    kind: 'MachineSet',
    metadata: {
      namespace: seen.namespace,
      name: group.owner,
      labels: { ...labels, [LABEL.clusterName]: seen.name },
      finalizers: [FINALIZER.machineSet],
    },
    spec: {
      clusterName: seen.name,
      replicas: group.machines.length,
      selector: { ...spec.selector, matchLabels: { ...spec.selector?.matchLabels, [LABEL.templateHash]: hash } },
      template: {
        metadata: { ...spec.template.metadata, labels },
        spec: { ...spec.template.spec, version: oldestVersion(group.machines) },
      },
    },
  } as MachineSet;
};

const ofSet = (seen: Observed, group: Group, objects: readonly KubeObject[], given: readonly KubeObject[]): Owned[] => {
  const name = deploymentOf(group.owner, given);
  const deployment = objects.find((one) => one.kind === 'MachineDeployment' && one.metadata.name === name);
  if (!deployment) return [];
  const set = machineSet(seen, group, deployment as MachineDeployment);
  const labels = {
    ...set.spec.template.metadata?.labels,
    [LABEL.clusterName]: seen.name,
    [LABEL.setName]: labelValueOf(group.owner),
  };
  return [
    { object: set, owner: { kind: 'MachineDeployment', name, controls: true } },
    ...withInstances(seen, group, labels),
  ];
};

/** All objects of an instance, each after its controller. `objects` are the cluster's own. */
export const machinesOf = (
  seen: Observed,
  groups: readonly Group[],
  objects: readonly KubeObject[],
  given: readonly KubeObject[],
): Owned[] =>
  groups.flatMap((group) => {
    if (group.kind === 'MachineSet') return ofSet(seen, group, objects, given);
    const labels = {
      [LABEL.clusterName]: seen.name,
      [LABEL.controlPlane]: '',
      [LABEL.controlPlaneName]: labelValueOf(group.owner),
    };
    return group.kind === 'KubeadmControlPlane' ? withInstances(seen, group, labels) : [];
  });

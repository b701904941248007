import { normal, warning } from '../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../shared/events/recorder.ts';

/**
 * Reasons of events that are recorded while the objects of a cluster are created, scaled and deleted. Cluster API's
 * names are used where it has one.
 */

export const CLUSTER_REASONS = {
  ReconcileFailed: warning({ Cluster: 'A step of the pass failed permanently; another pass tries again later.' }),
  ReferenceNotAdopted: warning({
    Cluster:
      'It refers to infrastructure or a control plane of another Cluster, or to an external object that another object controls.',
  }),
  RateLimited: normal({
    Cluster: 'It waits for its turn because of the rate limits of AWS, and then continues.',
  }),
};

export const CONTROL_PLANE_REASONS = {
  SuccessfulAdopt: normal({
    ControlPlane: 'It became the controller of a control plane Machine of its Cluster that had none.',
  }),
  AdoptionFailed: warning({
    ControlPlane: 'It creates and deletes no Machines, because it cannot adopt a control plane Machine of its Cluster.',
  }),
  SuccessfulDelete: normal({ ControlPlane: 'A Machine was deleted to scale down or to be replaced.' }),
  CloneTemplateFailed: warning({ ControlPlane: 'The machine template that it refers to does not exist.' }),
  FailedCreate: warning({ ControlPlane: 'A quota of the namespace does not allow all of its Machines.' }),
  InitializationLost: warning({
    ControlPlane:
      'The Machine that was to initialize the control plane is gone, so Machines that may have joined it are deleted as well.',
  }),
};

export const MACHINE_SET_REASONS = {
  SuccessfulAdopt: normal({ MachineSet: 'It became the owner of a Machine that it selects and that had no owner.' }),
  SuccessfulCreate: normal({ MachineSet: 'Machines were created.' }),
  SuccessfulDelete: normal({
    MachineSet: 'A Machine was deleted: to scale down, or because it is unhealthy, lost or about to be lost.',
  }),
  CloneTemplateFailed: warning({ MachineSet: 'A template that it refers to does not exist.' }),
  FailedCreate: warning({ MachineSet: 'A quota of the namespace does not allow all of its Machines.' }),
};

export const MACHINE_DEPLOYMENT_REASONS = {
  SuccessfulAdopt: normal({
    MachineDeployment: 'It became the owner of a MachineSet that it selects and that had no owner.',
  }),
  SuccessfulCreate: normal({ MachineDeployment: 'A MachineSet was created for the current template.' }),
  SuccessfulScale: normal({ MachineDeployment: 'The number of replicas of a MachineSet was changed.' }),
  SuccessfulDelete: normal({ MachineDeployment: 'A MachineSet was deleted whose Machines are all replaced.' }),
  CloneTemplateFailed: warning({ MachineDeployment: 'A template that it refers to does not exist.' }),
};

export const clusterRecorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof CLUSTER_REASONS>(deps, 'converge-cluster');

/** Recorded as the controller of the control plane's distribution. */
export const controlPlaneRecorder = (deps: RecorderDependencies, { component }: { component: string }) =>
  makeRecorder<typeof CONTROL_PLANE_REASONS>(deps, component);

export const machineSetRecorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof MACHINE_SET_REASONS>(deps, 'machine-set');

export const machineDeploymentRecorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof MACHINE_DEPLOYMENT_REASONS>(deps, 'machine-deployment');

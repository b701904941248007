/** Kinds whose change the planners see; of others there is nothing to tell. */
const PLANNED: readonly string[] = [
  'Cluster',
  'AWSCluster',
  'KubeadmControlPlane',
  'RKE2ControlPlane',
  'MachineDeployment',
  'MachineSet',
  'Machine',
];

const TEMPLATES: readonly string[] = ['AWSMachineTemplate', 'KubeadmConfigTemplate', 'RKE2ConfigTemplate'];

/** Whether machines are cloned from objects of this kind. */
export const isTemplate = (kind: string): boolean => TEMPLATES.includes(kind);

/** Whether a preview says something about changes of this kind. */
export const isPlanned = (kind: string): boolean => PLANNED.includes(kind) || isTemplate(kind);

import type { AWSMachine, AWSMachinePool } from '../../../../kinds/index.ts';

/** The instance types of a pool: that of the template first, then those of the overrides. */
export const instanceTypesOf = ({ spec }: AWSMachinePool): string[] => {
  const overrides = spec?.mixedInstancesPolicy?.overrides ?? [];
  const all = [spec?.awsLaunchTemplate.instanceType, ...overrides.map(({ instanceType }) => instanceType)];
  return [...new Set(all.filter((type): type is string => Boolean(type)))];
};

/**
 * The pool's launch template in the form of one machine's spec. Both have the same fields, so the image, security
 * groups, volumes and all other options follow the rules for machines.
 */
export const asMachine = (pool: AWSMachinePool): AWSMachine => {
  const { name: _, versionNumber: __, enclaveOptions: ___, ...launch } = pool.spec?.awsLaunchTemplate ?? {};
  return {
    apiVersion: pool.apiVersion,
    kind: 'AWSMachine',
    metadata: pool.metadata,
    // Unlike a machine, a pool without a key pair has none, whatever the cluster specifies (CAPA:
    // createLaunchTemplateData).
    spec: { ...launch, sshKeyName: launch.sshKeyName ?? '', instanceType: instanceTypesOf(pool)[0] ?? '' },
  } as AWSMachine;
};

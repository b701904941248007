import { isDeepStrictEqual } from 'node:util';
import type { MachineDeployment, MachineSet } from '../../kinds/index.ts';

const kindOf = (templateKind: string): string => templateKind.replace(/Template$/, '');

/**
 * Why machines of a set are not up to date with the deployment; empty if they are. One line per reason, with the texts
 * of Cluster API's condition UpToDate.
 */
export const outdatedReasons = (set: MachineSet, deployment: MachineDeployment): string[] => {
  const is = set.spec.template.spec;
  const wanted = deployment.spec.template.spec;
  const reasons: string[] = [];
  if (is.version !== wanted.version) reasons.push(`Version ${is.version ?? ''}, ${wanted.version ?? ''} required`);
  if (!isDeepStrictEqual(is.bootstrap, wanted.bootstrap)) {
    const { configRef, dataSecretName } = is.bootstrap;
    const secret = `spec.bootstrap.dataSecretName ${dataSecretName}, ${wanted.bootstrap.dataSecretName} required`;
    reasons.push(configRef ? `${kindOf(configRef.kind)} is not up-to-date` : secret);
  }
  if (!isDeepStrictEqual(is.infrastructureRef, wanted.infrastructureRef)) {
    reasons.push(`${kindOf(is.infrastructureRef.kind)} is not up-to-date`);
  }
  if (is.failureDomain !== wanted.failureDomain) {
    reasons.push(`Failure domain ${is.failureDomain ?? ''}, ${wanted.failureDomain ?? ''} required`);
  }
  return reasons;
};

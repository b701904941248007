import { PROFILES_ANNOTATION } from '../../../../kinds/rules/aws/wishes.ts';
import type { KubeObject } from '../../../../kube-api/object.ts';

/**
 * The instance profiles with which machines may be launched. A profile is a role that any program on the machine can
 * use, so names in users' objects are only accepted if an administrator has listed them.
 */

/**
 * The profiles that `clusterawsadm bootstrap iam` creates for machines; its third one, `controllers.`, is not for
 * machines.
 */
export const DEFAULT_INSTANCE_PROFILES: readonly string[] = [
  'control-plane.cluster-api-provider-aws.sigs.k8s.io',
  'nodes.cluster-api-provider-aws.sigs.k8s.io',
];

/** The names in a comma-separated text. */
export const profilesIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/**
 * The installation's profiles that the machines in a namespace may have; `namespace` is undefined if there is no
 * object.
 */
export const permittedProfiles = (
  installation: readonly string[],
  namespace: Pick<KubeObject, 'metadata'> | undefined,
): readonly string[] => {
  const text = namespace?.metadata.annotations?.[PROFILES_ANNOTATION];
  if (text === undefined) return installation;
  const own = profilesIn(text);
  return installation.filter((name) => own.includes(name));
};

/** Why a machine may not have its profile, as a text after the name of the field; undefined if it may, or has none. */
export const profileProblem = (profile: string | undefined, permitted: readonly string[]): string | undefined => {
  if (!profile || permitted.includes(profile)) return undefined;
  const list = permitted.length > 0 ? `, only ${permitted.join(', ')}` : '';
  return `instance profile ${profile} is not permitted in this namespace${list}. An administrator can add it to the setting instanceProfiles of the installation, and to the annotation ${PROFILES_ANNOTATION} of the namespace if it has one`;
};

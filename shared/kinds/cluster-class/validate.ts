import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import { compareWithBuilds } from '../rules/bootstrap/compare-builds.ts';
import { parseVersion } from '../rules/bootstrap/version.ts';
import type { ClusterClass } from './schema.ts';
import { validateClasses, validateCompatible } from './validate-classes.ts';
import { validatePatches } from './validate-patches.ts';
import { validateVariables } from './validate-variables.ts';

/**
 * The versions that clusters may have, in order and without gaps. Builds such as +rke2r1 and +rke2r2 are unordered.
 * Upstream's path also lacks the last letter.
 */
const validateVersions = (versions: readonly string[] = []): FieldError[] =>
  versions.flatMap((text, index) => {
    const field = `spec.kubernetesVersion[${index}]`;
    const version = parseVersion(text);
    if (!version) return [invalidValue(field, text, 'version must be a valid semantic version')];
    const before = versions.slice(0, index).findLast((it) => parseVersion(it) !== undefined);
    const { minor = 0 } = (before && parseVersion(before)) || {};
    if (before === undefined) return [];
    const gap = `expecting a version with minor ${minor} or ${minor + 1}, found version ${text.replace(/^v/, '')}`;
    return [
      ...(['newer', 'unordered'].includes(compareWithBuilds(text, before))
        ? []
        : [invalidValue(field, text, `version must be greater than v${before.replace(/^v/, '')}`)]),
      ...(version.minor === minor || version.minor === minor + 1 ? [] : [invalidValue(field, text, gap)]),
    ];
  });

/** Cluster API's rules (core/webhooks/admission/clusterclass.go) that do not depend on the clusters of the class. */
export const validateClusterClass = ({ spec }: ClusterClass, old: ClusterClass | undefined): FieldError[] => [
  ...validateClasses(spec),
  ...validateVariables(spec.variables),
  ...validatePatches(spec),
  ...validateVersions(spec.kubernetesVersions),
  ...(old ? validateCompatible(spec, old.spec) : []),
];

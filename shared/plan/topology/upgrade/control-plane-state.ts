import { compareWithBuilds } from '../../../kinds/rules/bootstrap/compare-builds.ts';
import { inFull, parseTolerantly } from '../../../kinds/rules/bootstrap/version.ts';
import { isObject } from '../../../kube-api/json.ts';
import { valueAt } from '../path.ts';
import type { ControlPlaneState } from './versions.ts';

/** The versions that the machines of a control plane run, the oldest first, according to its status. */
const statusVersions = (controlPlane: object): string[] => {
  const versions = valueAt(controlPlane, ['status', 'versions']);
  if (Array.isArray(versions) && versions.length > 0) {
    return versions.map((it: unknown) => String(isObject(it) ? it.version : ''));
  }
  const version = valueAt(controlPlane, ['status', 'version']);
  return typeof version === 'string' && version !== '' ? [version] : [];
};

/** Whether a control plane is being created or upgraded (internal/contract/controlplane.go). */
export const controlPlaneState = (controlPlane: object): ControlPlaneState => {
  const version = String(valueAt(controlPlane, ['spec', 'version']) ?? '');
  const running = statusVersions(controlPlane);
  const isBehind = (it: string): boolean =>
    parseTolerantly(version) && parseTolerantly(it)
      ? ['newer', 'unordered'].includes(compareWithBuilds(inFull(version), inFull(it)))
      : version !== it;
  return { version, isProvisioning: running.length === 0, isUpgrading: running.some(isBehind) };
};

import type { KubeObject } from '../../kube-api/object.ts';
import { anyText, struct } from '../schema/fields.ts';

export const providerSchema = struct(
  {},
  { providerName: anyText, type: anyText, version: anyText, watchedNamespace: anyText },
);

/** A provider that clusterctl has recorded as installed. Its fields are beside the metadata: there is no spec. */
export interface Provider extends KubeObject {
  providerName?: string;
  /** `CoreProvider`, `BootstrapProvider`, `ControlPlaneProvider`, `InfrastructureProvider`, … */
  type?: string;
  version?: string;
  watchedNamespace?: string;
}

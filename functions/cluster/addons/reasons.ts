import { warning } from '../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../shared/events/recorder.ts';

/**
 * Reasons of events that are recorded while add-ons are applied. Cluster API's older condition reasons are used where
 * it has one.
 */
export const ADDONS_REASONS = {
  ManifestWarnings: warning({
    ClusterResourceSet: 'A workload cluster warned about a manifest that was applied to it.',
  }),
  WrongSecretType: warning({ ClusterResourceSet: 'A Secret that it names does not have the type for add-ons.' }),
  RetrievingResourceFailed: warning({ ClusterResourceSet: 'A Secret or ConfigMap that it names could not be read.' }),
  ApplyFailed: warning({ ClusterResourceSet: 'A manifest could not be applied to a workload cluster.' }),
};

export const recorder = (deps: RecorderDependencies) => makeRecorder<typeof ADDONS_REASONS>(deps, 'cluster-workload');

import { normal } from '../../../shared/events/catalogue.ts';
import { makeRecorder, type RecorderDependencies } from '../../../shared/events/recorder.ts';

/**
 * Reasons of events that are recorded while the objects of a managed topology are created and changed. The names are
 * Cluster API's.
 */
export const TOPOLOGY_REASONS = {
  TopologyCreate: normal({
    Cluster: 'An object of its topology was created.',
    MachineHealthCheck: 'It was created for a cluster with a topology.',
  }),
  TopologyUpdate: normal({
    Cluster: 'An object of its topology was changed.',
    MachineHealthCheck: 'It was changed because the topology or its ClusterClass was.',
  }),
  TopologyDelete: normal({
    Cluster: 'A group of workers was deleted that is no longer in its topology.',
    MachineHealthCheck: 'It was deleted because it is no longer in the topology.',
  }),
};

export const recorder = (deps: RecorderDependencies) =>
  makeRecorder<typeof TOPOLOGY_REASONS>(deps, 'topology/cluster-controller');

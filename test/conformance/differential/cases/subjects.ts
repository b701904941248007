import type { JsonObject } from '../../../../shared/kube-api/json.ts';

/** A kind under test, and the facts about it that the cases need. */
export interface Subject {
  title: string;
  custom: boolean;
  /** The path of the collection in a namespace. */
  collection(namespace: string): string;
  /** A valid object. `metadata` is merged with the name. */
  object(name: string, metadata?: JsonObject): JsonObject;
  /** A merge patch that changes the object, and the same change as a JSON patch. */
  change: JsonObject;
  jsonChange: readonly JsonObject[];
  /** A merge patch that the schema refuses. */
  wrong: JsonObject;
  /** A merge patch with a field that does not exist. */
  unknown: JsonObject;
}

const machineSpec = {
  clusterName: 'one',
  bootstrap: { dataSecretName: 'bootstrap' },
  infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'one' },
};

const clusterApi = (kind: string, plural: string, spec: JsonObject) => ({
  title: kind,
  custom: true,
  collection: (namespace: string) => `/apis/cluster.x-k8s.io/v1beta2/namespaces/${namespace}/${plural}`,
  object: (name: string, metadata: JsonObject = {}) => ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind,
    metadata: { name, ...metadata },
    spec,
  }),
  unknown: { spec: { bogus: 1 } },
});

const core = (kind: string, plural: string, fields: JsonObject) => ({
  title: kind,
  custom: false,
  collection: (namespace: string) => `/api/v1/namespaces/${namespace}/${plural}`,
  object: (name: string, metadata: JsonObject = {}) => ({
    apiVersion: 'v1',
    kind,
    metadata: { name, ...metadata },
    ...fields,
  }),
  unknown: { bogus: 1 },
});

export const MACHINE: Subject = {
  ...clusterApi('Machine', 'machines', machineSpec),
  change: { spec: { version: 'v1.34.0' } },
  jsonChange: [{ op: 'add', path: '/spec/version', value: 'v1.34.0' }],
  wrong: { spec: { minReadySeconds: -1, clusterName: '' } },
};

export const CLUSTER: Subject = {
  ...clusterApi('Cluster', 'clusters', {
    clusterNetwork: { pods: { cidrBlocks: ['192.168.0.0/16'] } },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'one' },
  }),
  change: { spec: { paused: true } },
  jsonChange: [{ op: 'replace', path: '/spec/clusterNetwork/pods/cidrBlocks/0', value: '10.0.0.0/16' }],
  wrong: { spec: { controlPlaneEndpoint: { host: 'x', port: 70000 } } },
};

export const MACHINE_DEPLOYMENT: Subject = {
  ...clusterApi('MachineDeployment', 'machinedeployments', {
    clusterName: 'one',
    replicas: 1,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: machineSpec },
  }),
  change: { spec: { replicas: 2 } },
  jsonChange: [{ op: 'replace', path: '/spec/replicas', value: 2 }],
  wrong: { spec: { replicas: 'two', rollout: { strategy: { type: 'Sideways' } } } },
};

export const CONFIG_MAP: Subject = {
  ...core('ConfigMap', 'configmaps', { data: { a: '1', b: '2' } }),
  change: { data: { a: '3', b: null } },
  jsonChange: [{ op: 'remove', path: '/data/b' }],
  wrong: { data: { 'a b': 'x' } },
};

export const SECRET: Subject = {
  ...core('Secret', 'secrets', { data: { a: 'MQ==' } }),
  change: { stringData: { b: '2' } },
  jsonChange: [{ op: 'add', path: '/data/c', value: 'Mw==' }],
  wrong: { type: 'other' },
};

export const EVENT: Subject = {
  ...core('Event', 'events', {
    involvedObject: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'one', namespace: '{namespace}' },
    reason: 'Created',
    message: 'The machine was created',
    type: 'Normal',
    source: { component: 'tests' },
    firstTimestamp: '2020-01-01T00:00:00Z',
    lastTimestamp: '2020-01-01T00:00:01Z',
    count: 1,
  }),
  collection: (namespace) => `/api/v1/namespaces/${namespace}/events`,
  change: { count: 2 },
  jsonChange: [{ op: 'replace', path: '/count', value: 3 }],
  wrong: { count: 'many' },
};

/** Events in the other group, whose rules are stricter. */
const EVENT_V1: Subject = {
  title: 'Event of events.k8s.io',
  custom: false,
  collection: (namespace) => `/apis/events.k8s.io/v1/namespaces/${namespace}/events`,
  object: (name, metadata = {}) => ({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, ...metadata },
    regarding: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'one', namespace: '{namespace}' },
    eventTime: '2020-01-01T00:00:00.000001Z',
    reason: 'Created',
    action: 'Create',
    note: 'The machine was created',
    type: 'Normal',
    reportingController: 'example.com/tests',
    reportingInstance: 'tests-1',
  }),
  change: { series: { count: 2, lastObservedTime: '2020-01-01T00:00:01.000000Z' } },
  jsonChange: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }],
  wrong: { deprecatedCount: 'many' },
  unknown: { bogus: 1 },
};

const SERVICE_ACCOUNT: Subject = {
  ...core('ServiceAccount', 'serviceaccounts', { secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'b' }] }),
  change: { automountServiceAccountToken: false, secrets: [{ name: 'c', namespace: 'other' }] },
  jsonChange: [{ op: 'add', path: '/imagePullSecrets/-', value: { name: 'd' } }],
  wrong: { automountServiceAccountToken: 'perhaps' },
};

const LEASE: Subject = {
  ...core('Lease', 'leases', {}),
  collection: (namespace) => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
  object: (name, metadata = {}) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, ...metadata },
    spec: { holderIdentity: 'one', leaseDurationSeconds: 15, renewTime: '2020-01-01T00:00:00.000001Z' },
  }),
  change: { spec: { leaseTransitions: 1, strategy: 'OldestEmulationVersion' } },
  jsonChange: [{ op: 'replace', path: '/spec/holderIdentity', value: 'two' }],
  wrong: { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
};

export const SUBJECTS: readonly Subject[] = [
  MACHINE,
  CLUSTER,
  MACHINE_DEPLOYMENT,
  CONFIG_MAP,
  SECRET,
  SERVICE_ACCOUNT,
  LEASE,
];

/** All subjects, including Events, for which some rules differ. */
export const ALL_SUBJECTS: readonly Subject[] = [...SUBJECTS, EVENT, EVENT_V1];

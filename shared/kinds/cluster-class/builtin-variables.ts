const tree = (root: string, ...fields: string[]): string[] => [root, ...fields.map((field) => `${root}.${field}`)];

const METADATA = ['metadata.labels', 'metadata.annotations'];
const WORKERS = ['class', 'name', 'replicas', 'topologyName', 'version', ...METADATA];
const REFERENCES = ['bootstrap.configRef.name', 'infrastructureRef.name'];

/** The variables that Cluster API itself gives to patches. */
export const BUILTIN_VARIABLES: ReadonlySet<string> = new Set([
  'builtin',
  ...tree('builtin.cluster', 'name', 'namespace', 'uid', ...METADATA),
  ...tree('builtin.cluster.topology', 'classRef.name', 'classRef.namespace', 'class', 'classNamespace', 'version'),
  ...tree('builtin.cluster.network', 'serviceDomain', 'services', 'pods'),
  ...tree('builtin.controlPlane', 'name', 'replicas', 'version', ...METADATA, 'machineTemplate.infrastructureRef.name'),
  ...tree('builtin.machineDeployment', ...WORKERS, ...REFERENCES),
  ...tree('builtin.machinePool', ...WORKERS, ...REFERENCES),
]);

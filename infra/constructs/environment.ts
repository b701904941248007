import { Aws } from 'aws-cdk-lib';
import { type ConfigKey, ENV } from '../../shared/config.ts';
import type { FunctionName } from '../bundle/entries.ts';
import type { Resources } from './grants/grants.ts';
import type { Settings } from './settings.ts';
import { megabytesOf } from './workflow/step.ts';

/** The configuration that each function reads at its cold start. */
const NEEDS: Readonly<Record<FunctionName, readonly ConfigKey[]>> = {
  authorizer: ['adminPrincipals', 'editorPrincipals', 'viewerPrincipals', 'trustedAccounts', 'clusterId'],
  api: [
    'table',
    'sealKey',
    'convergeCluster',
    'instanceProfiles',
    'watchesPerPrincipal',
    'watches',
    'redirectWatches',
    'namespaceQuota',
    'hosts',
  ],
  watch: ['table', 'watchesPerPrincipal', 'watches'],
  changes: ['table', 'convergeCluster'],
  'cluster-objects': ['table', 'sealKey', 'convergeCluster', 'provisionMachine', 'removeMachine', 'convergePool'],
  'cluster-network': ['table', 'sealKey', 'accountId', 'awsRateShare', 'functionsInVpc'],
  'cluster-load-balancer': ['table', 'sealKey', 'accountId', 'awsRateShare'],
  'cluster-workload': [
    'table',
    'sealKey',
    'accountId',
    'awsRateShare',
    'fleetBrake',
    'syncMachineLabels',
    'syncMachineAnnotations',
  ],
  'machine-objects': ['table', 'sealKey', 'accountId', 'awsRateShare', 'convergeCluster', 'apiUrl'],
  'machine-instance': ['table', 'sealKey', 'accountId', 'awsRateShare', 'instanceProfiles'],
  'machine-target': ['table', 'sealKey', 'accountId', 'awsRateShare'],
  'machine-node': ['table', 'sealKey', 'convergeCluster', 'syncMachineLabels', 'syncMachineAnnotations'],
  'pool-objects': ['table', 'sealKey', 'convergeCluster'],
  'pool-group': ['table', 'sealKey', 'accountId', 'awsRateShare', 'instanceProfiles'],
  hosts: ['table', 'sealKey'],
  drift: [
    'table',
    'sealKey',
    'accountId',
    'awsRateShare',
    'convergeCluster',
    'sweepMinutes',
    'sweepShards',
    'fleetBrake',
    'syncMachineLabels',
    'syncMachineAnnotations',
    'exportedTable',
  ],
  events: ['table', 'sealKey', 'accountId', 'awsRateShare', 'convergeCluster'],
  guard: ['table'],
};

/** The namespace of the functions' own metrics; the stack's name is the dimension `service`. */
export const METRIC_NAMESPACE = 'Windlass';

/**
 * The memory that a small function needs in addition to its heap: Node's own code, buffers, and Lambda's runtime.
 * Measured with the largest objects, a heap of 48 MB leads to 82 MB of written memory, and one of 40 MB to 72 MB. A heap
 * of 32 MB is too small for them.
 */
const BESIDE_HEAP_MEGABYTES = 88;

/** New objects accumulate in three spaces of 16 MB by default. Functions with 256 MB or more have room for them. */
const YOUNG_MEGABYTES = 48;
const AMPLE_MEGABYTES = 256;

/**
 * Without these options, Node lets its heap grow as on a large computer before it collects garbage. The function has
 * 128 MB by default, and Node's own code uses a third of that.
 */
const heapOptions = (megabytes: number): string => {
  const heap = megabytes - BESIDE_HEAP_MEGABYTES;
  return megabytes < AMPLE_MEGABYTES
    ? `--max-semi-space-size=1 --max-old-space-size=${heap}`
    : `--max-old-space-size=${heap - YOUNG_MEGABYTES}`;
};

const DEFAULT_ADMIN = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/WindlassAdmin`;

/** The environment variables of a function, by its name. */
export const environmentOf = (
  source: Resources & { tableName: string; clusterId: string; apiUrl: string; settings: Settings },
): ((name: FunctionName) => Record<string, string>) => {
  const values: Record<ConfigKey, string> = {
    table: source.tableName,
    sealKey: source.sealKeyArn,
    convergeCluster: source.convergeClusterArn,
    provisionMachine: source.provisionMachineArn,
    removeMachine: source.removeMachineArn,
    convergePool: source.convergePoolArn,
    adminPrincipals: source.settings.adminPrincipals?.join(',') ?? DEFAULT_ADMIN,
    editorPrincipals: source.settings.editorPrincipals.join(','),
    viewerPrincipals: source.settings.viewerPrincipals.join(','),
    trustedAccounts: [Aws.ACCOUNT_ID, ...source.settings.trustedAccounts].join(','),
    syncMachineLabels: source.settings.syncMachineLabels.join(','),
    syncMachineAnnotations: source.settings.syncMachineAnnotations.join(','),
    instanceProfiles: source.settings.instanceProfiles.join(','),
    clusterId: source.clusterId,
    apiUrl: source.apiUrl,
    accountId: Aws.ACCOUNT_ID,
    awsRateShare: String(source.settings.awsRateShare),
    watchesPerPrincipal: String(source.settings.watchesPerPrincipal),
    watches: '',
    redirectWatches: source.settings.watchMegabytes > 0 ? 'true' : '',
    namespaceQuota: source.settings.namespaceQuota,
    hosts: source.settings.hosts ? 'true' : '',
    sweepMinutes: String(source.settings.sweepMinutes),
    sweepShards: String(source.settings.sweepShards),
    functionsInVpc: source.settings.attachment ? 'true' : '',
    fleetBrake: String(source.settings.fleetBrake),
    exportedTable: source.settings.export ? source.tableArn : '',
  };
  const powertools = {
    POWERTOOLS_SERVICE_NAME: source.settings.stackName,
    POWERTOOLS_METRICS_NAMESPACE: METRIC_NAMESPACE,
  };
  // The SDK reads it.
  const endpoints = source.settings.useFipsEndpoints ? { AWS_USE_FIPS_ENDPOINT: 'true' } : {};
  const valuesOf = (name: FunctionName) => ({
    ...values,
    watches: String(source.settings.concurrency.watches[name] ?? ''),
  });
  const small = { NODE_OPTIONS: heapOptions(megabytesOf('watch', source.settings)) };
  // An empty setting was not chosen.
  return (name) => {
    const own = valuesOf(name);
    const chosen = NEEDS[name].flatMap((key) => (own[key] === '' ? [] : [[ENV[key], own[key]]]));
    return { ...powertools, ...endpoints, ...(name === 'watch' ? small : {}), ...Object.fromEntries(chosen) };
  };
};

import { Aws, type CfnElement, CfnOutput, Lazy, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Code, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { ENV } from '../shared/config.ts';
import { STEPS } from '../shared/work/steps.ts';
import { deployedFunctions, type FunctionName, type OfFunctions } from './bundle/entries.ts';
import { kubernetesApi } from './constructs/api.ts';
import { environmentOf } from './constructs/environment.ts';
import { apiCallEvents } from './constructs/events/api-call-events.ts';
import { instanceEvents } from './constructs/events/instance-events.ts';
import { schedule } from './constructs/events/schedule.ts';
import { grantsOf, type Resources } from './constructs/grants/grants.ts';
import { guardClusters } from './constructs/grants/guard.ts';
import type { Place } from './constructs/monitoring/alarm-receivers.ts';
import { failedPasses } from './constructs/monitoring/failed-passes.ts';
import { acknowledgeFindings } from './constructs/monitoring/findings.ts';
import { observe } from './constructs/monitoring/observe.ts';
import { objectTable } from './constructs/object-table.ts';
import { readSettings, type Settings } from './constructs/settings.ts';
import { applyToAll } from './constructs/stack-wide.ts';
import { tableExport } from './constructs/table-export.ts';
import { awsFunctions, hostsFunctions } from './constructs/workflow/providers.ts';
import { stepFunction } from './constructs/workflow/step.ts';
import { convergeCluster } from './workflows/converge-cluster.ts';
import { convergePool } from './workflows/converge-pool.ts';
import { provisionMachine } from './workflows/provision-machine.ts';
import { removeMachine } from './workflows/remove-machine.ts';

type Functions = OfFunctions<LambdaFunction>;

export interface ControlPlaneProps extends StackProps {
  settings: Settings;
  /** The directory of the bundles: `<name>/index.mjs` for each function, and their shared chunks. */
  bundles: string;
}

/**
 * The whole of Windlass:
 *
 *   kubectl → API Gateway → api, watch ─► objects ◄──────── drift ◄── every few minutes
 *                           authorizer       │ touch     ◄─ events ◄── EC2, Step Functions
 *                                            │           ◄─ changes ◄── API Gateway ◄── API servers of clusters
 *                                            ▼
 *                  converge-cluster ──► provision-machine, remove-machine,
 *                                       converge-pool ──► the account's EC2, ELBv2, Auto Scaling
 */
export class ControlPlaneStack extends Stack {
  constructor(scope: Construct, id: string, props: ControlPlaneProps) {
    const { settings } = props;
    super(scope, id, {
      description: 'Windlass: Cluster API without a management cluster',
      terminationProtection: settings.terminationProtection,
      ...props,
    });

    applyToAll(this, settings);

    const objects = objectTable(this, { tableName: settings.tableName, isRemoved: settings.removeTable });
    const sealKey = sealKeyOf(this, settings);
    const workflows = workflowNames(settings.stackName);
    const resources = resourcesOf(objects, sealKey, workflows);
    const clusterId = `${settings.stackName}.${Aws.REGION}.${Aws.ACCOUNT_ID}`;
    // The API calls functions that are created before it.
    const apiUrl = Lazy.string({ produce: () => api.url });
    const environment = environmentOf({ ...resources, tableName: objects.tableName, clusterId, apiUrl, settings });
    const grants = grantsOf({ ...settings, ...resources });
    const code = Code.fromAsset(props.bundles);
    const names = deployedFunctions(settings);
    const make = (name: FunctionName): LambdaFunction =>
      stepFunction(this, { name, settings, code, environment: environment(name), grants: grants[name] });
    const functions = Object.fromEntries(names.map((name) => [name, make(name)])) as unknown as Functions;

    // The API.
    const { api: handler, watch, changes, authorizer } = functions;
    const api = kubernetesApi(this, { handler, watch, changes, authorizer, settings });

    // The controllers.
    const workers = { functions, providers: providersOf(functions) };
    const converge = convergeCluster(this, { name: workflows.converge, ...workers, settings });
    const machines = [
      converge,
      provisionMachine(this, { name: workflows.provision, ...workers, settings }),
      removeMachine(this, { name: workflows.remove, ...workers, settings }),
      convergePool(this, { name: workflows.pool, ...workers, settings }),
    ];

    // The resync.
    const { sweepMinutes: minutes, sweepShards: shards } = settings;
    schedule(this, 'Sweep', { minutes, shards, target: functions.drift });

    // Events of EC2 and Step Functions, which arrive before the resync would find the changes.
    const deadLetters = eventSources(this, functions.events, { settings, converge });

    if (settings.export) tableExport(this, objects, { settings: settings.export, deadLetterQueue: deadLetters });

    // Alarms and the dashboard.
    const isExported = settings.export !== undefined;
    const watched = { functions, workflows: machines, api, table: objects, deadLetters, isExported };
    observe(this, { stackName: settings.stackName, sweepMinutes: minutes, sweepShards: shards, ...watched }, settings);

    new CfnOutput(this, 'ApiUrl', { value: api.url, description: 'Address of the Kubernetes API' });
    new CfnOutput(this, 'ClusterId', { value: clusterId, description: `Binds tokens to this API (${ENV.clusterId})` });
    const steps = names.filter((name) => name in STEPS).flatMap((name) => functions[name] ?? []);
    acknowledgeFindings(this, { table: objects, functions: steps.map(resourceOf), settings });

    // Last, because it must be deleted before everything else in the stack.
    guardClusters(this, functions.guard, settings);
  }
}

/** Hosts are served only if enabled: a second provider costs a state transition in each of its steps. */
const providersOf = (functions: Functions) => [
  awsFunctions(functions),
  ...(functions.hosts ? [hostsFunctions(functions.hosts)] : []),
];

/** Sends events to `target`; those that cannot be delivered or handled go to the returned queue. */
const eventSources = (
  scope: Construct,
  target: LambdaFunction,
  { settings, converge }: { settings: Settings; converge: StateMachine },
): Queue => {
  const deadLetterQueue = instanceEvents(scope, target);
  apiCallEvents(scope, target, { settings, deadLetterQueue });
  failedPasses(scope, target, { converge, deadLetterQueue });
  return deadLetterQueue;
};

/** The stack that an app's context describes. Throws an Error that lists every invalid context value. */
export const controlPlane = (app: Construct, bundles: string, place: Place = {}): ControlPlaneStack => {
  const settings = readSettings(app.node, place);
  return new ControlPlaneStack(app, settings.stackName, { settings, bundles });
};

/** The key of the Secrets. It is kept with the table, because nothing else can open the table's Secrets. */
const sealKeyOf = (scope: Construct, { sealKeyArn, removeTable }: Settings): IKey =>
  sealKeyArn === undefined
    ? new Key(scope, 'SealKey', {
        description: 'Seals the contents of Secret objects',
        enableKeyRotation: true,
        removalPolicy: removeTable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      })
    : Key.fromKeyArn(scope, 'SealKey', sealKeyArn);

const resourcesOf = (objects: ITable, sealKey: IKey, workflows: ReturnType<typeof workflowNames>): Resources => ({
  tableArn: objects.tableArn,
  sealKeyArn: sealKey.keyArn,
  convergeClusterArn: stateMachineArn(workflows.converge),
  provisionMachineArn: stateMachineArn(workflows.provision),
  removeMachineArn: stateMachineArn(workflows.remove),
  convergePoolArn: stateMachineArn(workflows.pool),
});

const workflowNames = (prefix: string) => ({
  converge: `${prefix}-converge-cluster`,
  provision: `${prefix}-provision-machine`,
  remove: `${prefix}-remove-machine`,
  pool: `${prefix}-converge-pool`,
});

/** Computed, not referenced, because the workflows call functions that start workflows. */
const stateMachineArn = (name: string): string =>
  `arn:${Aws.PARTITION}:states:${Aws.REGION}:${Aws.ACCOUNT_ID}:stateMachine:${name}`;

/** The CloudFormation resource of a construct that wraps exactly one. */
const resourceOf = (construct: Construct): CfnElement => construct.node.defaultChild as CfnElement;

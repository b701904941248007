/** Deploys a new version while clusters are managed: functions and state machines are updated one after the other. */
import { CreateStateMachineCommand, SFNClient, UpdateStateMachineCommand } from '@aws-sdk/client-sfn';
import { specOf } from '../../../../infra/local/engines/lambda/engine.ts';
import type { FunctionSpec } from '../../../../infra/local/engines/lambda/messages.ts';
import type { Runtime } from '../../../../infra/local/runtime.ts';
import {
  creationOrder,
  type Identity,
  loadAssembly,
  makeResolver,
  type ResourceDefinition,
} from '../../../../infra/local/template.ts';
import { seededNumbers } from '../../../../shared/seeded-random.ts';

export interface DeploymentOptions {
  /** The cloud assembly to deploy, and the one that is running. */
  outdir: string;
  former: string;
  runtime: Pick<Runtime, 'identities' | 'target'>;
  update(spec: FunctionSpec): void;
  wait(milliseconds: number): Promise<void>;
  /** Determines the order of the functions. */
  seed: number;
}

/** CloudFormation updates a function in a few seconds. The order of functions is undefined. */
const EACH_MILLISECONDS = 3_000;

/** Roles have no effect here. */
const ANY_ROLE = 'arn:aws:iam::000000000000:role/Windlass';

const FUNCTION = 'AWS::Lambda::Function';
const MACHINE = 'AWS::StepFunctions::StateMachine';
const TABLE = 'AWS::DynamoDB::Table';

const tablesOf = (resources: Readonly<Record<string, ResourceDefinition>>): string =>
  JSON.stringify(Object.values(resources).filter(({ Type }) => Type === TABLE));

/** Throws if the table would change, because only code is updated here. */
const requireSameTable = (outdir: string, former: string): void => {
  const [now, before] = [outdir, former].map((one) => tablesOf(loadAssembly(one).template.Resources));
  if (now !== before) throw new Error(`the table of ${outdir} differs from that of ${former}`);
};

const shuffled = <T>(all: readonly T[], seed: number): T[] => {
  const next = seededNumbers(seed);
  return all
    .map((one) => ({ one, rank: next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
};

/**
 * Updates functions before the state machines that refer to them. Functions and state machines that only exist in the
 * new version are created. Other new resources are not, and a function that refers to one is refused.
 */
export const deploy = async ({ outdir, former, runtime, update, wait, seed }: DeploymentOptions): Promise<void> => {
  requireSameTable(outdir, former);
  const { template, assets } = loadAssembly(outdir);
  const { target } = runtime;
  const identities = new Map<string, Identity>(runtime.identities);
  const resolve = makeResolver(identities, target);
  const ofType = (type: string): [string, Record<string, unknown>][] =>
    creationOrder(template).flatMap((id) => {
      const { Type, Properties = {} } = template.Resources[id] ?? { Type: '' };
      // These may refer to new resources, and have no effect here.
      const { Tags, Role, LoggingConfig, ...properties } = Properties as Record<string, unknown>;
      return Type === type ? [[id, properties]] : [];
    });
  const specs = ofType(FUNCTION).map(([logicalId, properties]) => {
    const resolved = resolve(properties) as Record<string, unknown>;
    const spec = specOf({ logicalId, type: FUNCTION, properties: resolved }, { target, assets });
    identities.set(logicalId, { ref: spec.name, attributes: { Arn: spec.arn } });
    return spec;
  });
  for (const spec of shuffled(specs, seed)) {
    await wait(EACH_MILLISECONDS);
    update(spec);
  }
  const client = new SFNClient({});
  for (const [logicalId, { DefinitionString, StateMachineName }] of ofType(MACHINE)) {
    const definition = String(resolve(DefinitionString));
    const name = String(StateMachineName);
    const stateMachineArn = identities.get(logicalId)?.ref;
    await wait(EACH_MILLISECONDS);
    if (stateMachineArn) await client.send(new UpdateStateMachineCommand({ stateMachineArn, definition }));
    else await client.send(new CreateStateMachineCommand({ name, definition, roleArn: ANY_ROLE }));
  }
  client.destroy();
};

import { type Identity, loadAssembly, makeResolver, type Template } from '../../infra/local/template.ts';

/** Reads a synthesized template for tests. */

export interface AslState {
  Type: string;
  Resource?: string;
  Parameters?: Record<string, unknown>;
  TimeoutSeconds?: number;
  ResultPath?: string | null;
  Retry?: { ErrorEquals: string[]; MaxAttempts: number }[];
  Catch?: { ErrorEquals: string[]; Next: string; ResultPath?: string }[];
  Branches?: { States: Record<string, AslState> }[];
  [field: string]: unknown;
}

export interface Definition {
  name: string;
  text: string;
  states: { name: string; state: AslState; enclosing?: AslState }[];
}

const target = {
  partition: 'aws',
  accountId: '000000000000',
  region: 'us-east-1',
  urlSuffix: 'amazonaws.com',
  stackName: 'Windlass',
};

/** Resolves every reference to a resource to its logical id. */
const resolverOf = (template: Template) => {
  const ids = Object.entries(template.Resources).map(([id, { Type, Properties }]) => {
    const name =
      Type === 'AWS::Lambda::Function'
        ? `arn:aws:lambda:us-east-1:000000000000:function:${Properties?.FunctionName}`
        : id;
    return [id, { ref: id, attributes: { Arn: name, RootResourceId: 'root', QueueName: id } }] as [string, Identity];
  });
  return makeResolver(new Map(ids), target);
};

const statesOf = (states: Record<string, AslState>, enclosing?: AslState): Definition['states'] =>
  Object.entries(states).flatMap(([name, state]) => [
    { name, state, enclosing },
    ...(state.Branches ?? []).flatMap((branch) => statesOf(branch.States, state)),
  ]);

/** The resources of one type with resolved properties, by logical id. */
export const resourcesOf = (outdir: string, type: string): [id: string, properties: Record<string, unknown>][] => {
  const { template } = loadAssembly(outdir);
  const resolve = resolverOf(template);
  const known = Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
  return known.map(([id, { Properties = {} }]) => [id, resolve(Properties) as Record<string, unknown>]);
};

/** The workflows of a template. */
export const definitionsOf = (outdir: string): Definition[] =>
  resourcesOf(outdir, 'AWS::StepFunctions::StateMachine').map(([, { DefinitionString, StateMachineName }]) => {
    const text = String(DefinitionString);
    return {
      name: String(StateMachineName).replace('Windlass-', ''),
      text,
      states: statesOf((JSON.parse(text) as { States: Record<string, AslState> }).States),
    };
  });

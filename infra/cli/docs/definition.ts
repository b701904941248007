/** The workflows of a synthesized template, with the data for their diagrams. */
import { type Identity, loadAssembly, makeResolver } from '../../local/template.ts';

export interface Condition {
  Variable?: string;
  And?: readonly Condition[];
  Or?: readonly Condition[];
  Not?: Condition;
  [operator: string]: unknown;
}

export interface State {
  Type: string;
  Next?: string;
  Default?: string;
  Choices?: readonly (Condition & { Next: string })[];
  Catch?: readonly { Next: string }[];
  Branches?: readonly Machine[];
  /** The name of a task's function. */
  Resource?: string;
  Seconds?: number;
  SecondsPath?: string;
}

export interface Machine {
  StartAt: string;
  States: Readonly<Record<string, State>>;
}

const PLACE = { partition: 'aws', accountId: 'account', region: 'region', urlSuffix: 'amazonaws.com' };

/** The state machines of a cloud assembly by their names, without the prefix of the stack's name. */
export const machinesOf = (outdir: string): ReadonlyMap<string, Machine> => {
  const { template } = loadAssembly(outdir);
  const named = Object.entries(template.Resources).map(([id, { Properties }]): [string, Identity] => {
    const name = String(Properties?.FunctionName ?? id).replace(/^Windlass-/, '');
    return [id, { ref: name, attributes: { Arn: name } }];
  });
  const resolve = makeResolver(new Map(named), { ...PLACE, stackName: 'Windlass' });
  return new Map(
    Object.values(template.Resources)
      .filter(({ Type }) => Type === 'AWS::StepFunctions::StateMachine')
      .map(({ Properties = {} }) => {
        const name = String(Properties.StateMachineName).replace(/^Windlass-/, '');
        return [name, JSON.parse(String(resolve(Properties.DefinitionString))) as Machine];
      }),
  );
};

/** The role in docs/spoke-role.yaml in an account, with its references resolved as CloudFormation does. */
import { spokeTemplate } from '../../infra/spoke/template.ts';
import type { Role, Statement } from './roles.ts';

interface SpokeRole extends Role {
  /** Its trust policy. */
  trust: unknown;
}

const deployed =
  (values: Readonly<Record<string, string>>) =>
  (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(deployed(values));
    if (value === null || typeof value !== 'object') return value;
    const { Ref, 'Fn::Sub': text } = value as { Ref?: string; 'Fn::Sub'?: string };
    if (Ref !== undefined) return values[Ref];
    if (text !== undefined) return text.replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => values[name] ?? '');
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deployed(values)(one)]));
  };

interface Policy {
  Type: string;
  Properties: { PolicyDocument: { Statement: object[] } };
}

/** The role as the template creates it in `account`; `parameters` as a user gives them. */
export const spokeRole = (account: string, parameters: Readonly<Record<string, string>> = {}): SpokeRole => {
  const { Parameters, Resources } = spokeTemplate();
  const defaults = Object.entries(Parameters).flatMap(([name, one]) => ('Default' in one ? [[name, one.Default]] : []));
  const values = {
    ...(Object.fromEntries(defaults) as Record<string, string>),
    ...parameters,
    ...{ 'AWS::Partition': 'aws', 'AWS::AccountId': account },
  };
  const policies = Object.values(Resources as Record<string, unknown>).filter(
    (one): one is Policy => (one as Policy).Type === 'AWS::IAM::ManagedPolicy',
  );
  const statements = policies
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .map((one): Statement => {
      const document = deployed(values)(one) as Record<string, string | string[]>;
      return { actions: [document.Action ?? []].flat(), resources: [document.Resource ?? []].flat(), document };
    });
  const role = (Resources as unknown as Record<string, { Properties: Record<string, unknown> }>).Role;
  const name = deployed(values)(role?.Properties.RoleName);
  const trust = deployed(values)(role?.Properties.AssumeRolePolicyDocument);
  return { functionName: 'spoke', arn: `arn:aws:iam::${account}:role/${name}`, statements, trust };
};

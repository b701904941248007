/** The permissions of the functions' roles, read from the synthesized template as it is deployed. */
import { type Identity, loadAssembly, makeResolver, type Target, type Template } from '../../infra/local/template.ts';

/** One statement of a policy with resolved references, and with lists where IAM also allows a single value. */
export interface Statement {
  actions: readonly string[];
  resources: readonly string[];
  /** As it is in the policy. */
  document: Readonly<Record<string, unknown>>;
}

export interface Role {
  /** The function that it belongs to. */
  functionName: string;
  arn: string;
  statements: readonly Statement[];
}

interface Document {
  Statement: Readonly<Record<string, unknown>>[];
}

const list = (value: unknown): string[] => [value ?? []].flat().map(String);

const statementOf = (document: Readonly<Record<string, unknown>>): Statement => {
  if (document.Effect !== 'Allow' || document.Action === undefined || document.Resource === undefined)
    throw new Error(`only Allow with Action and Resource is supported: ${JSON.stringify(document)}`);
  return { actions: list(document.Action), resources: list(document.Resource), document };
};

const resourcesOf = (template: Template, type: string) =>
  Object.entries(template.Resources).filter(([, { Type }]) => Type === type);

/**
 * The inline and attached policies of a role; statements that do not fit into one are in a managed policy of the
 * template. Throws for AWS-managed policies, which the template does not contain.
 */
const documentsOf = (template: Template, roleId: string): unknown[] => {
  const own = template.Resources[roleId]?.Properties ?? {};
  if (list(own.ManagedPolicyArns).length > 0) throw new Error(`${roleId} has managed policies`);
  const beside = [...resourcesOf(template, 'AWS::IAM::Policy'), ...resourcesOf(template, 'AWS::IAM::ManagedPolicy')];
  const attached = beside.flatMap(([, { Properties = {} }]) =>
    (Properties.Roles as { Ref: string }[]).some(({ Ref }) => Ref === roleId) ? [Properties.PolicyDocument] : [],
  );
  const inline = (own.Policies as { PolicyDocument: unknown }[] | undefined) ?? [];
  return [...inline.map(({ PolicyDocument }) => PolicyDocument), ...attached];
};

/**
 * The role of each function. `identities` are the resources of the template, and `target` the account with which it was
 * deployed.
 */
export const rolesOf = (outdir: string, identities: ReadonlyMap<string, Identity>, target: Target): Role[] => {
  const { template } = loadAssembly(outdir);
  const resolve = makeResolver(identities, target);
  return resourcesOf(template, 'AWS::Lambda::Function').map(([, { Properties = {} }]) => {
    const [roleId = ''] = (Properties.Role as { 'Fn::GetAtt': string[] })['Fn::GetAtt'];
    const documents = documentsOf(template, roleId).map((document) => resolve(document) as Document);
    return {
      functionName: String(resolve(Properties.FunctionName)),
      arn: String(resolve(Properties.Role)),
      statements: documents.flatMap(({ Statement }) => Statement).map(statementOf),
    };
  });
};

/** The policies of the template's keys, by their ARNs: IAM evaluates the key policy as well as the role. */
export const keyPoliciesOf = (
  outdir: string,
  identities: ReadonlyMap<string, Identity>,
  target: Target,
): ReadonlyMap<string, unknown> => {
  const { template } = loadAssembly(outdir);
  const resolve = makeResolver(identities, target);
  return new Map(
    resourcesOf(template, 'AWS::KMS::Key').map(([id, { Properties = {} }]) => [
      String(identities.get(id)?.attributes?.Arn),
      resolve(Properties.KeyPolicy),
    ]),
  );
};

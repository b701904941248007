import type * as sdk from '@aws-sdk/client-ssm';
import { AwsFault, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { arnOf, randomHex } from '../wire/place.ts';
import { getParameter, type Parameter, parameterName, type Ssm } from './state.ts';

const MOST_BYTES = 4096;
const TYPES: readonly string[] = ['String', 'StringList', 'SecureString'];

const invalid = (message: string): AwsFault => new AwsFault('ValidationException', message);

const checkName = (name: string): void => {
  if (!/^[A-Za-z0-9_.\-/]{1,1011}$/.test(name))
    throw invalid(`Parameter name: can only contain letters, numbers and .-_/, not '${name}'`);
  if (/^\/?(aws|ssm)/i.test(name))
    throw invalid(`Parameter name: can't be prefixed with "aws" or "ssm" (case-insensitive).`);
};

const arnFor = (ssm: Ssm, name: string): string =>
  arnOf(ssm.place, 'ssm', `parameter${name.startsWith('/') ? '' : '/'}${name}`);

const view = (ssm: Ssm, parameter: Parameter, isDecrypted: boolean): sdk.Parameter => ({
  Name: parameter.name,
  ARN: arnFor(ssm, parameter.name),
  Type: parameter.type,
  Value: parameter.type === 'SecureString' && !isDecrypted ? parameter.sealed : parameter.value,
  Version: parameter.version,
  LastModifiedDate: parameter.modifiedAt,
  DataType: 'text',
});

const tagsIn = ({ Tags = [] }: sdk.PutParameterRequest): Map<string, string> =>
  new Map(Tags.map(({ Key = '', Value = '' }) => [Key, Value]));

const put = (ssm: Ssm, input: sdk.PutParameterRequest): Parameter => {
  const known = ['Name', 'Value', 'Type', 'Overwrite', 'Description', 'KeyId', 'Tags', 'Tier', 'DataType'];
  onlySimulated('ssm:PutParameter', input, known);
  const name = parameterName(input.Name ?? '');
  checkName(name);
  const before = ssm.parameters.get(name);
  if (before && !input.Overwrite)
    throw new AwsFault(
      'ParameterAlreadyExists',
      'The parameter already exists. To overwrite this value, set the overwrite option in the request to true.',
    );
  const type = input.Type ?? before?.type;
  if (!type || !TYPES.includes(type)) throw invalid(`A parameter type is required: one of ${TYPES.join(', ')}`);
  if ((input.Tier ?? 'Standard') === 'Standard' && Buffer.byteLength(input.Value ?? '') > MOST_BYTES)
    throw invalid(`Standard tier parameters support a maximum parameter value of ${MOST_BYTES} characters.`);
  const parameter: Parameter = {
    name,
    type,
    value: input.Value ?? '',
    sealed: Buffer.from(randomHex(ssm.place.random, 64)).toString('base64'),
    version: (before?.version ?? 0) + 1,
    modifiedAt: ssm.place.clock.now(),
    keyId: input.KeyId ?? before?.keyId,
    description: input.Description ?? before?.description,
    tags: before?.tags ?? tagsIn(input),
  };
  ssm.parameters.set(name, parameter);
  return parameter;
};

const isUnder = (name: string, path: string, isRecursive: boolean): boolean => {
  const folder = path.endsWith('/') ? path : `${path}/`;
  return name.startsWith(folder) && (isRecursive || !name.slice(folder.length).includes('/'));
};

const byPath = (ssm: Ssm, input: sdk.GetParametersByPathRequest): sdk.GetParametersByPathResult => {
  onlySimulated('ssm:GetParametersByPath', input, ['Path', 'Recursive', 'WithDecryption', 'MaxResults', 'NextToken']);
  const { Path = '', Recursive = false, WithDecryption = false, MaxResults = 10, NextToken = '' } = input;
  if (!Path.startsWith('/')) throw invalid(`The path must begin with a slash, not '${Path}'`);
  const after = Buffer.from(NextToken, 'base64url').toString('utf8');
  const names = [...ssm.parameters.keys()].filter((name) => isUnder(name, Path, Recursive) && name > after).sort();
  const page = names.slice(0, MaxResults);
  const more = names.length > page.length;
  return {
    Parameters: page.map((name) => view(ssm, getParameter(ssm, name), WithDecryption)),
    NextToken: more ? Buffer.from(page.at(-1) ?? '').toString('base64url') : undefined,
  };
};

const sortOut = (ssm: Ssm, names: readonly string[]): { known: string[]; unknown: string[] } => ({
  known: names.filter((name) => ssm.parameters.has(parameterName(name))),
  unknown: names.filter((name) => !ssm.parameters.has(parameterName(name))),
});

/** Parameters. Only the newest version of each is kept; policies, labels and history are not simulated. */
export const ssmHandlers = (ssm: Ssm): Handlers<typeof sdk> => ({
  PutParameter: (input) => ({ Version: put(ssm, input).version, Tier: 'Standard' }),
  GetParameter: ({ Name, WithDecryption = false }) => ({
    Parameter: view(ssm, getParameter(ssm, Name), WithDecryption),
  }),
  GetParameters: ({ Names = [], WithDecryption = false }) => {
    const { known, unknown } = sortOut(ssm, Names);
    return {
      Parameters: known.map((name) => view(ssm, getParameter(ssm, name), WithDecryption)),
      InvalidParameters: unknown,
    };
  },
  GetParametersByPath: (input) => byPath(ssm, input),
  ListTagsForResource: (input) => {
    onlySimulated('ssm:ListTagsForResource', input, ['ResourceType', 'ResourceId']);
    const parameter = ssm.parameters.get(parameterName(input.ResourceId ?? ''));
    if (input.ResourceType !== 'Parameter') throw invalid(`tags of a ${input.ResourceType} are not simulated`);
    if (!parameter) throw new AwsFault('InvalidResourceId', `there is no parameter ${input.ResourceId}`);
    return { TagList: [...parameter.tags].map(([Key, Value]) => ({ Key, Value })) };
  },
  DeleteParameter: ({ Name }) => {
    ssm.parameters.delete(getParameter(ssm, Name).name);
    return {};
  },
  DeleteParameters: ({ Names = [] }) => {
    const { known, unknown } = sortOut(ssm, Names);
    for (const name of known) ssm.parameters.delete(parameterName(name));
    return { DeletedParameters: known, InvalidParameters: unknown };
  },
});

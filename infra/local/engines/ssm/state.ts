import { AwsFault } from '../wire/fault.ts';
import type { Place } from '../wire/place.ts';

export interface Parameter {
  readonly name: string;
  readonly type: 'String' | 'StringList' | 'SecureString';
  readonly value: string;
  /** What a reader without decryption sees of a SecureString. */
  readonly sealed: string;
  readonly version: number;
  readonly modifiedAt: Date;
  readonly keyId: string | undefined;
  readonly description: string | undefined;
}

/** The parameters of one region, by name. */
export interface Ssm {
  readonly place: Place;
  readonly parameters: Map<string, Parameter>;
}

export const createSsm = (place: Place): Ssm => ({ place, parameters: new Map() });

/** The name in a name or in an ARN of a parameter. */
export const parameterName = (nameOrArn: string): string => {
  const name = /^arn:aws:ssm:[^:]+:\d{12}:parameter\/?(.+)$/.exec(nameOrArn)?.[1];
  if (name === undefined) return nameOrArn;
  return name.includes('/') ? `/${name.replace(/^\//, '')}` : name;
};

/** Throws ParameterNotFound. */
export const getParameter = ({ parameters }: Ssm, nameOrArn: string | undefined): Parameter => {
  const parameter = parameters.get(parameterName(nameOrArn ?? ''));
  if (!parameter) throw new AwsFault('ParameterNotFound', '');
  return parameter;
};

import { stockImage } from '../ec2/images/images.ts';
import { AwsFault } from '../wire/fault.ts';
import type { Place } from '../wire/place.ts';

export interface Parameter {
  readonly name: string;
  readonly type: 'String' | 'StringList' | 'SecureString';
  readonly value: string;
  /** The value of a SecureString for a reader without decryption. */
  readonly sealed: string;
  readonly version: number;
  readonly modifiedAt: Date;
  readonly keyId: string | undefined;
  readonly description: string | undefined;
  readonly tags: ReadonlyMap<string, string>;
}

/** The parameters of one region, by name. */
export interface Ssm {
  readonly place: Place;
  readonly parameters: Map<string, Parameter>;
}

export const createSsm = (place: Place): Ssm => ({ place, parameters: new Map() });

/** The name of a parameter, from its name or ARN. */
export const parameterName = (nameOrArn: string): string => {
  const name = /^arn:aws:ssm:[^:]+:\d{12}:parameter\/?(.+)$/.exec(nameOrArn)?.[1];
  if (name === undefined) return nameOrArn;
  return name.includes('/') ? `/${name.replace(/^\//, '')}` : name;
};

/** Ids of Ubuntu's own images, which their publisher provides in every region. */
const publicParameter = ({ place }: Ssm, name: string): Parameter | undefined => {
  const [, release = '', architecture = ''] =
    /^\/aws\/service\/canonical\/ubuntu\/server\/([^/]+)\/stable\/current\/([^/]+)\/hvm\/ebs-gp[23]\/ami-id$/.exec(
      name,
    ) ?? [];
  const image = stockImage(place.region, release, architecture);
  if (!image) return undefined;
  const common = { sealed: '', version: 1, keyId: undefined, description: undefined, tags: new Map<string, string>() };
  return { ...common, name, type: 'String', value: image.id, modifiedAt: image.createdAt };
};

/** Throws ParameterNotFound. */
export const getParameter = (ssm: Ssm, nameOrArn: string | undefined): Parameter => {
  const name = parameterName(nameOrArn ?? '');
  const parameter = ssm.parameters.get(name) ?? publicParameter(ssm, name);
  if (!parameter) throw new AwsFault('ParameterNotFound', '');
  return parameter;
};

/**
 * Reads a synthesized CloudFormation template: the order in which its resources are made and the values of the
 * intrinsic functions in it. What it does not support, it refuses by name.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ResourceDefinition {
  Type: string;
  Properties?: Readonly<Record<string, unknown>>;
  DependsOn?: string | readonly string[];
}

export interface Template {
  Resources: Readonly<Record<string, ResourceDefinition>>;
  Outputs?: Readonly<Record<string, { Value: unknown }>>;
}

/** A template and the location of the files that it refers to by their object key. */
export interface Assembly {
  template: Template;
  assets: ReadonlyMap<string, string>;
}

/** The attributes of a resource once it exists: the value of `Ref` and those of `Fn::GetAtt`. */
export interface Identity {
  ref: string;
  attributes?: Readonly<Record<string, string>>;
}

/** The account that the template is deployed to. */
export interface Target {
  partition: string;
  accountId: string;
  region: string;
  urlSuffix: string;
  stackName: string;
}

interface AssetManifest {
  files?: Record<string, { source: { path: string }; destinations: Record<string, { objectKey: string }> }>;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** Loads the one stack of a cloud assembly. Throws when the directory contains none, or several. */
export const loadAssembly = (outdir: string): Assembly => {
  const manifest = readJson(join(outdir, 'manifest.json')) as {
    artifacts?: Record<string, { type: string; properties?: { templateFile?: string } }>;
  };
  const stacks = Object.values(manifest.artifacts ?? {}).filter(({ type }) => type === 'aws:cloudformation:stack');
  const file = stacks[0]?.properties?.templateFile;
  if (stacks.length !== 1 || file === undefined) throw new Error(`${outdir} holds ${stacks.length} stacks, not one`);
  const { files = {} } = readJson(join(outdir, file.replace('.template.json', '.assets.json'))) as AssetManifest;
  const assets = Object.values(files).flatMap(({ source, destinations }) =>
    Object.values(destinations).map(({ objectKey }) => [objectKey, join(outdir, source.path)] as const),
  );
  return { template: readJson(join(outdir, file)) as Template, assets: new Map(assets) };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The single-key object that an intrinsic function is, as name and argument. */
const intrinsicOf = (value: Record<string, unknown>): [name: string, argument: unknown] | undefined => {
  const [entry, ...rest] = Object.entries(value);
  if (entry === undefined || rest.length > 0) return undefined;
  return entry[0] === 'Ref' || entry[0].startsWith('Fn::') ? entry : undefined;
};

const SUB_NAME = /\$\{([^!}][^}]*)\}/g;

const getAttPair = (argument: unknown): [id: string, attribute: string] => {
  if (Array.isArray(argument)) return [String(argument[0]), String(argument[1])];
  const [id = '', ...attribute] = String(argument).split('.');
  return [id, attribute.join('.')];
};

/** The logical ids that a value refers to, at any depth. */
const referencesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isRecord(value)) return [];
  const [name, argument] = intrinsicOf(value) ?? [];
  if (name === 'Ref') return [String(argument)];
  if (name === 'Fn::GetAtt') return [getAttPair(argument)[0]];
  if (name === 'Fn::Sub') {
    const text = Array.isArray(argument) ? argument[0] : argument;
    const names = [...String(text).matchAll(SUB_NAME)].map((match) => String(match[1]).split('.')[0] ?? '');
    return [...names, ...(Array.isArray(argument) ? referencesIn(argument[1]) : [])];
  }
  return Object.values(value).flatMap(referencesIn);
};

const dependenciesOf = (definition: ResourceDefinition): string[] => [
  ...[definition.DependsOn ?? []].flat(),
  ...referencesIn(definition.Properties ?? {}),
];

/** The logical ids, each after all that it depends on. Throws for a circle and names it. */
export const creationOrder = (template: Template): string[] => {
  const order: string[] = [];
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): void => {
    const definition = template.Resources[id];
    if (definition === undefined || done.has(id)) return;
    if (path.includes(id)) throw new Error(`resources depend on each other in a circle: ${[...path, id].join(' → ')}`);
    for (const dependency of dependenciesOf(definition)) visit(dependency, [...path, id]);
    done.add(id);
    order.push(id);
  };
  for (const id of Object.keys(template.Resources)) visit(id, []);
  return order;
};

/** What Ref and Fn::GetAtt give. Both throw for what is not known. */
const makeLookup = (known: ReadonlyMap<string, Identity>, target: Target) => {
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::Partition': target.partition,
    'AWS::AccountId': target.accountId,
    'AWS::Region': target.region,
    'AWS::URLSuffix': target.urlSuffix,
    'AWS::StackName': target.stackName,
  };
  const identity = (id: string): Identity => {
    const found = known.get(id);
    if (found === undefined) throw new Error(`the template refers to "${id}", which is neither a resource nor known`);
    return found;
  };
  const getAtt = (argument: unknown): string => {
    const [id, attribute] = getAttPair(argument);
    const value = identity(id).attributes?.[attribute];
    if (value === undefined) throw new Error(`the resource "${id}" has no attribute "${attribute}" on the laptop`);
    return value;
  };
  return { ref: (id: string): string => pseudo[id] ?? identity(id).ref, getAtt };
};

/**
 * A function that replaces the intrinsic functions in a value. `known` holds the resources that exist already. Throws
 * for a function, a reference or an attribute that is not known.
 */
export const makeResolver = (known: ReadonlyMap<string, Identity>, target: Target) => {
  const { ref, getAtt } = makeLookup(known, target);
  const sub = (argument: unknown): string => {
    const [text, values] = Array.isArray(argument) ? argument : [argument, {}];
    const own = resolve(values) as Record<string, string>;
    return String(text).replace(SUB_NAME, (_, name: string) =>
      Object.hasOwn(own, name) ? String(own[name]) : name.includes('.') ? getAtt(name) : ref(name),
    );
  };
  const functions: Readonly<Record<string, (argument: unknown) => unknown>> = {
    Ref: (argument) => ref(String(argument)),
    'Fn::GetAtt': getAtt,
    'Fn::Sub': sub,
    'Fn::Join': (argument) => {
      const [separator, parts] = argument as [string, unknown];
      return (resolve(parts) as string[]).join(separator);
    },
    'Fn::Select': (argument) => {
      const [index, values] = argument as [number | string, unknown];
      return (resolve(values) as unknown[])[Number(index)];
    },
    'Fn::Split': (argument) => {
      const [separator, text] = argument as [string, unknown];
      return String(resolve(text)).split(separator);
    },
  };
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (!isRecord(value)) return value;
    const [name, argument] = intrinsicOf(value) ?? [];
    if (name === undefined)
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member)]));
    const evaluate = functions[name];
    if (evaluate === undefined) throw new Error(`the template uses ${name}, which the laptop does not know`);
    return evaluate(argument);
  };
  return resolve;
};

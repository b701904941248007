import { Buffer } from 'node:buffer';
import { MissingReferenceError } from '../../errors.ts';
import type { Rke2ConfigSpec, Rke2Reference, Rke2ServerConfig } from '../../kinds/index.ts';
import { BootstrapInvalidError } from '../invalid.ts';
import type { BootFile } from '../machine-setup.ts';
import { withSecretBytes } from '../secret-bytes.ts';
import { CONFIG_REFERENCES, SERVER_REFERENCES } from './reference-list.ts';

/** Reads objects in the machine's own namespace; undefined if there is none. */
export interface ReferenceSources {
  namespace: string;
  secret(name: string): Promise<Readonly<Record<string, Uint8Array>> | undefined>;
  configMap(name: string): Promise<Readonly<Record<string, string>> | undefined>;
}

/** The texts of all objects that a configuration refers to, by the path of the field. */
export type ResolvedReferences = Readonly<Record<string, Readonly<Record<string, string>>>>;

type Kind = 'Secret' | 'ConfigMap';
interface Named {
  name?: string;
  namespace?: string;
}

/**
 * All texts of one object. Throws an error that names the field if the object is in another namespace, has no name or
 * does not exist.
 */
const readData = async (
  sources: ReferenceSources,
  kind: Kind,
  { name, namespace }: Named,
  field: string,
): Promise<Readonly<Record<string, string | Uint8Array>>> => {
  if (!name) throw new BootstrapInvalidError(`${field}.name`, `is missing; name a ${kind}`);
  if (namespace && namespace !== sources.namespace) {
    // Otherwise a user who can write in this namespace could read objects of another one.
    throw new BootstrapInvalidError(`${field}.namespace`, `must be ${sources.namespace}, that of the object itself`);
  }
  const data = kind === 'Secret' ? await sources.secret(name) : await sources.configMap(name);
  if (data === undefined) throw new MissingReferenceError(`${field}: there is no ${kind} "${name}"; create it`);
  return data;
};

/** The same as text. */
const readObject = async (...of: Parameters<typeof readData>): Promise<Record<string, string>> => {
  const text = (value: string | Uint8Array) =>
    typeof value === 'string' ? value : Buffer.from(value).toString('utf8');
  return Object.fromEntries(Object.entries(await readData(...of)).map(([key, value]) => [key, text(value)]));
};

const isSet = (reference: Rke2Reference | undefined): reference is Rke2Reference =>
  reference !== undefined && Object.keys(reference).length > 0;

const resolveList = async <Spec>(
  spec: Spec,
  list: readonly {
    field: string;
    kind: Kind;
    keys: readonly string[];
    of: (spec: Spec) => Rke2Reference | undefined;
  }[],
  prefix: string,
  sources: ReferenceSources,
): Promise<[string, Record<string, string>][]> => {
  const wanted = list.flatMap(({ of, ...entry }) => {
    const reference = of(spec);
    return isSet(reference) ? [{ ...entry, reference }] : [];
  });
  return Promise.all(
    wanted.map(async ({ field, kind, keys, reference }): Promise<[string, Record<string, string>]> => {
      const path = `${prefix}.${field}`;
      const data = await readObject(sources, kind, reference, path);
      const missing = keys.find((key) => data[key] === undefined);
      if (missing)
        throw new MissingReferenceError(`${path}: ${kind} "${reference.name}" has no key "${missing}"; add it`);
      return [field, data];
    }),
  );
};

const resolveRegistries = ({ privateRegistriesConfig }: Rke2ConfigSpec, sources: ReferenceSources) =>
  Promise.all(
    Object.entries(privateRegistriesConfig?.configs ?? {}).flatMap(([name, { authSecret, tls }]) => {
      const at = `privateRegistriesConfig.configs.${name}`;
      const of = async (field: string, reference: Rke2Reference): Promise<[string, Record<string, string>]> => [
        field,
        await readObject(sources, 'Secret', reference, `spec.${field}`),
      ];
      return [
        ...(isSet(authSecret) ? [of(`${at}.authSecret`, authSecret)] : []),
        ...(isSet(tls?.tlsConfigSecret) ? [of(`${at}.tls.tlsConfigSecret`, tls.tlsConfigSecret)] : []),
      ];
    }),
  );

/**
 * The texts of all objects to which a machine's configuration refers. Throws an error that names the field and the
 * missing object.
 */
export const resolveRke2References = async (
  spec: Rke2ConfigSpec,
  server: Rke2ServerConfig | undefined,
  sources: ReferenceSources,
): Promise<ResolvedReferences> => {
  const found = await Promise.all([
    resolveList(spec, CONFIG_REFERENCES, 'spec', sources),
    server ? resolveList(server, SERVER_REFERENCES, 'spec.serverConfig', sources) : [],
    resolveRegistries(spec, sources),
  ]);
  return Object.fromEntries(found.flat());
};

/** The user's files with the content of their references. */
export const resolveRke2Files = (spec: Rke2ConfigSpec, sources: ReferenceSources): Promise<BootFile[]> =>
  Promise.all(
    (spec.files ?? []).map(async ({ contentFrom, content = '', ...file }, index): Promise<BootFile> => {
      const { secret, configMap } = contentFrom ?? {};
      const reference = secret ?? configMap;
      if (!reference) return { ...file, content };
      const [kind, member] = secret ? (['Secret', 'secret'] as const) : (['ConfigMap', 'configMap'] as const);
      const field = `spec.files[${index}].contentFrom.${member}`;
      const value = (await readData(sources, kind, reference, field))[reference.key];
      if (value === undefined) {
        throw new MissingReferenceError(`${field}: ${kind} "${reference.name}" has no key "${reference.key}"; add it`);
      }
      return typeof value === 'string' ? { ...file, content: value } : withSecretBytes(file, value, index);
    }),
  );

/** The parts of an Ignition config that a machine executes, by the names that versions 2.x and 3.x share. */

export interface Resource {
  source?: string;
  compression?: string;
  verification?: { hash?: string };
}

export interface FileEntry {
  path: string;
  mode?: number;
  user?: { id?: number; name?: string };
  group?: { id?: number; name?: string };
  contents?: Resource;
  /** 2.x: whether `contents` are appended to the file. 3.x: what is appended to it. */
  append?: boolean | Resource[];
}

export interface UnitEntry {
  name: string;
  enabled?: boolean;
  enable?: boolean;
  mask?: boolean;
  contents?: string;
  dropins?: { name: string; contents?: string }[];
}

export interface Config {
  ignition: {
    version: string;
    config?: { append?: Resource[]; merge?: Resource[]; replace?: Resource };
  };
  storage?: { files?: FileEntry[] } & Record<string, unknown>;
  systemd?: { units?: UnitEntry[] };
  [section: string]: unknown;
}

const VERSIONS = ['2.0.0', '2.1.0', '2.2.0', '2.3.0', '3.0.0', '3.1.0', '3.2.0', '3.3.0', '3.4.0'];

/** Reads a config. If Ignition would not accept it, throws an Error that quotes nothing of the text. */
export const parseConfig = (text: string): Config => {
  let config: Partial<Config> | null;
  try {
    config = JSON.parse(text) as Partial<Config> | null;
  } catch {
    throw new Error('config is not valid: not JSON');
  }
  const version = config?.ignition?.version;
  if (version === undefined) throw new Error('config is not valid: it names no version');
  if (!VERSIONS.includes(version)) throw new Error(`config is not valid: version ${version} is not supported`);
  return config as Config;
};

/** The configs to which a config refers and that are merged into it, in their order. */
export const referencesOf = ({ ignition: { version, config = {} } }: Config): Resource[] =>
  (version.startsWith('2.') ? config.append : config.merge) ?? [];

/** One config after the other: later ones take precedence, and are processed last. */
export const joinConfigs = (
  configs: readonly Config[],
): { files: FileEntry[]; units: UnitEntry[]; others: string[] } => ({
  files: configs.flatMap(({ storage }) => storage?.files ?? []),
  units: configs.flatMap(({ systemd }) => systemd?.units ?? []),
  others: configs.flatMap(({ ignition: _, storage = {}, systemd: __, ...sections }) => [
    ...Object.keys(sections),
    ...Object.keys(storage)
      .filter((kind) => kind !== 'files')
      .map((kind) => `storage.${kind}`),
  ]),
});

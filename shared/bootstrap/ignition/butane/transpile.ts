import { UnreadableError } from '../../../decode/unreadable.ts';
import { readYaml } from '../../../decode/yaml.ts';
import { BootstrapInvalidError } from '../../invalid.ts';
import { emptyConfig, type FileNode, type IgnitionConfig, type Resource, type User } from '../config.ts';
import { check } from '../container-linux/check.ts';
import { dataResource } from '../contents.ts';
import { type ButaneConfig, type ButaneFile, type ButaneResource, type ButaneUser, butaneConfig } from './schema.ts';

const resource = ({ inline, source, compression, verification }: ButaneResource): Resource =>
  source === undefined
    ? dataResource(inline ?? '')
    : { source, ...(compression ? { compression } : {}), ...(verification ? { verification } : {}) };

/** The initial content of a file, and the content that is appended to it. */
const fileNodes = ({ contents, append = [], ...node }: ButaneFile): FileNode[] => [
  ...(contents || append.length === 0
    ? [{ ...node, contents: contents ? resource(contents) : { source: 'data:,' } }]
    : []),
  ...append.map((one) => ({ path: node.path, append: true, contents: resource(one) })),
];

const userOf = ({
  home_dir: homeDir,
  no_create_home: noCreateHome,
  no_log_init: noLogInit,
  no_user_group: noUserGroup,
  password_hash: passwordHash,
  primary_group: primaryGroup,
  ssh_authorized_keys: sshAuthorizedKeys,
  ...user
}: ButaneUser): User => ({
  ...user,
  ...{ homeDir, noCreateHome, noLogInit, noUserGroup, passwordHash, primaryGroup, sshAuthorizedKeys },
});

const convert = ({ storage = {}, systemd = {}, passwd = {} }: ButaneConfig): IgnitionConfig => ({
  ...emptyConfig(),
  files: (storage.files ?? []).flatMap(fileNodes),
  directories: storage.directories ?? [],
  links: storage.links ?? [],
  units: systemd.units ?? [],
  users: (passwd.users ?? []).map(userOf),
  groups: (passwd.groups ?? []).map(({ password_hash: passwordHash, ...group }) => ({ ...group, passwordHash })),
});

/** YAML 1.1, because Butane reads modes in this way: 0644 is octal. */
const parsed = (source: string, field: string): unknown => {
  try {
    return readYaml(source, { version: '1.1' });
  } catch (error) {
    if (error instanceof UnreadableError) throw new BootstrapInvalidError(field, 'is not YAML');
    throw error;
  }
};

const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => `${text}${typeof key === 'number' ? `[${key}]` : `.${String(key)}`}`, '').slice(1);

/**
 * Converts the users, files, folders, links and units of a Butane config to an Ignition config. Throws
 * BootstrapInvalidError, which names each invalid field, including those that Butane supports and this function does
 * not.
 */
export const transpileButane = (source: string, field: string): IgnitionConfig => {
  const read = butaneConfig.safeParse(parsed(source, field));
  if (!read.success) {
    // Only locations and rules: a value may be a secret.
    const problems = read.error.issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? `${[pathOf(issue.path), issue.keys.join(', ')].filter(Boolean).join('.')}: not supported`
        : `${pathOf(issue.path) || 'the config'}: ${issue.code === 'custom' || issue.code === 'invalid_format' ? issue.message : issue.code}`,
    );
    throw new BootstrapInvalidError(field, problems.join('; '));
  }
  const config = convert(read.data);
  const problems = check(config);
  if (problems.length > 0) throw new BootstrapInvalidError(field, problems.join('; '));
  return config;
};

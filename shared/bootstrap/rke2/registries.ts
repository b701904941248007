import { MissingReferenceError } from '../../errors.ts';
import type { Rke2Registries } from '../../kinds/index.ts';
import { compact, toYaml } from '../kubeadm/document.ts';
import type { BootFile } from '../machine-setup.ts';
import { ownFile } from './agent-config.ts';
import { REGISTRIES_PATH } from './paths.ts';
import type { ResolvedReferences } from './references.ts';

const TLS_FILES = { 'tls.crt': 'cert_file', 'tls.key': 'key_file', 'ca.crt': 'ca_file' } as const;

/** Each registry has its own folder, because two registries may have different certificates. */
const folderOf = (registry: string): string => `/etc/rancher/rke2/tls/${registry.replaceAll(/[^\w.-]/g, '_')}`;

const authOf = (field: string, secret: Readonly<Record<string, string>> | undefined) => {
  if (!secret) return undefined;
  const { username, password, 'identity-token': identityToken } = secret;
  if (!identityToken && !(username && password)) {
    throw new MissingReferenceError(
      `spec.${field}: the Secret needs the keys "username" and "password", or "identity-token"`,
    );
  }
  return compact({ username, password, identity_token: identityToken });
};

/** registries.yaml and the certificates to which it refers; nothing if no registries are configured. */
export const registryFiles = (registries: Rke2Registries | undefined, resolved: ResolvedReferences): BootFile[] => {
  const { mirrors = {}, configs = {} } = registries ?? {};
  if (Object.keys(mirrors).length + Object.keys(configs).length === 0) return [];
  const files: BootFile[] = [];
  const written = Object.entries(configs).map(([name, { tls }]) => {
    const at = `privateRegistriesConfig.configs.${name}`;
    const secret = resolved[`${at}.tls.tlsConfigSecret`] ?? {};
    const present = Object.entries(TLS_FILES).filter(([key]) => secret[key] !== undefined);
    files.push(...present.map(([key]) => ownFile(`${folderOf(name)}/${key}`, secret[key] ?? '', '0600')));
    const paths = Object.fromEntries(present.map(([key, field]) => [field, `${folderOf(name)}/${key}`]));
    const security = { ...paths, insecure_skip_verify: tls?.insecureSkipVerify || undefined };
    return [name, compact({ auth: authOf(`${at}.authSecret`, resolved[`${at}.authSecret`]), tls: security })] as const;
  });
  const document = compact({ mirrors, configs: Object.fromEntries(written) });
  return [...files, ownFile(REGISTRIES_PATH, toYaml(document))];
};

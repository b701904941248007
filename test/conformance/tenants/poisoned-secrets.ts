/**
 * Secrets that a namespace's editor has damaged. Each contains a canary at the place where a parser or a server fails.
 */

export interface Poison {
  name: string;
  /** The Secret in the namespace `default`. If it exists, its data is replaced. */
  secret: string;
  data: Record<string, string>;
  /** A text that occurs only in this Secret. */
  canary: string;
}

/** The prefix of all canaries, which occurs in no other text. */
const CANARY = 'c4nary';

const pem = (label: string, canary: string): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(canary).toString('base64')}${canary}\n-----END ${label}-----\n`;

const kubeconfig = (server: string, user: string): string =>
  `apiVersion: v1\nkind: Config\nclusters:\n- {name: a, cluster: {server: "${server}"}}\nusers:\n- {name: a, user: ${user}}\ncontexts:\n- {name: a, context: {cluster: a, user: a}}\ncurrent-context: a\n`;

const manifest = (lines: string): string => `apiVersion: v1\nkind: Secret\nmetadata: {name: theirs}\n${lines}\n`;

/**
 * The Secrets to damage for a cluster, in rounds. The Secrets of one round do not hide each other's damage: without a
 * valid kubeconfig nothing would be applied, and without valid authorities nothing would be created.
 */
export const poisonsOf = (cluster: string): Poison[][] => {
  let count = 0;
  const next = (): string => {
    count += 1;
    return `${CANARY}${count}x`;
  };
  const of = (secret: string, name: string, make: (canary: string) => Record<string, string>): Poison => {
    const canary = next();
    return { name: `${secret}: ${name}`, secret, data: make(canary), canary };
  };
  const config = (name: string, text: (canary: string) => string) =>
    of(`${cluster}-kubeconfig`, name, (canary) => ({ value: text(canary) }));
  const file = (name: string, text: (canary: string) => string) =>
    of('canary-file', name, (canary) => ({ content: text(canary) }));
  const addon = (name: string, text: (canary: string) => string) =>
    of('canary-addon', name, (canary) => ({ manifest: text(canary) }));
  const authority = (purpose: string) => [
    of(`${cluster}-${purpose}`, 'no PEM', (canary) => ({ 'tls.crt': canary, 'tls.key': canary })),
    of(`${cluster}-${purpose}`, 'damaged PEM', (canary) => ({
      'tls.crt': pem(purpose === 'sa' ? 'PUBLIC KEY' : 'CERTIFICATE', canary),
      'tls.key': pem('RSA PRIVATE KEY', canary),
    })),
  ];
  const kubeconfigs = [
    config('no YAML', (canary) => `clusters: [{cluster: ${canary}\nusers: ${canary}: x`),
    config('an unknown alias', (canary) => `clusters: *${canary}\n`),
    config('an unknown tag', (canary) => `clusters: !${canary} [a]\n`),
    config('a host that nobody knows', (canary) => kubeconfig(`https://${canary}.invalid`, `{token: ${canary}}`)),
    config('a token that is no header', (canary) =>
      kubeconfig('https://127.0.0.1:9', `{token: "${canary}\\n\\u00ff"}`),
    ),
  ];
  const files = [
    file('a name in a template', (canary) => `{{ ${canary} }}`),
    file('a field in a template', (canary) => `{{ .controlPlane.version.${canary} }}`),
    file('a string in a template', (canary) => `{{ "\\q${canary}" }}`),
  ];
  const addons = [
    addon('no YAML', (canary) => `a: [${canary}\nb: ${canary}: c`),
    addon('a value that the server refuses', (canary) => manifest(`data: {key: "%%${canary}"}`)),
    addon('a type that the server refuses', (canary) => manifest(`stringData: {key: [${canary}]}`)),
  ];
  const userData = [
    of('canary-user-data', 'no JSON', (canary) => ({ value: `{"ignition": ${canary}}`, format: 'ignition' })),
    of('canary-user-data', 'another format', (canary) => ({ value: canary, format: canary })),
  ];
  const authorities = ['ca', 'etcd', 'proxy', 'sa'].map(authority);
  const together = (lists: readonly (readonly Poison[])[]): Poison[][] =>
    Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, round) =>
      lists.flatMap((list) => list[round] ?? []),
    );
  return [...together([files, addons, userData]), ...together([kubeconfigs]), ...together(authorities)];
};

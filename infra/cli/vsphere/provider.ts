/** The manager of the vSphere provider, as upstream builds it, with a Windlass API. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { systemClock } from '../../../shared/clock.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { systemRandom } from '../../../shared/random.ts';
import { serverCertificate } from '../../local/engines/api-gateway/certificates.ts';
import type { Api } from '../api/client.ts';
import { collectionPath, makeFindResource } from '../api/resources.ts';
import { end, freePorts, lastLines, run, whenUp } from '../conformance/processes.ts';
import { readDefinitions, readRights, readWebhooks, USER } from './definitions.ts';

const HOST = '127.0.0.1';

export interface ProviderOptions {
  /** The path of the program. */
  program: string;
  api: Api;
  /** An administrator's kubeconfig for the same API. */
  kubeconfig: string;
  /** The directory for its log, its certificate and its credentials. */
  home: string;
}

const install = async (api: Api, objects: readonly KubeObject[]): Promise<void> => {
  const findResource = makeFindResource(api);
  for (const object of objects) {
    const resource = await findResource(object);
    if (!resource) throw new Error(`${object.kind} is not served`);
    const path = `${collectionPath(resource, '')}/${object.metadata.name}?fieldManager=vsphere&force=true`;
    await api.send('PATCH', path, object, 'application/apply-patch+yaml');
  }
};

const writeCertificate = async (home: string) => {
  const directory = join(home, 'certificates');
  mkdirSync(directory, { recursive: true });
  const made = await serverCertificate(directory, { clock: systemClock, random: systemRandom });
  writeFileSync(join(directory, 'tls.crt'), made.certificatePem);
  writeFileSync(join(directory, 'tls.key'), made.privateKeyPem, { mode: 0o600 });
  return { directory, ca: made.caPem };
};

interface Kubeconfig {
  users: { user: object }[];
}

/** The administrator's kubeconfig, impersonating a user with only the permissions of the provider. */
const writeKubeconfig = ({ kubeconfig, home }: ProviderOptions): string => {
  const file = join(home, 'kubeconfig-of-provider');
  const config = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const users = config.users.map((one) => ({ ...one, user: { ...one.user, as: USER } }));
  writeFileSync(file, stringify({ ...config, users }), { mode: 0o600 });
  return file;
};

const launch = (options: ProviderOptions, certificates: string, ports: readonly number[]) => {
  // Clusters name their credentials, but the program requires a file for clusters that do not.
  const { program, home } = options;
  const credentials = join(home, 'credentials.yaml');
  writeFileSync(credentials, '{}\n');
  const [webhooks = 0, health = 0] = ports;
  return run(home, program, [
    `--kubeconfig=${writeKubeconfig(options)}`,
    `--credentials-file=${credentials}`,
    `--webhook-cert-dir=${certificates}`,
    `--webhook-port=${webhooks}`,
    `--health-addr=${HOST}:${health}`,
    `--diagnostics-address=${HOST}:0`,
    '--insecure-diagnostics=true',
    // Leader election needs the namespace of a pod, and there is only one process.
    '--leader-elect=false',
  ]);
};

export interface Provider {
  child: ChildProcess;
  /** Its most recent output. */
  said(): string;
  stop(): Promise<void>;
}

/**
 * Creates the provider's kinds and permissions, starts its manager, and registers its webhooks. Rejects with its last
 * output if it does not become ready.
 */
export const startProvider = async (options: ProviderOptions): Promise<Provider> => {
  const { api, home, program } = options;
  const { directory, ca } = await writeCertificate(home);
  const ports = await freePorts(2);
  const server = { url: `https://${HOST}:${ports[0]}`, ca };
  await install(api, [...readDefinitions(server), ...readRights()]);
  const child = launch(options, directory, ports);
  const said = () => lastLines(home, program);
  const stop = () => end(child);
  try {
    await whenUp(`http://${HOST}:${ports[1]}/readyz`, child, said);
    await install(api, readWebhooks(server));
    return { child, said, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

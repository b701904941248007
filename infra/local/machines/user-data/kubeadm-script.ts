import { LOCAL_PHASES } from '../../../../shared/bootstrap/kubeadm/script.ts';
import type { Waiting } from '../kubeadm/wait.ts';
import type { FileSystem } from './file-system.ts';
import type { KubeadmCall } from './kubeadm-call.ts';

/** A file that `kubeadm init` has written once an API server was set up: from then on, it can only be resumed. */
const API_SERVER_MANIFEST = '/etc/kubernetes/manifests/kube-apiserver.yaml';
/** Ten seconds at the laptop's speed. */
const PAUSE_IN_RETRIES = 20;
const HOSTS = '/etc/hosts';

export interface ScriptWorld {
  files: FileSystem;
  waiting: Waiting;
  kubeadm(call: KubeadmCall): Promise<boolean>;
  /** Whether an API server answers at the machine's endpoint. */
  answers(host: string, port: number): Promise<boolean>;
}

const variable = (script: string, name: string): string =>
  new RegExp(`^${name}='?([^'\\n]*)'?$`, 'm').exec(script)?.[1] ?? '';

/**
 * `until kubeadm …; do sleep …; done`, with a limit. With `resumes`, an init continues if the API server was already
 * set up.
 */
export const repeatKubeadm = async (
  call: KubeadmCall,
  { files, waiting, kubeadm }: Omit<ScriptWorld, 'answers'>,
  { deadlineSeconds, resumes }: { deadlineSeconds: number; resumes: boolean },
): Promise<boolean> => {
  const { clock, signal, retryMilliseconds } = waiting;
  const deadline = clock.now().getTime() + deadlineSeconds * 1000;
  const isStarted = (): boolean => call.verb === 'init' && files.stat(API_SERVER_MANIFEST) !== undefined;
  const next = (): KubeadmCall => (resumes && isStarted() ? { ...call, skipPhases: [...LOCAL_PHASES] } : call);
  while (!(await kubeadm(next()))) {
    if (clock.now().getTime() >= deadline || (isStarted() && !resumes)) return false;
    await clock.sleep(PAUSE_IN_RETRIES * retryMilliseconds, signal);
  }
  return true;
};

/**
 * Does what Windlass's boot script does around kubeadm, according to its text: an init maps the endpoint's name to the
 * machine itself, resumes if the API server was already set up, and removes the mapping when the endpoint answers
 * without it.
 */
export const runKubeadmScript = async (
  script: string,
  call: KubeadmCall,
  world: ScriptWorld & { deadlineSeconds: number },
): Promise<boolean> => {
  const { files, waiting, answers, deadlineSeconds } = world;
  const { clock, signal, retryMilliseconds } = waiting;
  const [address, host] = [variable(script, 'own_address'), variable(script, 'endpoint_host')];
  const resumes = script.includes('--skip-phases');
  const before = files.read(HOSTS) ?? '127.0.0.1 localhost\n';
  const take = () => files.write(HOSTS, `${before}${address} ${host}\n`);
  const isTaken = call.verb === 'init' && address !== '';
  if (isTaken) take();
  const succeeded = await repeatKubeadm(call, world, { deadlineSeconds, resumes });
  if (!isTaken) return succeeded;
  const until = clock.now().getTime() + Number(variable(script, 'settle')) * 1000;
  files.write(HOSTS, before);
  while (succeeded && !(await answers(host, Number(variable(script, 'endpoint_port'))))) {
    take();
    if (clock.now().getTime() >= until) return true;
    await clock.sleep(PAUSE_IN_RETRIES * retryMilliseconds, signal);
    files.write(HOSTS, before);
  }
  return succeeded;
};

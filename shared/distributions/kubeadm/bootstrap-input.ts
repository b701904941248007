import type { ClusterCertificates } from '../../bootstrap/certificates/authority.ts';
import { renderFiles } from '../../bootstrap/file-templates.ts';
import type { MachineToken } from '../../bootstrap/kubeadm/init-configuration.ts';
import type { BootstrapInput } from '../../bootstrap/kubeadm/input.ts';
import { resolveReferences } from '../../bootstrap/references.ts';
import { machineToken, tokenDescription, tokenSeed } from '../../bootstrap/tokens.ts';
import type { KubeadmConfigSpec, KubeadmControlPlane } from '../../kinds/index.ts';
import { pathOf } from '../../kinds/rules/bootstrap/upgrade-path.ts';
import { registersTaint } from '../../plan/control-plane/default-taint.ts';
import { isControlPlaneMachine } from '../../plan/labels.ts';
import type { Initializer } from '../../plan/memory/initializer.ts';
import { clusterFactsOf } from '../cluster-facts.ts';
import type { BootstrapRequest } from '../distribution.ts';

const readCertificates = async (
  { authority }: BootstrapRequest,
  { clusterConfiguration }: KubeadmConfigSpec,
): Promise<ClusterCertificates> => {
  const external = clusterConfiguration?.etcd?.external !== undefined;
  const [ca, etcd, proxy, sa] = await Promise.all([
    authority('ca'),
    authority('etcd', { external }),
    authority('proxy'),
    authority('sa'),
  ]);
  if (!external) return { ca, etcd, proxy, sa };
  return { ca, etcd, proxy, sa, apiserverEtcdClient: await authority('apiserver-etcd-client') };
};

/** This many tokens add about 9 kB to the data, or 1 kB if they are compressed. */
const MAX_TOKENS = 32;

/**
 * The tokens of other machines, which the init machine makes valid from the start: those of the control plane first, up
 * to the limit. Tokens of further machines are created as soon as the API server responds, as for machines that are
 * added later; kubeadm waits for them. Without a limit, the data of this one machine would grow with the cluster.
 */
const otherTokens = async ({ machine, machines }: BootstrapRequest, seed: Uint8Array): Promise<MachineToken[]> => {
  const others = (await machines()).filter(({ metadata }) => metadata.uid !== machine.metadata.uid);
  const workers = others.filter((other) => !isControlPlaneMachine(other));
  return [...others.filter(isControlPlaneMachine), ...workers].slice(0, MAX_TOKENS).map(({ metadata }) => ({
    token: machineToken(seed, metadata.uid ?? ''),
    description: tokenDescription(metadata.name),
  }));
};

/** The version to install on a stock image. */
const installed = ({ installs, machine }: BootstrapRequest): { install?: string } =>
  installs && machine.spec.version ? { install: machine.spec.version } : {};

/**
 * The configuration of a control plane machine is that of a joining machine. The first machine takes the other parts
 * from its owner.
 */
const specFor = ({ role, config, controlPlane }: BootstrapRequest): KubeadmConfigSpec => {
  const spec: KubeadmConfigSpec = config.spec ?? {};
  if (role !== 'init' || spec.initConfiguration || !controlPlane) return spec;
  const { kubeadmConfigSpec } = controlPlane.spec as KubeadmControlPlane['spec'];
  return { ...spec, initConfiguration: kubeadmConfigSpec?.initConfiguration };
};

/** What is recorded about the machine of this request, which runs `kubeadm init`. */
export const initializer = (request: BootstrapRequest): Initializer => ({
  machine: request.machine.metadata.uid ?? '',
  tainted: registersTaint(specFor(request).initConfiguration?.nodeRegistration?.taints),
});

/** Everything from which a machine's kubeadm files are rendered. It contains secrets, so it is passed nowhere else. */
export const kubeadmInput = async (request: BootstrapRequest): Promise<BootstrapInput> => {
  const { role, machine } = request;
  const spec = specFor(request);
  const { files, users } = await resolveReferences(spec, request.secret);
  // The machine's own version: during an upgrade over several minors, the control plane's spec is ahead of all
  // machines.
  const version =
    request.controlPlane && pathOf(request.controlPlane).length > 0
      ? machine.spec.version
      : request.controlPlane?.spec.version;
  const install = installed(request);
  const base = { cluster: clusterFactsOf(request), spec, files: renderFiles(files, version), users, ...install };
  const uid = machine.metadata.uid ?? '';
  if (role === 'worker') {
    const ca = await request.authority('ca');
    const token = machineToken(tokenSeed(ca.privateKeyPem), uid);
    const { joinsInService } = request;
    return { ...base, role, caCertificatePem: ca.certificatePem, token, joinsInService };
  }
  const certificates = await readCertificates(request, spec);
  const server = { ...base, certificates, reports: request.reports };
  const seed = tokenSeed(certificates.ca.privateKeyPem);
  if (role === 'init') return { ...server, role, tokens: await otherTokens(request, seed) };
  return { ...server, role, token: machineToken(seed, uid) };
};

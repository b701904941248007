import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateAuthority } from '../../../../shared/bootstrap/certificates/authority.ts';
import { issueCertificate } from '../../../../shared/bootstrap/certificates/issue.ts';
import { webCryptoKeys } from '../../../../shared/bootstrap/certificates/keys.ts';
import { secureToken } from '../../../../shared/bootstrap/rke2/token.ts';
import { systemClock } from '../../../../shared/clock.ts';
import { silentLog } from '../../../../shared/log.ts';
import { systemRandom } from '../../../../shared/random.ts';
import type { MachineContext } from '../kubeadm/machine-context.ts';
import { makeSigningRequest } from '../kubeadm/signing-request.ts';
import type { Rke2Authorities } from './authorities.ts';
import { parseRke2Config, type Rke2Config } from './config.ts';
import { register } from './registration.ts';
import { BOOTSTRAP_PATH, KUBELET_PATH, listenSupervisor } from './supervisor.ts';

const dependencies = { clock: systemClock, random: systemRandom, keys: webCryptoKeys };
const machine = { ...dependencies, log: silentLog } as unknown as MachineContext;

let authorities: Rke2Authorities;
let supervisor: Awaited<ReturnType<typeof listenSupervisor>>;
beforeAll(async () => {
  const make = () => generateAuthority({ algorithm: 'ECDSA-P256', ...dependencies });
  const [serverCa, clientCa, etcdServerCa, etcdPeerCa] = await Promise.all([make(), make(), make(), make()]);
  authorities = { serverCa, clientCa, etcdServerCa, etcdPeerCa };
  const request = { commonName: 'rke2', usages: ['server'], sans: ['127.0.0.1'], algorithm: 'ECDSA-P256' } as const;
  const certificate = await issueCertificate(
    serverCa,
    { ...request, usages: [...request.usages], sans: [...request.sans] },
    dependencies,
  );
  const passwords = { server: 'for-servers', node: 'for-agents' };
  supervisor = await listenSupervisor({ authorities, certificate, passwords, clusterUid: 'uid' }, machine);
});
afterAll(() => supervisor.close());

const configWith = (token: string): Rke2Config =>
  parseRke2Config(`server: https://127.0.0.1:${supervisor.port}\ntoken: ${token}\n`);

describe('the supervisor of a simulated server', () => {
  it('signs the certificate of a kubelet with the client CA', async () => {
    const token = secureToken(authorities.serverCa.certificatePem, 'node', 'for-agents');
    const registration = await register(configWith(token), 'node');
    const { requestPem } = await makeSigningRequest('a-node');
    const certificate = new X509Certificate(await registration.call('POST', KUBELET_PATH, requestPem));
    expect(certificate.subject).toContain('system:node:a-node');
    expect(certificate.verify(new X509Certificate(authorities.clientCa.certificatePem).publicKey)).toBe(true);
  });

  it('gives the keys of the CAs only to servers', async () => {
    const server = await register(configWith('for-servers'), 'server');
    expect(JSON.parse(await server.call('GET', BOOTSTRAP_PATH))).toEqual({ clusterUid: 'uid', ...authorities });
    const agent = await register(configWith('for-agents'), 'node');
    await expect(agent.call('GET', BOOTSTRAP_PATH)).rejects.toThrow(': 403');
    const pretender = await register(configWith('for-agents'), 'server');
    await expect(pretender.call('GET', BOOTSTRAP_PATH)).rejects.toThrow(': 401');
  });

  it('is not trusted if the token has the hash of another CA', async () => {
    const token = secureToken(authorities.clientCa.certificatePem, 'node', 'for-agents');
    await expect(register(configWith(token), 'node')).rejects.toThrow('token CA hash does not match');
  });
});

import { createHash, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../clock.ts';
import { systemRandom } from '../../random.ts';
import { generateAuthority } from '../certificates/authority.ts';
import { issueCertificate } from '../certificates/issue.ts';
import { webCryptoKeys } from '../certificates/keys.ts';
import { agentTokenOf, caHash, newServerToken, secureToken } from './token.ts';

const dependencies = { clock: systemClock, random: systemRandom, keys: webCryptoKeys };

describe('the tokens of RKE2', () => {
  it('identify the cluster to a worker without revealing the server token', async () => {
    const { certificatePem } = await generateAuthority({ algorithm: 'ECDSA-P256', ...dependencies });
    const server = newServerToken(systemRandom);
    const agent = agentTokenOf(server);
    const hash = createHash('sha256').update(certificatePem).digest('hex');
    expect(secureToken(certificatePem, 'node', agent)).toBe(`K10${hash}::node:${agent}`);
    expect(agent).not.toBe(server);
    expect(agentTokenOf(server)).toBe(agent);
    expect(server).toMatch(/^[0-9a-f]{32}$/);
  });

  it('are derived from the root of a certificate chain', async () => {
    const root = await generateAuthority({ algorithm: 'ECDSA-P256', ...dependencies });
    const leaf = await issueCertificate(
      root,
      { commonName: 'intermediate', usages: ['server'], sans: [], algorithm: 'ECDSA-P256' },
      dependencies,
    );
    const expected = createHash('sha256').update(new X509Certificate(root.certificatePem).raw).digest('hex');
    expect(caHash(leaf.certificatePem + root.certificatePem)).toBe(expected);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenLocally } from '../../../infra/local/machines/listen.ts';
import { generateAuthority } from '../../../shared/bootstrap/certificates/authority.ts';
import { issueCertificate } from '../../../shared/bootstrap/certificates/issue.ts';
import { webCryptoKeys } from '../../../shared/bootstrap/certificates/keys.ts';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';

interface Received {
  method: string | undefined;
  path: string | undefined;
  authorization: string | undefined;
  /** The events of the request: `create services/web`. */
  events: readonly string[];
  body: string;
}

/** The answer to a request; `undefined` means that the request is never answered. */
type Answer = { status: number; headers?: Record<string, string> } | undefined;

/** An HTTPS server that receives the reports of the API servers under test. */
export interface Receiver {
  port: number;
  /** A file with the authority that issued the server's certificate. */
  caFile: string;
  received: Received[];
  answer(with_: Answer): void;
  close(): Promise<void>;
}

interface AuditEvent {
  verb: string;
  stage: string;
  level: string;
  objectRef?: { resource: string; name?: string; subresource?: string };
}

const wordsOf = ({ verb, objectRef = { resource: '' } }: AuditEvent): string =>
  `${verb} ${[objectRef.resource, objectRef.name, objectRef.subresource].filter(Boolean).join('/')}`;

export const startReceiver = async (): Promise<Receiver> => {
  const dependencies = { clock: systemClock, random: systemRandom, keys: webCryptoKeys };
  const authority = await generateAuthority({ algorithm: 'ECDSA-P256', ...dependencies });
  const request = { commonName: 'receiver', usages: ['server'], sans: ['127.0.0.1'], algorithm: 'ECDSA-P256' } as const;
  const { privateKeyPem: key, certificatePem: cert } = await issueCertificate(authority, request, dependencies);
  const home = mkdtempSync(join(tmpdir(), 'windlass-receiver-'));
  const caFile = join(home, 'ca.pem');
  writeFileSync(caFile, authority.certificatePem);
  const received: Received[] = [];
  let answer: Answer = { status: 200 };
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { items } = JSON.parse(body) as { items: AuditEvent[] };
      received.push({
        method: incoming.method,
        path: incoming.url,
        authorization: incoming.headers.authorization,
        events: items.map(wordsOf),
        body,
      });
      if (answer)
        outgoing.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end('{}');
    });
  });
  // An API server reuses connections that have been idle for longer than Node's five seconds.
  const { port, close } = await listenLocally(server);
  return {
    port,
    caFile,
    received,
    answer: (next) => {
      answer = next;
    },
    close: async () => {
      await close();
      rmSync(home, { recursive: true, force: true });
    },
  };
};

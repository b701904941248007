import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installCustomResources, type SendJson } from '../../../infra/cli/conformance/custom-resources.ts';
import { type KubeApiserver, startKubeApiserver } from '../../../infra/cli/conformance/kube-apiserver.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { SCENARIOS } from './cases/scenarios.ts';
import { connect, type Send } from './endpoint.ts';
import { type HookServer, startHooks } from './hooks.ts';
import type { KnownDifference } from './known-difference.ts';
import { KNOWN_DIFFERENCES } from './known-differences.ts';
import { type OurServer, startOurServer } from './our-server.ts';
import { writeReport } from './report.ts';
import { type Exchange, type Finding, findDifferences, play } from './scenario.ts';
import { installTwins } from './twins.ts';

/**
 * Sends the same requests to a real kube-apiserver with etcd and to Windlass. Needs KUBEBUILDER_ASSETS, which `npm run
 * conformance` sets. Each difference is a bug or is known, and each known difference must occur.
 */
const assets = process.env.KUBEBUILDER_ASSETS;
const STORAGES = ['memory', 'dynalite'] as const;

describe.skipIf(!assets)('answers equal those of a kube-apiserver', { timeout: LIMIT }, () => {
  let theirs: KubeApiserver;
  let hooks: ReadonlyMap<string, HookServer>;
  const ours: OurServer[] = [];
  const closes: (() => void)[] = [];
  const sends = new Map<string, Send>();
  const findings: Finding[] = [];
  const met = new Set<KnownDifference>();

  const openConnection = (name: string, endpoint: Parameters<typeof connect>[0]): void => {
    const { send, close } = connect(endpoint);
    sends.set(name, send);
    closes.push(close);
  };
  const sendTo = (name: string): Send => {
    const send = sends.get(name);
    if (!send) throw new Error(`${name} was not started`);
    return send;
  };

  const hooksOf = (name: string): HookServer => {
    const found = hooks.get(name);
    if (!found) throw new Error(`${name} has no webhooks`);
    return found;
  };

  beforeAll(async () => {
    hooks = await startHooks(['kube-apiserver', ...STORAGES]);
    theirs = await startKubeApiserver(String(assets));
    openConnection('kube-apiserver', theirs);
    const send = sendTo('kube-apiserver');
    const sendJson: SendJson = (method, path, body) => send({ method, path, body });
    await installCustomResources(sendJson, KINDS);
    await installTwins(sendJson);
    for (const storage of STORAGES) {
      const server = await startOurServer(storage);
      ours.push(server);
      openConnection(storage, server);
    }
  }, LIMIT);

  afterAll(async () => {
    writeReport(findings, KNOWN_DIFFERENCES);
    for (const close of closes) close();
    await Promise.all([
      theirs?.stop(),
      ...ours.map((server) => server.stop()),
      ...[...hooks.values()].map((server) => server.close()),
    ]);
  }, LIMIT);

  const isKnown = (finding: Finding): boolean => {
    const known = KNOWN_DIFFERENCES.find((difference) => difference.covers(finding));
    if (known) met.add(known);
    return known !== undefined;
  };

  describe.concurrent('in each scenario', () => {
    it.each(SCENARIOS.map((scenario, index) => ({ ...scenario, namespace: `s${index}` })))(
      '$name',
      async ({ namespace, ...scenario }) => {
        const [reference, ...others] = await Promise.all(
          ['kube-apiserver', ...STORAGES].map((name) => play(scenario, namespace, sendTo(name), hooksOf(name))),
        );
        const found = others.map((other) => findDifferences(scenario.name, reference as Exchange[], other));
        findings.push(...found.flat());
        const unknown = found.map((list) => list.filter((finding) => !isKnown(finding)));

        expect(Object.fromEntries(STORAGES.map((storage, index) => [storage, unknown[index]]))).toEqual(
          Object.fromEntries(STORAGES.map((storage) => [storage, []])),
        );
      },
    );
  });

  it('and each known difference occurs', () => {
    expect(KNOWN_DIFFERENCES.filter((difference) => !met.has(difference)).map(({ here }) => here)).toEqual([]);
  });
});

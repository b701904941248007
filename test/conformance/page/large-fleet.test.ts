import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import { type ManagementApi, startManagementApi } from '../management-api.ts';
import { type Browser, startBrowser, type Tab } from './browser.ts';
import { type Page, press, reads, startPage, textOf } from './page.ts';

const CLUSTERS = 1000;

let api: ManagementApi;
let page: Page;
let browser: Browser;
let tab: Tab;

const path = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters';

const create = async (name: string): Promise<void> => {
  const metadata = { namespace: 'default', name };
  const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name };
  const body = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata, spec: { infrastructureRef } };
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status, await answer.text()).toBe(201);
};

const rows = (): Promise<number> => tab.evaluate("document.querySelectorAll('tbody tr').length");

beforeAll(async () => {
  api = await startManagementApi();
  for (let number = 0; number < CLUSTERS; number += 1) await create(`cluster-${String(number).padStart(4, '0')}`);
  const kubeconfig = join(mkdtempSync(join(tmpdir(), 'windlass-page-')), 'kubeconfig');
  // JSON is valid YAML. The client library refuses a server without TLS unless it is allowed explicitly.
  const cluster = { server: api.url, 'insecure-skip-tls-verify': true };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user: {} }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  page = await startPage(kubeconfig);
  browser = await startBrowser();
  tab = await browser.open(page.address);
}, LIMIT);
afterAll(async () => {
  await browser?.close();
  await page?.stop();
  await api?.stop();
}, LIMIT);

// The tests run in order.
describe('a fleet of 1,000 clusters', { timeout: LIMIT }, () => {
  it('is shown in pages of 100, after two requests and one watch', async () => {
    await reads(tab, /1000 clusters, 1000 need attention .* Page 1 of 10/);
    expect(await rows()).toBe(100);
    const asked = api.requests.filter((one) => one.includes('/clusters?'));
    const kinds = asked.map((one) => /watch=true/.exec(one)?.[0] ?? (/continue=[^&]/.test(one) ? 'continue' : 'list'));
    expect(kinds).toEqual(['list', 'continue', 'watch=true']);
  });

  it('is searched from the keyboard', async () => {
    await press(tab, '/');
    for (const key of '0999') await press(tab, key);
    await reads(tab, /1000 clusters, 1000 need attention, 1 shown .* cluster-0999/);
    expect(await rows()).toBe(1);
  });

  it('shows a new cluster without a reload, and keeps the typed text', async () => {
    await create('new-09990');
    await reads(tab, /1001 clusters, 1001 need attention, 2 shown .* new-09990/);
    expect(await tab.evaluate("document.activeElement === document.querySelector('#search')")).toBe(true);
  });

  it('makes no requests in a hidden tab, and is up to date when it is visible again', async () => {
    const setHidden = (isHidden: boolean) =>
      tab.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
    await setHidden(true);
    await create('new-09991');
    const before = api.requests.length;
    await tab.evaluate('new Promise((resolve) => setTimeout(resolve, 1000))');
    expect(api.requests).toHaveLength(before);
    expect(await textOf(tab)).toContain('1001 clusters');
    await setHidden(false);
    await reads(tab, /1002 clusters, 1002 need attention, 3 shown .* new-09991/);
  });

  it('is read-only without --write', async () => {
    const put = `fetch('${path}/new-09990', { method: 'PUT', headers: { 'x-windlass-ui': '1', 'content-type': 'application/json' }, body: '{}' })`;
    expect(await tab.evaluate(`${put}.then(({ status }) => status)`)).toBe(405);
    expect(await textOf(tab, 'header')).toContain('read-only');
  });

  it('keeps its token out of the address and inaccessible to scripts', async () => {
    expect(await tab.evaluate('location.href')).not.toContain('token');
    expect(await tab.evaluate('document.cookie')).toBe('');
  });

  it.each([
    ['inline handlers', "document.createElement('div').setAttribute('onclick', 'window.ran = true')"],
    ['markup from text', "document.createElement('div').innerHTML = '<img src=x>'"],
  ])('forbids %s', async (_, code) => {
    await expect(tab.evaluate(code)).rejects.toThrow(/requires 'Trusted/);
  });

  it('forbids requests to anywhere else', async () => {
    const elsewhere = `new Promise((resolve) => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective), { once: true });
      fetch('http://127.0.0.1:9/').catch(() => undefined);
    })`;
    expect(await tab.evaluate(elsewhere)).toBe('connect-src');
  });
});

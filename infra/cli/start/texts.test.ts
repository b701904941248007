import { describe, expect, it } from 'vitest';
import { complete } from '../progress/fixtures.ts';
import { builtText, stoppedText } from './texts.ts';

describe('the text about a complete cluster', () => {
  it('ends with commands that show the cluster, while it runs', () => {
    const text = builtText(complete, 7, { boot: 2 });
    expect(text).toContain('is Available after 7.0 s, of which 2.0 s simulated boot.');
    expect(text).toMatch(/kubectl --kubeconfig \S+kubeconfig\S* .*get cluster,kcp,md,machines/);
  });

  it('has no commands for a stopped cluster', () => {
    expect(builtText(complete, 7, { boot: 2, once: true })).not.toContain('kubectl');
    expect(stoppedText(['examples/quickstart.yaml'])).toMatch(/npm start -- --apply \S*examples\/quickstart.yaml$/);
  });
});

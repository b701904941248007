import { describe, expect, inject, it } from 'vitest';
import { synthesizeFixture } from '../../infra/fixture-stack.ts';
import { resourcesOf } from './definitions.ts';

/** Settings that limit the bill, and logs that show who caused it. */

const properties = (type: string, outdir: string) => resourcesOf(outdir, type).map(([, found]) => found);
const functionNamed = (outdir: string, name: string): string => {
  const found = resourcesOf(outdir, 'AWS::Lambda::Function').find(
    ([, { FunctionName }]) => FunctionName === `Windlass-${name}`,
  );
  if (!found) throw new Error(`there is no function ${name}`);
  return found[0];
};
const reserved = (outdir: string) =>
  Object.fromEntries(
    properties('AWS::Lambda::Function', outdir).flatMap(({ FunctionName, ReservedConcurrentExecutions }) =>
      ReservedConcurrentExecutions === undefined ? [] : [[FunctionName, ReservedConcurrentExecutions]],
    ),
  );

describe('Lambda', () => {
  it('neither retries a failed sweep nor queues one', () => {
    const outdir = inject('outdir');
    const ofSweep = properties('AWS::Lambda::EventInvokeConfig', outdir).filter(({ FunctionName }) =>
      JSON.stringify(FunctionName).includes(functionNamed(outdir, 'drift')),
    );
    expect(ofSweep).toMatchObject([{ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 300 }]);
  });

  it('reserves no concurrency unless the quota is given, so that a new account accepts the template', () => {
    expect(reserved(inject('outdir'))).toEqual({});
  });

  it('reserves no concurrency from a quota of 10, and limits the watches of all principals instead', () => {
    const outdir = synthesizeFixture({ context: { lambdaConcurrency: 10 } });
    expect(reserved(outdir)).toEqual({});
    const environments = JSON.stringify(properties('AWS::Lambda::Function', outdir));
    for (const watches of [2, 3]) expect(environments).toContain(`"WINDLASS_WATCHES":"${watches}"`);
  });

  it('limits the concurrency that callers cause, and runs one sweep at a time', () => {
    const outdir = synthesizeFixture({ context: { lambdaConcurrency: '1000', watchesPerPrincipal: '12' } });
    expect(reserved(outdir)).toEqual({
      'Windlass-api': 180,
      'Windlass-watch': 120,
      'Windlass-authorizer': 50,
      'Windlass-changes': 2,
      'Windlass-drift': 1,
    });
    const environments = JSON.stringify(properties('AWS::Lambda::Function', outdir));
    expect(environments).toContain('"WINDLASS_WATCHES":"120"');
    expect(environments).toContain('"WINDLASS_WATCHES_PER_PRINCIPAL":"12"');
  });
});

describe('the function for watches', () => {
  const watching = (context: Readonly<Record<string, unknown>>) => {
    const functions = properties('AWS::Lambda::Function', synthesizeFixture({ context }));
    const named = (name: string) => functions.find(({ FunctionName }) => FunctionName === `Windlass-${name}`);
    return { watch: named('watch'), api: JSON.stringify(named('api')) };
  };
  const sized = (megabytes: number, heap: string) => ({
    MemorySize: megabytes,
    Environment: { Variables: { NODE_OPTIONS: heap } },
  });

  it('has the memory that a setting says and a heap in proportion, or gets no watches', () => {
    const redirects = '"WINDLASS_REDIRECT_WATCHES":"true"';
    const [usual, none] = [watching({}), watching({ watchMegabytes: 0 })];
    for (const { watch } of [usual, none])
      expect(watch).toMatchObject(sized(128, '--max-semi-space-size=1 --max-old-space-size=40'));
    expect(usual.api).toContain(redirects);
    expect(none.api).not.toContain(redirects);
    expect(watching({ watchMegabytes: 192 }).watch).toMatchObject(
      sized(192, '--max-semi-space-size=1 --max-old-space-size=104'),
    );
    expect(watching({ watchMegabytes: 512 }).watch).toMatchObject(sized(512, '--max-old-space-size=376'));
    expect(() => watching({ watchMegabytes: 64 })).toThrow(
      'context "watchMegabytes": must be 0, or at least 128, not "64"',
    );
  });
});

describe('the audit trail', () => {
  it('is an access log with the real path and the principal, and without text that a client chooses freely', () => {
    const [stage] = properties('AWS::ApiGateway::Stage', inject('outdir'));
    const { Format } = (stage as { AccessLogSetting: { Format: string } }).AccessLogSetting;
    const fields = Object.values(JSON.parse(Format) as Record<string, string>);
    expect(fields).toEqual(
      expect.arrayContaining(['$context.path', '$context.authorizer.principalId', '$context.requestId']),
    );
    for (const field of fields) expect(field).not.toMatch(/userAgent|querystring|header|resourcePath/i);
  });

  it('is kept as long as a setting says, separately from other logs', () => {
    const outdir = synthesizeFixture({ context: { logRetentionDays: 7, auditRetentionDays: 365 } });
    const kept = properties('AWS::Logs::LogGroup', outdir)
      .filter(({ RetentionInDays }) => RetentionInDays === 365)
      .map(({ LogGroupName }) => LogGroupName);
    expect(kept.sort()).toEqual([
      '/aws/apigateway/Windlass',
      '/aws/lambda/Windlass-api',
      '/aws/lambda/Windlass-authorizer',
      '/aws/lambda/Windlass-watch',
    ]);
    expect(() => synthesizeFixture({ context: { auditRetentionDays: 8 } })).toThrow('context "auditRetentionDays"');
  });
});

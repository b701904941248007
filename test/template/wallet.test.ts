import { describe, expect, inject, it } from 'vitest';
import { synthesizeFixture } from '../../infra/fixture-stack.ts';
import { resourcesOf } from './definitions.ts';

/** What bounds the bill, and what says who ran it up. */

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
  it('does not run a sweep again that failed, nor keep one for later', () => {
    const outdir = inject('outdir');
    const ofSweep = properties('AWS::Lambda::EventInvokeConfig', outdir).filter(({ FunctionName }) =>
      JSON.stringify(FunctionName).includes(functionNamed(outdir, 'drift')),
    );
    expect(ofSweep).toMatchObject([{ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 300 }]);
  });

  it('reserves nothing unless the quota is said, so that a new account takes the template', () => {
    expect(reserved(inject('outdir'))).toEqual({});
  });

  it('reserves nothing of a quota of 10, and limits the watches of all instead', () => {
    const outdir = synthesizeFixture({ context: { lambdaConcurrency: 10 } });
    expect(reserved(outdir)).toEqual({});
    expect(JSON.stringify(properties('AWS::Lambda::Function', outdir))).toContain('"WINDLASS_WATCHES":"5"');
  });

  it('has a ceiling for what callers cause, and one sweep at a time', () => {
    const outdir = synthesizeFixture({ context: { lambdaConcurrency: '1000', watchesPerPrincipal: '12' } });
    expect(reserved(outdir)).toEqual({ 'Windlass-api': 300, 'Windlass-authorizer': 50, 'Windlass-drift': 1 });
    const environments = JSON.stringify(properties('AWS::Lambda::Function', outdir));
    expect(environments).toContain('"WINDLASS_WATCHES":"240"');
    expect(environments).toContain('"WINDLASS_WATCHES_PER_PRINCIPAL":"12"');
  });
});

describe('what says who did what', () => {
  it('is an access log with the real path and the principal, and with nothing that a client words freely', () => {
    const [stage] = properties('AWS::ApiGateway::Stage', inject('outdir'));
    const { Format } = (stage as { AccessLogSetting: { Format: string } }).AccessLogSetting;
    const fields = Object.values(JSON.parse(Format) as Record<string, string>);
    expect(fields).toEqual(
      expect.arrayContaining(['$context.path', '$context.authorizer.principalId', '$context.requestId']),
    );
    for (const field of fields) expect(field).not.toMatch(/userAgent|querystring|header|resourcePath/i);
  });

  it('is kept as long as a setting says, apart from other logs', () => {
    const outdir = synthesizeFixture({ context: { logRetentionDays: 7, auditRetentionDays: 365 } });
    const kept = properties('AWS::Logs::LogGroup', outdir)
      .filter(({ RetentionInDays }) => RetentionInDays === 365)
      .map(({ LogGroupName }) => LogGroupName);
    expect(kept.sort()).toEqual([
      '/aws/apigateway/Windlass',
      '/aws/lambda/Windlass-api',
      '/aws/lambda/Windlass-authorizer',
    ]);
    expect(() => synthesizeFixture({ context: { auditRetentionDays: 8 } })).toThrow('context "auditRetentionDays"');
  });
});

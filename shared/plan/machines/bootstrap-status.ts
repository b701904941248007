import type { BootstrapConfig } from '../../kinds/contract-objects.ts';
import { type ConditionClaim, findCondition, summarize, withConditions } from '../status/conditions.ts';

/** Why a machine has no bootstrap data: in its own configuration, or in the key material of its cluster. */
export interface BootstrapProblem {
  in: 'configuration' | 'certificates';
  /** For users, with the path of the field or the name of the Secret; never contains the content of a Secret. */
  message: string;
}

const NOT_PAUSED: ConditionClaim = { type: 'Paused', status: 'False', reason: 'NotPaused' };
const DATA = 'DataSecretAvailable';
const CERTIFICATES = 'CertificatesAvailable';

const available = (type: string): ConditionClaim => ({ type, status: 'True', reason: 'Available' });

const notAvailable = (type: string, message: string): ConditionClaim => ({
  type,
  status: 'False',
  reason: 'NotAvailable',
  message,
});

const claimsOf = (problem: BootstrapProblem | undefined): ConditionClaim[] => {
  if (!problem) return [available(DATA), available(CERTIFICATES)];
  const { message } = problem;
  if (problem.in === 'configuration') return [notAvailable(DATA, message)];
  return [notAvailable(DATA, 'Waiting for the certificates'), notAvailable(CERTIFICATES, message)];
};

const withClaims = (config: BootstrapConfig, problem: BootstrapProblem | undefined, now: Date): BootstrapConfig => {
  const claims = [...claimsOf(problem), findCondition(config.status?.conditions, 'Paused') ?? NOT_PAUSED];
  const { generation } = config.metadata;
  const conditions = withConditions(config.status?.conditions, claims, generation, now);
  const inputs = [{ type: DATA }, { type: CERTIFICATES, optional: true }];
  const ready = summarize('Ready', inputs, conditions, ['Ready', 'NotReady', 'ReadyUnknown']);
  const status = {
    ...config.status,
    observedGeneration: generation,
    conditions: withConditions(conditions, [ready], generation, now),
  };
  return { ...config, status: status as BootstrapConfig['status'] };
};

/** The configuration with its bootstrap data in the Secret `name`. */
export const withDataSecret = (config: BootstrapConfig, name: string, now: Date): BootstrapConfig => {
  const next = withClaims(config, undefined, now);
  const status = { ...next.status, dataSecretName: name, initialization: { dataSecretCreated: true } };
  return { ...next, status: status as BootstrapConfig['status'] };
};

/** The configuration with the problem, as no bootstrap data can be created from it until a user corrects it. */
export const withBootstrapProblem = (config: BootstrapConfig, problem: BootstrapProblem, now: Date): BootstrapConfig =>
  withClaims(config, problem, now);

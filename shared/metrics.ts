/**
 * The metrics and their units. Each value of a dimension costs money, so there are few of them, and ids are never used.
 */
export const METRICS = {
  /** Passes over clusters, by `mode`. */
  Passes: 'Count',
  /** Failed steps, by the name of the `error`. Each attempt of a step that is retried counts. */
  Failures: 'Count',
  StepDuration: 'Milliseconds',
  /** Requests to the Kubernetes API by `verb` and class of `code`. */
  Requests: 'Count',
  /** The time until the response begins. The response to a watch begins with its first event. */
  RequestLatency: 'Milliseconds',
  /** Clusters with unfinished work that a sweep found. */
  ClustersDue: 'Count',
  /** Clusters for which passes were requested repeatedly but none started; without a value if there are none. */
  ClustersStalled: 'Count',
  /** Machines whose instances a sweep found in an unexpected state. */
  DriftFindings: 'Count',
  /**
   * 1 if a sweep changed nothing in some place, because its observations were implausible or a namespace took too much
   * memory.
   */
  SweepSuspended: 'Count',
  /** Clusters with an object that a sweep could not handle and skipped. */
  ClustersPassedOver: 'Count',
  /** 1 in each hour in which the most recent export of the table has failed. */
  ExportsFailed: 'Count',
  /** Machines by `phase`. */
  Machines: 'Count',
  /** Days until the first certificate of a control plane machine expires. */
  CertificateDays: 'Count',
} as const;

export type MetricName = keyof typeof METRICS;

/** Numbers for operators. They are written to the log, so they cost no call. */
export interface Metrics {
  add(name: MetricName, value: number, dimensions?: Readonly<Record<string, string>>): void;
}

/** Discards everything. */
export const noMetrics: Metrics = { add: () => {} };

/** What is measured, with its unit. A name costs money for each value of its dimensions: they are few, and never ids. */
export const METRICS = {
  /** Passes over clusters, by `mode`. */
  Passes: 'Count',
  /** Steps that failed, by the name of the `error`; those that are tried again count each time. */
  Failures: 'Count',
  StepDuration: 'Milliseconds',
  /** Requests to the Kubernetes API by `verb` and class of `code`. */
  Requests: 'Count',
  /** Until the answer begins, which for a watch is its first event. */
  RequestLatency: 'Milliseconds',
  /** Clusters with unfinished work that a sweep found. */
  ClustersDue: 'Count',
  /** Clusters for which passes were requested repeatedly but none started; without a value if there are none. */
  ClustersStalled: 'Count',
  /** Machines whose instances a sweep found in another state than was known. */
  DriftFindings: 'Count',
  /** 1 if a sweep changed nothing somewhere: its observations were implausible, or a namespace took too much memory. */
  SweepSuspended: 'Count',
  /** Clusters with an object that a sweep could not handle and skipped. */
  ClustersPassedOver: 'Count',
  /** 1 in each hour in which the last export of the table is a failed one. */
  ExportsFailed: 'Count',
  /** Machines by `phase`. */
  Machines: 'Count',
  /** Until the first certificate of a control plane machine expires. */
  CertificateDays: 'Count',
} as const;

export type MetricName = keyof typeof METRICS;

/** Numbers for operators. They go with the log and cost no call. */
export interface Metrics {
  add(name: MetricName, value: number, dimensions?: Readonly<Record<string, string>>): void;
}

/** Keeps nothing. */
export const noMetrics: Metrics = { add: () => {} };

/** How the simulated Auto Scaling behaves. Durations are milliseconds on the account's clock. */
export interface AutoScalingSettings {
  /** How often groups check their instances, at least. */
  autoScalingPollMilliseconds: number;
  /** The pause after the first launch that failed; it doubles with each further failure. */
  autoScalingRetryMilliseconds: number;
  autoScalingMaxRetryMilliseconds: number;
  /**
   * Cooldowns, warm-ups, grace periods, checkpoint delays and bake times are multiplied by it, so that a laptop need
   * not wait; 1 is real time. Timeouts of lifecycle hooks are not shortened.
   */
  autoScalingTimeScale: number;
  /** How many groups a region may have; DescribeAccountLimits returns it, and creations beyond it are refused. */
  autoScalingGroups: number;
}

export const defaultAutoScalingSettings = (): AutoScalingSettings => ({
  autoScalingPollMilliseconds: 500,
  autoScalingRetryMilliseconds: 5_000,
  autoScalingMaxRetryMilliseconds: 60_000,
  autoScalingTimeScale: 0.02,
  autoScalingGroups: 500,
});

/** How the simulated Auto Scaling behaves. Durations are milliseconds on the account's clock. */
export interface AutoScalingSettings {
  /** The longest interval at which groups check their instances. */
  autoScalingPollMilliseconds: number;
  /** The pause after the first failed launch; it doubles with each further failure. */
  autoScalingRetryMilliseconds: number;
  autoScalingMaxRetryMilliseconds: number;
  /**
   * A factor for cooldowns, warm-ups, grace periods, checkpoint delays and bake times, so that a laptop need not wait;
   * 1 is real time. Timeouts of lifecycle hooks are not shortened.
   */
  autoScalingTimeScale: number;
  /** The most groups in a region; DescribeAccountLimits returns it, and more creations are refused. */
  autoScalingGroups: number;
}

export const defaultAutoScalingSettings = (): AutoScalingSettings => ({
  autoScalingPollMilliseconds: 500,
  autoScalingRetryMilliseconds: 5_000,
  autoScalingMaxRetryMilliseconds: 60_000,
  autoScalingTimeScale: 0.02,
  autoScalingGroups: 500,
});

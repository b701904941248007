/**
 * For how many seconds AWS may not show something that exists. EC2's documentation of eventual consistency says up to
 * five minutes. What is not shown after this time is gone, or was never created.
 */
export const VISIBLE_SECONDS = 300;

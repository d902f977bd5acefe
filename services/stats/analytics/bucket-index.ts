import type { CalendarBucket } from '../../../model/calendar-bucket.js';

/** Index of the bucket that holds an instant within their whole span. */
export function indexAt(buckets: readonly CalendarBucket[], time: number): number {
  let [low, high] = [0, buckets.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (buckets[middle]!.end <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

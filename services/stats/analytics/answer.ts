import type { Problem } from '../../../runtime/app-error.js';
import type { TrafficClass } from '../enrich/traffic-class.js';

/** Different people; how they were told apart, and the standard error as a part of the value when it is an estimate. */
export interface Visitors {
  value: number;
  method: 'EXACT' | 'HLL' | 'SUM_OF_WINDOWS';
  relativeError: number | undefined;
}

export interface Metrics {
  clicks: number;
  visitors: Visitors | undefined;
  /** The classes that are no clicks here. */
  excluded: { trafficClass: TrafficClass; count: number }[];
}

export interface Bucket {
  start: Date;
  end: Date;
  /** A part of it is outside of the span or not complete yet. */
  partial: boolean;
  metrics: Metrics;
  previous: Metrics | undefined;
}

export interface Row {
  key: string;
  kind: 'VALUE' | 'UNKNOWN' | 'OTHER';
  metrics: Metrics;
  previous: Metrics | undefined;
  cursor: string;
}

export type PanelAnswer =
  | { kind: 'totals'; metrics: Metrics; previous: Metrics | undefined }
  | { kind: 'series'; buckets: Bucket[] }
  | { kind: 'breakdown'; rows: Row[]; distinctValues: number; hasMore: boolean; total: number }
  /** Concerns this panel alone. */
  | { kind: 'failure'; problem: Problem };

export type CountSource = 'ROLLUP' | 'RAW' | 'MIXED';

export interface Quality {
  asOf: Date | undefined;
  /** No count is a lower bound. */
  exact: boolean;
  source: CountSource;
  retentionFrom: Date;
  droppedAtEdge: number;
  tooLate: number;
}

export interface Answer {
  quality: Quality;
  panels: PanelAnswer[];
}

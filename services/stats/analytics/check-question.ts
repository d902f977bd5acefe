import { isTimeZone } from '../../../model/time-zone.js';
import { AppError } from '../../../runtime/app-error.js';
import type { Filter } from '../filter.js';
import type { BreakdownPanel, Question } from './question.js';

const MAX_LINKS = 100;
const MAX_PANELS = 50;
const MAX_FILTERS = 10;
const MAX_VALUES = 100;
const MAX_VALUE_LENGTH = 300;
const MAX_ROWS = 100;

/** @throws AppError INVALID_ARGUMENT, TIME_ZONE_INVALID: the first thing that is wrong, with its place */
export function checkQuestion({ scope, span, timeZone, traffic, filters, panels }: Question): void {
  const links = scope.linkIds?.length ?? 1;
  if (links === 0 || links > MAX_LINKS) throw invalid(`linkIds takes 1 to ${MAX_LINKS} links.`, 'linkIds');
  if (span.from !== undefined && span.to !== undefined && span.from >= span.to)
    throw invalid('The range ends before it begins.', 'range');
  if (!isTimeZone(timeZone)) {
    const message = 'timeZone is not an IANA time zone, like Asia/Shanghai.';
    throw new AppError('INVALID_ARGUMENT', { code: 'TIME_ZONE_INVALID', message, path: ['timeZone'] });
  }
  if (traffic.length === 0) throw invalid('traffic must name at least one class.', 'traffic');
  if (panels.length > MAX_PANELS) throw invalid(`At most ${MAX_PANELS} panels can be asked for at once.`);
  if (filters.length > MAX_FILTERS) throw invalid(`At most ${MAX_FILTERS} filters can be combined.`, 'filters');
  for (const [i, filter] of filters.entries()) checkFilter(filter, i);
  for (const panel of panels) if (panel.kind === 'breakdown') checkBreakdown(panel);
}

function checkFilter({ dimension, operator, values }: Filter, i: number): void {
  const at = ['filters', String(i), 'values'];
  if (values.length === 0 || values.length > MAX_VALUES) {
    throw invalid(`A filter has 1 to ${MAX_VALUES} values.`, ...at);
  }
  if (values.some((value) => value.length > MAX_VALUE_LENGTH)) {
    throw invalid(`A value of a filter has at most ${MAX_VALUE_LENGTH} characters.`, ...at);
  }
  if (dimension !== 'TARGET_VERSION') return;
  if (operator !== 'IS' && operator !== 'IS_NOT') {
    throw invalid('TARGET_VERSION can be filtered by IS and IS_NOT.', 'filters', String(i), 'operator');
  }
  if (values.some((value) => !/^\d{1,9}$/.test(value))) throw invalid('A target version is a number, like 3.', ...at);
}

function checkBreakdown({ first }: BreakdownPanel): void {
  if (first < 1 || first > MAX_ROWS) throw invalid(`first must be 1 to ${MAX_ROWS}.`, 'first');
}

function invalid(message: string, ...path: string[]): AppError {
  return new AppError('INVALID_ARGUMENT', { code: 'INVALID_ARGUMENT', message, path });
}

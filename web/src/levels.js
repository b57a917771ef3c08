// Steps grouped by level: what was asked of every system alike. One level may have been visited in several blocks; then its
// figure is the median over the visits, as in report/levels.cc.

const UNUSABLE = new Set(['INVALID_CLIENT', 'FAILED']);
const HELD = new Set(['STEADY', 'SUSPECT']);

export const is_usable = (step) => !UNUSABLE.has(step.label);
export const is_held = (step) => HELD.has(step.label);

export function level_value(step) {
  return step.kind === 'closed' ? step.concurrency : step.planned_rate ?? step.sent_rate;
}

export function levels_of(system, kind) {
  const found = new Map();
  system.steps.forEach((step, index) => {
    const value = level_value(step);
    if ((kind && step.kind !== kind) || value === undefined) return;
    const key = `${step.kind} ${Number(value.toPrecision(9))}`;
    if (!found.has(key)) found.set(key, { key, kind: step.kind, value, steps: [] });
    found.get(key).steps.push({ step, index });
  });
  return [...found.values()].sort((a, b) => a.kind.localeCompare(b.kind) || a.value - b.value);
}

// "unbounded" sorts above every number. Returns a number, 'unbounded' or undefined.
export function median(values) {
  const known = values.filter((v) => v !== undefined && v !== null);
  if (known.length === 0) return undefined;
  const as_number = known.map((v) => (v === 'unbounded' ? Infinity : v)).sort((a, b) => a - b);
  const middle = (as_number.length - 1) / 2;
  const low = as_number[Math.floor(middle)];
  const high = as_number[Math.ceil(middle)];
  if (high === Infinity) return 'unbounded';
  return low + (high - low) * 0.5;
}

// A latency percentile of a step. With failures: every failed request counts as infinitely slow.
export function percentile(step, metric, name, with_failures) {
  const distribution = step[metric];
  const source = with_failures && distribution.with_failures ? distribution.with_failures : distribution;
  return source[name] ?? undefined;
}
